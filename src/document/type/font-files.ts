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
  /** True if it has pictures and no words: the spaces beside them are set in another font. */
  pictures?: true;
  /** True if letters change with their neighbours, so that only a whole text can be measured. */
  shaped: boolean;
};

/**
 * The fonts that Till brings, in order of preference. Noto is under the Open Font License; Droid Sans Fallback, one
 * weight for all of Chinese, Japanese and Korean in 3.5 MB, under the Apache License 2.0; DejaVu under that of Bitstream
 * Vera.
 */
export const fontFiles: readonly [FontFile, ...FontFile[]] = [
  { name: "NotoSans", regular, bold, blocks: null, shaped: false },
  fileOf("NotoSansHebrew", [hebrew, hebrewBold], "590-5ff fb1d-fb4f", { shaped: true }),
  fileOf("NotoSansArabic", [arabic, arabicBold], "600-6ff 750-77f 8a0-8ff fb50-fdff fe70-fefc", {
    shaped: true,
  }),
  fileOf("NotoSansDevanagari", [devanagari, devanagariBold], "900-97f a8e0-a8ff", { shaped: true }),
  fileOf("NotoSansBengali", [bengali, bengaliBold], "980-9ff", { shaped: true }),
  fileOf("NotoSansTamil", [tamil, tamilBold], "b80-bff", { shaped: true }),
  fileOf("NotoSansThai", [thai, thaiBold], "e00-e7f", { shaped: true }),
  fileOf("NotoSansArmenian", [armenian, armenianBold], "530-58f fb13-fb17"),
  fileOf("NotoSansGeorgian", [georgian, georgianBold], "10a0-10ff 1c90-1cbf 2d00-2d2f"),
  fileOf("DroidSansFallback", [droidFallback], "1100-11ff 2e80-a4cf ac00-d7ff f900-faff fe30-fe4f ff00-ffef"),
  // Families, skin colours and flags are ligatures.
  fileOf("NotoEmoji", [emoji], "2000-3fff 1f000-1ffff e0020-e007f", { shaped: true, pictures: true }),
  // The symbols that no other font has: arrows, ticks, stars, boxes, signs of mathematics, Roman and circled numbers.
  fileOf("DejaVuSans", [dejaVu], "2000-2bff", { pictures: true }),
];

/** `blocks`: first and last code points in hexadecimal, `590-5ff`. A font of one weight has it for bold, too. */
function fileOf(
  name: string,
  [regular, bold = regular]: readonly [string, string?],
  blocks: string,
  kind: { shaped?: true; pictures?: true } = {},
): FontFile {
  const ends = (block: string) => block.split("-").map((end) => Number.parseInt(end, 16)) as [number, number];
  return { name, regular, bold, blocks: blocks.split(" ").map(ends), shaped: false, ...kind };
}
