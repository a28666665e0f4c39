import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";

/** A third of the other file, and the same to the browser. */
const source = readFileSync(fileURLToPath(import.meta.resolve("axe-core/axe.min.js")), "utf8");
const script = `(() => { const module = undefined; ${source} })()`;

/** Has every document of the page come with axe, which takes half as long as bringing it to each. */
export const bringAxe = (page: Page) => page.addInitScript({ content: script });

/** The rules about colours, which cost as much as all others together. */
const ofColours = ["color-contrast", "link-in-text-block"];

type Found = { id: string; nodes: { html: string; at: number }[] };

/** Runs axe with some options on the whole page, or on some elements of `window.told`, by where they are there. */
async function runAxe(page: Page, options: object, elements: readonly number[] | null = null) {
  const isLoaded = await page.evaluate("typeof axe === 'object'");
  if (!isLoaded) await page.evaluate(script);
  const types = elements === null ? ["violations"] : ["violations", "passes"];
  // It is in no frame, and would wait for an answer from there at each run, even where there is none.
  const all = { ...options, resultTypes: types, iframes: false, elementRef: true };
  return (await page.evaluate(`(async () => {
    const elements = ${JSON.stringify(elements)};
    const context = elements ? { include: elements.map((at) => told[at]) } : document;
    const { violations, passes } = await axe.run(context, ${JSON.stringify(all)});
    const brief = (found) => found.map(({ id, nodes }) => ({
      id,
      nodes: nodes.map(({ html, element }) => ({ html, at: elements ? told.indexOf(element) : -1 })),
    }));
    return { violations: brief(violations), passes: elements ? brief(passes) : [] };
  })()`)) as { violations: Found[]; passes: Found[] };
}

const listed = (found: readonly Found[]) =>
  found.map(({ id, nodes }) => ({ id, nodes: nodes.map(({ html }) => html) }));

/** The rules of axe that the page breaks as it is now, and where; some of the rules only, when told. */
export async function axeViolations(page: Page, rules: readonly string[] | null = null): Promise<object[]> {
  const isOfColours = (rule: string) => ofColours.includes(rule);
  const options =
    rules === null
      ? { rules: Object.fromEntries(ofColours.map((rule) => [rule, { enabled: false }])) }
      : { runOnly: rules.filter((rule) => !isOfColours(rule)) };
  const { violations } = await runAxe(page, options);
  const ofTexts = rules === null || rules.some(isOfColours) ? await colourViolations(page) : [];
  return [...listed(violations), ...ofTexts];
}

/**
 * All that decides whether a text can be read: its own colours and size, and what lies below it. Leaves the elements
 * in `window.told`, in the same order.
 */
const texts = `(() => {
  const nothing = "rgba(0, 0, 0, 0) none 1 none normal";
  const own = (element) => {
    const { backgroundColor, backgroundImage, opacity, filter, mixBlendMode } = getComputedStyle(element);
    const ground = [backgroundColor, backgroundImage, opacity, filter, mixBlendMode].join(" ");
    return ground === nothing ? "" : ground + "/";
  };
  const known = new Map([[null, ""]]);
  const ground = (element) => {
    if (!known.has(element)) known.set(element, ground(element.parentElement) + own(element));
    return known.get(element);
  };
  const others = (element) => {
    const { left, top, width, height } = element.getBoundingClientRect();
    return document.elementsFromPoint(left + width / 2, top + height / 2)
      .filter((other) => !other.contains(element) && !element.contains(other)).map(own).join("");
  };
  const hasText = (element) =>
    element.matches("input, select, textarea") ||
    [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== "");
  window.told = [...document.body.querySelectorAll("*")].filter(
    (element) => hasText(element) && element.checkVisibility({ visibilityProperty: true }),
  );
  return told.map((element) => {
    const { color, fontSize, fontWeight, textShadow, textDecorationLine } = getComputedStyle(element);
    const around = getComputedStyle(element.parentElement).color;
    const kind = element.localName === "a" ? "a" : "";
    const below = [ground(element), others(element)];
    const look = [kind, color, around, fontSize, fontWeight, textShadow, textDecorationLine, ...below].join(" ");
    let place = look;
    for (let at = element; at; at = at.parentElement) place += " " + at.localName + "." + at.className;
    return { look, place };
  });
})()`;

/** The looks of texts that axe found good, and the looks with the place of those that it has no opinion of. */
const judged = new Set<string>();

/** The rules about colours that the page breaks, in texts that look as none did before, on whatever page. */
export async function colourViolations(page: Page): Promise<object[]> {
  const told = (await page.evaluate(texts)) as { look: string; place: string }[];
  const unknown = new Map<string, number>();
  for (const [at, { look, place }] of told.entries())
    if (!judged.has(look) && !judged.has(place)) unknown.set(place, at);
  if (unknown.size === 0) return [];
  const { violations, passes } = await runAxe(page, { runOnly: ofColours }, [...unknown.values()]);
  if (violations.length > 0) return listed(violations);
  for (const place of unknown.keys()) judged.add(place);
  const good = passes.find(({ id }) => id === "color-contrast")?.nodes ?? [];
  for (const { at } of good) judged.add(told[at]?.look ?? "");
  return [];
}

/** What the page breaks in light and in dark, to be compared with `none`; of some of the rules only, when told. */
export async function violations(page: Page, rules: readonly string[] | null = null) {
  await page.emulateMedia({ colorScheme: "light" });
  const light = await axeViolations(page, rules);
  // The same document looks different in its colours alone.
  await page.emulateMedia({ colorScheme: "dark" });
  const dark = await colourViolations(page);
  return { light, dark };
}

export const none = { light: [], dark: [] };

/** An expression for the texts that are cut off or stick out of the window. */
export const clipped = `(() => {
    const found = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      if (node.data.trim() === "") continue;
      const owner = node.parentElement;
      if (owner.closest(".visually-hidden, script, style, noscript, pre") || !owner.checkVisibility()) continue;
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
  })()`;

/**
 * Texts that are cut off or stick out of the window, by what they say. What is hidden from the eye on purpose, or
 * scrolls by itself, does not count.
 */
export async function clippedTexts(page: Page): Promise<string[]> {
  return (await page.evaluate(clipped)) as string[];
}
