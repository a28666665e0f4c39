import { readFileSync } from "node:fs";
import { AFRelationship, type PDFDocument, PDFHexString, PDFName, PDFString } from "@pdfme/pdf-lib";
import srgb from "../../assets/srgb.icc" with { type: "file" };
import { type DocumentInfo, describe, fileName } from "./xmp.ts";

/**
 * Makes a file an archived one (PDF/A-3b, ISO 19005-3) that carries its e-invoice, another form of the same document.
 * Fonts are embedded and links are printed already. The same input gives the same bytes.
 */
export async function archive(xml: string, about: DocumentInfo, pdf: PDFDocument): Promise<void> {
  const { context, catalog } = pdf;
  const date = new Date(about.createdAtMs);
  const bytes = new TextEncoder().encode(xml);
  await pdf.attach(bytes, fileName, {
    mimeType: "text/xml",
    description: "The e-invoice, EN 16931",
    afRelationship: AFRelationship.Alternative,
    creationDate: date,
    modificationDate: date,
  });
  const profile = context.register(context.flateStream(readFileSync(srgb), { N: 3 }));
  const intent = {
    Type: "OutputIntent",
    S: "GTS_PDFA1",
    OutputConditionIdentifier: PDFString.of("sRGB IEC61966-2.1"),
    Info: PDFString.of("sRGB IEC61966-2.1"),
    DestOutputProfile: profile,
  };
  catalog.set(PDFName.of("OutputIntents"), context.obj([intent]));
  const xmp = describe(about, true, pdf);
  const id = PDFHexString.of(new Bun.CryptoHasher("md5").update(bytes).update(xmp).digest("hex"));
  context.trailerInfo.ID = context.obj([id, id]);
}
