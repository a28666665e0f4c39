import axe from "axe-core";
import type { Page } from "playwright-core";

/** The rules of axe that the page breaks as it is now, and where; some of the rules only, when told. */
export async function axeViolations(page: Page, rules: readonly string[] | null = null): Promise<object[]> {
  const options = rules === null ? "" : JSON.stringify({ runOnly: rules });
  const run = `(() => { const module = undefined; ${axe.source}; return axe.run(${options}); })()`;
  const { violations } = (await page.evaluate(run)) as {
    violations: { id: string; nodes: { html: string }[] }[];
  };
  return violations.map(({ id, nodes }) => ({ id, nodes: nodes.map(({ html }) => html) }));
}

/**
 * Texts that are cut off or stick out of the window, by what they say. What is hidden from the eye on purpose, or
 * scrolls by itself, does not count.
 */
export async function clippedTexts(page: Page): Promise<string[]> {
  return (await page.evaluate(`(() => {
    const found = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      if (node.data.trim() === "") continue;
      const owner = node.parentElement;
      if (owner.closest(".visually-hidden, script, style, noscript, pre") || !owner.checkVisibility()) continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      for (const box of range.getClientRects()) {
        const isOut = box.left < -1 || box.right > innerWidth + 1;
        let isCut = false;
        for (let over = owner; over; over = over.parentElement) {
          const style = getComputedStyle(over);
          if (style.overflowX === "visible" && style.overflowY === "visible") continue;
          const frame = over.getBoundingClientRect();
          if (box.left < frame.left - 1 || box.right > frame.right + 1 || box.top < frame.top - 3 || box.bottom > frame.bottom + 3) isCut = true;
        }
        if (isOut || isCut) { found.push(node.data.trim()); break; }
      }
    }
    return found;
  })()`)) as string[];
}
