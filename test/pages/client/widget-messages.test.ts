import { describe, expect, test } from "bun:test";
import type { Frame } from "playwright-core";
import { iframeSnippet, widgetSnippet } from "../../../src/pages/snippets.ts";
import { holds, stopClock } from "../../support/browser/browser.ts";
import { linkStates } from "../link-sample.ts";
import { askNow } from "./live-checkout.ts";
import {
  frameAt,
  open,
  page,
  paid,
  pending,
  startShop,
  till,
  told,
  untilFits,
  useShop,
} from "./live-shop.ts";

useShop();

/** All that the page around a frame has heard of it, once a last message has arrived. */
async function heardOf(frame: Frame): Promise<unknown[]> {
  await frame.evaluate(`parent.postMessage("last", "*")`);
  await holds(page, `heard.some(({ data }) => data === "last")`);
  return (await page.evaluate(`heard.map(({ data }) => data)`)) as unknown[];
}

describe("messages between the checkout and the page around it", () => {
  const forged = {
    status: { type: "till:status", ...paid },
    size: { type: "till:size", slug: "abc", height: 1_234 },
  };
  const send = (target: string) =>
    Object.values(forged)
      .map((message) => `${target}.postMessage(${JSON.stringify(message)}, "*");`)
      .join("");
  const height = () => page.evaluate(`document.querySelector(".till-checkout iframe").offsetHeight`);

  test("what the page or another frame says changes nothing", async () => {
    const stranger = startShop(`<script>setTimeout(() => { ${send("parent")} }, 0)</script>`);
    try {
      await open(widgetSnippet(till.url, "abc") + widgetSnippet(till.url, "b"));
      await told(page, 2);
      const before = await untilFits(page, 0);
      await page.evaluate(send("window"));
      await page.evaluate(
        `document.body.appendChild(document.createElement("iframe")).src = ${JSON.stringify(stranger.url)}`,
      );
      // Another checkout of the same server, too.
      await (await frameAt(page, 1)).evaluate(send("parent"));
      await holds(
        page,
        `new Set(heard.filter(({ data }) => data.height === 1234).map(({ origin }) => origin)).size === 3`,
      );
      expect(await told(page, 2)).toHaveLength(2);
      expect(await height()).toBe(before);
    } finally {
      await stranger.stop();
    }
  });

  test("what its own frame says has to have the right slug and shape", async () => {
    await open(widgetSnippet(till.url, "abc"));
    await told(page, 1);
    const before = await untilFits(page, 0);
    const wrong = [
      null,
      "till:status",
      { ...forged.status, slug: "b" },
      { ...forged.size, slug: "b" },
      { ...forged.size, height: "500" },
      { ...forged.size, height: null },
      { ...forged.status, type: "status" },
      { ...forged.status, status: "paid" },
      { ...forged.status, received_amount: 25 },
      { ...forged.status, expected_amount: "<b>25.00</b>" },
    ];
    const frame = await frameAt(page, 0);
    await frame.evaluate(`for (const message of ${JSON.stringify(wrong)}) parent.postMessage(message, "*")`);
    await frame.evaluate(`parent.postMessage(${JSON.stringify({ ...forged.status, extra: "<b>" })}, "*")`);
    expect(await told(page, 2)).toEqual([pending, paid]);
    expect(await height()).toBe(before);
  });

  test("a frame that went to another place is not believed, and no height goes beyond its bounds", async () => {
    const stranger = startShop(`<script>${send("parent")}</script>`);
    try {
      await open(widgetSnippet(till.url, "abc"));
      await told(page, 1);
      await untilFits(page, 0);
      const frame = await frameAt(page, 0);
      for (const [said, shown] of [
        [1e9, 4_000],
        [-5, 120],
      ] as const) {
        await frame.evaluate(`parent.postMessage({ type: "till:size", slug: "abc", height: ${said} }, "*")`);
        await holds(page, `document.querySelector("iframe").offsetHeight === ${shown}`);
      }
      await page.evaluate(`document.querySelector("iframe").src = ${JSON.stringify(stranger.url)}`);
      await holds(page, `heard.some(({ origin }) => origin === ${JSON.stringify(stranger.url)})`);
      expect(await told(page, 1)).toHaveLength(1);
      expect(await height()).toBe(120);
    } finally {
      await stranger.stop();
    }
  });

  test.each([
    ["names another origin", "https://other.example"],
    ["names none", null],
  ])("a page that %s is told nothing", async (_, origin) => {
    const query = origin === null ? "" : `&origin=${encodeURIComponent(origin)}`;
    await open(`<iframe src="${till.url}/pay/abc?embed=1${query}"></iframe>`);
    const frame = page.frames()[1];
    if (!frame) throw new Error("There is no frame");
    await frame.waitForLoadState();
    till.payments.set("abc", linkStates.paid);
    await askNow(frame);
    await frame.getByText("Received in full.").waitFor();
    expect(await heardOf(frame)).toEqual(["last"]);
  });

  test("the plain frame of the snippet tells nothing, and shows amount, code and address at once", async () => {
    await open(iframeSnippet(till.url, "abc"), { permissions: ["clipboard-read"] });
    const frame = page.frames()[1];
    if (!frame) throw new Error("There is no frame");
    await frame.locator(".address").waitFor();
    for (const part of [".figure", ".way-scan .qr", ".address"]) {
      const box = (await frame.evaluate(
        `document.querySelector(${JSON.stringify(part)}).getBoundingClientRect().toJSON()`,
      )) as { top: number; bottom: number };
      expect(box.top).toBeGreaterThanOrEqual(0);
      expect(box.bottom).toBeLessThanOrEqual(600);
    }
    expect(await frame.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
    expect(await heardOf(frame)).toEqual(["last"]);
    // Its tag grants no clipboard; copying by selection works all the same.
    await page.clock.install();
    await stopClock(page);
    await frame.click("#copy-address");
    await frame.getByText("Copied", { exact: true }).waitFor();
  });
});
