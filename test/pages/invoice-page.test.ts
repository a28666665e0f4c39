import { describe, expect, test } from "bun:test";
import { type LanguageCode, languageCodes } from "../../src/language/languages.ts";
import { speak } from "../../src/language/locale.ts";
import { invoicePage } from "../../src/pay/invoice-page.tsx";
import { gzip } from "../../src/pay/page-cache.ts";
import type { PaymentProps } from "../../src/pay/payment/props.ts";
import { inlineSources, parse, words } from "./dom.ts";
import { everyField, invoice, states } from "./sample.ts";

/** Small enough for a bad connection. */
const pageBytesMax = 44_100;
/**
 * Ten packets of 1,460 bytes, which a server sends before it waits for the first answer (RFC 6928); in some
 * languages a page needs a few bytes of an eleventh.
 */
const firstFlightBytes = (code: LanguageCode) => (code === "ja" || code === "ar" ? 15_000 : 14_700);

describe("invoicePage", () => {
  test("names its PDFs by what is in them, where there is more than one", () => {
    const named = (originalHref: string | null) =>
      [...parse(invoicePage(invoice({ payment: states.paid, originalHref })).html).querySelectorAll("a")]
        .map(({ textContent }) => textContent?.trim() ?? "")
        .filter((text) => /PDF|receipt/i.test(text));
    expect(named(null)).toEqual(["Download receipt", "Download PDF"]);
    expect(named("/api/originals/1")).toEqual([
      "Download receipt",
      "Invoice as of today (PDF)",
      "Invoice as first sent (PDF)",
    ]);
  });

  test("shows who bills whom, for what, until when", () => {
    const text = words(parse(invoicePage(invoice()).html));
    for (const expected of [
      "Invoice INV-0042",
      "Billed by Acme Studio 1 Main Street 10115 Berlin billing@acme.example",
      "Billed to Globex Corporation 742 Evergreen Terrace",
      "Issue date 16 November 2026",
      "Due date 30 November 2026 (Europe/Berlin)",
      "Design work 2 × 500.00 1,000.00",
      "Hosting 0.5 × 1,000.00 500.00",
      "Total 1,500.00",
      "Notes Thank you.",
    ]) {
      expect(text).toContain(expected);
    }
  });

  test("links the PDF and the merchant's mailbox", () => {
    const page = parse(invoicePage(invoice()).html);
    expect(page.querySelector(`a[href='${invoice().pdfUrl}']`)?.textContent).toContain(
      "Invoice as of today (PDF)",
    );
    expect(page.querySelector("#contact")?.getAttribute("href")).toBe(
      "mailto:billing@acme.example?subject=Invoice%20INV-0042",
    );
  });

  test("leaves out notes and an address that are not there", () => {
    const text = words(parse(invoicePage(invoice({ notes: null, vendorAddress: null })).html));
    expect(text).not.toContain("Notes");
    expect(text).not.toContain("null");
  });

  test("says the state in the title", () => {
    const titleOf = (state: keyof typeof states) =>
      parse(invoicePage(invoice({ payment: states[state] })).html).title;
    expect(titleOf("awaiting")).toBe("Awaiting payment · Invoice INV-0042 from Acme Studio");
    expect(titleOf("paid")).toStartWith("Paid · ");
  });

  test("contains the section that the script fetches, and where to fetch it", () => {
    const page = parse(invoicePage(invoice()).html);
    const container = page.querySelector("#payment");
    expect(container?.getAttribute("data-url")).toBe("/i/abc/payment");
    expect(container?.querySelector("[data-payment=open]")).not.toBeNull();
    expect(page.querySelector("#announcement")?.getAttribute("aria-live")).toBe("polite");
  });

  test("says of a bill in euros what is to be paid below what was credited, and of a paid one nothing of that", () => {
    const of = (state: PaymentProps) => {
      const credits = [{ label: "Credited", amount: "−10.00", href: "/note.pdf" }];
      const { html } = invoicePage(invoice({ ...everyField(state.locale), credits, payment: state }));
      return words(parse(html));
    };
    expect(of(states.awaiting)).toMatch(/Total 1,671.50 Credited −10.00 Amount to pay in USDC/);
    expect(of(states.paid)).toMatch(/Total 1,671.50 Amount \(USDC\).* Credited −10.00/);
    expect(of(states.paid)).not.toContain("Amount to pay in USDC");
  });

  test("loads itself again without a script, until somebody stops it", () => {
    const parts = (isStill: boolean) =>
      invoicePage(invoice(), isStill).html.match(/<noscript>.*?<\/noscript>/gs);
    const [refresh, stop, ...more] = parts(false) ?? [];
    expect(refresh).toContain('<meta http-equiv="refresh" content="30"/>');
    expect(stop).toContain('<a href="?lang=en&amp;still=1">Stop reloading this page</a>');
    expect(more).toEqual([]);
    expect(parts(true)).toEqual([expect.stringContaining('<a href="">Reload this page</a>')]);
  });

  test("loads nothing by itself, and tells the hashes of its style and script", () => {
    const { html, ...sources } = invoicePage(invoice());
    const page = parse(html);
    expect(
      page.querySelectorAll("[src]:not([src^='data:'], [loading=lazy]), link:not([rel=icon]), [style]"),
    ).toHaveLength(0);
    expect(page.querySelector("link[rel=icon]")?.getAttribute("href")).toStartWith("data:");
    expect(inlineSources(page)).toEqual([sources.style, sources.script ?? ""]);
    expect(html).not.toMatch(/@import|url\(/);
  });

  test.each(languageCodes)("is small in every state, with every field too, in %s", (code) => {
    for (const state of Object.values(states)) {
      // Only where customers can pay from other networks does the page bring what that takes.
      if (state === states.crossing) continue;
      const payment = { ...state, locale: speak(code) };
      const { html } = invoicePage(invoice({ payment }));
      expect(Buffer.byteLength(html)).toBeLessThan(pageBytesMax);
      const full = invoicePage(invoice({ ...everyField(payment.locale), payment })).html;
      expect(Buffer.byteLength(full)).toBeLessThan(pageBytesMax);
      expect(gzip(new TextEncoder().encode(html)).byteLength).toBeLessThan(firstFlightBytes(code));
    }
  });
});
