import * as fontkit from "fontkit";
import boldPath from "../../assets/fonts/NotoSans-Bold.ttf" with { type: "file" };
import regularPath from "../../assets/fonts/NotoSans-Regular.ttf" with { type: "file" };

export type Face = {
  name: string;
  /** The TTF file. */
  data: Uint8Array<ArrayBuffer>;
  /** From the baseline to the top of the line, in ems. */
  ascent: number;
  covers(codePoint: number): boolean;
  /** In ems, unkerned: the PDF is written without kerning. */
  advance(codePoint: number): number;
};

export type Weight = "regular" | "bold";

/** For each weight the faces in order of preference: a character is set in the first one that has it. */
export type Fonts = Record<Weight, readonly [Face, ...Face[]]>;

function createFace(name: string, data: Uint8Array<ArrayBuffer>): Face {
  const font = fontkit.create(data);
  const advances = new Map<number, number>();
  return {
    name,
    data,
    ascent: font.ascent / font.unitsPerEm,
    covers: (codePoint) => font.hasGlyphForCodePoint(codePoint),
    advance(codePoint) {
      let advance = advances.get(codePoint);
      if (advance === undefined) {
        advance = font.glyphForCodePoint(codePoint).advanceWidth / font.unitsPerEm;
        advances.set(codePoint, advance);
      }
      return advance;
    },
  };
}

/** OpenType: 12 bytes of header, then records of 16 that each begin with a table's four-letter tag. */
const headerBytes = 12;
const recordBytes = 16;

/**
 * Takes the kerning (GPOS) out of a TTF's table of contents, in place. The PDF is written without kerning, yet
 * fontkit would work it out for every text: without it a document takes less than half the time.
 */
function withoutKerning(data: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const tableCount = new DataView(data.buffer).getUint16(4);
  for (let table = 0; table < tableCount; table++) {
    const tag = data.subarray(headerBytes + table * recordBytes).subarray(0, 4);
    if (new TextDecoder().decode(tag) === "GPOS") tag.set(new TextEncoder().encode("none"));
  }
  return data;
}

async function load(name: string, path: string): Promise<Face> {
  return createFace(name, withoutKerning(await Bun.file(path).bytes()));
}

/** Reads the fonts that Till brings: Latin, Greek and Cyrillic. */
export async function loadFonts(): Promise<Fonts> {
  const [regular, bold] = await Promise.all([load("NotoSans", regularPath), load("NotoSans-Bold", boldPath)]);
  return { regular: [regular], bold: [bold] };
}
