import type { Face } from "./fonts.ts";

/** A piece of a line in one face. The width is in ems. */
type Run = { face: Face; text: string; width: number };

type Faces = readonly [Face, ...Face[]];

const replacement = 0xfffd;
const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });

const lineBreaks = /\r\n|[\r\v\f\u0085\u2028\u2029]/g;
/** Control and format characters (bidi overrides, joiners, marks of order) and variation selectors draw nothing. */
const invisible = /(?!\n)[\p{Cc}\p{Cf}\p{Variation_Selector}]/gu;

function faceOf(codePoint: number, faces: Faces): Face | undefined {
  return faces.find((face) => face.covers(codePoint));
}

/** A character that no face has becomes one visible U+FFFD; a mark that no face has leaves its letter alone. */
function covered(cluster: string, faces: Faces): string {
  const [first, ...marks] = cluster;
  if (first === undefined) return "";
  const has = (char: string) => faceOf(char.codePointAt(0) ?? 0, faces) !== undefined;
  return first === "\n" || has(first) ? [first, ...marks.filter(has)].join("") : "\ufffd";
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

/** Splits a line where the face changes. Left to right only: right-to-left scripts need reordering before this. */
export function runs(line: string, faces: Faces): Run[] {
  const found: Run[] = [];
  for (const char of line) {
    const codePoint = char.codePointAt(0) ?? replacement;
    const face = faceOf(codePoint, faces) ?? faces[0];
    const last = found.at(-1);
    if (last?.face === face) {
      last.text += char;
      last.width += face.advance(codePoint);
    } else {
      found.push({ face, text: char, width: face.advance(codePoint) });
    }
  }
  return found;
}

/** In ems. */
export function widthOf(line: string, faces: Faces): number {
  return runs(line, faces).reduce((sum, run) => sum + run.width, 0);
}

/**
 * Breaks printable text into lines of at most `widthMax` ems: after a space, after a hyphen between letters, and
 * anywhere in a word that is wider than a line.
 */
export function wrap(text: string, widthMax: number, faces: Faces): string[] {
  return text.split("\n").flatMap((paragraph) => wrapParagraph(paragraph, widthMax, faces));
}

function wrapParagraph(paragraph: string, widthMax: number, faces: Faces): string[] {
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
  for (const word of paragraph.split(/(?<= )(?! )|(?<=\p{L}-)(?=\p{L})/u)) {
    if (widthOf(word.trimEnd(), faces) <= widthMax) put(word);
    else for (const { segment } of graphemes.segment(word)) put(segment);
  }
  lines.push(line.trimEnd());
  return lines;
}
