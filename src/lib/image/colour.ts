/** Colours as numbers, for legible contrasts (WCAG 2.2, success criterion 1.4.3). */

type Rgb = readonly [number, number, number];

/** A colour and its derived ones, each as `#rrggbb`. */
export type Palette = Readonly<{
  /** The colour itself, as a background of white text. */
  accent: string;
  /** Darkened until it is legible as text on every light background. */
  text: string;
  strong: string;
  tint: string;
  dark: Readonly<{ accent: string; strong: string; ink: string; tint: string }>;
}>;

/** Minimum contrast of text and background. */
export const contrastMin = 4.5;

const white: Rgb = [255, 255, 255];
const black: Rgb = [0, 0, 0];
const darkCard: Rgb = [0x16, 0x1a, 0x21];
/** The lightest dark background of texts. */
const darkPanel: Rgb = [0x1f, 0x25, 0x30];
/** The darkest light background of texts. */
const lightPanel: Rgb = [0xe1, 0xf0, 0xe9];
const darkAccentContrast = 6;
const darkStrongContrast = 8;
const mixStep = 0.02;

/** Parses `#1d4ed8` into its components; null for anything else. */
export function parseColour(text: string): Rgb | null {
  const match = /^#([\da-f]{2})([\da-f]{2})([\da-f]{2})$/i.exec(text);
  if (!match) return null;
  const [, red = "", green = "", blue = ""] = match;
  return [Number.parseInt(red, 16), Number.parseInt(green, 16), Number.parseInt(blue, 16)];
}

/** From 1 to 21. */
export function contrast(a: Rgb, b: Rgb): number {
  const [lighter = 0, darker = 0] = [luminance(a), luminance(b)].sort((x, y) => y - x);
  return (lighter + 0.05) / (darker + 0.05);
}

/** The contrast of white text on it. */
export function contrastWithWhite(colour: Rgb): number {
  return contrast(colour, white);
}

/** For a colour that is dark enough for white text. On dark backgrounds it is lightened until it is legible. */
export function paletteOf(colour: Rgb): Palette {
  const tint = mix(colour, white, 0.9);
  const darkTint = mix(colour, darkCard, 0.8);
  const darkest = luminance(tint) < luminance(lightPanel) ? tint : lightPanel;
  const lightest = luminance(darkTint) > luminance(darkPanel) ? darkTint : darkPanel;
  const text = until(colour, black, (tried) => contrast(tried, darkest) >= contrastMin);
  return {
    accent: hex(colour),
    text: hex(text),
    strong: hex(mix(text, black, 0.15)),
    tint: hex(tint),
    dark: {
      accent: hex(until(colour, white, (tried) => contrast(tried, lightest) >= darkAccentContrast)),
      strong: hex(until(colour, white, (tried) => contrast(tried, lightest) >= darkStrongContrast)),
      ink: "#0b0f18",
      tint: hex(darkTint),
    },
  };
}

function until(colour: Rgb, towards: Rgb, isEnough: (tried: Rgb) => boolean): Rgb {
  for (let part = 0; part < 1; part += mixStep) {
    const tried = mix(colour, towards, part);
    if (isEnough(tried)) return tried;
  }
  return towards;
}

/** `part` of the way from one colour to another. */
function mix([red, green, blue]: Rgb, [toRed, toGreen, toBlue]: Rgb, part: number): Rgb {
  const between = (from: number, to: number) => Math.round(from + (to - from) * part);
  return [between(red, toRed), between(green, toGreen), between(blue, toBlue)];
}

function luminance(colour: Rgb): number {
  const [red = 0, green = 0, blue = 0] = colour.map((value) => {
    const part = value / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function hex(colour: Rgb): string {
  return `#${colour.map((value) => value.toString(16).padStart(2, "0")).join("")}`;
}
