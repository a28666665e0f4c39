import { describe, expect, test } from "bun:test";
import { checkoutSnippet, widgetSnippet } from "../../../src/pages/snippets.ts";
import { widgetScript } from "../../../src/pay/checkout-page.tsx";
import { holds, stopClock } from "../../support/browser/browser.ts";
import { desktop } from "../../support/browser/stage.ts";
import { linkStates } from "../link-sample.ts";
import { depositAddress } from "../sample.ts";
import { askNow } from "./live-checkout.ts";
import {
  arrive,
  frameAt,
  open,
  page,
  paid,
  pending,
  shop,
  till,
  told,
  untilFits,
  useShop,
  visitor,
} from "./live-shop.ts";

/** The script is for other people's pages. */
const widgetBytesMax = 10_000;
const reportMsMax = 10_000;

useShop();

describe("the widget", () => {
  test("stands where its tag stands, as tall as its content, and tells the page what happens", async () => {
    await open(`<p>Before</p>${widgetSnippet(till.url, "abc")}<p id="after">After</p>`);
    expect(await told(page, 1)).toEqual([pending]);
    const tallest = await untilFits(page, 0);
    expect(await page.locator("script[data-slug] + .till-checkout + #after").count()).toBe(1);
    expect(await page.locator("iframe").getAttribute("title")).toBe("Pay with USDC");
    expect((await page.locator("iframe").boundingBox())?.width).toBe(400);

    till.payments.set("abc", linkStates.paid);
    await askNow(await frameAt(page, 0));
    expect(await told(page, 2)).toEqual([pending, paid]);
    await holds(page, `document.querySelector("iframe").offsetHeight < ${tallest}`);
    await untilFits(page, 0);
    till.payments.set("abc", linkStates.excess);
    await askNow(await frameAt(page, 0));
    expect((await told(page, 3)).at(-1)).toMatchObject({ status: "excess", received_amount: "30.00" });
    expect(visitor.complaints).toEqual([]);
  });

  test("three on one page keep apart", async () => {
    const slugs = ["abc", "b", "c"];
    await open(slugs.map((slug) => `<div>${widgetSnippet(till.url, slug)}</div>`).join(""));
    const states = (await told(page, 3)) as { slug: string; status: string }[];
    expect(new Map(states.map(({ slug, status }) => [slug, status]))).toEqual(
      new Map([
        ["abc", "pending"],
        ["b", "partial"],
        ["c", "confirmed"],
      ]),
    );
    const heights = [await untilFits(page, 0), await untilFits(page, 1), await untilFits(page, 2)];
    expect(new Set(heights).size).toBe(3);
    expect(await page.locator("iframe").count()).toBe(3);
  });

  test.each([
    ["async", "async"],
    ["defer", "defer"],
    ["a module", 'type="module"'],
  ])("works as %s, and so does its Till.mount", async (_, attributes) => {
    const tag = widgetSnippet(till.url, "abc").replace("<script", `<script ${attributes}`);
    const other = widgetSnippet(till.url, "c").replace("<script", `<script ${attributes}`);
    await open(`<main>${tag}</main><aside>${other}</aside><div id="own"></div>`);
    await told(page, 2);
    await untilFits(page, 0);
    expect(await page.locator("main > script + .till-checkout").count()).toBe(1);
    expect(await page.locator("aside > script + .till-checkout").count()).toBe(1);
    expect(await page.locator("iframe").count()).toBe(2);
    await page.evaluate(`void Till.mount(document.getElementById("own"), { slug: "b" })`);
    expect(await told(page, 3)).toContainEqual(expect.objectContaining({ slug: "b", status: "partial" }));
  });

  test("works when the tag is added later, once however often the script runs", async () => {
    await open(`<main></main>`);
    const add = (slug: string | null) =>
      page.evaluate(`new Promise((resolve) => {
        const tag = document.createElement("script");
        tag.src = ${JSON.stringify(`${till.url}/w.js`)};
        if (${slug !== null}) tag.dataset.slug = ${JSON.stringify(slug)};
        tag.onload = resolve;
        document.querySelector("main").append(tag);
      })`);
    await add("abc");
    await page.evaluate(`document.querySelector(".till-checkout").first = true`);
    await add(null);
    await add("c");
    await told(page, 2);
    expect(await page.locator("iframe").count()).toBe(2);
    expect(await page.evaluate(`document.querySelector(".till-checkout").first`)).toBe(true);
  });

  test("takes the place of the link before it, and of no other", async () => {
    const body = `<p><a href="${till.url}/pay/b">Other</a></p>${checkoutSnippet(till.url, "abc", "Pay")}`;
    await open(body);
    await told(page, 1);
    expect(await page.locator("a").allTextContents()).toEqual(["Other"]);
    await open(`${body}<a href="${till.url}/pay/b">Not mine</a>${widgetSnippet(till.url, "abc")}`);
    await told(page, 2);
    expect(await page.locator("a").allTextContents()).toEqual(["Other", "Not mine"]);
  });

  test("a dead copy of a page is brought to life again", async () => {
    await open(`<main>${widgetSnippet(till.url, "abc")}</main>`);
    await told(page, 1);
    await page.evaluate(`(() => {
      const main = document.querySelector("main");
      const copy = main.cloneNode(true);
      const tag = document.createElement("script");
      for (const { name, value } of main.querySelector("script").attributes) tag.setAttribute(name, value);
      copy.querySelector("script").replaceWith(tag);
      main.replaceWith(copy);
    })()`);
    await told(page, 2);
    expect(await page.locator("iframe").count()).toBe(1);
    await untilFits(page, 0);
  });

  test("in the head it puts the checkout at the end of the page", async () => {
    shop.head = widgetSnippet(till.url, "abc");
    await open("<p>Shop</p>");
    await told(page, 1);
    expect(await page.locator("body > p + .till-checkout:last-child iframe").count()).toBe(1);
  });

  test("leaves one name in the page, and weighs little", async () => {
    await open(`${widgetSnippet(till.url, "abc")}<script>
      const clean = document.body.appendChild(document.createElement("iframe")).contentWindow;
      window.left = Object.keys(window).filter((name) => !(name in clean));
    </script>`);
    expect(((await page.evaluate("left")) as string[]).toSorted()).toEqual([
      "0",
      "1",
      "Till",
      "heard",
      "told",
    ]);
    expect(Buffer.byteLength(widgetScript)).toBeLessThan(widgetBytesMax);
  });

  test("needs no more of a page's policy than its script and its frame", async () => {
    shop.policy = `default-src 'none'; script-src 'self' ${till.url}; frame-src ${till.url}`;
    await open(widgetSnippet(till.url, "abc"));
    await told(page, 1);
    await untilFits(page, 0);
    expect(visitor.complaints).toEqual([]);
  });

  test("fills a narrow screen without making it scroll sideways", async () => {
    await open(widgetSnippet(till.url, "abc"));
    await told(page, 1);
    await page.setViewportSize({ width: 320, height: 640 });
    await untilFits(page, 0);
    expect((await page.locator("iframe").boundingBox())?.width).toBe(304);
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(320);
    expect(await (await frameAt(page, 0)).evaluate("document.documentElement.scrollWidth")).toBe(304);
    await page.setViewportSize(desktop);
  });

  test("copies from inside of its frame, and leads the whole tab back to the shop", async () => {
    till.successUrl = `${shop.url}/thanks`;
    await open(widgetSnippet(till.url, "abc"), { permissions: ["clipboard-read", "clipboard-write"] });
    await told(page, 1);
    const frame = await frameAt(page, 0);
    await page.clock.install();
    await stopClock(page);
    await frame.click("#copy-address");
    await frame.getByText("Copied", { exact: true }).waitFor();
    await page.bringToFront();
    expect(await frame.evaluate("navigator.clipboard.readText().catch(() => 'forbidden')")).toBe("forbidden");
    await page.focus("body");
    expect(await page.evaluate("navigator.clipboard.readText()")).toBe(depositAddress);

    till.payments.set("abc", linkStates.paid);
    await askNow(frame);
    await frame.getByRole("link", { name: "Return to shop" }).click();
    await page.waitForURL(till.successUrl);
  });
});

describe("a frame in a sandbox", () => {
  const frame = (sandbox: string) =>
    `<iframe sandbox="${sandbox}" src="${till.url}/pay/abc" width="400" height="900"></iframe>`;
  const bar = () => page.frameLocator("iframe").locator("#boxed");

  test("that takes the page's origin away offers the page by itself, and tells the developer why", async () => {
    await open(frame("allow-scripts"));
    const link = bar().getByRole("link", { name: "Open the payment page" });
    await link.waitFor();
    expect(await link.getAttribute("href")).toBe("/pay/abc");
    expect(visitor.complaints).toContain("Till: this sandbox needs allow-same-origin");
  });

  test("that leaves it works as any other", async () => {
    await open(frame("allow-scripts allow-same-origin"));
    await page.frameLocator("iframe").locator("#copy-address").waitFor();
    expect(await bar().isVisible()).toBe(false);
  });
});

describe("the widget, when something is wrong", () => {
  test("an unknown slug is told in the frame", async () => {
    await open(widgetSnippet(till.url, "nonsense"));
    await (await frameAt(page, 0)).getByText("Payment link not found").waitFor();
    expect(await untilFits(page, 0)).toBeLessThan(300);
    expect(await page.locator("[role=alert]").count()).toBe(0);
  });

  test("it speaks to the customer in the language that the browser prefers, whatever the shop speaks", async () => {
    await open(`${widgetSnippet(till.url, "")}${widgetSnippet(till.url, "abc")}`, { locale: "ar" });
    const alert = page.getByRole("alert");
    expect(await alert.textContent()).toBe("رابط الدفع مفقود.");
    expect(await alert.getAttribute("dir")).toBe("rtl");
    const frame = page.locator("iframe");
    expect(await frame.getAttribute("title")).toBe("الدفع باستخدام USDC");
    expect(await frame.getAttribute("lang")).toStartWith("ar");
  });

  test("nothing but dots is no slug", async () => {
    await open(["", "..", "."].map((slug) => `<div>${widgetSnippet(till.url, slug)}</div>`).join(""));
    expect(await page.getByRole("alert").allTextContents()).toEqual(
      new Array(3).fill("Payment link missing."),
    );
    expect(await page.locator("iframe").count()).toBe(0);
  });

  test("a hostile slug stays one part of the address", async () => {
    const slug = `../..//x?embed=0&origin=https://evil.example#"><b>`;
    await open(widgetSnippet(till.url, slug));
    const url = new URL((await page.locator("iframe").getAttribute("src")) ?? "");
    expect(url.origin).toBe(till.url);
    expect(decodeURIComponent(url.pathname)).toBe(`/pay/${slug}`);
    expect(url.searchParams.getAll("origin")).toEqual([shop.url]);
    expect(await page.locator("b").count()).toBe(0);
  });

  test.each([
    ["a checkout", "abc"],
    ["a message", "nonsense"],
  ])("a server that does not answer is not a blank box, and comes back when it does: %s", async (_, slug) => {
    shop.body = widgetSnippet(till.url, slug);
    till.trouble = "silent";
    await arrive({});
    await page.clock.install();
    await page.goto(shop.url, { waitUntil: "commit" });
    await page.locator("iframe").waitFor();
    await page.clock.fastForward(reportMsMax);
    const link = page.getByRole("alert").getByRole("link", { name: "Open the payment page" });
    await link.waitFor();
    expect(await link.getAttribute("href")).toBe(`${till.url}/pay/${slug}`);
    expect(await page.locator("iframe").isVisible()).toBe(false);

    till.trouble = "none";
    await link.waitFor({ state: "detached" });
    await untilFits(page, 0);
  });
});
