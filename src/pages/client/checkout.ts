import { tellEndHere } from "./end-time.ts";
import { livePayment } from "./live/live-payment.ts";
import { fetchText, poll, TooManyRequests } from "./live/poll.ts";
import { urlOf } from "./texts.ts";
import { embedder, type PaymentStatus, paymentStatusOf, tellSandbox } from "./widget/embedder.ts";

/** SPEC section 4.7: every few seconds. */
const pollMs = 3_000;
/** Paid: more may arrive, but nobody waits for it. */
const donePollMs = 10_000;
/** The page is hidden. */
const hiddenPollMs = 30_000;
/** An unconfirmed payment changes the section before it changes the status. */
const sectionAgeMsMax = 5_000;
const doneStatuses = ["confirmed", "excess"];

function start(container: HTMLElement): void {
  const payment = livePayment(container);
  const { tellStatus, tellExpired, followSize } = embedder(container);
  let status: PaymentStatus | null = null;
  let sectionAtMs = performance.now();
  let sectionIsOutdated = false;
  let isEndTold = false;

  function followEnd(): void {
    tellEndHere(container);
    const isExpired = container.querySelector("[data-payment=expired]") !== null;
    if (isExpired && !isEndTold) tellExpired();
    isEndTold = isExpired;
  }

  const isDone = () => payment.isDone() && status !== null && doneStatuses.includes(status.status);

  async function update(text: string): Promise<boolean> {
    const next = statusOf(text);
    if (!next) return false;
    const before = status;
    status = next;
    const isSame = JSON.stringify(before) === JSON.stringify(next);
    if (!isSame) tellStatus(next);
    if (before !== null && !isSame) sectionIsOutdated = true;
    const isOld = performance.now() - sectionAtMs >= sectionAgeMsMax;
    return sectionIsOutdated || (isOld && !isDone()) ? updateSection() : true;
  }

  const updateSection = () =>
    fetchText(urlOf("payment")).then(show, (thrown) => thrown instanceof TooManyRequests);

  function show(markup: string): boolean {
    const isSection = payment.show(markup);
    if (isSection) {
      sectionAtMs = performance.now();
      sectionIsOutdated = false;
      followEnd();
    }
    return isSection;
  }

  const delayMs = () => {
    if (document.hidden) return hiddenPollMs;
    return isDone() ? donePollMs : pollMs;
  };

  const askNow = poll({
    url: container.dataset["statusUrl"] ?? "",
    delayMs,
    onText: update,
    onConnected: payment.showConnection,
  });
  payment.enable(askNow, () => {
    // One after the other: of two at once the older could come last.
    sectionIsOutdated = true;
    askNow();
  });
  followEnd();
  followSize(document.querySelector(".page") ?? container);
  askNow();
}

/** Null if the text is not a payment status, for example a proxy's login page. */
function statusOf(text: string): PaymentStatus | null {
  try {
    return paymentStatusOf(JSON.parse(text));
  } catch (thrown) {
    if (thrown instanceof SyntaxError) return null;
    throw thrown;
  }
}

const container = document.getElementById("payment");
if (container) {
  tellSandbox();
  start(container);
}
