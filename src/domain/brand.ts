import { contrastMin, contrastWithWhite, type Palette, paletteOf, parseColour } from "../lib/image/colour.ts";

/** The operator's branding as payers see it; null where not chosen. */
export type Brand = Readonly<{
  name: string | null;
  palette: Palette | null;
  /** A data: URL of an image. Only ever shown in an `<img>`, where scripts in it do not run. */
  logo: string | null;
}>;

export const plainBrand: Brand = { name: null, palette: null, logo: null };

const nameLengthMax = 60;

/** The sender of mails, by name. */
export function hostName({ name }: Brand): string {
  return name ?? "Till";
}

/** Returns whether the brand is this merchant's own: it has no name, or the merchant's. */
export function isOf({ name }: Brand, merchantName: string): boolean {
  const plain = (text: string) => text.trim().toLowerCase();
  return name === null || plain(name) === plain(merchantName);
}

type BrandFault = { name: "BRAND_NAME" | "BRAND_COLOR"; sentence: string };

/** Reads TILL_BRAND_NAME and TILL_BRAND_COLOR. Invalid values are left out, with a sentence about each. */
export function parse({ name, color }: { name: string | null; color: string | null }): {
  brand: Omit<Brand, "logo">;
  faults: BrandFault[];
} {
  const faults: BrandFault[] = [];
  if (name !== null && (name.length > nameLengthMax || /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u.test(name)))
    faults.push({
      name: "BRAND_NAME",
      sentence: `TILL_BRAND_NAME must be one line of at most ${nameLengthMax} characters.`,
    });
  const palette = color === null ? null : parsePalette(color, faults);
  return { brand: { name, palette }, faults };
}

/** Returns the same colour, dark enough for white text; null if it already is, or the text is not a colour. */
export function tooLight(text: string): string | null {
  const colour = parseColour(text);
  return colour === null || contrastWithWhite(colour) >= contrastMin ? null : paletteOf(colour).text;
}

function parsePalette(text: string, faults: BrandFault[]): Palette | null {
  const wrong = (why: string) => faults.push({ name: "BRAND_COLOR", sentence: `TILL_BRAND_COLOR is ${why}` });
  const colour = parseColour(text);
  if (!colour) {
    wrong(`${JSON.stringify(text)}; it must be a colour such as "#1d4ed8".`);
    return null;
  }
  const palette = paletteOf(colour);
  const contrast = contrastWithWhite(colour);
  if (contrast >= contrastMin) return palette;
  // Rounded down, so that too little contrast never looks sufficient.
  const shown = (Math.floor(contrast * 100) / 100).toFixed(2);
  wrong(
    `${text}; white text on it has a contrast of ${shown}:1 and needs ${contrastMin}:1 to be read. ` +
      `${palette.text} is the same colour, dark enough.`,
  );
  return null;
}
