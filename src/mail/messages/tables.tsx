import { referenceLengthMax } from "../../domain/bill/invoice.ts";
import { faceOf, type Receivable } from "../../domain/receivable/receivable.ts";
import type { Locale } from "../../language/locale.ts";
import type { SumRow } from "../../language/sums.ts";
import type { Child } from "../../lib/jsx/jsx-runtime.ts";
import { isolate, nameLengthMax, singleLine } from "../smtp/message.ts";
import { type Block, looks } from "./blocks.tsx";
import { font, ink, soft, table } from "./mail-layout.tsx";

/** Rows from the net to the total, the last in full colour; null if there are no rows. */
export const sums = ({ labelled, dir }: Locale, rows: readonly SumRow[]): Block | null => {
  if (rows.length === 0) return null;
  const line = `${font}font-size:14px;line-height:22px;`;
  return {
    above: 14,
    text: rows.map(({ label, amount }) => labelled(label, amount)),
    html: (
      <table {...table}>
        {rows.map(({ label, amount }, at) => {
          const { name, style } = looks[at === rows.length - 1 ? "ink" : "soft"];
          return (
            <tr>
              <td class={name} style={`${line}${style}`}>
                {label}
              </td>
              <td
                class={name}
                style={`${line}white-space:nowrap;${style}`}
                align={dir === "rtl" ? "left" : "right"}
                valign="top"
              >
                {amount}
              </td>
            </tr>
          );
        })}
      </table>
    ),
  };
};

/** Style of a cell in a table of facts. */
const cell = `${font}padding:6px 0;font-size:14px;line-height:21px;vertical-align:top;`;

type Fact = readonly [label: string, value: string | null];

/** The parties, if a customer is named, the number of the receipt, and the merchant's reference. */
export function partiesOf(receivable: Receivable, { say }: Locale): Fact[] {
  const { reference } = receivable;
  const { seller, customerName, receiptNumber } = faceOf(receivable);
  return [
    [say("billedBy"), customerName === null ? null : singleLine(seller, nameLengthMax)],
    [say("billedTo"), customerName && singleLine(customerName, nameLengthMax)],
    [say("receiptNumberLabel"), receiptNumber],
    [say("reference"), reference && singleLine(reference, referenceLengthMax)],
  ];
}

/** Rows of a label and a value, skipping null values, followed by the other entries, each below a rule. */
export const facts = (
  { labelled, dir }: Locale,
  all: readonly Fact[],
  entries: readonly { text: readonly string[]; html: Child; isSoft?: true }[] = [],
): Block => {
  const end = dir === "rtl" ? "left" : "right";
  const known = all.flatMap(([label, value]) => (value === null ? [] : [[label, value] as const]));
  return {
    text: [
      ...known.map(([label, value]) => labelled(label, isolate(value))),
      ...entries.flatMap(({ text }) => ["", ...text]),
    ],
    html: (
      <table {...table}>
        {known.map(([label, value]) => (
          <tr>
            <td class="soft" style={`${cell}width:116px;padding-${end}:12px;${soft}`}>
              {label}
            </td>
            <td class="ink" style={`${cell}${ink}`}>
              <bdi>{value}</bdi>
            </td>
          </tr>
        ))}
        {entries.map(({ html, isSoft }) => (
          <tr>
            <td
              colspan={2}
              class={isSoft ? "soft rule" : "rule"}
              style={`${cell}${isSoft ? soft : "padding-top:12px;"}border-top:1px solid #e1e6ee;`}
            >
              {html}
            </td>
          </tr>
        ))}
      </table>
    ),
  };
};
