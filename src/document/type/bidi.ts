import createBidi from "bidi-js";
import { rightToLeft } from "../../lib/text/text.ts";

const bidi = createBidi();

/** With its country: its groups stay in their order, where the algorithm would turn them around. */
const phoneNumber = /\+\d[\d ()./-]*\d/g;
const strong = /[\p{L}\p{N}]/u;

/** A stretch of text that runs one way. */
type Stretch = { text: string; rtl: boolean };

/** Whether a paragraph begins at the right: its first letter decides (UAX #9, P2 and P3). */
export function isRightToLeft(paragraph: string): boolean {
  return rightToLeft.test(paragraph) && bidi.getEmbeddingLevels(paragraph).paragraphs[0]?.level === 1;
}

/**
 * The stretches of a line of a paragraph from left to right as they stand on the page, by the Unicode bidirectional
 * algorithm (UAX #9). The text of each is in reading order, with brackets mirrored where it runs to the left.
 */
export function stretches(paragraph: string, isRtl: boolean, from: number, to: number): Stretch[] {
  if (!isRtl && !rightToLeft.test(paragraph)) return [{ text: paragraph.slice(from, to), rtl: false }];
  const all = bidi.getEmbeddingLevels(paragraph, isRtl ? "rtl" : "ltr").levels;
  for (const { index, 0: number } of paragraph.matchAll(phoneNumber))
    all.fill(Math.max(2, (all[index] ?? 0) & ~1), index, index + number.length);
  const line = paragraph.slice(from, to);
  const levels = all.subarray(from, to);
  const pieces: { text: string; level: number }[] = [];
  for (let at = 0; at < line.length; at++) {
    const level = levels[at] ?? 0;
    const char = line.charAt(at);
    const shown = level % 2 === 1 ? (bidi.getMirroredCharacter(char) ?? char) : char;
    const last = pieces.at(-1);
    if (last?.level === level) last.text += shown;
    else pieces.push({ text: shown, level });
  }
  for (let level = Math.max(0, ...levels); level > 0; level--) reverseFrom(pieces, level);
  return pieces.map(({ text, level }) => ({ text, rtl: level % 2 === 1 }));
}

/** Rule L2: turns around every sequence of stretches of at least this level. */
function reverseFrom(pieces: { level: number }[], level: number): void {
  let start = 0;
  while (start < pieces.length) {
    let end = start;
    while ((pieces[end]?.level ?? -1) >= level) end += 1;
    if (end > start + 1) pieces.splice(start, end - start, ...pieces.slice(start, end).reverse());
    start = end + 1;
  }
}

/** A stretch that a font does not turn around by itself, because it has no letter: as it stands on the page. */
export function turned(text: string): string {
  return strong.test(text) ? text : [...text].reverse().join("");
}
