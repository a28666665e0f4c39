import { livePayment } from "./live-payment.ts";
import { poll } from "./poll.ts";
import { stayInView } from "./stay-in-view.ts";

/** SPEC section 8. */
const pollMs = 5_000;
/** Nobody looks, or little can still happen. */
const slowPollMs = 30_000;

function start(container: HTMLElement): void {
  const payment = livePayment(container);
  const askNow = poll({
    url: container.dataset["url"] ?? "",
    delayMs: () => (document.hidden || payment.isDone() ? slowPollMs : pollMs),
    onText: payment.show,
    onConnected: payment.showConnection,
  });
  payment.enable(askNow);
  stayInView(container);
}

const container = document.getElementById("payment");
if (container) start(container);
