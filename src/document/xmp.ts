import { type PDFDocument, PDFName } from "@pdfme/pdf-lib";
import { escaped } from "../lib/text/xml.ts";

export type DocumentInfo = {
  title: string;
  author: string;
  creator: string;
  producer: string;
  createdAtMs: number;
};

/** The name of the XML in Factur-X. */
export const fileName = "factur-x.xml";

/**
 * Has a file say of itself, as XMP, the same as in its Info, that it is PDF/UA-1, and if it is archived that it is
 * PDF/A-3b and carries an e-invoice. Returns the bytes of it.
 */
export function describe(
  info: DocumentInfo,
  isArchived: boolean,
  { context, catalog }: PDFDocument,
): Uint8Array {
  const xmp = new TextEncoder().encode(xmpOf(info, isArchived));
  const metadata = context.stream(xmp, { Type: "Metadata", Subtype: "XML" });
  catalog.set(PDFName.of("Metadata"), context.register(metadata));
  return xmp;
}

/** In the words of ISO 14289-1 and of Factur-X 1.0: PDF/A asks what properties are that it does not know itself. */
const schemas = [
  {
    schema: "PDF/UA identification schema",
    namespaceURI: "http://www.aiim.org/pdfua/ns/id/",
    prefix: "pdfuaid",
    valueType: "Integer",
    category: "internal",
    properties: { part: "part of ISO 14289 that the file conforms to" },
  },
  {
    schema: "Factur-X PDFA Extension Schema",
    namespaceURI: "urn:factur-x:pdfa:CrossIndustryDocument:invoice:1p0#",
    prefix: "fx",
    valueType: "Text",
    category: "external",
    properties: {
      DocumentFileName: "name of the embedded XML invoice file",
      DocumentType: "INVOICE",
      Version: "version of the XML schema of the invoice",
      ConformanceLevel: "profile of the XML invoice",
    },
  },
];

function described({ properties, valueType, category, ...of }: (typeof schemas)[number]): string {
  const rows = Object.entries(properties).map(
    ([name, meaning]) => `<rdf:li rdf:parseType="Resource">
            <pdfaProperty:name>${name}</pdfaProperty:name>
            <pdfaProperty:valueType>${valueType}</pdfaProperty:valueType>
            <pdfaProperty:category>${category}</pdfaProperty:category>
            <pdfaProperty:description>${meaning}</pdfaProperty:description>
          </rdf:li>`,
  );
  return `<rdf:li rdf:parseType="Resource">
          <pdfaSchema:schema>${of.schema}</pdfaSchema:schema>
          <pdfaSchema:namespaceURI>${of.namespaceURI}</pdfaSchema:namespaceURI>
          <pdfaSchema:prefix>${of.prefix}</pdfaSchema:prefix>
          <pdfaSchema:property><rdf:Seq>
          ${rows.join("\n          ")}
          </rdf:Seq></pdfaSchema:property>
        </rdf:li>`;
}

const archived = `
  <rdf:Description rdf:about="" xmlns:pdfaid="http://www.aiim.org/pdfa/ns/id/">
    <pdfaid:part>3</pdfaid:part>
    <pdfaid:conformance>B</pdfaid:conformance>
  </rdf:Description>
  <rdf:Description rdf:about="" xmlns:pdfaExtension="http://www.aiim.org/pdfa/ns/extension/" xmlns:pdfaSchema="http://www.aiim.org/pdfa/ns/schema#" xmlns:pdfaProperty="http://www.aiim.org/pdfa/ns/property#">
    <pdfaExtension:schemas>
      <rdf:Bag>
        ${schemas.map(described).join("\n        ")}
      </rdf:Bag>
    </pdfaExtension:schemas>
  </rdf:Description>
  <rdf:Description rdf:about="" xmlns:fx="urn:factur-x:pdfa:CrossIndustryDocument:invoice:1p0#">
    <fx:DocumentType>INVOICE</fx:DocumentType>
    <fx:DocumentFileName>${fileName}</fx:DocumentFileName>
    <fx:Version>1.0</fx:Version>
    <fx:ConformanceLevel>EN 16931</fx:ConformanceLevel>
  </rdf:Description>`;

function xmpOf({ title, author, creator, producer, createdAtMs }: DocumentInfo, isArchived: boolean): string {
  const date = new Date(createdAtMs).toISOString().replace(/\.\d+Z$/, "Z");
  return `<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/">
<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
  <rdf:Description rdf:about="" xmlns:pdfuaid="http://www.aiim.org/pdfua/ns/id/">
    <pdfuaid:part>1</pdfuaid:part>
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
  </rdf:Description>${isArchived ? archived : ""}
</rdf:RDF>
</x:xmpmeta>
<?xpacket end="w"?>`;
}
