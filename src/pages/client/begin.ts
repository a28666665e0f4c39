import { isLanguageCode } from "../../language/languages.ts";
import { notationOf } from "../../language/notation.ts";
import { tellEndHere } from "./end-time.ts";
import { embedder, tellSandbox } from "./widget/embedder.ts";

/** On the address of the page by which somebody says that they mean another payment than the one before. */
const newPayment = "#new";

/**
 * Keeps the token of the form for as long as the tab is open: who loads the page again and makes the same choice comes
 * back to the payment that they began, also when it is paid by now.
 */
function keepToken(slug: string): void {
  const input = document.querySelector<HTMLInputElement>("input[name=token]");
  if (!input) return;
  const key = `till:${slug}`;
  try {
    if (location.hash === newPayment) {
      sessionStorage.removeItem(key);
      history.replaceState(null, "", location.pathname + location.search);
    }
    input.value = sessionStorage.getItem(key) ?? input.value;
    sessionStorage.setItem(key, input.value);
  } catch {
    // A browser can forbid a frame to keep anything.
  }
}

/** Shows what so many pieces cost, once that is a number that can be taken. The server computes it for itself. */
function followTotal(
  quantity: HTMLInputElement,
  sum: HTMLElement,
  total: HTMLElement,
  language: string,
): void {
  const { figure } = notationOf(isLanguageCode(language) ? language : "en");
  const cents = BigInt((sum.dataset["each"] ?? "").replace(".", ""));
  const show = () => {
    const count = Number(quantity.value);
    const isTaken = /^\d{1,4}$/.test(quantity.value) && count >= 1 && count <= Number(quantity.max);
    sum.hidden = !isTaken;
    if (!isTaken) return;
    const digits = String(cents * BigInt(count)).padStart(3, "0");
    total.textContent = `${figure(`${digits.slice(0, -2)}.${digits.slice(-2)}`)} ${sum.dataset["unit"]}`;
  };
  quantity.addEventListener("input", show);
  // A page that comes back from the browser's memory has what was typed.
  window.addEventListener("pageshow", show);
  show();
}

const container = document.getElementById("begin");
if (container) {
  tellSandbox();
  keepToken(container.dataset["slug"] ?? "");
  const [quantity, sum, total] = ["quantity", "sum", "total"].map((id) => document.getElementById(id));
  if (quantity instanceof HTMLInputElement && sum && total)
    followTotal(quantity, sum, total, container.dataset["language"] ?? "");
  tellEndHere(container);
  embedder(container).followSize(document.querySelector(".page") ?? container);
}
