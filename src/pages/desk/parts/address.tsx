import { shortHash, transactionHref } from "../../text.ts";

/** `0x91dE…4F02`, to be recognised; where money is sent, an address stands whole. */
export function ShortAddress({ address }: { address: string }) {
  return (
    <bdi class="address" translate="no" title={address}>
      {`${address.slice(0, 6)}…${address.slice(-4)}`}
    </bdi>
  );
}

/** In groups of four that can be compared by eye. The gaps are drawn, so that copying has none. */
export function WholeAddress({ address }: { address: string }) {
  return (
    <bdi class="address address-whole" translate="no">
      {(address.match(/^0x.{4}|.{1,4}/gsu) ?? []).map((group) => (
        <span>{group}</span>
      ))}
    </bdi>
  );
}

/** A transaction, with a link to where it can be looked up. `name` is for screen readers. */
export function Transaction({
  txHash,
  explorer,
  name,
}: {
  txHash: string;
  explorer: string | null;
  name: string;
}) {
  const href = transactionHref(explorer, txHash);
  return href === null ? (
    <bdi class="address" translate="no" title={txHash}>
      {shortHash(txHash)}
    </bdi>
  ) : (
    <a class="address reach" href={href} rel="noreferrer" aria-label={`${name} ${shortHash(txHash)}`}>
      {shortHash(txHash)}
    </a>
  );
}
