import { announce } from "./texts.ts";

const copiedShownMs = 2_000;

/** The buttons' labels before a copy. */
const labels = new WeakMap<HTMLButtonElement, string>();

/** Makes every `data-copy` button on the page copy its text, including buttons added later. */
export function enableCopying(): void {
  document.addEventListener("click", (event) => {
    const button = event.target instanceof Element ? event.target.closest("button[data-copy]") : null;
    if (button instanceof HTMLButtonElement) void copyFrom(button);
  });
  showCopyButtons(document);
}

/** They are hidden in the markup, because they do nothing without this script. */
export function showCopyButtons(root: ParentNode): void {
  for (const button of root.querySelectorAll<HTMLElement>("button[data-copy]")) button.hidden = false;
}

async function copyFrom(button: HTMLButtonElement): Promise<void> {
  const { copy = "", words = "" } = button.dataset;
  const [done = "", failed = "", sayDone = done, sayFailed = failed] = words.split("\n");
  const copied = await write(copy);
  labels.set(button, labels.get(button) ?? button.textContent);
  button.textContent = copied ? done : failed;
  button.toggleAttribute("data-copied", copied);
  announce(copied ? sayDone : sayFailed);
  setTimeout(() => {
    button.textContent = labels.get(button) ?? null;
    button.removeAttribute("data-copied");
    announce("");
  }, copiedShownMs);
}

/** Browsers allow clipboard access only on https and localhost; elsewhere, copies from a selected field. */
async function write(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return writeBySelection(text);
  }
}

function writeBySelection(text: string): boolean {
  const before = document.activeElement;
  const field = document.createElement("textarea");
  field.value = text;
  field.className = "visually-hidden";
  document.body.append(field);
  field.select();
  const copied = document.execCommand("copy");
  field.remove();
  if (before instanceof HTMLElement) before.focus({ preventScroll: true });
  return copied;
}
