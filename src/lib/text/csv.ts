/** CSV according to RFC 4180, for spreadsheets. */

/** Separates cells. In languages with a decimal comma, spreadsheets use semicolons. */
export type Separator = "," | ";";

/** Without it spreadsheets misread UTF-8. */
export const byteOrderMark = "\ufeff";

/** One record with its line break. */
export function line(cells: readonly string[], separator: Separator): string {
  return `${cells.map(quoted).join(separator)}\r\n`;
}

/** A character that begins a formula, or white space and quotes with the character after them. */
const begun = /([\s"']+)(.)|[=+\-@＝＋－＠]/gs;
const formula = "=+-@＝＋－＠";

/** Some spreadsheets end a cell at a line break or a tab in a text. */
const cellEnd = /[\t\n]|\r(?!\n)/g;

/**
 * A person's text as a spreadsheet should show it: anything that begins like a formula gets an apostrophe in front, so
 * that opening the file runs nothing, whether the spreadsheet splits it at commas, semicolons or tabs.
 */
export function plainText(text: string, separator: Separator): string {
  // A spreadsheet that expects the other separator takes this one as text.
  const other = separator === "," ? ";" : ",";
  return text
    .replace(begun, (all: string, before = "", character = all, at: number) => {
      if (!formula.includes(character)) return all;
      const isStart = at === 0 || text[at - 1] === other;
      return `${isStart ? "'" : ""}${before.replace(cellEnd, "$&'")}${character}`;
    })
    .replace(/^[\t\r]/, "'$&");
}

/** Quotes the other separators too, as a spreadsheet may split cells at several. */
function quoted(cell: string): string {
  return /[",;\t\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

/** A negative amount, which is not a formula. */
const negative = /^-\d+(\.\d+)?$/;

/** A value as one cell; text that a person may have written is guarded. */
export function cell(value: string | number | boolean | null | undefined, separator: Separator): string {
  return typeof value === "string" && !negative.test(value)
    ? plainText(value, separator)
    : String(value ?? "");
}
