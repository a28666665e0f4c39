/** The numbers of invoices as people call them: an installation decides before its first invoice how they look. */

/** `INV-{0000}`: what stands around the sequence, and how many digits that has at least. */
export type Pattern = { before: string; digits: number; after: string };

const patternLengthMax = 30;
const groupForm = /^([^{}]*)\{(0{1,12})\}([^{}]*)$/;
/** Safe in a subject, a URL, a shell and, but for the slash, in the name of a file; it can be no option of a command. */
const exampleForm = /^[a-z0-9]([a-z0-9._/-]*[a-z0-9])?$/i;

export const patternWanted = (example: string) =>
  `one group of 1 to 12 zeros in braces for the counter, such as ${example}; around it only letters (A-Z), digits, ` +
  `-, /, . and _, with a letter or a digit at both ends; at most ${patternLengthMax} characters in all. Numbers stand in ` +
  "file names, URLs and subjects of mails, so there are no spaces";

/** Reads a pattern; null for a text that is none. */
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

/** `"INV-0001"` → `1`, in any case and with any count of zeros; null for a text that is no number of this pattern. */
export function sequenceOf({ before, after }: Pattern, text: string): number | null {
  const [whole = "", start = "", end = ""] = [text, before, after].map((part) => part.toLowerCase());
  if (!whole.startsWith(start) || !whole.endsWith(end)) return null;
  const digits = whole.slice(start.length, whole.length - end.length);
  return /^\d{1,15}$/.test(digits) ? Number(digits) : null;
}

/**
 * The number that somebody means who leaves out its zeros and marks, or what stands around the counter: `6`, `inv 6` and
 * `INV6` are `"INV-0006"`; null for a text that is none.
 */
export function meant(pattern: Pattern, text: string): string | null {
  const [typed = "", before = "", after = ""] = [text, pattern.before, pattern.after].map(bare);
  const sequence =
    sequenceOf({ ...pattern, before, after }, typed) ??
    sequenceOf({ ...pattern, before: "", after: "" }, typed);
  return sequence === null ? null : of(pattern, sequence);
}

const bare = (text: string) => text.replaceAll(/[\s#./_-]/g, "");

/** Whether a number of one pattern may be one of the other, too. */
export const mayMeet = (a: Pattern, b: Pattern): boolean =>
  sequenceOf(a, of(b, 1)) !== null || sequenceOf(b, of(a, 1)) !== null;

const whatIsNumbered = {
  TILL_INVOICE_NUMBER: "invoice",
  TILL_CREDIT_NOTE_NUMBER: "credit note",
  TILL_RECEIPT_NUMBER: "receipt",
} as const;
export type Setting = keyof typeof whatIsNumbered;

/** What is wrong with a pattern that numbers as `now` what has the number `number`. */
export const changed = (setting: Setting, { number, now }: { number: string; now: string }) =>
  `${setting} would make ${now} of ${whatIsNumbered[setting]} ${number}.`;

/** What to do about it. */
export const unchange = (setting: Setting) =>
  `How ${whatIsNumbered[setting]}s are numbered is decided before the first one: set it to what it was then, or not at all if it was not set.`;

/** The name of an invoice's PDF: `2026/0042` → `2026-0042.pdf`. */
export function fileName(number: string): string {
  return `${number.replaceAll("/", "-")}.pdf`;
}
