import createBidi from "bidi-js";
import { withoutEnd } from "../../lib/text/english.ts";
import { rightToLeft } from "../../lib/text/text.ts";
import type { Face } from "./fonts.ts";

/** A piece of a line in one face. The width is in ems. */
type Run = { face: Face; text: string; width: number };

type Faces = readonly [Face, ...Face[]];

const replacement = 0xfffd;
const keycap = "\u20e3";
/** They keep what they enclose in its own order, and are not drawn. */
const isolate = /[\u2066\u2068\u2069]/;
const isolates = new RegExp(isolate, "g");
const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });

/** In most texts each character stands for itself: there is nothing to compose, and nothing invisible. */
const latinLine = /^[ -~\u00a0-\u00ac\u00ae-\u02ff]*$/;
const lineBreaks = /\r\n|[\r\v\f\u0085\u2028\u2029]/g;
/**
 * Control and format characters (bidi overrides, marks of order) and variation selectors draw nothing. A joiner or
 * non-joiner after a letter of Arabic or of India decides about its form, as a joiner between emoji does, and stays, and
 * so do isolates, which can only undo what a text does to another.
 */
const invisible =
  /(?![\n\u2066\u2068\u2069])(?!(?<=[\p{sc=Arab}\p{sc=Deva}\p{sc=Beng}\p{sc=Taml}])[\u200c\u200d])(?!(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}])\u200d)[\p{Cc}\p{Cf}\p{Variation_Selector}]/gu;
/** Written beside a word, in the face of the word. */
const follower = /[\s\p{M}\p{Cf}]/u;

/** Chinese and Japanese are broken between any two letters, but not before closing or after opening marks. */
const eastAsian = "\\p{sc=Han}\\p{sc=Hira}\\p{sc=Kana}\u30fc";
const breaks = new RegExp(
  `(?<= )(?! )|(?<=\\p{L}-)(?=\\p{L})|(?<=[${eastAsian}、。，．！？：；）」』】》])(?=[${eastAsian}（「『【《])`,
  "u",
);

const codePointOf = (char: string) => char.codePointAt(0) ?? replacement;

/** The face of each character so far: documents ask for nearly the same ones again and again. */
const faceByChar = new WeakMap<Faces, Map<string, Face>>();

function faceOf(char: string, faces: Faces): Face | undefined {
  const known = faceByChar.get(faces) ?? new Map<string, Face>();
  const cached = known.get(char);
  if (cached) return cached;
  const codePoint = codePointOf(char);
  const face = faces.find(({ covers }) => covers(codePoint));
  if (face) faceByChar.set(faces, known.set(char, face));
  return face;
}

/** A character that no face has becomes one visible U+FFFD; a mark that no face has leaves its letter alone. */
function covered(cluster: string, faces: Faces): string {
  const has = (char: string) => faceOf(char, faces) !== undefined;
  if (cluster.length === 1 && has(cluster)) return cluster;
  const [first, ...marks] = cluster;
  if (first === undefined) return "";
  if (first !== "\n" && !isolate.test(first) && !has(first)) return "\ufffd";
  // The frame of a keycap is of no use without a digit in the same font.
  return [first, ...marks.filter((mark) => has(mark) && mark !== keycap)].join("");
}

const plain = (text: string) =>
  text.toWellFormed().normalize("NFC").replace(lineBreaks, "\n").replaceAll("\t", " ").trim();

/** Any text as it can be read out: in the characters that were given, without those that say nothing. */
export const audible = (text: string): string => plain(text).replace(invisible, "").replaceAll(isolates, "");

/** Any text as it can be printed: composed, with `\n` as the only control character, in the characters there are. */
export function printable(text: string, faces: Faces): string {
  if (latinLine.test(text)) return Array.from(text.trim(), (char) => covered(char, faces)).join("");
  const clusters = Array.from(graphemes.segment(plain(text)), ({ segment }) => {
    return covered(segment.replace(invisible, ""), faces);
  });
  return clusters
    .join("")
    .split("\n")
    .map((line) => withoutEnd(line, " "))
    .join("\n")
    .replace(/\n{3,}/g, "\n\n");
}

/**
 * The runs of a line from left to right: a new one begins where the face or the direction changes. The direction of a
 * word may come from the line before it, in the `paragraph` where this one stands `at`.
 */
export function runs(line: string, faces: Faces, isRtl = false, paragraph = line, at = 0): Run[] {
  return stretches(paragraph, isRtl, at, at + line.length).flatMap(({ text, rtl }) => {
    const pieces = inOneFace(text, faces);
    return rtl ? pieces.flatMap(withoutEdges).reverse() : pieces;
  });
}

/** A right-to-left run with the spaces around it as runs of their own: a space at the end is not drawn, so that the
 * word would move into its place. */
function withoutEdges({ face, text }: Run): Run[] {
  const core = text.trim();
  if (core === "") return [{ face, text, width: face.widthOf(text) }];
  const start = text.indexOf(core);
  return [text.slice(0, start), turned(core), text.slice(start + core.length)]
    .filter((part) => part !== "")
    .map((part) => ({ face, text: part, width: face.widthOf(part) }));
}

/** The pieces of a text in reading order. */
function inOneFace(text: string, faces: Faces): Run[] {
  const pieces: { face: Face; text: string }[] = [];
  for (const char of text) {
    if (isolate.test(char)) continue;
    const last = pieces.at(-1);
    const own = faceOf(char, faces) ?? faces[0];
    const follows = last?.face === own || (last && follower.test(char) && last.face.holds(codePointOf(char)));
    if (last && follows) last.text += char;
    else pieces.push({ face: own, text: char });
  }
  return pieces.map((run) => ({ ...run, width: run.face.widthOf(run.text) }));
}

/** In ems. */
export function widthOf(line: string, faces: Faces): number {
  return inOneFace(line, faces).reduce((sum, run) => sum + run.width, 0);
}

/**
 * Breaks a printable paragraph into lines of at most `widthMax` ems: after a space, after a hyphen between letters,
 * between Chinese or Japanese letters, and anywhere in a word that is wider than a line.
 */
export function wrap(paragraph: string, widthMax: number, faces: Faces): string[] {
  const lines: string[] = [];
  let line = "";
  let width = 0;
  const put = (piece: string) => {
    if (line !== "" && width + widthOf(piece.trimEnd(), faces) > widthMax) {
      lines.push(line.trimEnd());
      line = "";
      width = 0;
    }
    line += piece;
    width += widthOf(piece, faces);
  };
  for (const word of paragraph.split(breaks)) {
    if (widthOf(word.trimEnd(), faces) <= widthMax) put(word);
    else for (const { segment } of graphemes.segment(word)) put(segment);
  }
  lines.push(line.trimEnd());
  return lines;
}

const bidi = createBidi();

/** With its country: its groups stay in their order, where the algorithm would turn them around. */
const phoneNumber = /\+\d[\d ()./-]*\d/g;
const strong = /[\p{L}\p{N}]/u;

/** A stretch of text that runs one way. */
type Stretch = { text: string; rtl: boolean };

/** Returns whether a paragraph begins at the right: its first letter decides (UAX #9, P2 and P3). */
export function isRightToLeft(paragraph: string): boolean {
  return rightToLeft.test(paragraph) && bidi.getEmbeddingLevels(paragraph).paragraphs[0]?.level === 1;
}

/**
 * The stretches of a line of a paragraph from left to right as they stand on the page, by the Unicode bidirectional
 * algorithm (UAX #9). The text of each is in reading order, with brackets mirrored where it runs to the left.
 */
function stretches(paragraph: string, isRtl: boolean, from: number, to: number): Stretch[] {
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
function turned(text: string): string {
  return strong.test(text) ? text : [...text].reverse().join("");
}
