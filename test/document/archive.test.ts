import { beforeAll, describe, expect, test } from "bun:test";
import { inflateSync } from "node:zlib";
import { loadFonts } from "../../src/document/type/fonts.ts";
import { writePdf } from "../../src/document/worker/pdf.ts";
import { plainBrand } from "../../src/domain/brand.ts";
import { logos, printLogo } from "./logos.ts";
import { fontsOf, imagesIn } from "./poppler.ts";
import { sample } from "./sample.ts";

/** Clauses of ISO 19005-3 (PDF/A-3b) one by one, read from the file without what wrote it. */

const xml = '<?xml version="1.0" encoding="UTF-8"?>\n<x>Ä</x>\n';
const fonts = loadFonts();
const notes = "设计 ✓ สวัสดี क्षत्रिय فاتورة 👨‍👩‍👧";
let pdf: Buffer;
/** Every object as text, those in object streams too. */
let objects: string;
/** Every stream as it is when it is unpacked. */
let streams: { number: string; head: string; data: Buffer }[];

beforeAll(async () => {
  pdf = Buffer.from(await writePdf({ ...sample, notes, xml }, fonts));
  ({ objects, streams } = read(pdf));
});

function read(pdf: Buffer) {
  const text = pdf.toString("latin1");
  const streams = [...text.matchAll(/(\d+) 0 obj\n(<<(?:(?!endobj)[\s\S])*?>>)\nstream\n/g)].map((match) => {
    const [whole, number = "", head = ""] = match;
    const length = Number(/\/Length (\d+)/.exec(head)?.[1]);
    const data = pdf.subarray(match.index + whole.length, match.index + whole.length + length);
    return { number, head, data: head.includes("/FlateDecode") ? inflateSync(data) : data };
  });
  const packed = streams
    .filter(({ head }) => head.includes("/ObjStm"))
    .map(({ data }) => data.toString("latin1"));
  return { objects: [text, ...packed].join("\n"), streams };
}
/** The advances of a TrueType file by the number of the glyph, in thousandths of an em. */
function advancesOf(program: Buffer): number[] {
  const tables = Array.from({ length: program.readUInt16BE(4) }, (_, at) => {
    const record = program.subarray(12 + 16 * at);
    return [record.toString("latin1", 0, 4), program.subarray(record.readUInt32BE(8))] as const;
  });
  const table = (tag: string) => new Map(tables).get(tag) ?? Buffer.alloc(0);
  const unitsPerEm = table("head").readUInt16BE(18);
  const count = table("hhea").readUInt16BE(34);
  const advances = Array.from({ length: count }, (_, at) => table("hmtx").readUInt16BE(4 * at));
  const glyphs = table("maxp").readUInt16BE(4);
  return Array.from(
    { length: glyphs },
    (_, at) => ((advances[at] ?? advances.at(-1) ?? 0) * 1000) / unitsPerEm,
  );
}
const hybridWith = async (logo: string) =>
  Buffer.from(
    await writePdf({ ...sample, xml, look: { ...sample.look, brand: { ...plainBrand, logo } } }, fonts),
  );
const stream = (mark: string) => streams.find(({ head }) => head.includes(mark));

describe("a PDF with an e-invoice", () => {
  test("has a header, a binary comment and an id, and is not encrypted (6.1.2, 6.1.3)", () => {
    expect(pdf.toString("latin1", 0, 9)).toMatch(/^%PDF-1\.7\n/);
    expect([...pdf.subarray(10, 14)].every((byte) => byte > 127)).toBe(true);
    expect(objects).toMatch(/\/ID \[ ?<[0-9a-f]{32}> <[0-9a-f]{32}> ?\]/i);
    expect(objects).not.toContain("/Encrypt");
  });

  test("says what its colours mean, and has no others (6.2.3, 6.2.4)", () => {
    expect(objects).toContain("/GTS_PDFA1");
    const profile = stream("/N 3")?.data ?? Buffer.alloc(0);
    expect(profile.readUInt32BE(0)).toBe(profile.length);
    expect(profile.toString("latin1", 12, 24)).toBe("mntrRGB XYZ ");
    expect(profile.toString("latin1", 36, 40)).toBe("acsp");
    expect(objects).not.toContain("/DeviceCMYK");
  });

  test("has no transparency, script or form (6.2.10, 6.4, 6.5)", () => {
    for (const name of [
      "/SMask",
      "/JavaScript",
      "/AcroForm",
      "/Launch",
      "/AA",
      "/OpenAction",
      "/Interpolate",
    ])
      expect(objects).not.toContain(name);
  });

  test("embeds every font, with its glyphs by their number and its text (6.2.11)", async () => {
    const rows = (await fontsOf(pdf)).trim().split("\n").slice(2);
    expect(rows.length).toBeGreaterThan(3);
    for (const row of rows) expect(row).toMatch(/^[A-Z]{6}\+\S+ +CID TrueType +Identity-H +yes yes yes/);
    expect(new Set(rows.map((row) => row.slice(0, 6))).size).toBe(rows.length);
    expect(objects.split("/CIDToGIDMap /Identity").length - 1).toBe(rows.length);
  });

  test("says of each glyph the width that it has, and shows none that is not there (6.2.11.5, 6.2.11.8)", () => {
    const described = [
      ...objects.matchAll(/\/BaseFont \/(\S+)[^>]*>>\s[^>]*?\/W \[((?: ?\d+ \[[^\]]*\])+) ?\]/g),
    ];
    expect(described.length).toBe(objects.split("/CIDToGIDMap").length - 1);
    for (const [, name = "", widths = ""] of described) {
      const [, file] =
        new RegExp(`/FontName /${RegExp.escape(name)}\\s[^>]*/FontFile2 (\\d+) 0 R`).exec(objects) ?? [];
      const advances = advancesOf(streams.find(({ number }) => number === file)?.data ?? Buffer.alloc(0));
      for (const [, first, list = ""] of widths.matchAll(/(\d+) \[([^\]]*)\]/g))
        for (const [at, width] of list.trim().split(/\s+/).entries())
          expect(Math.abs(Number(width) - (advances[Number(first) + at] ?? Number.NaN))).toBeLessThan(1);
    }
    const shown = streams.flatMap(({ data }) => data.toString("latin1").match(/<[0-9A-F]+> Tj/g) ?? []);
    expect(shown.length).toBeGreaterThan(50);
    for (const text of shown) expect(text.slice(1).match(/[0-9A-F]{4}/g)).not.toContain("0000");
  });

  test.each(Object.entries(logos))(
    "shows a logo of %s in colours of a display (6.2.8)",
    async (kind, logo) => {
      const images = read(await hybridWith(logo)).streams.filter(({ head }) =>
        head.includes("/Subtype /Image"),
      );
      expect(images).toHaveLength(kind.endsWith("dense in parts") ? 2 : 1);
      for (const { head } of images) {
        expect(head).toMatch(/\/ColorSpace \/Device(RGB|Gray)/);
        expect(head).not.toMatch(/\/Interpolate true|\/Alternates|\/OPI|\/Matte/);
      }
    },
  );

  test("leaves out a logo in the colours of print", async () => {
    expect(await imagesIn(await hybridWith(printLogo))).toBe(0);
  });

  test("prints its links (6.3.2)", () => {
    const links = objects.split("/Subtype /Link").length - 1;
    expect(links).toBeGreaterThan(0);
    expect((objects.match(/\/F 4(?!\d| \d+ R)/g) ?? []).length).toBeGreaterThanOrEqual(links);
  });

  test("says in plain XMP what it is, as its Info does (6.6)", () => {
    const { head = "", data } = stream("/Subtype /XML") ?? {};
    expect(head).not.toContain("/Filter");
    const xmp = data?.toString("utf8") ?? "";
    for (const part of [
      "<pdfaid:part>3<",
      "<pdfaid:conformance>B<",
      `>Invoice ${sample.number}<`,
      `>${sample.merchantName}<`,
      "<xmp:CreateDate>2026-01-05T08:00:00Z<",
      "<pdfaSchema:prefix>fx<",
      "<fx:ConformanceLevel>EN 16931<",
      "<fx:DocumentFileName>factur-x.xml<",
    ])
      expect(xmp).toContain(part);
  });

  test("carries the XML as another form of itself (6.8)", () => {
    expect(objects).toContain("/AFRelationship /Alternative");
    expect(objects).toMatch(/\/AF \[/);
    expect(objects).toContain("/EmbeddedFiles");
    expect(stream("/Subtype /text#2Fxml")?.data.toString("utf8")).toBe(xml);
  });

  test("is the same whenever it is written, and no plain one has any of it", async () => {
    const again = await writePdf({ ...sample, notes, xml }, fonts);
    expect(Buffer.compare(Buffer.from(again), pdf)).toBe(0);
    expect(Buffer.from(await writePdf(sample, fonts)).includes("pdfaid")).toBe(false);
  });
});
