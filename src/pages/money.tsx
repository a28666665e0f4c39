import { Html } from "@elysiajs/html";

const digitsPerGroup = 3;
/** Numbers of up to four digits are read at a glance; ISO 80000-1 leaves them ungrouped too. */
const digitsUngroupedMax = 4;

/** An amount with its digits in groups of three. The gaps are drawn, not written: what is copied is the plain number. */
export function Amount({ value }: { value: string }) {
  const match = /^(\d+)((?:\.\d+)?)$/.exec(value);
  const [, whole = "", fraction = ""] = match ?? [];
  if (whole.length <= digitsUngroupedMax) {
    return (
      <span class="amount" safe>
        {value}
      </span>
    );
  }
  const head = whole.length % digitsPerGroup;
  const groups: string[] = [...(whole.slice(head).match(/\d{3}/g) ?? [])];
  if (head > 0) groups.unshift(whole.slice(0, head));
  return (
    <span class="amount">
      {groups.map((group, at) => (
        <span safe>{at === groups.length - 1 ? group + fraction : group}</span>
      ))}
    </span>
  );
}

/** An address in full, in groups of four that can be compared by eye. The gaps are drawn, so that copying has none. */
export function GroupedAddress({ address }: { address: string }) {
  const [prefix = "", ...groups] = address.match(/^0x|.{1,4}/gsu) ?? [];
  return (
    <code class="address" translate="no">
      <span safe>{prefix}</span>
      {groups.map((group) => (
        <>
          <wbr />
          <span safe>{group}</span>
        </>
      ))}
    </code>
  );
}
