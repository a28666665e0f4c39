import { withoutEnd } from "../../../lib/text/english.ts";
import { checkoutAt, language, type StatusDetail, texts } from "./widget-checkout.ts";

/** `window.btcpay` as plugins for BTCPay Server know it: a checkout over the shop's page, and events about it. */

/** The messages for plugins, like those of BTCPay's own frame: `"loaded"`, `"close"`, or an invoice's status. */
type Message = {
  data: "loaded" | "close" | { invoiceId: string; status: "complete" | "expired" | "invalid" };
};

const handlers = {
  enter: () => {},
  leave: () => {},
  message: (_: Message) => {},
};

/** The meaning of Till's statuses for an order, in words that all plugins know; other statuses leave it open. */
const statuses: Record<string, "complete" | "invalid"> = {
  confirmed: "complete",
  excess: "complete",
  void: "invalid",
};

let prefix = new URL("..", (document.currentScript as HTMLScriptElement | null)?.src ?? location.href).href;
let hide = () => {};

function show(invoiceId: string): void {
  hide();
  const end = new AbortController();
  const dialog = document.createElement("dialog");
  const close = document.createElement("button");
  close.type = "button";
  close.textContent = texts.close;
  close.autofocus = true;
  Object.assign(close.style, {
    display: "block",
    margin: "0 0 8px auto",
    padding: "8px 16px",
    font: "inherit",
    cursor: "pointer",
  });
  Object.assign(dialog.style, {
    width: "432px",
    maxWidth: "100%",
    maxHeight: "100%",
    boxSizing: "border-box",
    padding: "16px",
    border: "0",
    borderRadius: "16px",
  });
  dialog.setAttribute("aria-label", texts.payWithUsdc);
  dialog.lang = language.tag;
  dialog.dir = language.dir;
  const checkout = checkoutAt(`${withoutEnd(prefix, "/")}/w.js`, invoiceId, end.signal);
  dialog.append(close, checkout);

  hide = () => {
    hide = () => {};
    end.abort();
    // Only this returns the focus to where it was.
    dialog.close();
    dialog.remove();
    handlers.leave();
  };
  const tell = (data: Message["data"]) => handlers.message({ data });
  const leave = () => {
    hide();
    tell("close");
  };
  close.addEventListener("click", leave);
  // By the Escape key, or by a script of the shop.
  dialog.addEventListener("close", leave, { signal: end.signal });
  checkout.querySelector("iframe")?.addEventListener("load", () => tell("loaded"));
  checkout.addEventListener("till:status", (event) => {
    const status = statuses[(event as CustomEvent<StatusDetail>).detail.status];
    if (status) tell({ invoiceId, status });
  });
  checkout.addEventListener("till:expired", () => tell({ invoiceId, status: "expired" }));

  document.body.append(dialog);
  dialog.showModal();
  handlers.enter();
}

const btcpay = {
  setApiUrlPrefix(url: string): void {
    prefix = url;
  },
  showInvoice: show,
  hideFrame: () => hide(),
  onModalWillEnter(handler: () => void): void {
    handlers.enter = handler;
  },
  onModalWillLeave(handler: () => void): void {
    handlers.leave = handler;
  },
  onModalReceiveMessage(handler: (told: Message) => void): void {
    handlers.message = handler;
  },
};

(window as { btcpay?: typeof btcpay }).btcpay ??= btcpay;
