import { describe, expect, test } from "bun:test";
import { plainBrand } from "../../src/domain/brand.ts";
import { type VoidMessageProps, voidMessage } from "../../src/mail/messages/void-message.ts";
import { parse, words } from "../pages/dom.ts";
import { attacks } from "../pages/sample.ts";

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
    brand: plainBrand,
    language: "en",
    ...changes,
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
