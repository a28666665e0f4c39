import { announce } from "./announce.ts";
import { enableCopying, showCopyButtons } from "./copy.ts";
import { poll } from "./poll.ts";
import { followSection } from "./section.ts";
import { offerWallets } from "./wallets.ts";

/** SPEC section 8. */
const pollMs = 5_000;
/** Nobody looks, or little can still happen: a paid invoice may be paid again. */
const slowPollMs = 30_000;
const donePhases = ["paid", "excess"];

function start(container: HTMLElement): void {
  const section = followSection(container, () => {
    showCopyButtons(container);
    showWallets();
  });
  const connection = document.getElementById("connection");

  const askNow = poll({
    url: container.dataset["url"] ?? "",
    delayMs: () => (document.hidden || donePhases.includes(section.state().phase) ? slowPollMs : pollMs),
    onText: (text) => {
      const before = section.state();
      const isSection = section.update(text);
      const { word, sentence } = section.state();
      document.title = `${word} · ${container.dataset["title"] ?? ""}`;
      if (sentence !== before.sentence) announce(sentence);
      return isSection;
    },
    onConnected: (connected) => {
      if (!connection || connection.hidden === connected) return;
      connection.hidden = connected;
      announce(connected ? `Connected again. ${section.state().sentence}` : (connection.textContent ?? ""));
    },
  });
  const showWallets = offerWallets(askNow);
  enableCopying();

  document.addEventListener("visibilitychange", () => {
    if (!document.hidden) askNow();
  });
  window.addEventListener("online", askNow);
}

const container = document.getElementById("payment");
if (container) start(container);
