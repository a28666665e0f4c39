import { describe, expect, test } from "bun:test";
import { checkoutSnippet, iframeSnippet, widgetSnippet } from "../../src/pages/snippets.ts";
import { parse } from "./dom.ts";

const base = "https://till.example";
const attack = `"><script>alert(1)</script>&amp;`;

describe("iframeSnippet", () => {
  test("is a frame of the recommended size with the checkout page, which fits a phone and may copy", () => {
    expect(iframeSnippet(base, "abc")).toBe(
      '<iframe src="https://till.example/pay/abc" width="400" height="600" frameborder="0" ' +
        'style="max-width:100%;border:0" allow="clipboard-write" title="Pay with USDC"></iframe>',
    );
  });

  test("a hostile slug stays inside of the address", () => {
    const page = parse(iframeSnippet(base, attack));
    expect(page.querySelectorAll("script")).toHaveLength(0);
    const { pathname } = new URL(page.querySelector("iframe")?.getAttribute("src") ?? "");
    expect(decodeURIComponent(pathname)).toBe(`/pay/${attack}`);
  });
});

test("checkoutSnippet begins with a link for pages where no script runs", () => {
  expect(checkoutSnippet(base, "abc", "Pay <now>")).toBe(
    '<a href="https://till.example/pay/abc">Pay &lt;now&gt;</a>\n' +
      '<script src="https://till.example/w.js" data-slug="abc"></script>',
  );
});

describe("widgetSnippet", () => {
  test("is a script tag with the slug", () => {
    expect(widgetSnippet(base, "abc")).toBe(
      '<script src="https://till.example/w.js" data-slug="abc"></script>',
    );
  });

  test("hostile values stay inside of their attributes", () => {
    const page = parse(widgetSnippet(`${base}/?${attack}`, attack));
    expect(page.querySelectorAll("script")).toHaveLength(1);
    expect(page.querySelector("script")?.getAttribute("data-slug")).toBe(attack);
    expect(page.querySelector("script")?.getAttribute("src")).toBe(`${base}/?${attack}/w.js`);
  });
});
