/** The part of fontkit 2 that this room uses; the package brings no types. Lengths are in font units. */
declare module "fontkit" {
  export type Font = {
    unitsPerEm: number;
    ascent: number;
    hasGlyphForCodePoint(codePoint: number): boolean;
    glyphForCodePoint(codePoint: number): { advanceWidth: number };
  };
  export function create(data: Uint8Array): Font;
}
