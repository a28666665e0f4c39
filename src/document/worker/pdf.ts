import { PDFDocument } from "@pdfme/pdf-lib";
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
import { draw } from "../type/drawing.ts";
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
  const { look, merchantName: author, createdAtMs } = document;
  const [title, pages] = laidOut(document, fonts);
  const { width, height } = papers[look.paper];
  const about = { title, author, creator: "Till", producer: "pdfme", createdAtMs };
  const date = new Date(createdAtMs);
  const pdf = await PDFDocument.create({ updateMetadata: false });
  pdf.setTitle(title);
  pdf.setAuthor(author);
  pdf.setCreator(about.creator);
  pdf.setProducer(about.producer);
  pdf.setCreationDate(date);
  pdf.setModificationDate(date);
  pdf.setLanguage(look.language);

  const xml = xmlOf(document);
  const structure = createStructure(pdf);
  const embedded = { fonts: new Map(), images: new Map(), structure, isArchived: xml !== undefined };
  for (const items of pages) await draw(items, embedded, pdf.addPage([width, height]));
  structure.write();
  if (document.kind === "receipt") await attachProof(document, pdf);
  if (xml === undefined) describe(about, false, pdf);
  else await archive(xml, about, pdf);
  return pdf.save({ objectsPerTick: Number.POSITIVE_INFINITY }) as Promise<Uint8Array<ArrayBuffer>>;
}
