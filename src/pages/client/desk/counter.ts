import * as Currency from "../../../domain/bill/currency.ts";
import * as Keypad from "../../../domain/link/keypad.ts";
import * as Usdc from "../../../domain/usdc.ts";
import { isLanguageCode } from "../../../language/languages.ts";
import { notationOf } from "../../../language/notation.ts";
import { unasked } from "../../../lib/net/unasked.ts";
import { showCopyButtons } from "../copy.ts";
import { hear } from "../live/hear.ts";
import { request, TooManyRequests, tellConnection } from "../live/poll.ts";

import { chime, followSwitch, wakeSound } from "./sound.ts";

/** A customer is standing there, waiting. */
const waitingPollMs = 1_000;
const hiddenPollMs = 15_000;

/**
 * Runs the counter in one document: the pages that its forms and links lead to replace the current one in place. This
 * keeps the screen awake, and keeps the permission, given by a key press, to play a sound on payment.
 */
export function runCounter(): void {
  if (!document.body.classList.contains("counter")) return;
  document.addEventListener("pointerdown", wakeSound);
  document.addEventListener("keydown", onKey);
  document.addEventListener("click", onClick);
  document.addEventListener("submit", onSubmit);
  document.addEventListener("input", ({ target }) => void (keypad() && onInput(target)));
  document.addEventListener("visibilitychange", () => void follow());
  window.addEventListener("popstate", () => location.reload());
  hearAnew = hear(toldUrl, () => void ask());
  show();
}

/** Sets up a newly shown page. */
function show(): void {
  showCopyButtons(document);
  followSwitch();
  if (keypad() !== null) showDigits();
  document.querySelector<HTMLElement>("[autofocus]")?.focus();
  hearAnew();
  void follow();
}

/* The keypad */

const keypad = () => document.querySelector<HTMLFormElement>("form#keypad");

function field(name: string): HTMLInputElement | null {
  const element = keypad()?.elements.namedItem(name);
  return element instanceof HTMLInputElement ? element : null;
}

/** Also keeps the input in the address, so that it survives a reload. */
function showDigits(): void {
  const digits = field("digits")?.value ?? "";
  const { lang } = document.documentElement;
  const code = lang.split("-")[0] ?? "";
  const { figure: written } = notationOf(isLanguageCode(code) ? code : "en");
  const text = written(Keypad.decimalOf(digits));
  const inUsdc = document.getElementById("in-usdc");
  const rate = inUsdc?.dataset["rate"] ?? "";
  if (inUsdc && rate !== "")
    inUsdc.textContent = `≈ ${written(Usdc.format(Currency.toUsdc(Keypad.amountOf(digits), rate)))} USDC`;
  for (const figure of document.querySelectorAll("[data-amount]")) figure.textContent = text;
  document.getElementById("to-pay")?.classList.toggle("figure-long", text.length > 9);
  const charge = document.querySelector<HTMLButtonElement>("#charge");
  if (charge) charge.disabled = digits === "";
  const currency = keypad()?.elements.namedItem("currency");
  const query = new URLSearchParams({
    digits,
    ...(currency instanceof HTMLSelectElement ? { currency: currency.value } : {}),
    tax_rate: field("tax_rate")?.value ?? "",
    what: field("what")?.value ?? "",
    once: field("once")?.value ?? "",
  });
  history.replaceState(null, "", digits === "" ? location.pathname : `${location.pathname}?${query}`);
}

/** The address of the form for the currency that was chosen last, while it is on its way. */
let chosen: string | null = null;

/**
 * Loads the form for another currency, whose rate the server knows. Input in the meantime is in the new one; if yet
 * another is chosen by then, the form is not shown, and that of the other one is loaded.
 */
async function onInput(target: EventTarget | null): Promise<void> {
  const form = keypad();
  if (form && target instanceof HTMLSelectElement) {
    const unit = document.querySelector("#to-pay .unit");
    if (unit) unit.textContent = ` ${target.value || "USDC"}`;
    document.getElementById("in-usdc")?.remove();
    const query = new URLSearchParams(new FormData(form) as unknown as Record<string, string>);
    showDigits();
    chosen = `${form.action}?${query}`;
    while (chosen !== null && !isGoing) {
      const url: string = chosen;
      await go(url, undefined, () => (chosen === url ? typed() : null));
      if (chosen === url) chosen = null;
    }
  }
  showDigits();
}

/** The values of the keypad's fields, by their names. */
const typed = () =>
  keypad()
    ? ["digits", "tax_rate", "what"].map((name): [string, string] => [name, field(name)?.value ?? ""])
    : [];

function press(key: string): void {
  const digits = field("digits");
  if (!digits) return;
  digits.value = Keypad.press(digits.value, key);
  document.getElementById("keypad-fault")?.remove();
  showDigits();
}

function onKey(event: KeyboardEvent): void {
  wakeSound();
  if (keypad() === null || event.ctrlKey || event.metaKey || event.altKey) return;
  const { target, key } = event;
  const isTyping = target instanceof HTMLInputElement;
  const isControl = target instanceof Element && target.closest("a, button, summary") !== null;
  if (key === "Enter" && (isTyping || !isControl)) {
    event.preventDefault();
    document.querySelector<HTMLButtonElement>("#charge")?.click();
  } else if (!isTyping && /^[0-9]$/.test(key)) press(key);
  else if (!isTyping && key === "Backspace") {
    event.preventDefault();
    press("erase");
  }
}

function onClick(event: MouseEvent): void {
  const target = event.target instanceof Element ? event.target : null;
  const key = target?.closest<HTMLButtonElement>("#keypad button[name=key]");
  if (key) {
    event.preventDefault();
    press(key.value);
    // A tap sets no focus, so that Enter afterwards charges; keyboard users stay where they are.
    if (event.detail > 0) key.blur();
    return;
  }
  const next = target?.closest<HTMLAnchorElement>("a[data-next]");
  if (next && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
    event.preventDefault();
    void go(next.href);
  }
}

/* From page to page */

let isGoing = false;

function onSubmit(event: SubmitEvent): void {
  const form = event.target;
  if (!(form instanceof HTMLFormElement)) return;
  event.preventDefault();
  const { submitter } = event;
  const body = new URLSearchParams(new FormData(form, submitter) as unknown as Record<string, string>);
  const method = submitter?.getAttribute("formmethod") ?? form.method;
  if (method === "post") void go(form.action, body);
}

/**
 * Loads a page. The form's token makes it one payment, however often it is sent. `kept` is called with the response
 * there, and returns the values to put back into fields, or null if the page is wanted no longer.
 */
async function go(
  url: string,
  body?: URLSearchParams,
  kept: () => [string, string][] | null = () => [],
): Promise<void> {
  if (isGoing) return;
  isGoing = true;
  try {
    const response = await fetch(url, body ? { method: "POST", body } : {});
    const isHtml = response.headers.get("content-type")?.startsWith("text/html");
    if (!isHtml || (!response.ok && response.status !== 422)) throw new Error(`Answered ${response.status}`);
    const next = parse(await response.text());
    if (!next.body.classList.contains("counter")) {
      location.assign(response.url);
      return;
    }
    const values = kept();
    if (values === null) return;
    history.pushState(null, "", response.url);
    replaceAll(next, values);
  } catch {
    const notice = document.getElementById("counter-offline");
    if (notice) notice.hidden = false;
  } finally {
    isGoing = false;
  }
}

const parse = (text: string) => new DOMParser().parseFromString(text, "text/html");

/** Puts the values back into fields, and the focus where it was, because somebody may be typing. */
function replaceAll(next: Document, values: [string, string][] = []): void {
  const { id = "" } = document.activeElement ?? {};
  const { selectionStart = null, selectionEnd = null } = field(id) ?? {};
  document.title = next.title;
  document.body.className = next.body.className;
  document.body.replaceChildren(...document.importNode(next.body, true).childNodes);
  for (const [name, value] of values) {
    const input = field(name);
    if (input) input.value = value;
  }
  document.getElementById(id)?.focus();
  if (selectionStart !== null) field(id)?.setSelectionRange(selectionStart, selectionEnd);
  sent.clear();
  show();
}

/* Waiting */

const sale = () => document.querySelector<HTMLElement>("#sale[data-waiting]");
const toldUrl = () => sale() && `${location.pathname.replace("/desk/counter/", "/pay/")}/told`;
let hearAnew = () => {};

let timer: ReturnType<typeof setTimeout> | undefined;
let lock: { release(): Promise<void> } | null = null;

/** Polls until it is paid, and keeps the screen awake meanwhile. */
async function follow(): Promise<void> {
  clearTimeout(timer);
  const isWaiting = sale() !== null;
  if (isWaiting) timer = setTimeout(() => void ask(), document.hidden ? hiddenPollMs : waitingPollMs);
  await keepAwake(isWaiting && !document.hidden);
}

async function ask(): Promise<void> {
  const url = location.href;
  try {
    const response = await request(url, { cache: "no-cache", redirect: "manual", headers: unasked });
    // Nobody is signed in any more: leads to where one signs in.
    if (response.type === "opaqueredirect") location.reload();
    const next = parse(await response.text());
    tellConnection(true);
    if (url === location.href && !isGoing) update(next);
  } catch (thrown) {
    tellConnection(thrown instanceof TooManyRequests);
  }
  await follow();
}

/** Replaces only what changed, so as not to disturb somebody who has chosen a way to pay, or is reading. */
function update(next: Document): void {
  const [here, there] = [sale(), next.getElementById("sale")];
  if (!here || !there) return;
  const { phase } = there.dataset;
  document.title = next.title;
  const isDone = there.dataset["waiting"] === undefined;
  const hasCodes = (root: Element) => root.querySelector("#sale-codes") !== null;
  if (isDone || hasCodes(here) !== hasCodes(there)) {
    replaceAll(next);
    if (isDone && phase !== "void") chime();
    return;
  }
  if (!document.querySelector("#cancel") !== !next.querySelector("#cancel")) replaceAll(next);
  for (const part of [".ask", "#sale-status", ".way-wallet", ".way-camera", ".way-hand"]) {
    const [old, fresh] = [document.querySelector(part), next.querySelector(part)];
    if (!old || !fresh || sent.get(part) === fresh.innerHTML) continue;
    if (sent.has(part) || old.innerHTML !== fresh.innerHTML)
      old.replaceChildren(...document.importNode(fresh, true).childNodes);
    sent.set(part, fresh.innerHTML);
  }
  showCopyButtons(document);
}

const sent = new Map<string, string>();

async function keepAwake(isWanted: boolean): Promise<void> {
  if (isWanted === (lock !== null)) return;
  const held = lock;
  lock = null;
  try {
    if (isWanted) {
      const taken = await navigator.wakeLock.request("screen");
      // The browser releases it by itself when the page is hidden.
      taken.addEventListener("release", () => {
        if (lock === taken) lock = null;
      });
      lock = taken;
    } else await held?.release();
  } catch {
    // Old browsers do not support it, and a phone low on battery refuses.
  }
}
