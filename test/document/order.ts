import { pages as papers } from "../../src/document/invoice/invoice-style.ts";
import type { PageItem } from "../../src/document/type/typeset.ts";

type Box = { left: number; right: number; top: number; bottom: number; what: string };

/** What must not be overprinted: texts from the top of a capital to the foot of a descender, and the code. */
function boxesOf(items: readonly PageItem[]): Box[] {
  return items.flatMap((item): Box[] => {
    if (item.kind === "qr") {
      const { x, y, size } = item;
      return [{ left: x, right: x + size, top: y, bottom: y + size, what: "code" }];
    }
    if (item.kind === "image") {
      const { x, y, width, height } = item;
      return [{ left: x, right: x + width, top: y, bottom: y + height, what: "logo" }];
    }
    if (item.kind !== "text" || item.text.trim() === "") return [];
    const { x, width, baseline, size, text } = item;
    return [
      { left: x, right: x + width, top: baseline - 0.72 * size, bottom: baseline + 0.24 * size, what: text },
    ];
  });
}

/** Throws when a text is outside the margins, or printed over another one. */
export function expectOrder(
  pages: readonly PageItem[][],
  page = papers.a4 as (typeof papers)[keyof typeof papers],
): void {
  for (const items of pages) {
    const boxes = boxesOf(items).sort((a, b) => a.top - b.top);
    for (const [index, box] of boxes.entries()) {
      const isInside = box.left > page.left - 1 && box.right < page.width - page.right + 1;
      if (!isInside || box.top < page.top || box.bottom > page.height - 28)
        throw new Error(`Outside: ${box.what}`);
      for (const other of boxes.slice(index + 1)) {
        if (other.top >= box.bottom) break;
        if (other.left < box.right && box.left < other.right)
          throw new Error(`${box.what} overlaps ${other.what}`);
      }
    }
  }
}

const solid = (text: string) => text.replace(/\s/g, "");

/** Throws unless all these are printed, and nothing that a font lacks or a template left. */
export function expectWords(pages: readonly PageItem[][], texts: readonly string[]): void {
  const printed = solid(
    pages
      .flat()
      .map((item) => (item.kind === "text" ? item.text : ""))
      .join(""),
  );
  if (/\ufffd|\{\w+\}/.test(printed)) throw new Error(`Not a word: ${printed}`);
  for (const text of texts) {
    // What runs to the left is drawn word by word from its end.
    const parts = /\p{Script=Arabic}/u.test(text) ? text.split(/\s+/) : [solid(text)];
    for (const part of parts) if (!printed.includes(part)) throw new Error(`${part} is not in ${printed}`);
  }
}
