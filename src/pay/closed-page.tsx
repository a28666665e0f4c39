import { payableOf } from "../domain/payment/relay.ts";
import { faceOf, type Receivable } from "../domain/receivable/receivable.ts";
import { htmlPage } from "../http/answer/html.ts";
import type { HttpDeps } from "../http/route/deps.ts";
import type { Locale } from "../language/locale.ts";
import type { CheckoutFrame } from "../pages/layout.tsx";
import { cardPage } from "../pages/message-page.tsx";
import { isPageClosed } from "../store/reports/closed-page.ts";

type Shown = { locale: Locale; frame?: CheckoutFrame };

const titles = {
  invoice: { settled: "invoiceSettled", over: "invoiceClosed" },
  link: { settled: "linkSettled", over: "linkClosed" },
} as const;

/**
 * What is left of a page once it has closed: that it is over, and whom to ask. Null while it is open. Nothing leads on
 * to its receipt: that would be one more way to the same names and amounts.
 */
export function closedPage(
  deps: Pick<HttpDeps, "config" | "db" | "now">,
  receivable: Receivable,
  { locale, frame }: Shown,
): Response | null {
  if (!isPageClosed(deps, receivable)) return null;
  const { seller, sellerEmail } = faceOf(receivable);
  const isSettled = payableOf(receivable, deps.now()).demand.kind === "paid";
  const title = locale.say(titles[receivable.kind][isSettled ? "settled" : "over"]);
  const page = cardPage({
    title,
    locale,
    brand: deps.config.brand,
    frame,
    children: (
      <>
        <h1>{title}</h1>
        <p class="prose">{locale.say("pageClosedText", { merchant: seller })}</p>
        {sellerEmail !== null && (
          <p>
            <a href={`mailto:${sellerEmail}`}>
              <bdi>{sellerEmail}</bdi>
            </a>
          </p>
        )}
      </>
    ),
  });
  // A shop's page may frame it, as it framed the checkout.
  return htmlPage(page, { status: 410, ...(frame ? { frameAncestors: "*" } : {}) });
}
