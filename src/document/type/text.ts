import { stretches, turned } from "./bidi.ts";
import type { Face } from "./fonts.ts";

/** A piece of a line in one face. The width is in ems. */
type Run = { face: Face; text: string; width: number };

type Faces = readonly [Face, ...Face[]];

const replacement = 0xfffd;
const keycap = "\u20e3";
/** They keep what they enclose in its own order, and are not drawn. */
const isolate = /[\u2066\u2068\u2069]/;
const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });

const lineBreaks = /\r\n|[\r\v\f\u0085\u2028\u2029]/g;
/**
 * Control and format characters (bidi overrides, marks of order) and variation selectors draw nothing. A joiner or
 * non-joiner after a letter of Arabic or of India decides about its form, as a joiner between emoji does, and stays, and
 * so do isolates, which can only undo what a text does to another.
 */
const invisible =
  /(?![\n\u2066\u2068\u2069])(?!(?<=[\p{sc=Arab}\p{sc=Deva}\p{sc=Beng}\p{sc=Taml}])[\u200c\u200d])(?!(?<=[\p{ExtPict}\p{EMod}])\u200d)[\p{Cc}\p{Cf}\p{Variation_Selector}]/gu;
/** Written beside a word, in the face of the word. */
const follower = /[\s\p{M}\p{Cf}]/u;

/** Chinese and Japanese are broken between any two letters, but not before closing or after opening marks. */
const eastAsian = "\\p{sc=Han}\\p{sc=Hira}\\p{sc=Kana}\u30fc";
const breaks = new RegExp(
  `(?<= )(?! )|(?<=\\p{L}-)(?=\\p{L})|(?<=[${eastAsian}、。，．！？：；）」』】》])(?=[${eastAsian}（「『【《])`,
  "u",
);

function faceOf(codePoint: number, faces: Faces): Face | undefined {
  return faces.find((face) => face.covers(codePoint));
}

/** A character that no face has becomes one visible U+FFFD; a mark that no face has leaves its letter alone. */
function covered(cluster: string, faces: Faces): string {
  const [first, ...marks] = cluster;
  if (first === undefined) return "";
  const has = (char: string) => faceOf(char.codePointAt(0) ?? 0, faces) !== undefined;
  if (first !== "\n" && !isolate.test(first) && !has(first)) return "\ufffd";
  // The frame of a keycap is of no use without a digit in the same font.
  return [first, ...marks.filter((mark) => has(mark) && mark !== keycap)].join("");
}

/** Any text as it can be printed: composed, with `\n` as the only control character, in the characters there are. */
export function printable(text: string, faces: Faces): string {
  const plain = text.toWellFormed().normalize("NFC").replace(lineBreaks, "\n").replaceAll("\t", " ");
  const clusters = Array.from(graphemes.segment(plain.trim()), ({ segment }) => {
    return covered(segment.replace(invisible, ""), faces);
  });
  return clusters
    .join("")
    .replace(/ +$/gm, "")
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
    const codePoint = char.codePointAt(0) ?? replacement;
    const last = pieces.at(-1);
    const face =
      last && follower.test(char) && last.face.holds(codePoint)
        ? last.face
        : (faceOf(codePoint, faces) ?? faces[0]);
    if (last?.face === face) last.text += char;
    else pieces.push({ face, text: char });
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
