import { chooseLanguage, languages } from "../../../language/languages.ts";
import type { WidgetTexts } from "../../scripts.ts";
import { type PaymentStatus, paymentStatusOf } from "./embedder.ts";

/** CSS pixels. Width and initial height are the recommended ones (SPEC section 8). */
const widthPxMax = 400;
const heightPxAtFirst = 600;
const heightPxMin = 120;
const heightPxMax = 4_000;
/** The same radius as the card in the frame. */
const cornerPx = 16;

/** After this time something is wrong: the server is down, or this page's policy forbids the frame. */
const reportMsMax = 10_000;

/** Set when the script is built. */
declare const WIDGET_TEXTS: WidgetTexts;

/** The frame's language: both follow the browser's preferences. */
const code = chooseLanguage(null, navigator.languages.join());
export const texts = WIDGET_TEXTS[code];
export const language = languages[code];

/** The detail of the event `till:status`. */
export type StatusDetail = PaymentStatus & { slug: string };

type Report =
  | { height: number }
  | { event: "till:status"; detail: StatusDetail }
  | { event: "till:expired"; detail: { slug: string } };

/**
 * Creates an element with a payment link's checkout in a frame, as tall as its content. It dispatches `till:status`,
 * whose detail is `{ slug, status, received_amount, expected_amount }`, and `till:expired` with `{ slug }`. The slug is
 * the payment's: in the frame of a reusable link each payment has its own. Once `signal` aborts, only the element
 * itself stays in the page.
 */
export function checkoutAt(scriptUrl: string, slug: string, signal?: AbortSignal): HTMLElement {
  const checkout = document.createElement("div");
  checkout.className = "till-checkout";
  checkout.style.maxWidth = `${widthPxMax}px`;
  // No slug consists of dots, which would be another path.
  if (/^\.*$/.test(slug)) checkout.append(problem(texts.slugMissing, null));
  else showFrame(checkout, pageOf(scriptUrl, slug), slug, signal);
  return checkout;
}

/** Returns the address of a link's payment page, at the Till that serves the script. */
export const pageOf = (scriptUrl: string, slug: string) =>
  new URL(`pay/${encodeURIComponent(slug)}`, new URL(".", scriptUrl));

function showFrame(checkout: HTMLElement, page: URL, slug: string, signal?: AbortSignal): void {
  const frame = frameOf(page);
  const late = problem(texts.formMissing, page.href);
  const timer = setTimeout(() => {
    frame.style.display = "none";
    checkout.append(late);
  }, reportMsMax);

  function onMessage({ source, origin, data }: MessageEvent<unknown>): void {
    if (!frame.isConnected) window.removeEventListener("message", onMessage);
    if (source !== frame.contentWindow || source === null || origin !== page.origin) return;
    const report = reportOf(data, slug);
    if (report === null) return;
    clearTimeout(timer);
    late.remove();
    frame.style.display = "block";
    if ("height" in report) frame.style.height = `${clampedHeight(report.height)}px`;
    else checkout.dispatchEvent(new CustomEvent(report.event, { bubbles: true, detail: report.detail }));
  }

  const options = signal ? { signal } : {};
  const listen = () => window.addEventListener("message", onMessage, options);
  listen();
  // A frame that moves in the document loads again.
  frame.addEventListener("load", listen, options);
  signal?.addEventListener("abort", () => clearTimeout(timer));
  // A page without an origin (a file, a sandbox) cannot receive messages.
  if (self.origin === "null") clearTimeout(timer);
  checkout.append(frame);
}

function frameOf(page: URL): HTMLIFrameElement {
  const frame = document.createElement("iframe");
  const url = new URL(page);
  url.searchParams.set("embed", "1");
  if (self.origin !== "null") url.searchParams.set("origin", self.origin);
  frame.src = url.href;
  frame.title = texts.payWithUsdc;
  frame.lang = language.tag;
  // Wallets need no permission: their extensions reach into the frame by themselves.
  frame.allow = "clipboard-write";
  frame.referrerPolicy = "no-referrer";
  Object.assign(frame.style, {
    display: "block",
    width: "100%",
    height: `${heightPxAtFirst}px`,
    border: "0",
    borderRadius: `${cornerPx}px`,
  });
  return frame;
}

function problem(sentence: string, href: string | null): HTMLElement {
  const box = document.createElement("p");
  box.setAttribute("role", "alert");
  box.lang = language.tag;
  box.dir = language.dir;
  Object.assign(box.style, {
    margin: "0",
    padding: "16px",
    border: "1px solid",
    borderRadius: `${cornerPx}px`,
  });
  box.append(sentence);
  if (href !== null) {
    const link = document.createElement("a");
    link.href = href;
    link.target = "_blank";
    link.rel = "noopener";
    link.textContent = texts.openPayment;
    box.append(" ", link);
  }
  return box;
}

/** Returns null for messages that are not from the checkout of this link, or of a payment of it. */
function reportOf(data: unknown, ownSlug: string): Report | null {
  if (typeof data !== "object" || data === null) return null;
  const { type, slug, reusable_slug, height } = data as Record<string, unknown>;
  if (typeof slug !== "string" || (slug !== ownSlug && reusable_slug !== ownSlug)) return null;
  if (type === "till:status") {
    const status = paymentStatusOf(data);
    return status && { event: type, detail: { slug, ...status } };
  }
  if (type === "till:expired") return { event: type, detail: { slug } };
  if (type !== "till:size" || typeof height !== "number" || !Number.isFinite(height)) return null;
  return { height };
}

function clampedHeight(height: number): number {
  return Math.min(Math.max(Math.ceil(height), heightPxMin), heightPxMax);
}
