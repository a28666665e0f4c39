/** Closes an open menu when somebody presses Escape, clicks beside it or moves the focus out of it. */
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

/** Leaves the focus on what opens the menu again: what is inside can no longer have it. */
export function closeMenu(menu: Element): void {
  menu.removeAttribute("open");
  menu.querySelector("summary")?.focus();
}
