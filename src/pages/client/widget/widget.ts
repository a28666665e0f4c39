import { checkoutAt } from "./widget-checkout.ts";

/** On a script tag that has its checkout. A registered symbol, so that every run of this script knows it. */
const handled = Symbol.for("till.checkout");

type ScriptTag = HTMLScriptElement & { [handled]?: true };

/** Every run looks for every tag: this script may be deferred, a module, added later, or there several times. */
function placeCheckouts(): void {
  const own = document.currentScript;
  const ownUrl = own instanceof HTMLScriptElement ? withoutQuery(own.src) : null;
  for (const tag of document.querySelectorAll<ScriptTag>("script[data-slug][src]")) {
    const url = withoutQuery(tag.src);
    // A module is not told which tag is its own.
    const isThisScript = ownUrl === null ? /^https?:.*\/w\.js$/s.test(url) : url === ownUrl;
    if (isThisScript && !tag[handled]) place(tag);
  }
}

function withoutQuery(url: string): string {
  return url.replace(/[?#].*$/s, "");
}

function place(tag: ScriptTag): void {
  tag[handled] = true;
  const checkout = checkoutAt(tag.src, tag.dataset["slug"] ?? "");
  const { body } = document;
  if (body?.contains(tag)) {
    // Beside a tag that is new, it is a dead copy: a page brought back from a client-side router's cache has one.
    if (tag.nextElementSibling?.className === checkout.className) tag.nextElementSibling.remove();
    tag.after(checkout);
  } else if (document.readyState === "loading") {
    document.addEventListener("DOMContentLoaded", () => document.body.append(checkout), { once: true });
  } else {
    body.append(checkout);
  }
}

placeCheckouts();
