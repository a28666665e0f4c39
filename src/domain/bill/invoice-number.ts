/** Document numbers as people read them. Their pattern is chosen before the first document. */

/** `INV-{0000}`: the text around the sequence, and the sequence's minimum number of digits. */
export type Pattern = { before: string; digits: number; after: string };

const patternLengthMax = 30;
const groupForm = /^([^{}]*)\{(0{1,12})\}([^{}]*)$/;
/**
 * Safe in a subject, a URL, a shell and, except for the slash, in a file name; never mistaken for a command line
 * option.
 */
const exampleForm = /^[a-z0-9]([a-z0-9._/-]*[a-z0-9])?$/i;

export const patternWanted = (example: string) =>
  `one group of 1 to 12 zeros in braces for the counter, such as ${example}; around it only letters (A-Z), digits, ` +
  `-, /, . and _, with a letter or a digit at both ends; at most ${patternLengthMax} characters in all. Numbers stand in ` +
  "file names, URLs and subjects of mails, so there are no spaces";

/** Parses a pattern; null if the text is not one. */
export function parse(text: string): Pattern | null {
  const [, before = "", zeros = "", after = ""] = groupForm.exec(text) ?? [];
  const pattern = { before, digits: zeros.length, after };
  if (zeros === "" || text.length > patternLengthMax || !exampleForm.test(of(pattern, 1))) return null;
  return pattern;
}

/** `INV-{0000}` and 1 → `"INV-0001"`. A sequence with more digits keeps them all. */
export function of({ before, digits, after }: Pattern, sequence: number): string {
  return `${before}${String(sequence).padStart(digits, "0")}${after}`;
}

/** `"INV-0001"` → `1`, in any case and with any number of zeros; null if the text is not a number of this pattern. */
export function sequenceOf({ before, after }: Pattern, text: string): number | null {
  const [whole = "", start = "", end = ""] = [text, before, after].map((part) => part.toLowerCase());
  if (!whole.startsWith(start) || !whole.endsWith(end)) return null;
  const digits = whole.slice(start.length, whole.length - end.length);
  return /^\d{1,15}$/.test(digits) ? Number(digits) : null;
}

/**
 * Completes a number typed without zeros and marks, or without the text around the counter: `6`, `inv 6` and `INV6` are
 * `"INV-0006"`; null if the text is not a number.
 */
export function complete(pattern: Pattern, text: string): string | null {
  const [typed = "", before = "", after = ""] = [text, pattern.before, pattern.after].map(bare);
  const sequence =
    sequenceOf({ ...pattern, before, after }, typed) ??
    sequenceOf({ ...pattern, before: "", after: "" }, typed);
  return sequence === null ? null : of(pattern, sequence);
}

const bare = (text: string) => text.replaceAll(/[\s#./_-]/g, "");

/** Returns whether a number of one pattern could also belong to the other. */
export const mayMeet = (a: Pattern, b: Pattern): boolean =>
  sequenceOf(a, of(b, 1)) !== null || sequenceOf(b, of(a, 1)) !== null;

const whatIsNumbered = {
  TILL_INVOICE_NUMBER: "invoice",
  TILL_CREDIT_NOTE_NUMBER: "credit note",
  TILL_RECEIPT_NUMBER: "receipt",
} as const;
export type Setting = keyof typeof whatIsNumbered;

/** Says that a changed pattern would renumber the document `number` as `now`. */
export const changed = (setting: Setting, { number, now }: { number: string; now: string }) =>
  `${setting} would make ${now} of ${whatIsNumbered[setting]} ${number}.`;

/** The advice for it. */
export const unchange = (setting: Setting) =>
  `How ${whatIsNumbered[setting]}s are numbered is decided before the first one: set it to what it was then, or not at all if it was not set.`;

/** File name of an invoice's PDF: `2026/0042` → `2026-0042.pdf`. */
export function fileName(number: string): string {
  return `${number.replaceAll("/", "-")}.pdf`;
}
