/**
 * Control characters (C0 except tab and line breaks, DEL, C1) do not belong in a name or an address, and noncharacters
 * (U+FFFE and the like) belong nowhere.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const controls = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]|\p{Noncharacter_Code_Point}/u;
const breaks = /[\t\r\n\u2028\u2029]/;
/**
 * Embeddings, overrides and isolates of UAX 9, which would reorder the text next to a name. Marks belong to letters.
 */
const reordering = /[\u202a-\u202e\u2066-\u2069]/;
/** Invisible text: white space, and format characters such as a zero-width space. */
const blank = /^[\s\p{Cf}\u115f\u1160\u3164\uffa0]*$/u;

export type Fault = "surrogate" | "controls" | "several_lines" | "reversing" | "blank";

/** Returns why a person's text is refused; null if it is not. A surrogate is half of a character. */
export function fault(text: string, { lineBreaks }: { lineBreaks: boolean }): Fault | null {
  if (!text.isWellFormed()) return "surrogate";
  if (controls.test(text)) return "controls";
  if (!lineBreaks && breaks.test(text)) return "several_lines";
  if (!lineBreaks && reordering.test(text)) return "reversing";
  return blank.test(text) ? "blank" : null;
}

/** A refusal of a text: a code, and the values for its sentence. */
export const faulty = <const C extends string, V = undefined>(code: C, values?: V) =>
  ({ ok: false, why: { code, values: values as V } }) as const;

/** Hebrew, Arabic and related scripts, which are written from right to left. */
export const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** The same without their digits, which run from left to right, and their marks. */
export const letterToLeft =
  /(?=\p{L})[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/**
 * Characters that a terminal would act on instead of showing: control characters (escape sequences begin with one),
 * line and paragraph separators, marks that change the direction of writing, lone surrogates.
 */
const unprintable = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu;

/** Matches most printed text, much faster than the Unicode classes above. */
const plain = /^[ -~]*$/;

/** Converts foreign text to one line that is safe to print: an escape character becomes `\u001b`, and so on. */
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

/** With more edits than this it is another word. */
const editsMax = 2;

/** The known word with the fewest edits, or the one that `word` begins; null if none is near. */
export function nearest(word: string, candidates: readonly string[]): string | null {
  const [best] = candidates
    .map((candidate) => ({ candidate, edits: edits(word, candidate) }))
    .filter(({ candidate, edits }) => edits <= Math.min(editsMax, candidate.length - 1))
    .sort((a, b) => a.edits - b.edits);
  return best?.candidate ?? candidates.find((candidate) => word !== "" && candidate.startsWith(word)) ?? null;
}

/** Number of letters to add, drop, change or swap with their neighbour (optimal string alignment). */
function edits(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const at = (line: number[], index: number) => line[index] ?? 0;
      const changed = at(last, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1);
      let least = Math.min(changed, at(last, j) + 1, at(row, j - 1) + 1);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        least = Math.min(least, at(beforeLast, j - 2) + 1);
      row.push(least);
    }
    [beforeLast, last] = [last, row];
  }
  return last[b.length] ?? 0;
}
