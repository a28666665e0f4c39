import { enableCopying, showCopyButtons } from "./copy.ts";
import { poll, whenShown } from "./live/poll.ts";
import { followSection } from "./live/section.ts";
import { announce } from "./texts.ts";

/** A developer pays at a command line and looks here at once. */
const pollMs = 1_000;
const hiddenPollMs = 15_000;

/** Keeps the newest invoice up to date. */
function start(container: HTMLElement): void {
  const section = followSection(container, () => showCopyButtons(container));
  const askNow = poll({
    url: container.dataset["url"] ?? "",
    delayMs: () => (document.hidden ? hiddenPollMs : pollMs),
    onText(markup) {
      const before = section.state().sentence;
      const isSection = section.update(markup);
      const { sentence } = section.state();
      if (sentence !== before) announce(sentence);
      return isSection;
    },
    onConnected(connected) {
      const connection = document.getElementById("connection");
      if (connection) connection.hidden = connected;
    },
  });
  whenShown(askNow);
}

enableCopying();
const container = document.getElementById("newest");
if (container) start(container);
