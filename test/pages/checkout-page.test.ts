import { describe, expect, test } from "bun:test";
import { type LanguageCode, languageCodes } from "../../src/language/languages.ts";
import { speak } from "../../src/language/locale.ts";
import { checkoutPage, checkoutSection } from "../../src/pay/checkout-page.tsx";
import { gzip } from "../../src/pay/page-cache.ts";
import { inlineSources, parse, words } from "./dom.ts";
import { checkout, type LinkState, linkStateNames, linkStates } from "./link-sample.ts";
import { depositAddress } from "./sample.ts";

/** Small enough for a bad connection. */
const pageBytesMax = 41_200;
/**
 * Ten packets of 1,460 bytes, which a server sends before it waits for the first answer (RFC 6928); in Japanese a page needs a
 * few bytes of an eleventh.
 */
const firstFlightBytes = (code: LanguageCode) => (code === "ja" ? 14_700 : 14_600);

function shown(state: LinkState, successUrl: string | null = "https://shop.example/thanks") {
  const page = parse(checkoutPage(checkout({ payment: linkStates[state], successUrl })).html);
  return { page, text: words(page) };
}

describe("checkoutPage", () => {
  test("shows who asks for how much, for what, and where to pay it", () => {
    const { page, text } = shown("awaiting");
    expect(text).toContain("Acme Coffee Ethiopia Guji, 500 g");
    expect(text).toContain("Amount due 25.00 USDC");
    expect(text).not.toMatch(/due \d+ /i);
    expect(page.querySelector("h1")?.textContent).toBe("Pay Acme Coffee");
    expect(page.querySelector("code.address")?.textContent).toBe(depositAddress);
    expect(page.querySelectorAll("img.qr:not([loading])")).toHaveLength(2);
    expect(page.title).toBe("Awaiting payment · Pay Acme Coffee");
  });

  test.each(["paid", "seen", "expired", "void"] as const)("names no end when %s", (state) => {
    const payment = { ...linkStates[state], payBy: linkStates.ending.payBy };
    expect(words(parse(checkoutPage(checkout({ payment })).html))).not.toContain("Pay by");
  });

  test.each(["awaiting", "partial"] as const)("says until when it can be paid when %s", (state) => {
    const payment = { ...linkStates[state], payBy: linkStates.ending.payBy };
    const page = parse(checkoutPage(checkout({ payment })).html);
    expect(words(page)).toContain("Pay by 21 Nov 2026, 14:30 UTC (in 25 minutes)");
    expect(page.querySelector(".summary time")?.getAttribute("datetime")).toBe("2026-11-21T14:30:00.000Z");
    const farAway = { ...payment, payBy: { at: "2026-12-31T14:30:00.000Z", left: null } };
    expect(words(parse(checkoutPage(checkout({ payment: farAway })).html))).toContain(
      "Pay by 31 Dec 2026, 14:30 UTC",
    );
  });

  test("who has paid just before the end is told that it counts", () => {
    expect(shown("expired").text).toContain("If you have already sent a payment, it is not lost");
  });

  test("leaves out a description that is not there", () => {
    for (const productDescription of [null, " "]) {
      const page = parse(checkoutPage(checkout({ productDescription, reference: null })).html);
      expect(page.querySelectorAll(".shop p")).toHaveLength(0);
    }
  });

  test.each(["paid", "excess"] as const)(
    "when %s the link is used up, and leads back to the shop",
    (state) => {
      const { page, text } = shown(state);
      expect(text).toContain("This payment is complete. Please don't pay again.");
      expect(text).toContain("For another payment, ask the shop for a new link.");
      expect(page.querySelector(".qr, [data-copy], [href^='ethereum:']")).toBeNull();
      const back = page.querySelector("a#return");
      expect(back?.textContent).toBe("Return to shop");
      expect(back?.getAttribute("href")).toBe("https://shop.example/thanks");
      expect(back?.getAttribute("target")).toBe("_top");
      expect(back?.getAttribute("rel")).toBe("noreferrer");
    },
  );

  test("without a place to return to there is no button", () => {
    expect(shown("paid", null).page.querySelector("#return")).toBeNull();
  });

  test.each(linkStateNames.filter((name) => !["paid", "paidInEuros", "excess", "marked"].includes(name)))(
    "where to return to is not in the page when %s",
    (state) => {
      expect(checkoutPage(checkout({ payment: linkStates[state] })).html).not.toContain("shop.example");
    },
  );

  test("when too much has arrived it says how much, and sends to the shop", () => {
    const { page, text } = shown("excess");
    expect(text).toContain("Overpaid 30.00 USDC");
    expect(text).toContain("you overpaid by 5.00 USDC . Please contact the shop about a refund.");
    expect(page.querySelector("a[href='#contact']")).toBeNull();
  });

  test.each(["error", "seenAgain"] as const)(
    "when something went wrong (%s) nobody is asked to pay",
    (state) => {
      const { page, text } = shown(state);
      expect(text).toContain("Something went wrong");
      expect(text).toContain("Do not pay again. If this message does not go away, please contact the shop.");
      expect(page.querySelector(".qr, [data-copy], [href^='ethereum:']")).toBeNull();
      expect(text).not.toContain(depositAddress);
      expect(page.title).toStartWith("Payment problem · ");
    },
  );

  test("a payment that comes back is counted again", () => {
    const { text } = shown("seenAgain");
    expect(text).toContain("25.00 USDC has been detected again");
    expect(text).toContain("Confirmed in 10 s");
  });

  test.each(linkStateNames)("has nobody's mail address when %s", (state) => {
    const html = checkoutPage(checkout({ payment: linkStates[state] })).html;
    expect(html).not.toMatch(/mailto:|\w@[a-z]/i);
  });

  test("tells its script where to ask, and whom to tell", () => {
    const parentOrigin = "https://shop.example";
    const data = (props: Parameters<typeof checkout>[0]) =>
      parse(checkoutPage(checkout(props)).html).querySelector("#payment");
    expect(data({})?.getAttribute("data-status-url")).toBe("/api/payments/status/abc");
    expect(data({})?.getAttribute("data-url")).toBe("/pay/abc/payment");
    expect(data({})?.hasAttribute("data-parent-origin")).toBe(false);
    expect(data({ parentOrigin })?.getAttribute("data-parent-origin")).toBe(parentOrigin);
  });

  test("contains the section that its script fetches", () => {
    const props = checkout({ payment: linkStates.paid });
    expect(checkoutPage(props).html).toContain(checkoutSection(props));
  });

  test("embedded it has no foot, and otherwise the same", () => {
    const page = parse(checkoutPage(checkout({ embedded: true })).html);
    expect(page.querySelector("footer")).toBeNull();
    expect(page.querySelector("#announcement")).not.toBeNull();
    expect(page.querySelector("code.address")?.textContent).toBe(depositAddress);
  });

  test("loads itself again without a script, until somebody stops it, in a frame too", () => {
    const framed = { embedded: true, parentOrigin: "https://shop.example" };
    const parts = (isStill: boolean) =>
      checkoutPage(checkout({ ...framed, isStill })).html.match(/<noscript>.*?<\/noscript>/gs);
    const [refresh, stop, ...more] = parts(false) ?? [];
    expect(refresh).toContain('<meta http-equiv="refresh" content="30"/>');
    expect(stop).toContain("?lang=en&amp;embed=1&amp;origin=https%3A%2F%2Fshop.example&amp;still=1");
    expect(more).toEqual([]);
    expect(parts(true)).toEqual([expect.stringContaining('<a href="">Reload this page</a>')]);
  });

  test("has a long description scrolled with the keys, and no short one", () => {
    const shown = (productDescription: string) =>
      parse(checkoutPage(checkout({ productDescription })).html).querySelector(".shop .prose");
    expect(shown("Tea")?.hasAttribute("tabindex")).toBe(false);
    for (const long of ["Tea, ".repeat(30), "1\n2\n3\n4\n5"]) {
      expect(shown(long)?.getAttribute("tabindex")).toBe("0");
      expect(shown(long)?.getAttribute("aria-label")).toBe("Description");
    }
  });

  test("loads nothing, and tells the hashes of its style and script", () => {
    const { html, ...sources } = checkoutPage(checkout({ embedded: true }));
    const page = parse(html);
    expect(
      page.querySelectorAll("[src]:not([src^='data:'], [loading=lazy]), link:not([rel=icon]), [style]"),
    ).toHaveLength(0);
    expect(inlineSources(page)).toEqual([sources.style, sources.script ?? ""]);
    expect(html).not.toMatch(/@import|url\(/);
  });

  test.each(languageCodes)("is small in every state, in %s", (code) => {
    for (const state of Object.values(linkStates)) {
      const payment = { ...state, locale: speak(code) };
      const { html } = checkoutPage(checkout({ payment, embedded: true }));
      expect(Buffer.byteLength(html)).toBeLessThan(pageBytesMax);
      expect(gzip(new TextEncoder().encode(html)).byteLength).toBeLessThan(firstFlightBytes(code));
    }
  });
});
