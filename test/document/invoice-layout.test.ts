import { describe, expect, test } from "bun:test";
import { array, assert, constant, constantFrom, oneof, property, record, string } from "fast-check";
import { layOutCreditNote } from "../../src/document/credit-note.ts";
import { layOut } from "../../src/document/invoice/invoice-layout.ts";
import { pages as papers } from "../../src/document/invoice/invoice-style.ts";
import { loadFonts } from "../../src/document/type/fonts.ts";
import type { PageItem } from "../../src/document/type/typeset.ts";
import { parse } from "../../src/domain/brand.ts";
import { languageCodes } from "../../src/language/languages.ts";
import { expectOrder } from "./order.ts";
import { filled, fullSample, line, lines, sample } from "./sample.ts";

const fonts = loadFonts();
const brand = { ...parse({ name: "Acme Pay ".repeat(6).trim(), color: "#0f766e" }).brand, logo: null };

const longCells = { quantity: "1000000.000001", unitPrice: "1000000000.00", lineTotal: "1000000000.00" };
const longLine = { ...longCells, description: filled(500) };

const textsOf = (items: readonly PageItem[]) =>
  items.flatMap((item) => (item.kind === "text" ? [item.text] : []));

describe("an invoice in euros with every field", () => {
  const logo =
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

  test.each(Object.keys(papers) as (keyof typeof papers)[])(
    "is one page of %s, and its logo touches nothing",
    (paper) => {
      const look = { ...sample.look, paper, brand: { ...brand, logo } };
      const pages = layOut({ ...fullSample, look }, fonts);
      expect(pages).toHaveLength(1);
      expectOrder(pages, papers[paper]);
    },
  );

  test.each(languageCodes)("is one page in %s", (language) => {
    const pages = layOut({ ...fullSample, look: { ...sample.look, language } }, fonts);
    expect(pages).toHaveLength(1);
  });

  test("names the unit of what is to be paid once", () => {
    const [texts] = layOut(fullSample, fonts).map(textsOf);
    expect(texts).toContain("Amount to pay in USDC");
    expect(texts).toContain("4,298.93");
  });

  test("asks for nothing of what is paid: what it is in USDC stands with its total, above what was credited", () => {
    const credits = [{ label: "Credited", amount: "−10.00" }];
    const payment = { received: "4298.93", remaining: null };
    const [texts = []] = layOut({ ...fullSample, credits, payment }, fonts).map(textsOf);
    expect(texts).not.toContain("Amount to pay in USDC");
    expect(texts.indexOf("Amount (USDC)")).toBeGreaterThan(texts.indexOf("Total"));
    expect(texts.indexOf("Amount (USDC)")).toBeLessThan(texts.indexOf("Credited"));
  });

  test("gives the long reason of a tax more width, and the total stands below it", () => {
    const reason = filled(150, "Exempt under Section 4 No. 21 of the law. ");
    const place = (label: string) => {
      const sums = [{ label, amount: "0.00" }];
      const items = layOut({ ...fullSample, sums }, fonts).flat();
      const at = (start: string) =>
        items.find((item) => item.kind === "text" && item.text.startsWith(start))?.x;
      return { label: at("Exempt"), total: at("Total"), lines: items.length };
    };
    const [short, long] = [place("Exempt"), place(reason)];
    expect(long.label).toBeLessThan((short.label ?? 0) - 80);
    expect(long.total).toBe(long.label as number);
    expect(short.total).toBe(short.label as number);
  });

  test("takes white away only for a whole page", () => {
    const topOf = (pages: readonly PageItem[][]) =>
      pages[0]?.flatMap((item) =>
        item.kind === "text" && item.text === "Billed to" ? [item.baseline] : [],
      )[0];
    const loose = topOf(layOut(sample, fonts));
    expect(topOf(layOut({ ...sample, lineItems: lines(12) }, fonts))).toBeLessThan(loose ?? 0);
    expect(topOf(layOut({ ...sample, lineItems: lines(30) }, fonts))).toBe(loose as number);
  });
});

describe.each(languageCodes)("a credit note in %s", (language) => {
  test("is one page with a title of one line", () => {
    const { payment: _, ...about } = fullSample;
    const note = {
      ...about,
      look: { ...sample.look, language },
      invoiceNumber: "INV-0042",
      kind: "creditNote" as const,
      creditedOn: "2026-02-01",
      reason: "One of the two was not delivered.",
      currency: "EUR",
      toReturn: "12.50",
    };
    const pages = layOutCreditNote(note, fonts);
    expect(pages).toHaveLength(1);
    expectOrder(pages);
    const large = pages.flat().flatMap((item) => (item.kind === "text" && item.size > 15 ? [item] : []));
    expect(new Set(large.map(({ baseline }) => baseline)).size).toBe(1);
  });
});

describe("layOut", () => {
  test.each([
    ["one line", { lineItems: lines(1) }],
    ["30 lines", { lineItems: lines(30) }],
    ["30 long lines and long notes", { lineItems: Array(30).fill(longLine), notes: filled(2000) }],
    ["an address of 250 lines", { merchantAddress: "a\n".repeat(250), vendorAddress: "b\n".repeat(250) }],
    [
      "long unbroken words",
      { merchantName: "W".repeat(200), vendorName: "W".repeat(200), notes: "W".repeat(2000) },
    ],
    ["a description of 250 lines", { lineItems: [{ ...line(1), description: "a\n".repeat(250) }] }],
    [
      "a long link",
      { invoiceUrl: `https://pay.example/${"x".repeat(300)}`, number: `INV-${"9".repeat(40)}` },
    ],
  ])("overprints nothing and stays on the paper: %s", (_, changes) => {
    expectOrder(layOut({ ...sample, ...changes }, fonts));
  });

  test("keeps the last line, or the end of it, with the total", () => {
    const isTotal = (item: PageItem) =>
      item.kind === "text" && item.text === `${sample.total} USDC` && item.size > 12;
    for (let height = 0; height < 60; height++) {
      for (const count of [1, 12]) {
        const last = { ...line(1), description: "last" };
        const long = { ...last, description: `${"a\n".repeat(height)}last` };
        const lineItems = [
          ...lines(count - 1),
          { ...line(1), description: "b\n".repeat(height + 1) },
          count === 1 ? long : last,
        ];
        const pages = layOut({ ...sample, lineItems }, fonts);
        const page = pages.find((items) => items.some(isTotal)) ?? [];
        const words = page.flatMap((item) => (item.kind === "text" ? [item.text] : []));
        expect(words).toContain("last");
      }
    }
  });

  test("overprints nothing and stays on the paper, whatever the texts and their lengths", () => {
    const text = (maxLength: number) =>
      string({ unit: constantFrom(..."abcdeW  -\n"), maxLength, size: "max" });
    const item = record({
      description: text(500),
      quantity: text(15),
      unitPrice: text(15),
      lineTotal: text(15),
    });
    const document = record({
      merchantName: text(200),
      merchantAddress: text(500),
      merchantEmail: text(254),
      vendorName: text(200),
      vendorAddress: oneof(text(500), constant(null)),
      notes: oneof(text(2000), constant(null)),
      lineItems: array(item, { minLength: 1, maxLength: 30 }),
    });
    assert(
      property(document, (changes) => expectOrder(layOut({ ...sample, ...changes }, fonts))),
      { numRuns: Number(process.env["TEST_RUNS"] ?? 25), seed: 1 },
    );
  });

  test.each(languageCodes)(
    "overprints nothing and stays on either paper, with a brand, in %s",
    (language) => {
      for (const paper of ["a4", "letter"] as const) {
        const look = { paper, language, brand };
        for (const count of [1, 3, 17, 30]) {
          expectOrder(layOut({ ...sample, look, lineItems: lines(count) }, fonts), papers[paper]);
        }
        expectOrder(layOut({ ...sample, look, lineItems: Array(30).fill(longLine) }, fonts), papers[paper]);
      }
    },
  );

  test("keeps a row together that fits on a page", () => {
    const pages = layOut({ ...sample, lineItems: Array(12).fill(longLine) }, fonts);
    const startsOf = (items: readonly PageItem[]) =>
      items.filter((item) => item.kind === "text" && item.text === "1,000,000.000001").length;
    const linesOf = (items: readonly PageItem[]) =>
      items.filter((item) => item.kind === "text" && /wrapped|A long/.test(item.text)).length;
    const perRow = linesOf(pages.flat()) / 12;
    for (const items of pages) expect(linesOf(items)).toBe(startsOf(items) * perRow);
  });
});
