/** Control characters (C0 but tab and line breaks, DEL, C1) have no place in a name or an address. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const controls = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/;
const breaks = /[\t\r\n\u2028\u2029]/;
/** Embeddings, overrides and isolates of UAX 9: they would reorder what stands beside a name. Marks belong to letters. */
const reordering = /[\u202a-\u202e\u2066-\u2069]/;
/** Nothing that shows: white space, and format characters such as a zero-width space. */
const blank = /^[\s\p{Cf}\u115f\u1160\u3164\uffa0]*$/u;

/** Why a person's text cannot be taken, as the end of a sentence; null when it can. */
export function refusal(text: string, { lineBreaks }: { lineBreaks: boolean }): string | null {
  if (!text.isWellFormed()) return "must not contain half of a character (a lone surrogate)";
  if (controls.test(text)) return "must not contain control characters";
  if (!lineBreaks && breaks.test(text)) return "must be a single line";
  if (!lineBreaks && reordering.test(text))
    return "must not contain characters that reverse the text around them";
  if (blank.test(text)) return "must not be blank";
  return null;
}

/** Hebrew, Arabic and their kin, which are written from right to left. */
export const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** The same without their digits, which run from left to right, and their marks. */
export const letterToLeft =
  /(?=\p{L})[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/**
 * What a terminal would act on instead of showing it: control characters (escape sequences begin with one), line and
 * paragraph separators, marks that turn the direction of writing around, halves of characters.
 */
const unprintable = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu;

/** Most of what is printed, found out much faster than by the Unicode classes above. */
const plain = /^[ -~]*$/;

/** Text from elsewhere as one line that is safe to print: `\u001b` stands for an escape character, and so on. */
export function printable(text: string): string {
  if (plain.test(text)) return text;
  return text.replace(
    unprintable,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** The same for text of several lines. */
export function printableLines(text: string): string {
  return text.split("\n").map(printable).join("\n");
}
