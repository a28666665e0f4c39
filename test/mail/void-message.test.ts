import { describe, expect, test } from "bun:test";
import { plainBrand } from "../../src/domain/brand.ts";
import { parse, words } from "../pages/dom.ts";
import { attacks } from "../pages/sample.ts";
import { type VoidMessageProps, voidMessage } from "./sample.ts";

const url = "https://pay.acme.example/i/k7w2m9qd3xv5tb8h";

const write = (changes: Partial<VoidMessageProps> = {}) =>
  voidMessage({
    merchantName: "Acme Ltd",
    merchantEmail: "billing@acme.example",
    vendorName: "Globex Corporation",
    invoiceNumber: "INV-0042",
    total: "1500.00",
    reference: "PO-4711",
    reason: "Billed twice.\nPlease see INV-0041.",
    invoiceUrl: url,
    hasPdf: false,
    brand: plainBrand,
    language: "en",
    ...changes,
  });

const credit = { number: "CN-0007", due: null, toReturn: "222.74" };
/** A plain text without its marks of direction. */
const plain = (text: string) => text.replaceAll(/[\u2066-\u2069]/g, "");

describe("the mail that brings a credit note", () => {
  test("says how much, and what is to be paid and returned, before anything else", () => {
    const { subject, text, html } = write({ credit, total: "191.71", currency: "EUR", hasPdf: true });
    expect(subject).toBe("Credit note CN-0007 from Acme Ltd: 191.71 EUR");
    const ending =
      "Nothing is left to pay on invoice INV-0042. You have already paid 222.74 USDC of the credited amount. " +
      "Acme Ltd owes you a refund: please agree on how it is paid.";
    const page = parse(html);
    expect(page.querySelector("body > div")?.textContent?.trim()).toBe(ending);
    page.querySelector("body > div")?.remove();
    for (const version of [text.replace(/\s+/g, " "), words(page).replaceAll("\u00a0", " ")]) {
      const parts = ["Credited", "191.71 EUR", ending, "Billed twice.", "For invoice", "INV-0042", url];
      const places = [...parts, "The credit note is attached to this email as a PDF."].map((part, index) =>
        version.indexOf(part, index === 5 ? version.indexOf("For invoice") : 0),
      );
      expect(places).not.toContain(-1);
      expect(places).toEqual(places.toSorted((a, b) => a - b));
    }
  });

  test("sets its sentences as its language does, and keeps a label off its value", () => {
    const { text } = write({ credit, language: "ja" });
    expect(plain(text)).toContain("請求書 INV-0042 の未払いはありません。減額分のうち");
    const label = (language: "de" | "ar") =>
      parse(write({ creditNote: "CN-0007", language }).html).querySelector("td[style*=width\\:116px]");
    expect(label("de")?.getAttribute("style")).toContain("padding-right:12px");
    expect(label("ar")?.getAttribute("style")).toContain("padding-left:12px");
  });
});

describe("the mail about a void invoice", () => {
  test("says in both versions what is void, why, and what to do", () => {
    const { subject, text, html } = write();
    expect(subject).toBe("Void: invoice INV-0042 from Acme Ltd");
    const page = parse(html);
    for (const version of [text.replace(/\s+/g, " "), words(page)])
      for (const part of [
        "Invoice INV-0042 is void",
        "Acme Ltd has withdrawn this invoice.",
        "Billed twice. Please see INV-0041.",
        "Globex Corporation",
        "PO-4711",
        "1,500.00 USDC",
        "If you have already sent money, please contact Acme Ltd.",
        url,
      ])
        expect(version).toContain(part);
    expect(page.querySelector(`a[href="${url}"]`)).not.toBeNull();
  });

  test("asks for no money and names no address to pay to", () => {
    const { text, html } = write();
    for (const version of [text, html])
      expect(version).not.toMatch(/0x[0-9a-f]{40}|Amount due|View and pay/i);
  });

  test.each(attacks)("takes %p in every field for a text", (attack) => {
    const { subject, html } = write({
      merchantName: attack,
      vendorName: attack,
      reason: attack,
      reference: attack,
    });
    expect(parse(html).querySelector("script, img, [onfocus], [onerror]")).toBeNull();
    expect(subject).not.toMatch(/[\r\n]/);
  });

  test("throws for an address that is none of the web's", () => {
    expect(() => write({ invoiceUrl: "javascript:alert(1)" })).toThrow(RangeError);
  });
});
