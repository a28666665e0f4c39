import { enableCopying, showCopyButtons } from "./copy.ts";
import { fetchText, poll, tellConnection, whenShown } from "./poll.ts";
import { followSection } from "./section.ts";
import { announce, textOf } from "./texts.ts";
import { offerWallets } from "./wallet/wallets.ts";

const isOver = (phase: string) => ["paid", "excess", "marked", "void", "expired"].includes(phase);
/** Until the server is asked again to tell at once: after an answer that had to wait or is news, after another, and with nothing to ask. */
const hearMs = { next: 100, busy: 5_000, idle: 1_000 };
const waysSelector = "input[name=way]";

/** The payment section on a page, as its script keeps it up to date. Throws when there is none in `container`. */
export function livePayment(container: HTMLElement) {
  let showWallets = () => {};
  const section = followSection(container, () => {
    showCopyButtons(container);
    showWallets();
  });

  /** Takes the server's markup. Returns false when it is no payment section. */
  function show(markup: string): boolean {
    const before = section.state();
    const isSection = section.update(markup);
    const { payment, label, sentence, total } = section.state();
    // The bill beside it repeats the total, and in another currency whether it is still to be paid.
    const isConverted = document.querySelector("[data-in-usdc]") !== null;
    if (total !== before.total || (isConverted && isOver(payment) !== isOver(before.payment)))
      location.reload();
    document.title = `${label} · ${container.dataset["title"] ?? ""}`;
    if (sentence !== before.sentence) announce(sentence);
    return isSection;
  }

  /**
   * Has the server tell at once of a payment that no block has yet, and when one has it, beside the regular questions. A page
   * that nobody looks at keeps no connection busy: a browser has only a few for each server.
   */
  function hear(): void {
    let waitMs = hearMs.idle;
    poll({
      url: container.dataset["url"]?.replace("/payment?", "/arriving?") ?? "",
      async ask(url) {
        const { arriving: shown } = section.state();
        const isAsked = shown !== undefined && !document.hidden;
        waitMs = isAsked ? hearMs.busy : hearMs.idle;
        if (!isAsked) return "";
        const askedAt = performance.now();
        const { arriving, section: markup } = JSON.parse(await fetchText(`${url}&shown=${shown}`));
        const wasHeld = performance.now() - askedAt > hearMs.idle;
        if ((wasHeld || (arriving ?? "") !== shown) && show(markup)) waitMs = hearMs.next;
        return "";
      },
      delayMs: () => waitMs,
      onText: () => true,
      onConnected() {},
    });
  }

  return {
    show,
    /** Whether no more is asked for. Little can still happen then: it may be paid all the same. */
    isDone: () => isOver(section.state().payment),
    /** Tells the reader whether the server can be reached. */
    showConnection: (isConnected: boolean) =>
      tellConnection(isConnected, () => `${textOf("connectedAgain")} ${section.state().sentence}`),
    /** Makes everything on the page work that needs the server asked at once. */
    enable(askNow: () => void): void {
      showWallets = offerWallets(askNow, suggestWay(container));
      enableCopying();
      whenShown(askNow);
      window.addEventListener("online", askNow);
      hear();
    },
  };
}

/**
 * Opens the way to pay that the reader chose, even after a pending payment hid it, or else the one that fits the device:
 * a wallet in the browser, the wallet app on a phone, otherwise the code. Call what it returns when a wallet was found
 * or the payment section was replaced.
 */
function suggestWay(container: HTMLElement): (hasWallets: boolean) => void {
  // A browser may bring a choice back with the page.
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
