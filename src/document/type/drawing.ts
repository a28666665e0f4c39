import {
  AnnotationFlags,
  type Color,
  type PDFDocument,
  type PDFFont,
  PDFHexString,
  type PDFImage,
  PDFOperator,
  PDFOperatorNames,
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

/** What one document has in it already: fonts, with the glyphs that are used, and images by their URL. */
export type DocumentResources = {
  fonts: Map<Face, PDFFont>;
  images: Map<string, PDFImage>;
  structure: Structure;
  /** Whether the file is to be PDF/A. */
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
    if (last !== null) page.pushOperators(PDFOperator.of(PDFOperatorNames.EndMarkedContent));
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

/** What a picture takes up of its page. */
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
      return page.drawText(text, { x, y: up(baseline), size, font, color: colorOf(item.color) });
    }
    case "panel":
    case "frame": {
      const { x, y, width, height, radius } = item;
      const color = colorOf(item.color);
      const paint = item.kind === "panel" ? { color } : { borderColor: color, borderWidth: frameWidth };
      return page.drawRectangle({ x, y: up(y + height), width, height, radius, ...paint });
    }
    case "image": {
      const { x, y, width, height, url } = item;
      const image = await embedImage(url, embedded, page.doc);
      return page.drawImage(image, { x, y: up(y + height), width, height });
    }
    case "qr": {
      const { x, y, size } = item;
      const { path, side } = qrPath(item.text);
      page.drawRectangle({ x, y: up(y + size), width: size, height: size, color: rgb(1, 1, 1) });
      const scale = size / side;
      return page.drawSvgPath(path, {
        x: 0,
        y: 0,
        // SVG counts from the top.
        matrix: [scale, 0, 0, -scale, x, up(y)],
        borderColor: rgb(0, 0, 0),
        borderWidth: 1,
      });
    }
    case "link":
      return addLink(item, up(item.y), embedded, page);
  }
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

/** `color` is #rrggbb. */
function colorOf(color: string): Color {
  const part = (at: number) => Number.parseInt(color.slice(at, at + 2), 16) / 255;
  return rgb(part(1), part(3), part(5));
}

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
