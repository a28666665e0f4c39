import { describe, expect, setSystemTime, test } from "bun:test";
import { PDFDocument, PDFName, PDFString } from "@pdfme/pdf-lib";
import { create } from "qrcode";
import type { InvoiceDocument } from "../../src/document/invoice/invoice-document.ts";
import { loadFonts } from "../../src/document/type/fonts.ts";
import { writePdf } from "../../src/document/worker/pdf.ts";
import type { LanguageCode } from "../../src/language/languages.ts";
import { infoOf, linksOf, pagesOf, pictureOf, solidTextOf } from "./poppler.ts";
import { line, lines, sample } from "./sample.ts";

const fonts = loadFonts();
const pdfOf = (changes: Partial<InvoiceDocument> = {}) => writePdf({ ...sample, ...changes }, fonts);
const scripts = "日本語 中文 서울 ไทย Հայ ქართ";
const solid = (text: string) => text.replace(/\s/g, "");

describe("writePdf", () => {
  test("prints every field of the invoice", async () => {
    const [page = "", ...more] = await pagesOf(await pdfOf({ correctedDay: "2026-01-09" }));
    expect(more).toEqual([]);
    const {
      kind: _kind,
      lineItems,
      paymentUri,
      createdAtMs,
      networkName,
      isTestNetwork,
      issueDate,
      dueDate,
      correctedDay: _correctedDay,
      payment,
      closed,
      look,
      paymentTerms,
      tax: _tax,
      net: _net,
      owedBack: _owedBack,
      credits: _credits,
      ...fields
    } = sample;
    for (const field of Object.values(fields)) {
      for (const part of String(field).split("\n")) expect(page).toContain(part);
    }
    for (const day of ["5 January 2026", "4 February 2026", "9 January 2026"]) expect(page).toContain(day);
    for (const item of lineItems) {
      const row = page.split("\n").find((text) => text.includes(item.description)) ?? "";
      expect(row.trim().split(/\s{2,}/)).toEqual(Object.values(item));
    }
    expect(page).toMatch(/Total\s+750\.00 USDC/);
    expect(page).toContain("Only USDC on the Base network");
    expect(page).not.toContain("Page 1");
  });

  test("prints the ids of seller and buyer, terms and the buyer's references", async () => {
    const [page = ""] = await pagesOf(
      await pdfOf({
        merchantNumbers: [{ label: "VAT ID", value: "DE136695976" }],
        vendorNumbers: [{ label: "EIN", value: "12-3456789" }],
        tradeFacts: [{ label: "Purchase order", value: "PO-17" }],
        paymentTerms: "Payable within {7*7} **days**.",
      }),
    );
    for (const text of [
      "VAT ID: DE136695976",
      "EIN: 12-3456789",
      "Payment terms",
      "Payable within {7*7} **days**.",
    ])
      expect(page).toContain(text);
    expect(page).toMatch(/Purchase order +PO-17/);
  });

  describe.each([
    ["Arabic", "٠٨٨٨", "٨٨٨٠", "رقم الطلب"],
    ["Persian", "۰۸۸۸", "۸۸۸۰", "شماره سفارش"],
  ])("prints %s digits from left to right", (_, number, reversed, words) => {
    test.each([
      ["alone", ""],
      ["in a sentence", words],
    ])("%s", async (_, before) => {
      const [memo, other] = [`${before} ${number}`.trim(), `${before} ${reversed}`.trim()];
      const [pdf, turned] = await Promise.all([pdfOf({ notes: memo }), pdfOf({ notes: other })]);
      const text = (await pagesOf(pdf)).join("");
      expect(text).toContain(number);
      expect(text).not.toContain(reversed);
      // Nothing but the first and the last digit differs: the nought is a dot.
      const [shown, against] = await Promise.all([pictureOf(pdf, 200), pictureOf(turned, 200)]);
      const differing: { x: number; y: number }[] = [];
      for (let y = 0; y < shown.height; y++)
        for (let x = 0; x < shown.width; x++)
          if (shown.isDark(x, y) !== against.isDark(x, y)) differing.push({ x, y });
      const places = differing.map(({ x }) => x);
      const middle = (Math.min(...places) + Math.max(...places)) / 2;
      const ink = (isLeft: boolean) =>
        differing.filter(({ x, y }) => x < middle === isLeft && shown.isDark(x, y)).length;
      expect(differing.length).toBeGreaterThan(20);
      expect(ink(true)).toBeLessThan(ink(false));
    });
  });

  test("asks for what is left when a part has arrived", async () => {
    const [page = ""] = await pagesOf(
      await pdfOf({ payment: { received: "700.00", remaining: "50.000001" } }),
    );
    expect(page).toMatch(/Amount due\s+50\.000001 USDC/);
    expect(page).toMatch(/Total\s+750\.00 USDC/);
    expect(page).toContain("Pay 50.000001 USDC");
    expect(page).toContain("700.00 of 750.00 USDC received");
  });

  test("asks nobody to pay once more when all has arrived", async () => {
    const pdf = await pdfOf({ payment: { received: "750.00", remaining: null } });
    const [page = ""] = await pagesOf(pdf);
    expect(page).toMatch(/Amount due\s+0\.00 USDC/);
    expect(page).toContain("Paid in full");
    expect(page).toContain("750.00 of 750.00 USDC received");
    expect(page).not.toMatch(/Pay \d|Pay online|Scan/);
    expect(await linksOf(pdf)).toContain(sample.invoiceUrl);
    // What is left in the box is text: no code stands in it.
    const picture = await pictureOf(pdf, 150);
    expect(() => firstDark(picture, (54 / 72) * 150, (58 / 72) * 150, 150 * 5.2)).toThrow();
  });

  test("writes amounts and quantities as the reader's language does, and codes them bare", async () => {
    const item = {
      description: "Sprockets",
      quantity: "1000.5",
      unitPrice: "1500.00",
      lineTotal: "1500750.00",
    };
    const written = async (language: LanguageCode) => {
      const look = { ...sample.look, language };
      return pagesOf(await pdfOf({ look, lineItems: [item], total: "1500750.00" }));
    };
    const [german = ""] = await written("de");
    expect(german).toMatch(/Sprockets\s+1\.000,5\s+1\.500,00\s+1\.500\.750,00/);
    expect(german).toMatch(/Gesamtbetrag\s+1\.500\.750,00 USDC/);
    expect(german).toContain("1.500.750,00 USDC bezahlen");
    const [french = ""] = await written("fr");
    expect(french).toMatch(/Sprockets\s+1\s000,5\s+1\s500,00\s+1\s500\s750,00/);
    expect(french).not.toContain("\ufffd");
  });

  test("says which language it is in, for who has it read out", async () => {
    for (const language of ["pt", "ar"] as const) {
      const { catalog } = await PDFDocument.load(await pdfOf({ look: { ...sample.look, language } }));
      expect(catalog.get(PDFName.of("Lang"))).toEqual(PDFString.of(language));
    }
  });

  test("says on a test network that this is no money, before and after it is paid", async () => {
    const onTest = { networkName: "Base Sepolia", isTestNetwork: true };
    const [open = ""] = await pagesOf(await pdfOf(onTest));
    expect(open).toContain("Only USDC on the Base Sepolia network");
    expect(open).toContain("Test network. Pay with test USDC only. Do not send real money.");
    const payment = { received: "750.00", remaining: null };
    expect((await pagesOf(await pdfOf({ ...onTest, payment })))[0]).toContain("Base Sepolia, test network");
    expect((await pagesOf(await pdfOf()))[0]).not.toMatch(/test network/i);
  });

  test("leaves out the parts that were not given", async () => {
    const [page = ""] = await pagesOf(await pdfOf({ vendorAddress: null, notes: null }));
    expect(page).not.toMatch(/Notes|null/);
  });

  test("repeats the table's head and numbers the pages when there is more than one", async () => {
    const pages = await pagesOf(await pdfOf({ lineItems: lines(30) }));
    expect(pages.length).toBe(2);
    for (const [index, page] of pages.entries()) {
      expect(page).toMatch(/Description\s+Quantity\s+Unit price\s+Amount \(USDC\)/);
      expect(page).toMatch(new RegExp(`Invoice INV-0042 +· +Page ${index + 1} of 2`));
    }
    const text = pages.join("\n");
    for (const item of lines(30))
      expect(text).toMatch(new RegExp(`${item.description}\\s+${item.quantity}\\s`));
  });

  test("prints the longest texts in full", async () => {
    const item = { description: "Ж".repeat(500), quantity: "1000000.000001", unitPrice: "1000000000.00" };
    const text = await solidTextOf(
      await pdfOf({
        merchantName: "Щ".repeat(200),
        merchantAddress: "Ю\n".repeat(250),
        vendorName: "Ф".repeat(200),
        vendorAddress: "Ψ".repeat(500),
        notes: "Ω".repeat(2000),
        lineItems: Array.from({ length: 30 }, () => ({ ...item, lineTotal: "999999999.99" })),
      }),
    );
    const printed = (part: string) => text.split(part).length - 1;
    const counts = [
      "Щ",
      "Ю",
      "Ф",
      "Ψ",
      "Ω",
      "Ж",
      "1,000,000.000001",
      "1,000,000,000.00",
      "999,999,999.99",
    ].map(printed);
    expect(counts).toEqual([200, 250, 200, 500, 2000, 15_000, 30, 30, 30]);
  });

  test("of a void invoice says so on every page, with the reason, and asks for nothing", async () => {
    const closed = { kind: "void", reason: "Billed twice.\nPlease see INV-0041." } as const;
    const [first = "", second = "", ...more] = await pagesOf(await pdfOf({ closed, lineItems: lines(30) }));
    expect(more).toEqual([]);
    expect(first).toMatch(/ Void$/m);
    expect(second).toMatch(/Invoice INV-0042 +· +Void +· +Page 2 of 2/);
    expect(second).toContain("This invoice is void");
    for (const part of ["Nothing is owed any more.", "Billed twice.", "Please see INV-0041."])
      expect(second).toContain(part);
    const text = first + second;
    for (const part of [sample.depositAddress, "Scan the code", "Only USDC", "Pay online"])
      expect(text).not.toContain(part);
    expect(text).toMatch(/Amount due +0\.00 USDC/);
  });

  test("of one that is marked as paid says who says so, and asks for nothing", async () => {
    const [page = ""] = await pagesOf(await pdfOf({ closed: { kind: "marked" } }));
    expect(page).toContain("The merchant has recorded this invoice as paid.");
    expect(page).not.toContain(sample.depositAddress);
    expect(page).not.toContain("received");
  });

  test.each(['{"a".repeat(1e8)}', "{{x}}", "{7*7}", "{currentPage}", "**bold** [a](https://b.example)"])(
    "prints %s as it is, in every field",
    async (text) => {
      const cells = {
        description: text,
        quantity: text,
        unit: text,
        unitPrice: text,
        less: text,
        rate: text,
        lineTotal: text,
      };
      const bill = { lineItems: [cells], sums: [{ label: text, amount: text }] };
      const {
        kind,
        createdAtMs,
        lineItems,
        sums,
        notes,
        vendorAddress,
        payment,
        closed,
        look,
        isTestNetwork,
        merchantNumbers,
        merchantContact,
        vendorNumbers,
        vendorContact,
        tradeFacts,
        paymentTerms,
        credits,
        net,
        owedBack,
        ...rest
      } = sample;
      const every = Object.fromEntries(Object.keys(rest).map((field) => [field, text]));
      // Of processor: that says little of what else is running.
      const before = process.cpuUsage();
      const pdf = await pdfOf({ ...every, notes: text, vendorAddress: text, ...bill });
      const { user, system } = process.cpuUsage(before);
      expect((user + system) / 1_000).toBeLessThan(2_000);
      const printed = (await solidTextOf(pdf)).split(solid(text)).length - 1;
      const pages = (await pagesOf(pdf)).length;
      const feet = pages === 1 ? 0 : pages;
      // All but the payment URI, which is in the code only; the number once, and at the foot of several pages; the
      // total three times.
      expect(printed).toBe(Object.keys(rest).length - 1 + 2 + 7 + 2 + 2 + feet);
      expect(await infoOf(pdf)).toContain(`Invoice ${text}`);
    },
  );

  test("prints every script that it has a font for, and one visible sign for each character it has none for", async () => {
    const text = await solidTextOf(
      await pdfOf({ notes: `Łódź Ελλάδα Україна ₿ ${scripts} 🚀 𒀀 e\u0301 a\u0000b\u202ec` }),
    );
    expect(text).toContain(solid(`ŁódźΕλλάδαУкраїна₿${scripts}🚀\ufffdéabc`));
  });

  test("prints the symbols that people type: arrows, ticks, stars, bullets, boxes, signs of mathematics", async () => {
    const symbols = "←↑→↓⇒➔✓✔✗☐☑★☆●○◆■□▲►≠≈≤≥∞√−①❶ⅢⅣ♪☞│─█";
    expect(await solidTextOf(await pdfOf({ notes: symbols, vendorName: symbols }))).toContain(symbols);
  });

  test("says who wrote it and what it is", async () => {
    const info = await infoOf(await pdfOf());
    expect(info).toMatch(/Title: +Invoice INV-0042\n/);
    expect(info).toMatch(/Author: +Nordlicht Studio GmbH\n/);
    expect(info).toMatch(/CreationDate: +Mon Jan +5 08:00:00 2026 UTC\n/);
    expect(info).toMatch(/Page size: .*A4/);
  });

  test("links to the hosted page and to nothing else", async () => {
    expect(await linksOf(await pdfOf())).toContain(sample.invoiceUrl);
    const awkward = await linksOf(await pdfOf({ invoiceUrl: "https://pay.example/a(b)c\\d" }));
    expect(awkward).toContain("https://pay.example/a%28b%29c/d");
    expect(await linksOf(await pdfOf({ invoiceUrl: "javascript:alert(1)" }))).not.toContain("javascript");
  });

  test("draws the payment code so that every module can be read", async () => {
    const dpi = 300;
    const picture = await pictureOf(await pdfOf(), dpi);
    const data = new TextEncoder().encode(sample.paymentUri);
    const { modules } = create([{ data, mode: "byte" }], { errorCorrectionLevel: "M" });
    const first = firstDark(picture, Math.floor((54 / 72) * dpi), Math.ceil((180 / 72) * dpi), dpi * 5.2);
    const side = ((120 / 72) * dpi) / (modules.size + 8);
    const at = (start: number, module: number) => Math.round(start + (module + 0.5) * side);
    const sequence = Array.from({ length: modules.size }, (_, index) => index);
    const rows = (isDark: (row: number, column: number) => boolean) =>
      sequence.map((row) => sequence.map((column) => (isDark(row, column) ? "█" : " ")).join(""));
    expect(rows((row, column) => picture.isDark(at(first.x, column), at(first.y, row)))).toEqual(
      rows((row, column) => modules.get(row, column) === 1),
    );
  });

  test("gives the same bytes whatever was written before and meanwhile, and whenever it is", async () => {
    const alone = await writePdf(sample, loadFonts());
    const others = { lineItems: lines(30), vendorName: "Ünal Żółć 0123456789" };
    await pdfOf(others);
    setSystemTime(Date.UTC(2031, 1, 2));
    try {
      const [amid] = await Promise.all([pdfOf(), pdfOf(others), pdfOf({ notes: "Another" })]);
      expect(amid).toEqual(alone);
    } finally {
      setSystemTime();
    }
  });

  test("gives other bytes for another document", async () => {
    expect(await pdfOf({ lineItems: [line(1)] })).not.toEqual(await pdfOf({ lineItems: [line(2)] }));
  });
});

/** The top left corner of the code: the first dark pixel between two columns, below a row. */
function firstDark(
  { height, isDark }: Awaited<ReturnType<typeof pictureOf>>,
  left: number,
  right: number,
  top: number,
) {
  for (let y = Math.floor(top); y < height; y++) {
    for (let x = left; x < right; x++) if (isDark(x, y)) return { x, y };
  }
  throw new Error("There is no code on the page");
}
