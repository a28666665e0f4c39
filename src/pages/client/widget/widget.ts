import { checkoutAt, pageOf, type StatusDetail } from "./widget-checkout.ts";

/** Marks a script tag that has its checkout. A registered symbol, so that every run of this script recognises it. */
const handled = Symbol.for("till.checkout");

type ScriptTag = HTMLScriptElement & { [handled]?: true };

type Mounted = { unmount(): void };
type MountOptions = {
  slug: string;
  /** Called for each `till:status`. */
  onStatus?: (status: string, detail: StatusDetail) => void;
  /** The script's address, for pages without a script tag for it. */
  src?: string;
};

const ownSrc = document.currentScript instanceof HTMLScriptElement ? document.currentScript.src : null;
const mounted = new WeakMap<Element, Mounted>();

/** For pages rendered by a script: puts a checkout into `element`, replacing one mounted there before. */
function mount(element: Element, { slug, onStatus, src }: MountOptions): Mounted {
  if (!(element instanceof Element)) throw new TypeError("Till.mount: the first argument must be an element");
  const url = src ?? ownSrc ?? scriptInPage();
  if (!url) throw new TypeError("Till.mount: no script tag has w.js; give its whole address as src");
  mounted.get(element)?.unmount();
  const end = new AbortController();
  const checkout = checkoutAt(url, slug ?? "", end.signal);
  checkout.addEventListener(
    "till:status",
    (event) => {
      const { detail } = event as CustomEvent<StatusDetail>;
      onStatus?.(detail.status, detail);
    },
    { signal: end.signal },
  );
  const handle = {
    unmount() {
      end.abort();
      checkout.remove();
      if (mounted.get(element) === handle) mounted.delete(element);
    },
  };
  mounted.set(element, handle);
  element.append(checkout);
  return handle;
}

/** A module is not told which tag is its own. */
function scriptInPage(): string | undefined {
  const tags = [...document.querySelectorAll<HTMLScriptElement>("script[src]")];
  return tags.find(({ src }) => isWidget.test(withoutQuery(src)))?.src;
}

const isWidget = /^https?:.*\/w\.js$/s;

/** Every run looks for every tag: this script may be deferred, a module, added later, or included several times. */
function placeCheckouts(): void {
  const ownUrl = ownSrc === null ? null : withoutQuery(ownSrc);
  for (const tag of document.querySelectorAll<ScriptTag>("script[data-slug][src]")) {
    const url = withoutQuery(tag.src);
    const isThisScript = ownUrl === null ? isWidget.test(url) : url === ownUrl;
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
  takeAwayLink(tag);
  if (body?.contains(tag)) {
    // Next to a new tag, it is a dead copy, as in a page restored from a client-side router's cache.
    if (tag.nextElementSibling?.className === checkout.className) tag.nextElementSibling.remove();
    tag.after(checkout);
  } else if (document.readyState === "loading") {
    document.addEventListener("DOMContentLoaded", () => document.body.append(checkout), { once: true });
  } else {
    body.append(checkout);
  }
}

/** Removes the link to the page that a shop may put before the tag, for browsers that run no script. */
function takeAwayLink(tag: ScriptTag): void {
  const link = tag.previousElementSibling;
  const page = pageOf(tag.src, tag.dataset["slug"] ?? "");
  if (link instanceof HTMLAnchorElement && withoutQuery(link.href) === page.href) link.remove();
}

const page = window as { Till?: { mount: typeof mount } };
page.Till ??= { mount };
placeCheckouts();
