import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import type { InvoiceDocument, Look } from "../../src/document/invoice/invoice-document.ts";
import { layOut } from "../../src/document/invoice/invoice-layout.ts";
import { logoOf } from "../../src/document/invoice/letterhead.ts";
import { loadFonts } from "../../src/document/type/fonts.ts";
import { writePdf } from "../../src/document/worker/pdf.ts";
import { parse, plainBrand } from "../../src/domain/brand.ts";
import { languageCodes } from "../../src/language/languages.ts";
import { speak } from "../../src/language/locale.ts";
import { logos } from "./logos.ts";
import { expectWords } from "./order.ts";
import { imagesIn, infoOf, pagesOf, solidTextOf } from "./poppler.ts";
import { lines, sample } from "./sample.ts";

const fonts = loadFonts();
const pdfOf = (look: Partial<Look>, changes: Partial<InvoiceDocument> = {}) =>
  writePdf({ ...sample, ...changes, look: { ...sample.look, ...look } }, fonts);

const picture = readFileSync(new URL("../../assets/pictures/till.png", import.meta.url));
const damaged = Buffer.from(picture).fill(0xaa, 5_000, 6_000);
const png = `data:image/png;base64,${picture.toString("base64")}`;
const { brand } = parse({ name: "Acme Pay", color: "#0f766e" });
const ordinaryBytesMax = 150_000;

describe("the paper", () => {
  test.each([
    ["a4", /Page size: .*A4/],
    ["letter", /Page size: .*letter/],
  ] as const)("%s has its size, and its head above each part of a long table", async (paper, size) => {
    const pdf = await pdfOf({ paper }, { lineItems: lines(30) });
    expect(await infoOf(pdf)).toMatch(size);
    expect(await infoOf(pdf)).toMatch(/Author: +Nordlicht Studio GmbH\n/);
    const pages = await pagesOf(pdf);
    expect(pages).toHaveLength(2);
    for (const page of pages) expect(page).toMatch(/Description\s+Quantity\s+Unit price\s+Amount \(USDC\)/);
    for (const item of lines(30)) expect(pages.join("\n")).toMatch(new RegExp(`${item.description}\\s`));
    expect(pdf.byteLength).toBeLessThan(ordinaryBytesMax);
  });
});

describe("the brand", () => {
  test("is in the foot with its name, and its logo when that is a PNG or a JPEG", async () => {
    const branded = await pdfOf({ brand: { ...brand, logo: png } });
    expect((await pagesOf(branded))[0]).toContain("Hosted by Acme Pay");
    expect(await imagesIn(branded)).toBeGreaterThan(0);
    expect(await imagesIn(await pdfOf({ brand: { ...brand, logo: null } }))).toBe(0);
    expect((await pagesOf(await pdfOf({})))[0]).not.toContain("Hosted");
  });

  test.each([
    ["an SVG", `data:image/svg+xml;base64,${btoa("<svg xmlns='http://www.w3.org/2000/svg'/>")}`],
    ["half a PNG", `data:image/png;base64,${picture.subarray(0, 20_000).toString("base64")}`],
    ["a damaged PNG", `data:image/png;base64,${damaged.toString("base64")}`],
    ["half a JPEG", `data:image/jpeg;base64,${btoa("\xff\xd8\xff\xe0\x00\x10JFIF")}`],
    ["a broken PNG", `data:image/png;base64,${picture.subarray(0, 200).toString("base64")}`],
  ])("%s as a logo costs nobody the invoice", async (_, logo) => {
    expect((await pagesOf(await pdfOf({ brand: { ...brand, logo } })))[0]).toContain("750.00 USDC");
  });

  test.each([
    [null, 0],
    ["NORDLICHT Studio GmbH", 0],
    ["Acme Pay", 1],
  ] as const)("whose name is %p has its logo above a merchant's own name, else in the foot", (name, at) => {
    const look = { ...sample.look, brand: { ...brand, name, logo: png } };
    const [items = []] = layOut({ ...sample, look }, fonts);
    const placeOf = (y: number) => {
      if (y < 100) return 0;
      return y > 750 ? 1 : null;
    };
    const places = items.flatMap((item) => (item.kind === "image" ? [placeOf(item.y)] : []));
    expect(places).toEqual([at]);
  });

  test("a logo keeps its shape, and is not blown up", () => {
    const [width, height] = [picture.readUInt32BE(16), picture.readUInt32BE(20)];
    const logo = logoOf({ logo: png }, { widthMax: 110, heightMax: 16 });
    expect((logo?.width ?? 0) / (logo?.height ?? 1)).toBeCloseTo(width / height, 5);
    expect(logoOf({ logo: logos.colours }, { widthMax: 110, heightMax: 16 })).toMatchObject({
      width: 8,
      height: 8,
    });
    expect(logoOf(plainBrand, { widthMax: 110, heightMax: 16 })).toBeNull();
  });
});

test.each(languageCodes)("every word is there in %s, in letters that Till has", (language) => {
  const look = { ...sample.look, language, brand: { ...brand, logo: null } };
  const { say, day } = speak(language);
  const said = [say("billedTo"), say("quantity"), say("total"), day(sample.dueDate)];
  const pages = layOut({ ...sample, look, lineItems: lines(30) }, fonts);
  expectWords(pages, [...said, sample.depositAddress, sample.invoiceUrl]);
});

// The letters of all other languages are in the same font.
test.each(["en", "ar", "ja", "zh"] as const)(
  "a PDF in %s is small, and every letter of it",
  async (language) => {
    const pdf = await pdfOf({ language, brand: { ...brand, logo: null } }, { lineItems: lines(30) });
    const text = await solidTextOf(pdf);
    expect(text).not.toContain("\ufffd");
    expect(text).toContain(sample.depositAddress);
    expect(pdf.byteLength).toBeLessThan(ordinaryBytesMax);
  },
);
