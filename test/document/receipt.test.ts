import { describe, expect, test } from "bun:test";
import { array, assert, constant, constantFrom, oneof, property, record, string } from "fast-check";
import { pages as papers } from "../../src/document/invoice/invoice-style.ts";
import type { ReceiptDocument } from "../../src/document/receipt/receipt-document.ts";
import { readAttachedProof } from "../../src/document/receipt/receipt-document.ts";
import { layOutReceipt } from "../../src/document/receipt/receipt-layout.ts";
import { loadFonts } from "../../src/document/type/fonts.ts";
import { writePdf } from "../../src/document/worker/pdf.ts";
import { parse } from "../../src/domain/brand.ts";
import { languageCodes } from "../../src/language/languages.ts";
import { speak } from "../../src/language/locale.ts";
import { expectOrder, expectWords } from "./order.ts";
import { infoOf, linksOf, pagesOf, solidTextOf } from "./poppler.ts";
import { linkReceiptSample, payment, receiptSample } from "./receipt-sample.ts";
import { lines, sample } from "./sample.ts";

const fonts = loadFonts();
const pdfOf = (changes: Partial<ReceiptDocument> = {}) => writePdf({ ...receiptSample, ...changes }, fonts);
const payments = (count: number) => Array.from({ length: count }, (_, index) => payment(index, "37.50"));
const brand = { ...parse({ name: "Acme Pay ".repeat(6).trim(), color: "#0f766e" }).brand, logo: null };
const recorded = { received: "0.00", recordedOn: "2026-01-20", payments: [] };
const overpaid = { received: "770.000001", paid: "770.000001", excess: "20.000001" };

describe("the PDF of a receipt", () => {
  test("says who paid whom, when, what for, how much, and by which transaction", async () => {
    const pdf = await pdfOf({ reference: "PO-4711" });
    const [page = "", ...more] = await pagesOf(pdf);
    expect(more).toEqual([]);
    const { merchantName, merchantAddress, customer, depositAddress, pageUrl, lineItems } = receiptSample;
    const { from, txHash } = payment(1);
    const texts = [
      merchantName,
      merchantAddress,
      customer?.vendorName,
      customer?.vendorAddress,
      customer?.vendorEmail,
    ];
    for (const text of [
      ...texts,
      depositAddress,
      pageUrl,
      from,
      txHash,
      ...lineItems.map((each) => each.description),
    ])
      for (const part of String(text).split("\n")) expect(page).toContain(part);
    for (const part of [
      /Invoice number\s+INV-0042/,
      /Reference\s+PO-4711/,
      /Date paid\s+20 January 2026/,
      /Amount paid\s+750\.00 USDC/,
    ])
      expect(page).toMatch(part);
    expect(page).toMatch(/Total\s+750\.00 USDC\s+Amount received\s+750\.00 USDC/);
    expect(page).toContain("Nordlicht Studio GmbH has received your payment in full. Thank you.");
    expect(page).not.toMatch(/Overpayment|Page 1|null/);
    const links = await linksOf(pdf);
    for (const url of [pageUrl, `https://basescan.org/tx/${txHash}`]) expect(links).toContain(url);
    const info = await infoOf(pdf);
    expect(info).toMatch(/Title: +Receipt · INV-0042\n/);
    expect(info).toMatch(/Author: +Nordlicht Studio GmbH\n/);
  });

  test("says what arrived above the amount, to the millionth", async () => {
    const [page = ""] = await pagesOf(await pdfOf(overpaid));
    expect(page).toMatch(/Overpayment\s+20\.000001 USDC/);
    expect(page).toMatch(/Please contact\s+Nordlicht Studio GmbH about a refund\./);
    expect(page).toMatch(/^ *✓? *Paid$/m);
  });

  test("of a link names the shop and what was sold", async () => {
    const pdf = await writePdf(linkReceiptSample, fonts);
    const [page = ""] = await pagesOf(pdf);
    expect(page).toMatch(/Ethiopia Guji, 500 g\s+25\.00\n/);
    expect(page).not.toMatch(/Invoice|Reference|Received from|Quantity/);
    expect(await infoOf(pdf)).toMatch(/Title: +Receipt · Corner Shop\n/);
  });

  test("says what the merchant recorded, and lists nothing", async () => {
    const [page = ""] = await pagesOf(await pdfOf(recorded));
    expect(page).toContain("Recorded by the merchant on 20 January 2026 as paid outside the network.");
    expect(page).toMatch(/Amount paid\s+750\.00 USDC/);
    expect(page).not.toMatch(/Payments?\n|Transaction|Deposit address|Amount received|0x/);
  });

  test("repeats the head of its payments on each page, and counts what it does not list", async () => {
    const pages = await pagesOf(await pdfOf({ payments: payments(20), otherPayments: 13 }));
    expect(pages.length).toBe(2);
    for (const [index, page] of pages.entries()) {
      expect(page).toMatch(/Payments\s+Transaction\s+Amount \(USDC\)/);
      expect(page).toMatch(new RegExp(`Receipt · INV-0042 +· +Page ${index + 1} of 2`));
    }
    const text = pages.join("\n");
    for (const { txHash, from } of payments(20))
      for (const part of [txHash, from]) expect(text).toContain(part);
    expect(text).toMatch(/Smaller payments not shown:\s13/);
  });

  test("carries its proof as a file, and is the same each time", async () => {
    const pdf = await writePdf(receiptSample, loadFonts());
    expect(await readAttachedProof(pdf)).toBe(receiptSample.proof);
    await pdfOf({ payments: payments(20) });
    expect(await pdfOf()).toEqual(pdf);
    expect(await readAttachedProof(await writePdf(sample, fonts))).toBeNull();
  });

  test("prints hostile texts as they are, and links to the web alone", async () => {
    const text = '{{x}} <b>"(a)\\';
    const hostile = { ...payment(1), url: "javascript:alert(1)" };
    const pdf = await pdfOf({
      merchantName: text,
      product: text,
      lineItems: [],
      number: text,
      payments: [hostile],
    });
    expect((await solidTextOf(pdf)).split(text.replace(/\s/g, "")).length - 1).toBeGreaterThanOrEqual(3);
    expect(await linksOf(pdf)).not.toContain("javascript");
  });
});

describe("layOutReceipt", () => {
  test.each([
    ["nothing but a product", { lineItems: [], product: "a\n".repeat(200) }],
    ["30 lines and 20 payments", { lineItems: lines(30), payments: payments(20), otherPayments: 5 }],
    [
      "long names",
      {
        merchantName: "W".repeat(200),
        customer: {
          vendorName: "W".repeat(200),
          vendorAddress: "b\n".repeat(250),
          vendorEmail: "c",
          vendorNumbers: [],
        },
      },
    ],
    [
      "the largest amounts",
      { ...overpaid, total: "1000000000.00", payments: [payment(1, "1000000000.000001")] },
    ],
    ["a long reference", { reference: "W".repeat(200) }],
    ["a long link", { pageUrl: `https://pay.example/${"x".repeat(300)}`, number: `INV-${"9".repeat(40)}` }],
  ])("overprints nothing and stays on the paper: %s", (_, changes) => {
    expectOrder(layOutReceipt({ ...receiptSample, ...changes }, fonts));
  });

  // What else is shown goes with another number of payments in each language.
  test.each(Array.from(languageCodes.entries()))(
    "overprints nothing and stays on either paper, with a brand: %d, %s",
    (turn, language) => {
      const others = [{}, overpaid, recorded, { lineItems: lines(17) }];
      for (const paper of ["a4", "letter"] as const)
        for (const [at, count] of [1, 2, 7, 20].entries()) {
          const look = { paper, language, brand };
          const changes = others[(at + turn) % others.length];
          const shown = { look, payments: payments(count), otherPayments: count - 1, ...changes };
          expectOrder(layOutReceipt({ ...receiptSample, ...shown }, fonts), papers[paper]);
          const ofLink = { ...linkReceiptSample, ...shown, lineItems: [] };
          expectOrder(layOutReceipt(ofLink, fonts), papers[paper]);
        }
    },
  );

  test("overprints nothing and stays on the paper, whatever the texts and their lengths", () => {
    const text = (maxLength: number) =>
      string({ unit: constantFrom(..."abcdeW  -\n"), maxLength, size: "max" });
    const document = record({
      merchantName: text(200),
      merchantAddress: oneof(text(500), constant(null)),
      customer: oneof(
        record({
          vendorName: text(200),
          vendorAddress: text(500),
          vendorEmail: text(254),
          vendorNumbers: constant([]),
        }),
        constant(null),
      ),
      product: text(500),
      lineItems: constantFrom([], lines(1), lines(30)),
      recordedOn: constantFrom(null, "2026-01-20"),
      payments: array(constantFrom(payment(1), payment(2, "12.000001")), { maxLength: 20 }),
    });
    assert(
      property(document, (changes) => expectOrder(layOutReceipt({ ...receiptSample, ...changes }, fonts))),
      { numRuns: 60, seed: 1 },
    );
  });
});

test.each(languageCodes)("every word is there in %s, in letters that Till has", (language) => {
  const { say, day } = speak(language);
  for (const changes of [{ ...overpaid, otherPayments: 3 }, recorded]) {
    const shown = { ...receiptSample, ...changes, look: { ...receiptSample.look, language } };
    const said = [say("receipt"), say("datePaid"), day("2026-01-20"), say("paid"), say("receivedFrom")];
    expectWords(layOutReceipt(shown, fonts), said);
  }
});
