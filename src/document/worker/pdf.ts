import { type Plugin, pt2mm } from "@pdfme/common";
import { generate } from "@pdfme/generator";
import { speak } from "../../language/locale.ts";
import { isCmyk } from "../../lib/image/image-file.ts";
import { archive } from "../archive.ts";
import { type CreditNoteDocument, layOutCreditNote } from "../credit-note.ts";
import type { InvoiceDocument } from "../invoice/invoice-document.ts";
import { layOut } from "../invoice/invoice-layout.ts";
import { pages as papers } from "../invoice/invoice-style.ts";
import type { ReceiptDocument } from "../receipt/receipt-document.ts";
import { attachProof } from "../receipt/receipt-document.ts";
import { layOutReceipt, titleOf } from "../receipt/receipt-layout.ts";
import { layOutRefund, type RefundDocument, refundTitle } from "../receipt/refund-receipt.ts";
import { type DocumentResources, draw } from "../type/drawing.ts";
import type { Fonts } from "../type/fonts.ts";
import { createStructure } from "../type/structure.ts";
import type { PageItem } from "../type/typeset.ts";
import { describe } from "../xmp.ts";

export type PdfDocument = InvoiceDocument | ReceiptDocument | CreditNoteDocument | RefundDocument;

/** The e-invoice that makes a file an archived one, if it has one. */
const xmlOf = (document: PdfDocument) => ("xml" in document ? document.xml : undefined);

/** Writes the PDF. Its bytes depend on the document alone: every date in it is the document's. */
export async function writePdf(document: PdfDocument, fonts: Fonts): Promise<Uint8Array<ArrayBuffer>> {
  const { look } = document;
  if (look.brand.logo === null) return write(document, fonts);
  const plain = { ...document, look: { ...look, brand: { ...look.brand, logo: null } } };
  // The colours of an archived file are those of a display.
  if (xmlOf(document) !== undefined && isForPrint(look.brand.logo)) return write(plain, fonts);
  // An image can be broken behind its first bytes, and an invoice is worth more than a logo.
  return write(document, fonts).catch(() => write(plain, fonts));
}

const isForPrint = (url: string) =>
  url.startsWith("data:image/jpeg") && isCmyk(Buffer.from(url.slice(url.indexOf(",") + 1), "base64"));

/** The title of the file, and its pages. */
function laidOut(document: PdfDocument, fonts: Fonts): [title: string, pages: PageItem[][]] {
  const locale = speak(document.look.language);
  switch (document.kind) {
    case "invoice":
      return [locale.say("invoiceNumber", { number: document.number }), layOut(document, fonts)];
    case "creditNote":
      return [locale.say("creditHeading", { number: document.number }), layOutCreditNote(document, fonts)];
    case "receipt":
      return [titleOf(document, locale), layOutReceipt(document, fonts)];
    case "refund":
      return [refundTitle(document, locale), layOutRefund(document, fonts)];
  }
}

async function write(document: PdfDocument, fonts: Fonts): Promise<Uint8Array<ArrayBuffer>> {
  const { language, paper } = document.look;
  const [title, pages] = laidOut(document, fonts);
  const size = { width: pt2mm(papers[paper].width), height: pt2mm(papers[paper].height) };
  // As large as its page, which pdfme asks the plugin to draw.
  const schemaOf = (index: number) => ({
    name: `page-${index}`,
    type: "page",
    position: { x: 0, y: 0 },
    ...size,
  });
  const xml = xmlOf(document);
  let embedded: DocumentResources | undefined;
  const about = {
    title,
    author: document.merchantName,
    creator: "Till",
    producer: "pdfme",
  };
  const pagePlugin: Plugin = {
    ui: () => {},
    async pdf({ page, pdfDoc, value }) {
      embedded ??= {
        fonts: new Map(),
        images: new Map(),
        structure: createStructure(pdfDoc),
        isArchived: xml !== undefined,
      };
      await draw(pages[Number(value)] ?? [], embedded, page);
      if (Number(value) < pages.length - 1) return;
      embedded.structure.write();
      pdfDoc.setLanguage(language);
      // pdfme knows no Portuguese, and would make it English at the end.
      pdfDoc.setLanguage = () => {};
      if (document.kind === "receipt") await attachProof(document, pdfDoc);
      const info = { ...about, createdAtMs: document.createdAtMs };
      if (xml === undefined) describe(info, false, pdfDoc);
      else await archive(xml, info, pdfDoc);
    },
    propPanel: { schema: {}, defaultSchema: schemaOf(0) },
  };
  const [first] = fonts.regular;
  const date = new Date(document.createdAtMs);
  return generate({
    template: {
      basePdf: { ...size, padding: [0, 0, 0, 0] },
      schemas: pages.map((_, index) => [schemaOf(index)]),
    },
    inputs: [Object.fromEntries(pages.map((_, index) => [`page-${index}`, String(index)]))],
    plugins: { page: pagePlugin },
    options: {
      // Not embedded by this: without one pdfme would read a font of its own.
      font: { [first.name]: { data: first.data, fallback: true } },
      ...about,
      creationDate: date,
      modificationDate: date,
    },
  });
}
