import { livePayment } from "./live/live-payment.ts";
import { poll } from "./live/poll.ts";

/** SPEC section 8. */
const pollMs = 5_000;
/** The page is hidden, or little can still happen. */
const slowPollMs = 30_000;
/** Free space above and below in pixels, as in the style sheet. */
const marginPx = 24;

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

/**
 * Lets a sticky element that is taller than the window scroll until its end is in view, and stay there. CSS alone can
 * only keep its top in view.
 */
function stayInView(element: HTMLElement): void {
  const place = () => {
    const topPx = Math.min(marginPx, innerHeight - element.offsetHeight - marginPx);
    element.style.setProperty("top", `${topPx}px`);
  };
  new ResizeObserver(place).observe(element);
  addEventListener("resize", place);
}

const container = document.getElementById("payment");
if (container) start(container);
