import { describe, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { holds } from "../../support/browser/browser.ts";
import { blocks } from "../../support/till/handbook.ts";
import { linkStates } from "../link-sample.ts";
import { askNow } from "./live-checkout.ts";
import {
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

useShop();

const places = `<div id="a"></div><div id="b"></div>`;
const tag = () => `<script src="${till.url}/w.js"></script>`;
const mount = (id: string, slug: string) => `Till.mount(document.getElementById("${id}"), { slug: "${slug}",
  onStatus: (status, { slug }) => (window.calls ??= []).push([status, slug]) })`;
const frames = () => page.locator("iframe").count();

describe("Till.mount", () => {
  test("puts a checkout into an element, tells of its payment, and takes it away again", async () => {
    await open(places + tag());
    await page.evaluate(`window.first = ${mount("a", "abc")}; void ${mount("b", "b")}`);
    await told(page, 2);
    await untilFits(page, 0);
    await untilFits(page, 1);
    till.payments.set("abc", linkStates.paid);
    await askNow(await frameAt(page, 0));
    await told(page, 3);
    expect(new Set((await page.evaluate("calls")) as string[][])).toEqual(
      new Set([
        [pending.status, "abc"],
        ["partial", "b"],
        [paid.status, "abc"],
      ]),
    );
    await page.evaluate("first.unmount(); first.unmount()");
    expect(await page.locator("#a > *").count()).toBe(0);
    expect(await page.locator("#b iframe").count()).toBe(1);
    expect(visitor.complaints).toEqual([]);
  });

  test("a second one in the same element takes the place of the first, also before that has loaded", async () => {
    await open(places + tag());
    await page.evaluate(
      `window.first = ${mount("a", "abc")}; window.second = ${mount("a", "c")}; first.unmount()`,
    );
    await told(page, 1);
    expect(await page.evaluate("calls")).toEqual([["confirmed", "c"]]);
    expect(await frames()).toBe(1);
    await page.evaluate("second.unmount()");
    expect(await frames()).toBe(0);
  });

  test("an element that was taken out of the page says nothing more", async () => {
    await open(places + tag());
    await page.evaluate(`window.first = ${mount("a", "abc")}; document.getElementById("a").remove()`);
    await page.evaluate(`void ${mount("b", "c")}`);
    await told(page, 1);
    expect(await page.evaluate("calls")).toEqual([["confirmed", "c"]]);
    await page.evaluate("first.unmount()");
    expect(visitor.complaints).toEqual([]);
  });

  test("needs the script's address where it was imported, and says so", async () => {
    await open(places);
    const src = `${till.url}/w.js`;
    await page.evaluate(`import("${src}").then(() => {})`);
    await expect(page.evaluate(`void ${mount("a", "abc")}`)).rejects.toThrow("give its whole address as src");
    await page.evaluate(`void ${mount("a", "abc").replace("slug:", `src: "${src}", slug:`)}`);
    expect(await told(page, 1)).toEqual([pending]);
    await expect(page.evaluate(`void Till.mount(null, { slug: "abc" })`)).rejects.toThrow(
      "must be an element",
    );
  });
});

/** Mounts the handbook's component, and shows another link and then nothing by `show`. */
const apps = {
  jsx: `import { StrictMode } from "react";
    import { createRoot } from "react-dom/client";
    const root = createRoot(document.getElementById("a"));
    const seen = (status) => (window.calls ??= []).push(status);
    window.show = (slug) => root.render(<StrictMode>{slug && <Checkout slug={slug} onStatus={seen} />}</StrictMode>);`,
  mjs: `import { createApp, h as element, shallowRef } from "vue";
    const slug = shallowRef(null);
    const onStatus = (status) => (window.calls ??= []).push(status);
    createApp({ render: () => slug.value && element(Checkout, { slug: slug.value, key: slug.value, onStatus }) })
      .mount("#a");
    window.show = (next) => { slug.value = next; };`,
};

describe("the handbook's component", () => {
  test.each(["jsx", "mjs"] as const)("in %s shows a checkout, then another, then none", async (language) => {
    const [component = "", ...more] = blocks(language);
    expect(more).toEqual([]);
    const dir = join(import.meta.dir, "../../output/mount");
    mkdirSync(dir, { recursive: true });
    const entry = join(dir, `app.${language}`);
    writeFileSync(entry, `/** @jsxImportSource react */\n${component}\n${apps[language]}`);
    const { outputs } = await Bun.build({
      entrypoints: [entry],
      target: "browser",
      format: "iife",
      // React mounts twice only in development.
      define: { "process.env.NODE_ENV": '"development"' },
    });
    shop.head = tag();
    await open(places);
    await page.addScriptTag({ content: (await outputs[0]?.text()) ?? "" });
    await page.evaluate(`show("abc")`);
    await holds(page, `window.calls?.includes("pending")`);
    expect(await frames()).toBe(1);
    await untilFits(page, 0);
    await page.evaluate(`show("c")`);
    await holds(page, `calls.includes("confirmed")`);
    expect(await frames()).toBe(1);
    await page.evaluate("show(null)");
    await holds(page, `document.querySelector("iframe") === null`);
  });
});
