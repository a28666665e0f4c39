import { contrastMin, contrastWithWhite, type Palette, paletteOf, parseColour } from "../lib/image/colour.ts";

/** Who runs this Till, as payers see it. Whatever was not chosen is null. */
export type Brand = Readonly<{
  name: string | null;
  palette: Palette | null;
  /** A data: URL of an image. It is only ever shown by an `<img>`, where no script in it runs. */
  logo: string | null;
}>;

export const plainBrand: Brand = { name: null, palette: null, logo: null };

const nameLengthMax = 60;

/** Who sends the mails, in their words. */
export function hostName({ name }: Brand): string {
  return name ?? "Till";
}

/** Whether the brand is this merchant's own: it has no name of its own, or the merchant's. */
export function isOf({ name }: Brand, merchantName: string): boolean {
  const plain = (text: string) => text.trim().toLowerCase();
  return name === null || plain(name) === plain(merchantName);
}

type BrandFault = { name: "BRAND_NAME" | "BRAND_COLOR"; sentence: string };

/** Reads TILL_BRAND_NAME and TILL_BRAND_COLOR. What is at fault is left out, with a sentence about it. */
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

/** The same colour dark enough for white text; null when it is, or when this is no colour. */
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
  // Rounded down: what is too little never looks like enough.
  const shown = (Math.floor(contrast * 100) / 100).toFixed(2);
  wrong(
    `${text}; white text on it has a contrast of ${shown}:1 and needs ${contrastMin}:1 to be read. ` +
      `${palette.text} is the same colour, dark enough.`,
  );
  return null;
}
