import dejaVu from "../../../assets/fonts/DejaVuSans.ttf" with { type: "file" };
import droidFallback from "../../../assets/fonts/DroidSansFallback.ttf" with { type: "file" };
import emoji from "../../../assets/fonts/NotoEmoji-Regular.ttf" with { type: "file" };
import bold from "../../../assets/fonts/NotoSans-Bold.ttf" with { type: "file" };
import regular from "../../../assets/fonts/NotoSans-Regular.ttf" with { type: "file" };
import arabicBold from "../../../assets/fonts/NotoSansArabic-Bold.ttf" with { type: "file" };
import arabic from "../../../assets/fonts/NotoSansArabic-Regular.ttf" with { type: "file" };
import armenianBold from "../../../assets/fonts/NotoSansArmenian-Bold.ttf" with { type: "file" };
import armenian from "../../../assets/fonts/NotoSansArmenian-Regular.ttf" with { type: "file" };
import bengaliBold from "../../../assets/fonts/NotoSansBengali-Bold.ttf" with { type: "file" };
import bengali from "../../../assets/fonts/NotoSansBengali-Regular.ttf" with { type: "file" };
import devanagariBold from "../../../assets/fonts/NotoSansDevanagari-Bold.ttf" with { type: "file" };
import devanagari from "../../../assets/fonts/NotoSansDevanagari-Regular.ttf" with { type: "file" };
import georgianBold from "../../../assets/fonts/NotoSansGeorgian-Bold.ttf" with { type: "file" };
import georgian from "../../../assets/fonts/NotoSansGeorgian-Regular.ttf" with { type: "file" };
import hebrewBold from "../../../assets/fonts/NotoSansHebrew-Bold.ttf" with { type: "file" };
import hebrew from "../../../assets/fonts/NotoSansHebrew-Regular.ttf" with { type: "file" };
import tamilBold from "../../../assets/fonts/NotoSansTamil-Bold.ttf" with { type: "file" };
import tamil from "../../../assets/fonts/NotoSansTamil-Regular.ttf" with { type: "file" };
import thaiBold from "../../../assets/fonts/NotoSansThai-Bold.ttf" with { type: "file" };
import thai from "../../../assets/fonts/NotoSansThai-Regular.ttf" with { type: "file" };

export type FontFile = {
  name: string;
  regular: string;
  bold: string;
  /** First and last code points of the blocks that this font is for; null for whatever it has. */
  blocks: readonly (readonly [number, number])[] | null;
  /** Whether it has pictures and no words: the spaces beside them are set in another font. */
  pictures?: true;
  /** Whether letters change their form by their neighbours, so that only a whole text can be measured. */
  shaped: boolean;
};

/**
 * The fonts that Till brings, in order of preference. Noto is under the Open Font License; Droid Sans Fallback, one
 * weight for all of Chinese, Japanese and Korean in 3.5 MB, under the Apache License 2.0; DejaVu under that of Bitstream
 * Vera.
 */
export const fontFiles: readonly [FontFile, ...FontFile[]] = [
  { name: "NotoSans", regular, bold, blocks: null, shaped: false },
  {
    name: "NotoSansHebrew",
    regular: hebrew,
    bold: hebrewBold,
    blocks: [
      [0x0590, 0x05ff],
      [0xfb1d, 0xfb4f],
    ],
    shaped: true,
  },
  {
    name: "NotoSansArabic",
    regular: arabic,
    bold: arabicBold,
    blocks: [
      [0x0600, 0x06ff],
      [0x0750, 0x077f],
      [0x08a0, 0x08ff],
      [0xfb50, 0xfdff],
      [0xfe70, 0xfefc],
    ],
    shaped: true,
  },
  {
    name: "NotoSansDevanagari",
    regular: devanagari,
    bold: devanagariBold,
    blocks: [
      [0x0900, 0x097f],
      [0xa8e0, 0xa8ff],
    ],
    shaped: true,
  },
  { name: "NotoSansBengali", regular: bengali, bold: bengaliBold, blocks: [[0x0980, 0x09ff]], shaped: true },
  { name: "NotoSansTamil", regular: tamil, bold: tamilBold, blocks: [[0x0b80, 0x0bff]], shaped: true },
  { name: "NotoSansThai", regular: thai, bold: thaiBold, blocks: [[0x0e00, 0x0e7f]], shaped: true },
  {
    name: "NotoSansArmenian",
    regular: armenian,
    bold: armenianBold,
    blocks: [
      [0x0530, 0x058f],
      [0xfb13, 0xfb17],
    ],
    shaped: false,
  },
  {
    name: "NotoSansGeorgian",
    regular: georgian,
    bold: georgianBold,
    blocks: [
      [0x10a0, 0x10ff],
      [0x1c90, 0x1cbf],
      [0x2d00, 0x2d2f],
    ],
    shaped: false,
  },
  {
    name: "DroidSansFallback",
    regular: droidFallback,
    bold: droidFallback,
    blocks: [
      [0x1100, 0x11ff],
      [0x2e80, 0xa4cf],
      [0xac00, 0xd7ff],
      [0xf900, 0xfaff],
      [0xfe30, 0xfe4f],
      [0xff00, 0xffef],
    ],
    shaped: false,
  },
  // Families, skin colours and flags are ligatures.
  {
    name: "NotoEmoji",
    regular: emoji,
    bold: emoji,
    blocks: [
      [0x2000, 0x3fff],
      [0x1f000, 0x1ffff],
      [0xe0020, 0xe007f],
    ],
    shaped: true,
    pictures: true,
  },
  // The symbols that no other font has: arrows, ticks, stars, boxes, signs of mathematics, Roman and circled numbers.
  {
    name: "DejaVuSans",
    regular: dejaVu,
    bold: dejaVu,
    blocks: [[0x2000, 0x2bff]],
    shaped: false,
    pictures: true,
  },
];
