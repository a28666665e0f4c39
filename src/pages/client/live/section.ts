type State = { payment: string; total: string; label: string; sentence: string };

const sectionSelector = "[data-payment]";

/**
 * Keeps the payment section inside `container` up to date, part by part. Only parts whose markup changed are replaced,
 * and `onReplaced` is called after that: a text selection, an open tab and a wallet's message stay while nothing about
 * them changes. Throws if there is no section.
 */
export function followSection(container: HTMLElement, onReplaced: () => void) {
  const first = container.querySelector<HTMLElement>(sectionSelector);
  if (!first) throw new Error("No payment section");
  let section = first;
  // Other scripts change the page, so the server's markup is kept to compare the next version with.
  let sent = partsOf(section);

  return {
    /** Updates the section from the server's markup. Returns false if that is none, such as a proxy's login page. */
    update(markup: string): boolean {
      const template = document.createElement("template");
      template.innerHTML = markup;
      const next = template.content.querySelector<HTMLElement>(sectionSelector);
      if (!next) return false;
      const nextSent = partsOf(next);
      const changed = [...nextSent].filter(([name, html]) => sent.get(name) !== html);
      const sameParts = [...nextSent.keys()].join() === [...sent.keys()].join();
      if (sameParts) {
        for (const name of section.getAttributeNames()) section.removeAttribute(name);
        for (const { name, value } of next.attributes) section.setAttribute(name, value);
      }
      if (sameParts && changed.length === 0) return true;

      const restore = keepChoices(section);
      if (sameParts) for (const [name] of changed) replacePart(section, next, name);
      else {
        section.replaceWith(next);
        section = next;
      }
      sent = nextSent;
      onReplaced();
      restore();
      return true;
    },
    /** The section's current data attributes. */
    state: () => ({ ...section.dataset }) as State,
  };
}

function partsOf(section: HTMLElement): Map<string, string> {
  const parts = section.querySelectorAll<HTMLElement>("[data-part]");
  return new Map([...parts].map((part) => [part.dataset["part"] ?? "", part.outerHTML]));
}

function replacePart(section: HTMLElement, next: HTMLElement, name: string): void {
  const selector = `[data-part="${CSS.escape(name)}"]`;
  const part = next.querySelector(selector);
  if (part) section.querySelector(selector)?.replaceWith(part);
}

/** Remembers by id what the reader has selected, opened and focused. Returns a function that restores it. */
function keepChoices(section: HTMLElement): () => void {
  const ids = (selector: string) => [...section.querySelectorAll(selector)].map((element) => element.id);
  const checked = ids("input:checked");
  const open = ids("details[open]");
  const { activeElement } = document;
  const focused = activeElement && section.contains(activeElement) ? activeElement.id : "";

  return () => {
    for (const id of checked) {
      const input = document.getElementById(id);
      if (input instanceof HTMLInputElement) input.checked = true;
    }
    for (const id of open) document.getElementById(id)?.setAttribute("open", "");
    document.getElementById(focused)?.focus({ preventScroll: true });
  };
}
