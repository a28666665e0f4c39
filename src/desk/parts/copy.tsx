import type { Locale } from "../../language/locale.ts";
import type { Child } from "../../lib/jsx/jsx-runtime.ts";
import { copyWords } from "../../pages/icons.tsx";
import { shortHash, transactionHref } from "../../pages/text.ts";
import type { DeskFrame } from "./page/desk-frame.ts";

type CopyProps = {
  frame: Pick<DeskFrame, "locale">;
  id: string;
  text: string;
  label?: string;
  look?: string;
};

/** Only the script can copy, so the script shows the button. */
export function Copy({ frame: { locale }, id, text, ...more }: CopyProps) {
  const { label = locale.say("copy"), look = "button button-quiet button-small" } = more;
  return (
    <button
      type="button"
      class={look}
      id={id}
      data-copy={text}
      data-words={copyWords(locale.say("copied"), locale.say("notCopied"))}
      hidden=""
    >
      {label}
    </button>
  );
}

/** The words of the payer's copy button, in the desk's language. */
export const copyButtonWords = ({ say }: Locale, label: string, name = label) => ({
  label,
  copied: say("copied"),
  notCopied: say("notCopied"),
  name,
  sayCopied: say("copied"),
  sayNotCopied: say("notCopied"),
});

type CopyableProps = {
  frame: Pick<DeskFrame, "locale">;
  id: string;
  text: string;
  /** Names the text for a screen reader. */
  label: string;
  isFilled?: boolean;
};

/** A text in a field, where it can be selected without the script, and a button that copies it. */
export function Copyable({ frame, id, text, label, isFilled = false }: CopyableProps) {
  return (
    <div class="copyable">
      <label class="visually-hidden" for={id}>
        {label}
      </label>
      <input id={id} readonly value={text} />
      <Copy frame={frame} id={`copy-${id}`} text={text} look={isFilled ? "button" : "button button-quiet"} />
    </div>
  );
}

type AddressFactProps = { frame: Pick<DeskFrame, "locale">; name: string; address: string };

/** The full address in a page's list of facts, with a copy button. */
export function AddressFact({ frame, name, address }: AddressFactProps) {
  return (
    <div>
      <dt>{name}</dt>
      <dd class="small">
        <WholeAddress address={address} />
      </dd>
      <dd>
        <Copy frame={frame} id="copy-address" text={address} label={frame.locale.say("copyTheAddress")} />
      </dd>
    </div>
  );
}

/** `0x91dE…4F02`, for recognition; where money is sent, the full address is shown. */
export function ShortAddress({ address }: { address: string }) {
  return (
    <bdi class="address" translate="no" title={address}>
      {`${address.slice(0, 6)}…${address.slice(-4)}`}
    </bdi>
  );
}

/** In groups of four that can be compared by eye. The gaps are only visual, so copying has none. */
export function WholeAddress({ address }: { address: string }) {
  return (
    <bdi class="address address-whole" translate="no">
      {(address.match(/^0x.{4}|.{1,4}/gsu) ?? []).map((group) => (
        <span>{group}</span>
      ))}
    </bdi>
  );
}

/** The full address in a payment's list of facts. `dir` is for a label with a name in it. */
export const WholeFact = ({ label, dir, address }: { label: Child; dir?: "auto"; address: string }) => (
  <div class="whole">
    <dt dir={dir}>{label}</dt>
    <dd>
      <WholeAddress address={address} />
    </dd>
  </div>
);

type TransactionProps = { txHash: string; explorer: string | null; name: string };

/** A transaction, with a link to the explorer if there is one. `name` is for screen readers. */
export function Transaction({ txHash, explorer, name }: TransactionProps) {
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
