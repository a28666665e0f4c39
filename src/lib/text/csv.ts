/** CSV as of RFC 4180, for spreadsheets. */

/** What stands between cells. In languages with a decimal comma, spreadsheets part them by semicolons. */
export type Separator = "," | ";";

/** Without it spreadsheets take UTF-8 for something else. */
export const byteOrderMark = "\ufeff";

/** One record with its line break. */
export function line(cells: readonly string[], separator: Separator): string {
  return `${cells.map(quoted).join(separator)}\r\n`;
}

/** A character that may begin a formula, with the white space and the quotes before it. */
const begun = /([\s"']*)(.)/gs;
const formula = "=+-@＝＋－＠";

/** A line break in a text, or a tab, is the end of a cell to some spreadsheets. */
const cellEnd = /[\t\n]|\r(?!\n)/g;

/**
 * A text that a person wrote, as a spreadsheet shows it: what begins like a formula gets an apostrophe in front, so
 * that opening the file runs nothing, whichever of comma, semicolon and tab the spreadsheet parts it by.
 */
export function plainText(text: string, separator: Separator): string {
  // A spreadsheet that expects the other separator takes this one for text.
  const other = separator === "," ? ";" : ",";
  return text
    .replace(begun, (all, before: string, character: string, at: number) => {
      if (!formula.includes(character)) return all;
      const isStart = at === 0 || text[at - 1] === other;
      return `${isStart ? "'" : ""}${before.replace(cellEnd, "$&'")}${character}`;
    })
    .replace(/^[\t\r]/, "'$&");
}

/** With the other separators too, as a spreadsheet may part cells by several. */
function quoted(cell: string): string {
  return /[",;\t\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

/** An amount below zero, which is no formula. */
const negative = /^-\d+(\.\d+)?$/;

/** A value as one cell: what a person may have written is guarded. */
export function cell(value: string | number | boolean | null | undefined, separator: Separator): string {
  return typeof value === "string" && !negative.test(value)
    ? plainText(value, separator)
    : String(value ?? "");
}
