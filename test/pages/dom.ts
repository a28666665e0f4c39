import { type Node, Window } from "happy-dom";

/** To make one takes longer than to read most pages. */
const window = new Window();

/** Markup as a browser reads it from the wire, where half a character does not exist. */
export function parse(markup: string) {
  return new window.DOMParser().parseFromString(markup.toWellFormed(), "text/html");
}

export type Page = ReturnType<typeof parse>;

/** The sources that a Content-Security-Policy needs for a page's own styles and scripts, in their order. */
export function inlineSources(page: Page, tags = "style, script"): string[] {
  // What programs read runs nothing, and needs no permission.
  const inline = [...page.querySelectorAll(tags)].filter(
    (element) => element.getAttribute("type") !== "application/ld+json",
  );
  return inline.map(({ textContent }) => {
    const hash = new Bun.CryptoHasher("sha256").update(textContent ?? "").digest("base64");
    return `'sha256-${hash}'`;
  });
}

/** The words on the page, in one line. An amount or an address is one word, in groups or not. */
export function words(page: Page): string {
  const body = page.body.cloneNode(true);
  for (const element of body.querySelectorAll("style, script")) element.remove();
  for (const element of body.querySelectorAll(".amount, .address")) {
    element.textContent = element.textContent ?? "";
  }
  return textsOf(body).join(" ").replaceAll(/\s+/g, " ").trim();
}

function textsOf(node: Node): string[] {
  if (node.nodeType === node.TEXT_NODE) return [node.textContent ?? ""];
  return Array.from(node.childNodes).flatMap(textsOf);
}
