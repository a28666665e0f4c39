import { fetchText } from "../live/poll.ts";

/**
 * Opens a confirmation page as a dialog over the current one, showing its `#confirm`. If that fails, the browser goes
 * to the page.
 */
export function enableDialogs(): void {
  document.addEventListener("click", (event) => {
    const link = event.target instanceof Element ? event.target.closest("a[data-dialog]") : null;
    if (!(link instanceof HTMLAnchorElement) || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    const menu = link.closest("details");
    if (menu !== null) closeMenu(menu);
    show(link.href).catch(() => location.assign(link.href));
  });
}

async function show(url: string): Promise<void> {
  const page = new DOMParser().parseFromString(await fetchText(url), "text/html");
  const question = page.getElementById("confirm");
  if (question === null) throw new Error("The page asks nothing");
  const title = document.createElement("h2");
  title.id = "dialog-title";
  title.textContent = question.dataset["title"] ?? "";
  const dialog = document.createElement("dialog");
  dialog.className = "dialog";
  dialog.setAttribute("aria-labelledby", title.id);
  dialog.append(title, ...document.importNode(question, true).childNodes);
  document.body.append(dialog);
  dialog.addEventListener("close", () => dialog.remove());
  dialog.addEventListener("click", (event) => {
    const isOutside = event.target === dialog && !isInside(event, dialog.getBoundingClientRect());
    const keeps = event.target instanceof Element && event.target.closest("[data-close]") !== null;
    if (!isOutside && !keeps) return;
    event.preventDefault();
    dialog.close();
  });
  dialog.showModal();
}

const isInside = ({ clientX: x, clientY: y }: MouseEvent, box: DOMRect) =>
  x >= box.left && x <= box.right && y >= box.top && y <= box.bottom;

/** Closes an open menu on Escape, on a click outside it, or when the focus leaves it. */
export function enableMenus(): void {
  document.addEventListener("keydown", ({ key }) => {
    const menu = document.querySelector("details.menu[open]");
    if (key === "Escape" && menu !== null) closeMenu(menu);
  });
  for (const type of ["click", "focusin"])
    document.addEventListener(type, ({ target }) => {
      for (const menu of document.querySelectorAll("details.menu[open]"))
        if (target instanceof Node && !menu.contains(target)) menu.removeAttribute("open");
    });
}

/** Moves the focus to the button that opens the menu, because its content can no longer have it. */
export function closeMenu(menu: Element): void {
  menu.removeAttribute("open");
  menu.querySelector("summary")?.focus();
}
