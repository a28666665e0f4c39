/** CSV as of RFC 4180, for spreadsheets. */

/** Without it spreadsheets take UTF-8 for something else. */
export const byteOrderMark = "\ufeff";

/** One record with its line break. */
export function line(cells: readonly string[]): string {
  return `${cells.map(quoted).join(",")}\r\n`;
}

/**
 * A text that a person wrote, as a spreadsheet shows it: what begins like a formula gets an apostrophe in front, so
 * that opening the file runs nothing.
 */
export function plainText(text: string): string {
  return /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
}

function quoted(cell: string): string {
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
