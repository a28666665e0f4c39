import { describe, expect, test } from "bun:test";
import * as Tax from "../../src/domain/bill/tax.ts";
import { plainBrand } from "../../src/domain/brand.ts";
import * as Usdc from "../../src/domain/usdc.ts";
import { networks } from "../../src/domain/wallet/network.ts";
import { type InvoiceMessageProps, invoiceMessage } from "./sample.ts";

const props: InvoiceMessageProps = {
  purpose: "invoice",
  merchantName: "Acme Ltd",
  merchantEmail: "billing@acme.example",
  vendorName: "Globex Corporation",
  invoiceNumber: "INV-0001",
  total: "1500.00",
  bill: null,
  dueDate: "2026-12-01",
  overdue: false,
  invoiceUrl: "https://pay.acme.example/i/k7w2m9qd3xv5tb8h",
  pdfUrl: "https://pay.acme.example/api/invoices/3f2b8a4e/pdf",
  notes: "Thank you.\nOrder 4711.",
  reference: null,
  network: networks.base,
  payment: null,
  hasPdf: false,
  brand: plainBrand,
  language: "en",
};

const versions = (changes: Partial<InvoiceMessageProps> = {}) => {
  const { text, html } = invoiceMessage({ ...props, ...changes });
  return [text, html];
};

describe("invoiceMessage", () => {
  test("says in the subject who wants how much by when", () => {
    const { subject } = invoiceMessage(props);
    expect(subject).toBe("Invoice INV-0001 from Acme Ltd: 1,500.00 USDC, due 1 December 2026");
  });

  test("says everything in both versions", () => {
    for (const version of versions()) {
      for (const part of [
        "Acme Ltd",
        "Globex Corporation",
        "INV-0001",
        "1,500.00 USDC",
        "1 December 2026",
        props.invoiceUrl,
        props.pdfUrl,
        "billing@acme.example",
        "Thank you.",
        "Order 4711.",
        "USDC on the Base network only",
        "https://pay.acme.example/",
        "never puts a deposit address in an email",
      ]) {
        expect(version).toContain(part);
      }
    }
  });

  test("says how the total comes about when there is tax", () => {
    const tax = { category: "standard", rate: 190_000, reason: null } as const;
    const lines = [{ lineTotal: Usdc.parse("1260.50") ?? Usdc.zero, tax }];
    const options = { discount: null, pricesIncludeTax: false, minor: 10_000n };
    const totals = Tax.totalsOf(lines, options);
    const bill = {
      ...options,
      totals,
      currency: null,
      total: Usdc.asUsdc(totals.total),
      merchantDetails: null,
    };
    const [text = "", html = ""] = versions({ bill });
    expect(text).toContain("Subtotal: 1,260.50\nTax 19% on 1,260.50: 239.50\nTotal: 1,500.00\n");
    for (const part of ["Subtotal", "Tax 19% on 1,260.50", "239.50", "1,500.00"])
      expect(html).toContain(part);
    // A long reason has several lines: its amount stands beside the first.
    expect(html).toMatch(/valign="top">239\.50/);
    for (const version of versions()) expect(version).not.toContain("Subtotal");
  });

  test("keeps the minus of a discount before its number where one reads from the right", () => {
    const tax = { category: "standard", rate: 190_000, reason: null } as const;
    const discount = { kind: "percent", percent: 100_000 } as const;
    const options = { discount, pricesIncludeTax: false, minor: 10_000n };
    const totals = Tax.totalsOf([{ lineTotal: Usdc.parse("1000.00") ?? Usdc.zero, tax }], options);
    const bill = {
      ...options,
      totals,
      currency: null,
      total: Usdc.asUsdc(totals.total),
      merchantDetails: null,
    };
    for (const version of versions({ bill, language: "ar" }))
      expect(version).toContain("\u2066−100.00\u2069");
  });

  test("says that the day is past when it is", () => {
    expect(invoiceMessage({ ...props, overdue: true }).subject).toEndWith(
      "1,500.00 USDC, was due 1 December 2026",
    );
    for (const version of versions({ overdue: true })) expect(version).toContain("Amount overdue");
    for (const version of versions()) expect(version).not.toContain("Amount overdue");
  });

  test("asks for what is left when a part has arrived", () => {
    const payment = { received: "500.00", remaining: "1000.00" };
    expect(invoiceMessage({ ...props, payment }).subject).toContain(
      ": 1,000.00 USDC remaining, due 1 December 2026",
    );
    for (const version of versions({ payment })) {
      expect(version).toContain("1,000.00 USDC");
      expect(version).toContain("500.00 of 1,500.00 USDC received");
    }
  });

  test("asks for nothing when nothing is left, whatever the day", () => {
    const payment = { received: "1500.00", remaining: null };
    const { subject } = invoiceMessage({ ...props, overdue: true, payment });
    expect(subject).toBe("Invoice INV-0001 from Acme Ltd: 1,500.00 USDC, paid");
    for (const version of versions({ overdue: true, payment })) {
      expect(version).not.toContain("Amount overdue");
      expect(version).not.toContain("View and pay");
      expect(version).not.toContain("Pay in USDC");
      expect(version).toContain("View invoice");
    }
  });

  test("shows a user's markup as text", () => {
    const evil = `<script>alert("1")</script><img src=x onerror='y'>&amp;`;
    const { html, text } = invoiceMessage({
      ...props,
      merchantName: evil,
      vendorName: evil,
      invoiceNumber: evil,
      notes: evil,
    });
    expect(html).not.toMatch(/<script|<img/);
    expect(html).toContain("&lt;script&gt;alert(");
    expect(html).toContain("&amp;amp;");
    expect(text).toContain(evil);
  });

  test("keeps a mail address with signs in its place in a link", () => {
    const { html } = invoiceMessage({ ...props, merchantEmail: "o'brien&co?x=y@acme.example" });
    expect(html).toContain('href="mailto:o\'brien%26co%3Fx%3Dy@acme.example"');
  });

  test("loads nothing and leads nowhere but to this installation and the merchant", async () => {
    const { html } = invoiceMessage(props);
    expect(html).not.toMatch(/\b(src|srcset|background)=|url\(|@import|<link|<script|<form/i);
    const links: string[] = [];
    const rewriter = new HTMLRewriter().on("[href]", {
      element: (element) => {
        links.push(element.getAttribute("href") ?? "");
      },
    });
    await rewriter.transform(new Response(html)).text();
    expect(new Set(links)).toEqual(new Set([props.invoiceUrl, props.pdfUrl, "mailto:billing@acme.example"]));
  });

  test.each(["javascript:alert(1)", "data:text/html,x", "/i/x", ""])("throws for the URL %p", (url) => {
    expect(() => invoiceMessage({ ...props, invoiceUrl: url })).toThrow(RangeError);
    expect(() => invoiceMessage({ ...props, pdfUrl: url })).toThrow(RangeError);
  });

  test("lets no name break the subject or turn it around", () => {
    const { subject } = invoiceMessage({ ...props, merchantName: "Acme\r\nBcc: x\u202e\u2066 \0 Ltd\u2028" });
    expect(subject).toBe("Invoice INV-0001 from Acme Bcc: x Ltd: 1,500.00 USDC, due 1 December 2026");
  });

  test("keeps a right-to-left name from changing places with the amount", () => {
    const { subject, html } = invoiceMessage({ ...props, merchantName: "שלום בע״מ" });
    expect(subject).toBe("Invoice INV-0001 from \u2068שלום בע״מ\u2069: 1,500.00 USDC, due 1 December 2026");
    expect(html).toContain("<bdi>שלום בע״מ</bdi>");
  });

  test("cuts a very long name off", () => {
    const { subject } = invoiceMessage({ ...props, merchantName: "🦊".repeat(200) });
    expect(subject).toBe(`Invoice INV-0001 from ${"🦊".repeat(79)}…: 1,500.00 USDC, due 1 December 2026`);
  });

  test("keeps the lines of the notes, and has no heading for empty ones", () => {
    const { text, html } = invoiceMessage({ ...props, notes: "\n\none\r\n\n\n\n  two\n" });
    expect(text).toContain("Note from Acme Ltd:\none\n\ntwo\n");
    expect(html).toContain("<bdi>one</bdi><br/><bdi></bdi><br/><bdi>two</bdi>");
    for (const notes of [null, "", " \n "]) {
      for (const version of versions({ notes })) expect(version).not.toContain("Note from");
    }
  });
});
