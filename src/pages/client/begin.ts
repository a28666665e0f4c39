import { isLanguageCode } from "../../language/languages.ts";
import { notationOf } from "../../language/notation.ts";
import { tellEndHere } from "./end-time.ts";
import { embedder, tellSandbox } from "./widget/embedder.ts";

/** Fragment of the page's address for starting another payment than the last one. */
const newPayment = "#new";

/**
 * Keeps the form's token while the tab is open: reloading the page and making the same choice leads back to the same
 * payment, even if it is paid by now.
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
    // Browsers can forbid storage in a frame.
  }
}

/** Shows the price of the chosen quantity, once it is a valid number. The server computes it itself. */
function followTotal(
  quantity: HTMLInputElement,
  sum: HTMLElement,
  total: HTMLElement,
  language: string,
): void {
  const { figure } = notationOf(isLanguageCode(language) ? language : "en");
  // In as many decimals as its currency has.
  const [whole = "", fraction = ""] = (sum.dataset["each"] ?? "").split(".");
  const each = BigInt(whole + fraction);
  const show = () => {
    const count = Number(quantity.value);
    const isTaken = /^\d{1,4}$/.test(quantity.value) && count >= 1 && count <= Number(quantity.max);
    sum.hidden = !isTaken;
    if (!isTaken) return;
    const digits = String(each * BigInt(count)).padStart(fraction.length + 1, "0");
    const point = digits.length - fraction.length;
    const amount = fraction === "" ? digits : `${digits.slice(0, point)}.${digits.slice(point)}`;
    total.textContent = `${figure(amount)} ${sum.dataset["unit"]}`;
  };
  quantity.addEventListener("input", show);
  // A page restored from the back/forward cache still has what was typed.
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
