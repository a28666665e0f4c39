import { type Brand, isOf } from "../../domain/brand.ts";
import type { Fact } from "../../language/parties.ts";
import { imageSize } from "../../lib/image/image-file.ts";
import type { FlowRow } from "../type/flow.ts";
import { foot, type Mark, tag } from "../type/tag.ts";
import {
  beside,
  type Measure,
  moved,
  type PageItem,
  space,
  stacked,
  type TextLine,
  unmarked,
  widthOf,
} from "../type/typeset.ts";
import * as Style from "./invoice-style.ts";
import type { Sheet } from "./sheet.ts";

/** The parts that all documents share: the author and the title, the facts at the right, and the foot of each page. */

/** Points. The right-hand column of title, dates and total. */
const asideWidth = 200;
export const termWidth = 92;
const factGap = 8;
/** Keeps a text on one line in spite of rounding. */
export const slack = 0.5;
/** Points. At the top edge of the first page, in the operator's colour. */
const bandHeight = 6;
/** From where the foot begins to the end of the page. */
const footHeight = 42;
/** Between the numbers of the author and the foot. */
const imprintGap = 4;
const footLogoMax = { widthMax: 110, heightMax: 16 };
const ownLogoMax = { widthMax: 180, heightMax: 40 };
const ownLogoGap = 10;

export function columnsOf({ page, rightEdge }: Sheet) {
  return {
    aside: { x: rightEdge - asideWidth, width: asideWidth },
    main: { x: page.left, width: rightEdge - asideWidth - 36 - page.left },
  };
}

/** The places of a term and its value, and their roles. */
type FactPlace = { x: number; width: number; term: Is; value: Is };
type Is = Pick<Measure, "as" | "within">;

/** A term at the left of its place and its value at the right. Both may wrap where they have to. */
export function fact(
  sheet: Sheet,
  term: string,
  value: string,
  style: typeof Style.body,
  { x, width, ...is }: FactPlace,
): TextLine[] {
  const valueWidth = widthOf(sheet.fonts, value, style) + slack;
  const room = width - widthOf(sheet.fonts, term, Style.muted) - slack - factGap;
  const split = valueWidth <= room ? width - valueWidth : termWidth;
  const terms = sheet.set(term, Style.muted, { ...is.term, x, width: split });
  const measure = { ...is.value, x: x + split, width: width - split, align: "right" as const };
  const values = sheet.set(value, style, measure);
  return Array.from({ length: Math.max(terms.length, values.length) }, (_, index) =>
    beside(terms[index], values[index]),
  );
}

/**
 * Facts one below the other in the right-hand column. What is null is left out. They are read out as a list, which says
 * how many there are, and each in one go: of a table one would hear rows and columns that say nothing.
 */
export function factList(
  sheet: Sheet,
  facts: readonly (readonly [term: string, value: string | null, style?: typeof Style.body])[],
): TextLine[] {
  const list = tag("L");
  const { aside } = columnsOf(sheet);
  return facts
    .flatMap(([term, value, style = Style.body]) => {
      const within = tag("LI", list);
      const place = { ...aside, term: { as: "Lbl", within }, value: { as: "LBody", within } } as const;
      return value === null ? [] : [fact(sheet, term, value, style, place)];
    })
    .flatMap((lines, index) => (index === 0 ? lines : [space(3), ...lines]));
}

/** Whom a document is for. */
export type Addressee = {
  vendorName: string;
  vendorAddress: string | null;
  vendorEmail: string | null;
  vendorNumbers: readonly Fact[];
  vendorContact?: readonly Fact[];
};

/** The addressee in the left-hand column, below a label. */
export function addressee(sheet: Sheet, label: string, to: Addressee): TextLine[] {
  const { main } = columnsOf(sheet);
  return [
    ...sheet.set(label, Style.label, { ...main, as: "H2" }),
    space(2),
    ...sheet.set(to.vendorName, Style.strong, main),
    ...(to.vendorAddress ? sheet.set(to.vendorAddress, Style.muted, main) : []),
    ...(to.vendorEmail === null ? [] : sheet.set(to.vendorEmail, Style.muted, main)),
    ...factLines(sheet, to.vendorNumbers, main),
    ...contactLines(sheet, to.vendorContact ?? [], main),
  ];
}

/** The author and the title. Null values are left out. */
export type Author = {
  merchantName: string;
  merchantAddress: string | null;
  merchantEmail: string | null;
  merchantContact?: readonly Fact[];
  /** At the foot of each page. */
  merchantNumbers?: readonly Fact[];
};

/** A fact in one text, whose value keeps its own direction. */
const written = ({ label, value }: Fact, { locale }: Sheet) =>
  locale.labelled(label, locale.dir === "rtl" ? `\u2068${value}\u2069` : value);

const inOneLine = (facts: readonly Fact[], sheet: Sheet) =>
  facts.map((fact) => written(fact, sheet)).join("  ·  ");

/** Facts below an address, a line each. */
const factLines = (sheet: Sheet, facts: readonly Fact[], measure: { x: number; width: number }) =>
  facts.flatMap((fact) => sheet.set(written(fact, sheet), Style.muted, measure));

/** Whom to ask, and how: in one line when they fit. */
function contactLines(sheet: Sheet, facts: readonly Fact[], measure: { x: number; width: number }) {
  const line = inOneLine(facts, sheet);
  const fits = widthOf(sheet.fonts, line, Style.muted) < measure.width;
  return fits && line !== "" ? sheet.set(line, Style.muted, measure) : factLines(sheet, facts, measure);
}

/** `below` stands under the title, which is read out first. */
export function masthead(author: Author, title: string, sheet: Sheet, below: TextLine[] = []): FlowRow {
  const { main, aside } = columnsOf(sheet);
  const merchant = [
    ...ownLogo(author, sheet),
    ...sheet.set(author.merchantName, Style.name, main),
    space(3),
    ...(author.merchantAddress === null ? [] : sheet.set(author.merchantAddress, Style.muted, main)),
    ...(author.merchantEmail === null ? [] : sheet.set(author.merchantEmail, Style.muted, main)),
    ...contactLines(sheet, author.merchantContact ?? [], main),
  ];
  const fitting = (Style.title.size * (aside.width - slack)) / widthOf(sheet.fonts, title, Style.title);
  const color = sheet.brand.palette ? sheet.accent : Style.title.color;
  const style = { ...Style.title, color, size: Math.min(Style.title.size, fitting) };
  const heading = sheet.set(title, style, { ...aside, align: "right", as: "H1" });
  return { gap: 0, columns: [[...heading, ...below], merchant] };
}

/** Above the name of a merchant whose own Till this is, as at the top of pages. */
function ownLogo({ merchantName }: Author, sheet: Sheet): TextLine[] {
  const logo = isOf(sheet.brand, merchantName) ? logoOf(sheet.brand, ownLogoMax) : null;
  if (logo === null) return [];
  const x = sheet.x(sheet.page.left, logo.width);
  const mark: Mark = { ...tag("Figure"), text: merchantName };
  return [{ height: logo.height + ownLogoGap, items: [{ kind: "image", mark, x, y: 0, ...logo }] }];
}

/** The numbers of an author, as they stand at the foot of each page. */
function imprint({ merchantNumbers = [] }: Partial<Author>, sheet: Sheet): TextLine[] {
  const text = inOneLine(merchantNumbers, sheet);
  return text === "" ? [] : sheet.set(text, Style.footer, sheet.wide);
}

/** Points from the top of a page to the last that is written on it above its foot. */
export const bottomOf = (author: Partial<Author>, sheet: Sheet): number => {
  const lines = imprint(author, sheet).length;
  return sheet.page.height - sheet.page.bottom - Math.max(0, lines - 1) * Style.footer.leading - imprintGap;
};

/** The pages with their band and their feet; `name` says what one holds in hand. The author's numbers are read once. */
export function onPages(
  pages: readonly PageItem[][],
  name: string,
  sheet: Sheet,
  author: Partial<Author>,
): PageItem[][] {
  const { palette } = sheet.brand;
  const numbers = imprint(author, sheet);
  const top = sheet.page.height - footHeight - imprintGap - numbers.length * Style.footer.leading;
  const again = unmarked(numbers, foot);
  return pages.map((items, index) => [
    ...(palette && index === 0 ? [band(sheet, palette.accent)] : []),
    ...items,
    ...stacked(index === pages.length - 1 ? numbers : again, top),
    ...footer(name, sheet, { author, number: index + 1, count: pages.length }),
  ]);
}

/** Whose Till this is, and where one is among several pages. */
function footer(
  name: string,
  sheet: Sheet,
  { author, number, count }: { author: Partial<Author>; number: number; count: number },
): PageItem[] {
  const { say } = sheet.locale;
  const { page, contentWidth, brand } = sheet;
  const top = page.height - footHeight;
  const logo = isOf(brand, author.merchantName ?? "") ? null : logoOf(brand, footLogoMax);
  const indent = logo ? logo.width + 8 : 0;
  const third = contentWidth / 3;
  const host =
    brand.name === null
      ? []
      : sheet.set(say("hostedBy", { brand: brand.name }), Style.footer, {
          as: foot,
          x: page.left + indent,
          width: third * (count === 1 ? 3 : 1.5) - indent,
        });
  const place = [name, say("pageOfCount", { page: number, count })].join("  ·  ");
  const pages =
    count === 1
      ? []
      : sheet.set(place, Style.footer, {
          as: foot,
          x: page.left + third * 1.5,
          width: third * 1.5,
          align: "right",
        });
  return [
    ...moved(beside(host[0], pages[0]).items, top),
    ...(logo
      ? moved(
          [
            {
              kind: "image",
              mark: foot,
              x: sheet.x(page.left, logo.width),
              y: 5 - logo.height / 2,
              ...logo,
            },
          ],
          top,
        )
      : []),
  ];
}

function band({ page }: Sheet, color: string): PageItem {
  return { kind: "panel", x: 0, y: 0, width: page.width, height: bandHeight, radius: 0, color };
}

type Logo = { url: string; width: number; height: number };

/**
 * The operator's logo as large as fits, in points, and never larger than its pixels; null when there is none that a PDF
 * can hold: only a PNG or a JPEG is an image there.
 */
export function logoOf(
  { logo }: Pick<Brand, "logo">,
  { widthMax, heightMax }: { widthMax: number; heightMax: number },
): Logo | null {
  const [, type, data = ""] = /^data:image\/(png|jpeg);base64,(.*)$/s.exec(logo ?? "") ?? [];
  if (logo === null || type === undefined) return null;
  const size = imageSize(Buffer.from(data, "base64"), type === "png" ? "png" : "jpeg");
  if (size === null) return null;
  const scale = Math.min(1, widthMax / size.width, heightMax / size.height);
  return { url: logo, width: size.width * scale, height: size.height * scale };
}
