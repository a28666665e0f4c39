import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import { hasTurn } from "../turn.ts";

/** A third of the other file, and the same to the browser. */
const source = readFileSync(fileURLToPath(import.meta.resolve("axe-core/axe.min.js")), "utf8");
const script = `(() => { const module = undefined; ${source} })()`;

/** Has every document of the page come with axe, which takes half as long as bringing it to each. */
export const bringAxe = (page: Page) => page.addInitScript({ content: script });

/** What one document looks like in light and in dark differs in its colours alone. */
const ofColours = ["color-contrast", "link-in-text-block"];

/** What axe leaves out unless asked: areas of at least 24 px, and names that begin with what one sees (WCAG 2.2, A and AA). */
const asked = { "target-size": { enabled: true }, "label-content-name-mismatch": { enabled: true } };

/** The rules of axe that the page breaks as it is now, and where; some of the rules only, when told. */
export async function axeViolations(page: Page, rules: readonly string[] | null = null): Promise<object[]> {
  // It is in no frame, and would wait for an answer from there at each run, even where there is none.
  const options = {
    resultTypes: ["violations"],
    iframes: false,
    // How to find an element again, and sound and style sheets by other ways, take a quarter of the time, for nothing.
    selectors: false,
    preload: false,
    ...(rules === null ? { rules: asked } : { runOnly: rules }),
  };
  // What it says of all that is well takes the browser as long to hand out as some rules take.
  const run = `typeof axe === "object" ? axe.run(${JSON.stringify(options)}).then(({ violations }) =>
    violations.map(({ id, nodes }) => ({ id, nodes: nodes.map(({ html }) => html) }))) : null`;
  const found = await page.evaluate(run);
  if (found !== null) return found as object[];
  await page.evaluate(script);
  return (await page.evaluate(run)) as object[];
}

/** What the page breaks in light and in dark, to be compared with `none`; of some of the rules only, when told. */
export async function violations(page: Page, rules: readonly string[] | null = null) {
  const judge = (isDark: boolean) => axeViolations(page, isDark ? ofColours : rules);
  const isDark = (await page.evaluate("matchMedia('(prefers-color-scheme: dark)').matches")) === true;
  // As it is first: the browser draws the page anew for the other.
  const first = await judge(isDark);
  await page.emulateMedia({ colorScheme: isDark ? "light" : "dark" });
  const second = await judge(!isDark);
  return isDark ? { light: second, dark: first } : { light: first, dark: second };
}

export const none = { light: [], dark: [] };

const schemes = ["light", "dark"] as const;

/** The same of the `at`-th of many pages, in one of the two in turn, and at night in both. */
export async function violationsInTurn(page: Page, at: number, rules: readonly string[] | null = null) {
  const found: Record<(typeof schemes)[number], object[]> = { ...none };
  for (const [place, colorScheme] of schemes.entries()) {
    if (!hasTurn(at + place, schemes.length)) continue;
    await page.emulateMedia({ colorScheme });
    found[colorScheme] = await axeViolations(page, rules);
  }
  return found;
}

/**
 * Texts that are cut off or stick out of the window, by what they say. What is hidden from the eye on purpose, or
 * scrolls by itself, does not count.
 */
const findClipped = `() => {
  const found = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (node.data.trim() === "") continue;
    const owner = node.parentElement;
    if (owner.closest(".visually-hidden, .skip:not(:focus), script, style, noscript, pre, .wide") || !owner.checkVisibility()) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    for (const box of range.getClientRects()) {
      let isOut = box.left < -1 || box.right > innerWidth + 1;
      let isCut = false;
      for (let over = owner; over; over = over.parentElement) {
        const style = getComputedStyle(over);
        if (style.overflowX === "visible" && style.overflowY === "visible") continue;
        const frame = over.getBoundingClientRect();
        // It is there for screen readers.
        if (frame.width <= 1 || frame.height <= 1) { isCut = isOut = false; break; }
        if (box.left < frame.left - 1 || box.right > frame.right + 1 || box.top < frame.top - 3 || box.bottom > frame.bottom + 3) isCut = true;
      }
      if (isOut || isCut) { found.push(node.data.trim()); break; }
    }
  }
  return found;
}`;

export async function clippedTexts(page: Page): Promise<string[]> {
  return (await page.evaluate(`(${findClipped})()`)) as string[];
}

/**
 * What has no room in the window while each way to pay is open, of a page that has them: by how many px the page can be
 * scrolled sideways, and texts that are cut off. It is all asked at once: for the browser, each question costs as much as
 * its answer.
 */
export async function crampedWays(page: Page): Promise<object[]> {
  const width = page.viewportSize()?.width ?? 0;
  const look = `() => {
    const findClipped = ${findClipped};
    const found = [];
    const ways = document.getElementById("way-scan") ? ["scan", "exchange", "wallet"] : ["only"];
    for (const way of ways) {
      document.getElementById("way-" + way)?.click();
      const px = document.documentElement.scrollWidth - ${width};
      const clipped = findClipped();
      if (px !== 0 || clipped.length > 0) found.push({ way, px, clipped });
    }
    return found;
  }`;
  return (await page.evaluate(`(${look})()`)) as object[];
}
