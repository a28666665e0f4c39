import { inflateSync } from "node:zlib";
import type { PDFDocument as Pdf } from "@pdfme/pdf-lib";
import type { ReceiptDocument } from "./receipt-document.ts";

/** What the attachment is called. */
const fileName = "till-receipt.json";

/** A proof of 200 transfers has 80 kB. */
const proofBytesMax = 1_048_576;

/** Puts the proof into a receipt's file, as an attachment that any program for PDFs lists and saves. */
export async function attachProof({ proof, createdAtMs }: ReceiptDocument, pdf: Pdf): Promise<void> {
  const date = new Date(createdAtMs);
  await pdf.attach(new TextEncoder().encode(proof), fileName, {
    mimeType: "application/json",
    creationDate: date,
    modificationDate: date,
  });
}

/** The text of the proof in a receipt's PDF; null when there is none. Throws when the file is no PDF or is damaged. */
export async function readAttachedProof(pdf: Uint8Array): Promise<string | null> {
  const { PDFDict, PDFDocument, PDFHexString, PDFName, PDFRawStream, PDFString } = await import(
    "@pdfme/pdf-lib"
  );
  const { context } = await PDFDocument.load(pdf, { updateMetadata: false });
  // Programs that write a PDF again order its names as they like, so each file in it is looked at.
  for (const [, object] of context.enumerateIndirectObjects()) {
    if (!(object instanceof PDFDict) || object.lookup(PDFName.of("EF")) === undefined) continue;
    const name = object.lookup(PDFName.of("UF")) ?? object.lookup(PDFName.of("F"));
    const isText = name instanceof PDFString || name instanceof PDFHexString;
    if (!isText || name.decodeText() !== fileName) continue;
    const stream = object.lookup(PDFName.of("EF"), PDFDict).lookup(PDFName.of("F"));
    if (!(stream instanceof PDFRawStream)) return null;
    const isPacked = stream.dict.lookup(PDFName.of("Filter")) !== undefined;
    const bytes = isPacked
      ? inflateSync(stream.contents, { maxOutputLength: proofBytesMax })
      : stream.contents.subarray(0, proofBytesMax);
    return new TextDecoder().decode(bytes);
  }
  return null;
}
