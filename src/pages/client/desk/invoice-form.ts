import { whenShown } from "../live/poll.ts";
import { announce } from "../texts.ts";

const afterTypingMs = 250;

/**
 * Makes the form of a new invoice live: lines are added and removed without another page, and the total and the
 * customer's view follow the input, as computed by the server.
 */
export function enableInvoiceForm(): void {
  const form = document.querySelector<HTMLFormElement>("form.invoice-form");
  if (form === null) return;
  const update = updater(form);
  let timer: ReturnType<typeof setTimeout> | undefined;
  form.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(() => void update(null), afterTypingMs);
  });
  const complete = completer(form);
  form.addEventListener("change", (event) => {
    if (event.target instanceof HTMLInputElement && event.target.name === "vendor_name") complete();
  });
  whenShown(() => {
    if (signedOut()?.hidden === false) void update(null);
  });
  form.addEventListener("submit", (event) => {
    const { submitter } = event;
    const isEdit = submitter instanceof HTMLButtonElement && submitter.hasAttribute("formaction");
    if (!isEdit) {
      keepFromTwice(form, event);
      return;
    }
    event.preventDefault();
    clearTimeout(timer);
    void update(submitter);
  });
}

/** Says that nobody is signed in any more: what is typed stays here meanwhile. */
const signedOut = () => document.getElementById("signed-out");

/** Asks the server for the same form after a button press. Only the newest response counts. */
function updater(form: HTMLFormElement): (pressed: HTMLButtonElement | null) => Promise<void> {
  let requests = 0;
  return async (pressed) => {
    requests += 1;
    const own = requests;
    let answer = await send(form, pressed);
    if (answer?.status === 403 && (await renewToken())) answer = await send(form, pressed);
    if (answer === null || !answer.ok || own !== requests) return;
    const notice = signedOut();
    if (notice) notice.hidden = !answer.redirected;
    if (answer.redirected) return;
    const page = parse(await answer.text());
    replace(page, "preview");
    if (pressed !== null && pressed.name !== "") {
      replace(page, "billed");
      focusAfter(pressed);
    }
    for (const part of page.querySelectorAll(
      ":is(#billed output, .bottom output, output:is(#check, #other-wallet))",
    ))
      replace(page, part.id);
  };
}

async function send(form: HTMLFormElement, pressed: HTMLButtonElement | null): Promise<Response | null> {
  const fields = new URLSearchParams();
  for (const [name, value] of new FormData(form)) fields.append(name, String(value));
  if (pressed !== null && pressed.name !== "") fields.append(pressed.name, pressed.value);
  return fetch(`${location.pathname}/edit`, { method: "POST", body: fields }).catch(() => null);
}

/** Whoever signed in again, in another tab, has another token. Returns whether the form has a new one now. */
async function renewToken(): Promise<boolean> {
  const page = await fetch(location.pathname).then((answer) => answer.text(), String);
  const [next, here] = [parse(page), document].map((root) =>
    root.querySelector<HTMLInputElement>(".invoice-form input[name=form]"),
  );
  if (!next || !here || next.value === here.value) return false;
  here.value = next.value;
  return true;
}

const parse = (text: string) => new DOMParser().parseFromString(text, "text/html");

function replace(page: Document, id: string): void {
  const [next, here] = [page.getElementById(id), document.getElementById(id)];
  if (next && here) here.replaceWith(document.importNode(next, true));
}

/** Focuses the new line or the first new field; after a line was removed, the one in its place. */
function focusAfter({ name, value }: HTMLButtonElement): void {
  const terms = document.querySelector<HTMLInputElement>("#billed input[name=line_unit]");
  const lines = [...document.querySelectorAll<HTMLInputElement>("#billed input[name=description]")];
  const line = name === "add" ? lines.at(-1) : (lines[Number(value)] ?? lines.at(-1));
  (name === "terms" ? terms : line)?.focus();
  announce(document.getElementById("total")?.textContent ?? "");
}

/**
 * Fills in the address that the last invoice went to, for a customer who was billed before. What was filled in leaves
 * with the name; what was typed stays. Of several customers with one name, nobody knows which is meant.
 */
function completer(form: HTMLFormElement): () => void {
  const [name, email] = ["vendor_name", "vendor_email"].map((field) => form.elements.namedItem(field));
  if (!(name instanceof HTMLInputElement && email instanceof HTMLInputElement)) return () => {};
  const known = () => {
    const named = [...(name.list?.options ?? [])].filter(({ value }) => value === name.value);
    return (named.length === 1 && named[0]?.dataset["email"]) || "";
  };
  let filled = known();
  return () => {
    if (email.value !== "" && email.value !== filled) return;
    filled = known();
    email.value = filled;
    form.dispatchEvent(new Event("input"));
  };
}

/** Ignores a second press while the first is under way. If both arrive anyway, the server creates it once. */
function keepFromTwice(form: HTMLFormElement, event: SubmitEvent): void {
  if (form.dataset["sent"] !== undefined) event.preventDefault();
  form.dataset["sent"] = "";
  addEventListener("pageshow", () => delete form.dataset["sent"], { once: true });
}
