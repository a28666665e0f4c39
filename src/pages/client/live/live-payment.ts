import { enableCopying, showCopyButtons } from "../copy.ts";
import { announce, textOf, urlOf } from "../texts.ts";
import { offerWallets } from "../wallet/wallets.ts";
import { hear } from "./hear.ts";
import { tellConnection, whenShown } from "./poll.ts";
import { followSection } from "./section.ts";

const isOver = (phase: string) => ["paid", "excess", "marked", "void", "expired"].includes(phase);
const waysSelector = "input[name=way]";

/** The live payment section of a page. Throws if there is none in `container`. */
export function livePayment(container: HTMLElement) {
  let showWallets = () => {};
  const section = followSection(container, () => {
    showCopyButtons(container);
    showWallets();
  });

  return {
    /** Updates the section from the server's markup. Returns false if that is not a payment section. */
    show(markup: string): boolean {
      const before = section.state();
      const isSection = section.update(markup);
      const { payment, label, sentence, total } = section.state();
      // The bill beside it repeats the total and, in another currency, shows whether it is still to be paid.
      const isConverted = document.querySelector("[data-in-usdc]") !== null;
      if (total !== before.total || (isConverted && isOver(payment) !== isOver(before.payment)))
        location.reload();
      document.title = `${label} · ${container.dataset["title"] ?? ""}`;
      if (sentence !== before.sentence) announce(sentence);
      return isSection;
    },
    /** True if no more is asked for. Little can still happen then, although it may yet be paid. */
    isDone: () => isOver(section.state().payment),
    /** Shows the reader whether the server can be reached. */
    showConnection: (isConnected: boolean) =>
      tellConnection(isConnected, () => `${textOf("connectedAgain")} ${section.state().sentence}`),
    /** Enables everything on the page that needs to ask the server at once; calls `onTold` as soon as money arrives. */
    enable(askNow: () => void, onTold = askNow): void {
      showWallets = offerWallets(askNow, suggestWay(container));
      enableCopying();
      whenShown(askNow);
      addEventListener("online", askNow);
      hear(() => (isOver(section.state().payment) ? null : urlOf("told")), onTold);
    },
  };
}

/**
 * Opens the way to pay that the reader chose, even after a pending payment hid it, else the one that suits the device:
 * a wallet in the browser, the wallet app on a phone, otherwise the code. Returns a function to call when a wallet was
 * found or the payment section was replaced.
 */
function suggestWay(container: HTMLElement): (hasWallets: boolean) => void {
  // A browser may restore a choice with the page.
  let chosen = container.querySelector(`${waysSelector}:checked`)?.id;
  container.addEventListener("change", ({ target }) => {
    if (target instanceof HTMLInputElement && target.matches(waysSelector)) chosen = target.id;
  });
  return (hasWallets) => {
    const suggested = hasWallets || matchMedia("(pointer: coarse)").matches ? "way-wallet" : "way-scan";
    const input = document.getElementById(chosen ?? suggested);
    if (input instanceof HTMLInputElement) input.checked = true;
  };
}
