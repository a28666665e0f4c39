import {
  AnnotationFlags,
  type Color,
  PDFOperatorNames as Operators,
  type PDFDocument,
  type PDFFont,
  PDFHexString,
  type PDFImage,
  PDFName,
  PDFOperator,
  type PDFPage,
  PDFString,
  rgb,
} from "@pdfme/pdf-lib";
import { qrPath } from "../qr.ts";
import type { Face } from "./fonts.ts";
import type { Structure } from "./structure.ts";
import type { Mark } from "./tag.ts";
import type { PageItem } from "./typeset.ts";

type WholeFont = ReturnType<Parameters<PDFDocument["registerFontkit"]>[0]["create"]>;

/** The fonts, with the glyphs in use, and the images by URL that a document already contains. */
export type DocumentResources = {
  fonts: Map<Face, PDFFont>;
  images: Map<string, PDFImage>;
  structure: Structure;
  /** True for PDF/A. */
  isArchived: boolean;
};

/** Points. */
const frameWidth = 1.25;

/** Draws a page. Nothing in a text is evaluated, and none is broken again: the layout has placed every line. */
export async function draw(
  items: readonly PageItem[],
  embedded: DocumentResources,
  page: PDFPage,
): Promise<void> {
  const { structure } = embedded;
  structure.beginPage(page);
  let last: Mark | null = null;
  const end = () => {
    if (last !== null) page.pushOperators(PDFOperator.of(Operators.EndMarkedContent));
  };
  for (const item of items) {
    const mark = "mark" in item ? item.mark : undefined;
    if (item.kind !== "link" && mark !== last) {
      end();
      page.pushOperators(structure.begin(mark, boxOf(item, page)));
      last = mark;
    }
    await drawItem(item, embedded, page);
  }
  end();
}

/** The area of a picture on its page. */
function boxOf(item: PageItem, page: PDFPage) {
  if (item.kind !== "qr" && item.kind !== "image") return undefined;
  const [width, height] = item.kind === "qr" ? [item.size, item.size] : [item.width, item.height];
  const top = page.getHeight() - item.y;
  return [item.x, top - height, item.x + width, top] as const;
}

async function drawItem(item: PageItem, embedded: DocumentResources, page: PDFPage): Promise<void> {
  /** PDF counts from the bottom. */
  const up = (y: number) => page.getHeight() - y;
  switch (item.kind) {
    case "text": {
      const { x, baseline, size, text } = item;
      if (text === "") return;
      const font = await embedFont(item.face, embedded, page.doc);
      const key = PDFName.of(`F${font.ref.objectNumber}`);
      page.node.setFontDictionary(key, font.ref);
      const place = `${key} ${size} Tf\n1 0 0 1 ${x} ${up(baseline)} Tm\n${font.encodeText(text)} Tj`;
      return paint(page, `BT\n${fill(item.color)}\n${place}`, Operators.EndText);
    }
    case "panel":
    case "frame": {
      const { x, y, width, height, radius } = item;
      const box = `${x} ${up(y + height)} ${width} ${height} re`;
      if (radius === 0) return paint(page, `${fill(item.color)}\n${box}`, Operators.FillNonZero);
      const color = colorOf(item.color);
      const inside = item.kind === "panel" ? { color } : { borderColor: color, borderWidth: frameWidth };
      return page.drawRectangle({ x, y: up(y + height), width, height, radius, ...inside });
    }
    case "image": {
      const { x, y, width, height, url } = item;
      const image = await embedImage(url, embedded, page.doc);
      return page.drawImage(image, { x, y: up(y + height), width, height });
    }
    case "qr": {
      const { x, y, size } = item;
      const { path, side } = qrPath(item.text);
      const scale = size / side;
      const ground = `${fill("#ffffff")}\n${x} ${up(y + size)} ${size} ${size} re\nf`;
      // SVG counts from the top.
      const matrix = `${scale} 0 0 ${-scale} ${x} ${up(y)} cm`;
      const strokes = `0 0 0 RG\n1 w\n${inPdf(path)}\nS`;
      return paint(page, `q\n${ground}\n${matrix}\n${strokes}`, Operators.PopGraphicsState);
    }
    case "link":
      return addLink(item, up(item.y), embedded, page);
  }
}

/** Writes what pdf-lib would take apart, in one piece: operators one below the other, but for the last. */
const paint = (page: PDFPage, operators: string, last: Operators) =>
  page.pushOperators(PDFOperator.of(last, [`${operators}\n`]));

/** A path of horizontal strokes, `M4 4.5h7m3 0h1`, in the words of PDF. */
function inPdf(path: string): string {
  let [x, y] = [0, 0];
  const lines = Array.from(path.matchAll(/([Mmh])(-?\d+)(?: (\d+\.?\d*))?/g), ([, kind, by, row]) => {
    x = kind === "M" ? Number(by) : x + Number(by);
    if (kind === "M") y = Number(row);
    return `${x} ${y} ${kind === "h" ? "l" : "m"}`;
  });
  return lines.join("\n");
}

/**
 * Reading a font costs more than all the rest of a document, so what is read of it once is kept for all documents.
 * Which glyphs a document uses is its own.
 */
async function embedFont(face: Face, { fonts }: DocumentResources, pdf: PDFDocument): Promise<PDFFont> {
  let font = fonts.get(face);
  if (!font) {
    // It is fontkit's own, of which only what Till itself calls has a type here.
    pdf.registerFontkit({ create: () => face.font as WholeFont });
    // Glyphs taken out of a font bear its name and a tag, another one each time (ISO 32000-1, 9.6.4).
    const tag = `TILLA${String.fromCharCode(65 + fonts.size)}`;
    const customName = `${tag}+${face.font.postscriptName}`;
    font = await pdf.embedFont(face.data, { subset: true, customName });
    fonts.set(face, font);
  }
  return font;
}

/** `url` is a data URL of a PNG or a JPEG. */
async function embedImage(url: string, { images }: DocumentResources, pdf: PDFDocument): Promise<PDFImage> {
  const cached = images.get(url);
  if (cached) return cached;
  const image = url.startsWith("data:image/png") ? await pdf.embedPng(url) : await pdf.embedJpg(url);
  images.set(url, image);
  return image;
}

/** Three shares. `color` is #rrggbb. */
const sharesOf = (color: string) => Array.from(Buffer.from(color.slice(1), "hex"), (part) => part / 255);

function colorOf(color: string): Color {
  const [red = 0, green = 0, blue = 0] = sharesOf(color);
  return rgb(red, green, blue);
}

const fill = (color: string) => `${sharesOf(color).join(" ")} rg`;

/** An area that opens a web page. */
function addLink(
  { x, width, height, target, label, mark }: Extract<PageItem, { kind: "link" }>,
  top: number,
  { isArchived, structure }: DocumentResources,
  { doc, node }: PDFPage,
): void {
  const annotation = doc.context.obj({
    Type: "Annot",
    Subtype: "Link",
    Rect: [x, top - height, x + width, top],
    Border: [0, 0, 0],
    ...(isArchived ? { F: AnnotationFlags.Print } : {}),
    Contents: PDFHexString.fromText(label),
    A: { Type: "Action", S: "URI", URI: PDFString.of(safeInPdf(new URL(target).href)) },
  });
  node.addAnnot(structure.own(mark, annotation));
}

/** A PDF string in parentheses (ISO 32000-1, 7.3.4.2) is ended or altered by these; a URL can do without them. */
function safeInPdf(href: string): string {
  return href.replace(/[()\\]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
}
