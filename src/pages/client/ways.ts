const waysSelector = "input[name=way]";

/**
 * Opens the way to pay that fits this device, for as long as the reader has chosen none: a wallet in the browser, on a
 * phone the wallet app, else the code. Returns what has to be called when a wallet was found or the payment section
 * was replaced.
 */
export function suggestWay(container: HTMLElement): (hasWallets: boolean) => void {
  // A browser may bring a choice back with the page.
  let isChosen = container.querySelector(`${waysSelector}:checked`) !== null;
  container.addEventListener("change", ({ target }) => {
    if (target instanceof HTMLInputElement && target.matches(waysSelector)) isChosen = true;
  });
  return (hasWallets) => {
    if (isChosen) return;
    const way = hasWallets || matchMedia("(pointer: coarse)").matches ? "wallet" : "scan";
    const input = container.querySelector(`#way-${way}`);
    if (input instanceof HTMLInputElement) input.checked = true;
  };
}
