import { announce } from "./announce.ts";
import { enableCopying, showCopyButtons } from "./copy.ts";
import { followSection } from "./section.ts";
import { offerWallets } from "./wallets.ts";
import { suggestWay } from "./ways.ts";
import { word } from "./words.ts";

/** The payment section on a page, as its script keeps it up to date. */
export type LivePayment = {
  /** Takes the server's markup. Returns false when it is no payment section. */
  show(markup: string): boolean;
  /** Whether all has arrived. Little can still happen then: it may be paid again. */
  isDone(): boolean;
  /** Tells the reader whether the server can be reached. */
  showConnection(connected: boolean): void;
  /** Makes everything on the page work that needs the server asked at once. */
  enable(askNow: () => void): void;
};

const donePhases = ["paid", "excess"];

/** Throws when there is no payment section in `container`. */
export function livePayment(container: HTMLElement): LivePayment {
  let showWallets = () => {};
  const section = followSection(container, () => {
    showCopyButtons(container);
    showWallets();
  });
  const connection = document.getElementById("connection");

  return {
    show(markup) {
      const before = section.state();
      const isSection = section.update(markup);
      const { word, sentence } = section.state();
      document.title = `${word} · ${container.dataset["title"] ?? ""}`;
      if (sentence !== before.sentence) announce(sentence);
      return isSection;
    },
    isDone: () => donePhases.includes(section.state().phase),
    showConnection(connected) {
      if (!connection || connection.hidden === connected) return;
      connection.hidden = connected;
      announce(
        connected ? `${word("connectedAgain")} ${section.state().sentence}` : (connection.textContent ?? ""),
      );
    },
    enable(askNow) {
      showWallets = offerWallets(askNow, suggestWay(container));
      enableCopying();
      document.addEventListener("visibilitychange", () => {
        if (!document.hidden) askNow();
      });
      window.addEventListener("online", askNow);
    },
  };
}
