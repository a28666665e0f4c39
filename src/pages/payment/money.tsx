import type { Locale } from "../../language/locale.ts";

/** An amount or a quantity, as the language writes it. */
export function Amount({ value, locale }: { value: string; locale: Locale }) {
  return <bdi class="amount">{locale.figure(value)}</bdi>;
}

/** What somebody types or pastes into a wallet or an exchange: digits and a point, in every language. */
export function BareAmount({ value }: { value: string }) {
  return (
    <bdi class="amount" translate="no">
      {value}
    </bdi>
  );
}

/** An address in full, in groups of four that can be compared by eye. The gaps are drawn, so that copying has none. */
export function GroupedAddress({ address }: { address: string }) {
  const [prefix = "", ...groups] = address.match(/^0x|.{1,4}/gsu) ?? [];
  return (
    <code class="address" translate="no">
      <span>{prefix}</span>
      {groups.map((group) => (
        <>
          <wbr />
          <span>{group}</span>
        </>
      ))}
    </code>
  );
}
