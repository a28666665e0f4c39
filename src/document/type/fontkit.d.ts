/** The part of fontkit 2 that this room uses; the package brings no types. Lengths are in font units. */
declare module "fontkit" {
  export type Glyph = { advanceWidth: number };
  export type Font = {
    postscriptName: string;
    unitsPerEm: number;
    ascent: number;
    hasGlyphForCodePoint(codePoint: number): boolean;
    glyphForCodePoint(codePoint: number): Glyph;
    /** Shapes a text: joins Arabic letters, builds ligatures, and turns right-to-left scripts around. */
    layout(
      text: string,
      features?: unknown,
      script?: string,
      language?: string,
      direction?: "ltr" | "rtl",
    ): { glyphs: Glyph[] };
  };
  export function create(data: Uint8Array): Font;
}
