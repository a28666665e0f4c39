import { readFileSync } from "node:fs";
import { AFRelationship, type PDFDocument, PDFHexString, PDFName, PDFString } from "@pdfme/pdf-lib";
import srgb from "../../assets/srgb.icc" with { type: "file" };
import { escaped } from "../lib/text/xml.ts";

/** What Factur-X calls the XML in a PDF. */
const fileName = "factur-x.xml";

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
  const xmp = new TextEncoder().encode(xmpOf(about, fileName));
  const metadata = context.stream(xmp, { Type: "Metadata", Subtype: "XML" });
  catalog.set(PDFName.of("Metadata"), context.register(metadata));
  const id = PDFHexString.of(new Bun.CryptoHasher("md5").update(bytes).update(xmp).digest("hex"));
  context.trailerInfo.ID = context.obj([id, id]);
}

/** What a PDF/A says of itself, as XMP: the same as its Info, that it is PDF/A-3b, and that it carries an e-invoice. */

type DocumentInfo = {
  title: string;
  author: string;
  creator: string;
  producer: string;
  createdAtMs: number;
};

/** Factur-X 1.0, in whose words the last part is. */
const facturX = "urn:factur-x:pdfa:CrossIndustryDocument:invoice:1p0#";

const properties = {
  DocumentFileName: "name of the embedded XML invoice file",
  DocumentType: "INVOICE",
  Version: "version of the XML schema of the invoice",
  ConformanceLevel: "profile of the XML invoice",
};

function xmpOf({ title, author, creator, producer, createdAtMs }: DocumentInfo, fileName: string): string {
  const date = new Date(createdAtMs).toISOString().replace(/\.\d+Z$/, "Z");
  const described = Object.entries(properties).map(
    ([name, meaning]) => `<rdf:li rdf:parseType="Resource">
            <pdfaProperty:name>${name}</pdfaProperty:name>
            <pdfaProperty:valueType>Text</pdfaProperty:valueType>
            <pdfaProperty:category>external</pdfaProperty:category>
            <pdfaProperty:description>${meaning}</pdfaProperty:description>
          </rdf:li>`,
  );
  return `<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/">
<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
  <rdf:Description rdf:about="" xmlns:pdfaid="http://www.aiim.org/pdfa/ns/id/">
    <pdfaid:part>3</pdfaid:part>
    <pdfaid:conformance>B</pdfaid:conformance>
  </rdf:Description>
  <rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/">
    <dc:format>application/pdf</dc:format>
    <dc:title><rdf:Alt><rdf:li xml:lang="x-default">${escaped(title)}</rdf:li></rdf:Alt></dc:title>
    <dc:creator><rdf:Seq><rdf:li>${escaped(author)}</rdf:li></rdf:Seq></dc:creator>
  </rdf:Description>
  <rdf:Description rdf:about="" xmlns:pdf="http://ns.adobe.com/pdf/1.3/">
    <pdf:Producer>${escaped(producer)}</pdf:Producer>
  </rdf:Description>
  <rdf:Description rdf:about="" xmlns:xmp="http://ns.adobe.com/xap/1.0/">
    <xmp:CreatorTool>${escaped(creator)}</xmp:CreatorTool>
    <xmp:CreateDate>${date}</xmp:CreateDate>
    <xmp:ModifyDate>${date}</xmp:ModifyDate>
  </rdf:Description>
  <rdf:Description rdf:about="" xmlns:pdfaExtension="http://www.aiim.org/pdfa/ns/extension/" xmlns:pdfaSchema="http://www.aiim.org/pdfa/ns/schema#" xmlns:pdfaProperty="http://www.aiim.org/pdfa/ns/property#">
    <pdfaExtension:schemas>
      <rdf:Bag>
        <rdf:li rdf:parseType="Resource">
          <pdfaSchema:schema>Factur-X PDFA Extension Schema</pdfaSchema:schema>
          <pdfaSchema:namespaceURI>${facturX}</pdfaSchema:namespaceURI>
          <pdfaSchema:prefix>fx</pdfaSchema:prefix>
          <pdfaSchema:property><rdf:Seq>
          ${described.join("\n          ")}
          </rdf:Seq></pdfaSchema:property>
        </rdf:li>
      </rdf:Bag>
    </pdfaExtension:schemas>
  </rdf:Description>
  <rdf:Description rdf:about="" xmlns:fx="${facturX}">
    <fx:DocumentType>INVOICE</fx:DocumentType>
    <fx:DocumentFileName>${fileName}</fx:DocumentFileName>
    <fx:Version>1.0</fx:Version>
    <fx:ConformanceLevel>EN 16931</fx:ConformanceLevel>
  </rdf:Description>
</rdf:RDF>
</x:xmpmeta>
<?xpacket end="w"?>`;
}
