import { AFRelationship, type PDFDocument, PDFHexString, PDFName, PDFString } from "@pdfme/pdf-lib";
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
  const profile = context.register(context.flateStream(srgbProfile(), { N: 3 }));
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

/**
 * The colours of sRGB (IEC 61966-2-1) as an ICC profile of version 2.1 for a display: a header, the table of tags, and
 * their data. An archived PDF has to say what its colours mean.
 */

/** As they are seen under D50, the white of profiles. */
const white = [0.9642, 1, 0.8249];
const primaries = {
  rXYZ: [0.436075, 0.222504, 0.013932],
  gXYZ: [0.385065, 0.716879, 0.097105],
  bXYZ: [0.14308, 0.060617, 0.714173],
};

const headerBytes = 128;
const tagBytes = 12;
const curvePoints = 1024;

function srgbProfile(): Uint8Array<ArrayBuffer> {
  const curve = toneCurve();
  const tags: [name: string, data: Buffer][] = [
    ["desc", description("sRGB IEC61966-2.1")],
    ["cprt", text("Public domain")],
    ["wtpt", colour(white)],
    ...Object.entries(primaries).map(([name, xyz]): [string, Buffer] => [name, colour(xyz)]),
    ...["rTRC", "gTRC", "bTRC"].map((name): [string, Buffer] => [name, curve]),
  ];
  const table = Buffer.alloc(4 + tags.length * tagBytes);
  table.writeUInt32BE(tags.length, 0);
  const placed = new Map<Buffer, number>();
  let end = headerBytes + table.length;
  for (const [i, [name, data]] of tags.entries()) {
    const at = placed.get(data) ?? end;
    if (!placed.has(data)) {
      placed.set(data, at);
      end += data.length;
    }
    table.write(name, 4 + i * tagBytes, "latin1");
    table.writeUInt32BE(at, 8 + i * tagBytes);
    table.writeUInt32BE(data.length, 12 + i * tagBytes);
  }
  return new Uint8Array(Buffer.concat([header(end), table, ...placed.keys()]));
}

function header(bytes: number): Buffer {
  const header = Buffer.alloc(headerBytes);
  header.writeUInt32BE(bytes, 0);
  header.writeUInt32BE(0x0210_0000, 8);
  header.write("mntrRGB XYZ ", 12, "latin1");
  // A day, as no date in a file of Till's is that of its making.
  for (const [i, part] of [2026, 1, 1].entries()) header.writeUInt16BE(part, 24 + 2 * i);
  header.write("acsp", 36, "latin1");
  for (const [i, part] of white.entries()) header.writeInt32BE(fixed(part), 68 + 4 * i);
  return header;
}

/** A signed number with 16 bits after the point. */
const fixed = (value: number) => Math.round(value * 65_536);

/** A tag's data: its type, four zeros, and what follows, up to a multiple of four bytes. */
function tag(type: string, data: Buffer): Buffer {
  const padding = Buffer.alloc((4 - (data.length % 4)) % 4);
  return Buffer.concat([Buffer.from(type, "latin1"), Buffer.alloc(4), data, padding]);
}

const text = (words: string) => tag("text", Buffer.from(`${words}\0`, "latin1"));

function description(words: string): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(words.length + 1);
  // Neither in Unicode nor for a Macintosh: two codes and counts, and room for 67 letters.
  return tag("desc", Buffer.concat([length, Buffer.from(`${words}\0`, "latin1"), Buffer.alloc(8 + 3 + 67)]));
}

function colour(xyz: readonly number[]): Buffer {
  const data = Buffer.alloc(12);
  for (const [i, part] of xyz.entries()) data.writeInt32BE(fixed(part), 4 * i);
  return tag("XYZ ", data);
}

/** How much light a value between 0 and 1 stands for, in 16 bits each. */
function toneCurve(): Buffer {
  const data = Buffer.alloc(4 + 2 * curvePoints);
  data.writeUInt32BE(curvePoints, 0);
  for (let i = 0; i < curvePoints; i += 1) {
    const value = i / (curvePoints - 1);
    const light = value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
    data.writeUInt16BE(Math.round(light * 65_535), 4 + 2 * i);
  }
  return tag("curv", data);
}
