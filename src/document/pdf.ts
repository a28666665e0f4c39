import { type Plugin, pt2mm } from "@pdfme/common";
import { generate } from "@pdfme/generator";
import { draw, type EmbeddedFonts } from "./drawing.ts";
import type { Fonts } from "./fonts.ts";
import type { InvoiceDocument } from "./invoice-document.ts";
import { layOut } from "./invoice-layout.ts";
import { page } from "./invoice-style.ts";

const size = { width: pt2mm(page.width), height: pt2mm(page.height) };

const basePdf: typeof size & { padding: [number, number, number, number] } = {
  ...size,
  padding: [0, 0, 0, 0],
};

/** One that is as large as its page, which pdfme asks its plugin to draw. */
function pageSchema(index: number) {
  return { name: `page-${index}`, type: "page", position: { x: 0, y: 0 }, ...size };
}

/** Writes the PDF. Its bytes depend on the document alone: every date in it is the document's. */
export async function writePdf(document: InvoiceDocument, fonts: Fonts): Promise<Uint8Array<ArrayBuffer>> {
  const pages = layOut(document, fonts);
  const embedded: EmbeddedFonts = new Map();
  const pagePlugin: Plugin = {
    ui: () => {},
    pdf: (canvas) => draw(pages[Number(canvas.value)] ?? [], embedded, canvas),
    propPanel: { schema: {}, defaultSchema: pageSchema(0) },
  };
  const schemas = pages.map((_, index) => [pageSchema(index)]);
  const [first] = fonts.regular;
  const date = new Date(document.createdAtMs);
  return generate({
    template: { basePdf, schemas },
    inputs: [Object.fromEntries(pages.map((_, index) => [`page-${index}`, String(index)]))],
    plugins: { page: pagePlugin },
    options: {
      // Not embedded by this: without one pdfme would read a font of its own.
      font: { [first.name]: { data: first.data, fallback: true } },
      title: `Invoice ${document.number}`,
      author: document.merchantName,
      creator: "Till",
      producer: "pdfme",
      lang: "en",
      creationDate: date,
      modificationDate: date,
    },
  });
}
