import { readFileSync } from "node:fs";
import * as fontkit from "fontkit";
import { letterToLeft } from "../../lib/text/text.ts";
import { type FontFile, fontFiles } from "./font-files.ts";

export type Face = ReturnType<typeof createFace>;

export type Weight = "regular" | "bold";

/** For each weight the faces in order of preference: a character is set in the first one that covers it. */
export type Fonts = Record<Weight, readonly [Face, ...Face[]]>;

type Loaded = { data: Uint8Array<ArrayBuffer>; font: fontkit.Font };

function createFace(name: string, path: string, { blocks, shaped, pictures }: FontFile) {
  let loaded: Loaded | undefined;
  const load = (): Loaded => {
    if (loaded) return loaded;
    const data = new Uint8Array(readFileSync(path));
    hideTables(data, shaped ? ["GPOS"] : ["GPOS", "GSUB"]);
    loaded = { data, font: inReadingOrder(fontkit.create(data)) };
    return loaded;
  };
  const advances = new Map<number, number>();
  const advance = (codePoint: number): number => {
    let width = advances.get(codePoint);
    if (width === undefined) {
      const { font } = load();
      width = font.glyphForCodePoint(codePoint).advanceWidth / font.unitsPerEm;
      advances.set(codePoint, width);
    }
    return width;
  };
  const isMeant = (codePoint: number) =>
    blocks?.some(([first, last]) => codePoint >= first && codePoint <= last) ?? true;
  /** Returns whether it has a glyph, even if another face is preferred: spaces and marks stay with their word. */
  const holds = (codePoint: number) =>
    (!pictures || isMeant(codePoint)) && load().font.hasGlyphForCodePoint(codePoint);
  return {
    name,
    shaped,
    /** The TTF file. Read when it is first needed. */
    get data() {
      return load().data;
    },
    /** The file, parsed. */
    get font() {
      return load().font;
    },
    /** From the baseline to the top of the line, in ems. */
    get ascent() {
      return load().font.ascent / load().font.unitsPerEm;
    },
    holds,
    /** Returns whether this face sets a character. */
    covers: (codePoint: number) => isMeant(codePoint) && holds(codePoint),
    /** In ems, unkerned: the PDF is written without kerning. */
    widthOf(text: string): number {
      if (!shaped) {
        let width = 0;
        for (const char of text) width += advance(char.codePointAt(0) ?? 0);
        return width;
      }
      const { font } = load();
      return (
        font.layout(text).glyphs.reduce((total, glyph) => total + glyph.advanceWidth, 0) / font.unitsPerEm
      );
    },
  };
}

/**
 * Takes a text without a letter that runs to the left for what it is: fontkit goes by the script alone, and would turn
 * the digits around that Arabic and Persian are written with.
 */
function inReadingOrder(font: fontkit.Font): fontkit.Font {
  const layout = font.layout.bind(font);
  font.layout = (text, features) =>
    layout(text, features, undefined, undefined, letterToLeft.test(text) ? undefined : "ltr");
  return font;
}

/** OpenType: 12 bytes of header, then records of 16 that each begin with a table's four-letter tag. */
const headerBytes = 12;
const recordBytes = 16;

/**
 * Takes tables out of a TTF's table of contents, in place. The PDF is written without kerning (GPOS), and only scripts
 * that are shaped have need of other glyphs for letters beside each other (GSUB); yet fontkit would work both out for
 * every text: without them a document takes less than half the time.
 */
function hideTables(data: Uint8Array<ArrayBuffer>, tags: readonly string[]): void {
  const tableCount = new DataView(data.buffer).getUint16(4);
  for (let table = 0; table < tableCount; table++) {
    const tag = data.subarray(headerBytes + table * recordBytes).subarray(0, 4);
    if (tags.includes(new TextDecoder().decode(tag))) tag.set(new TextEncoder().encode("none"));
  }
}

/** The fonts that Till brings. The first is read at once, each of the others when a text has need of it. */
export function loadFonts(): Fonts {
  const [first, ...others] = fontFiles;
  const faceOf = (file: FontFile, weight: Weight) =>
    createFace(weight === "bold" ? `${file.name}-Bold` : file.name, file[weight], file);
  const faces = (weight: Weight): [Face, ...Face[]] => [
    faceOf(first, weight),
    ...others.map((file) => faceOf(file, weight)),
  ];
  return { regular: faces("regular"), bold: faces("bold") };
}
