import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { htmlPage } from "../../../src/http/answer/html.ts";
import { invoicePage } from "../../../src/pay/invoice-page.tsx";
import type { PaymentProps } from "../../../src/pay/payment/props.ts";
import { paymentSection } from "../../../src/pay/payment/section.tsx";
import { invoice } from "../sample.ts";

export type LivePage = {
  page: Page;
  /** What the server answers from now on; null: it is not there. */
  payment: PaymentProps | null;
  /** Whether it has no time for this address just now. */
  isBusy: boolean;
  /** Everything the browser complained about, and every address that it asked for. */
  complaints: string[];
  requests: string[];
  /** Loads the page anew, of an invoice with this payment: as a visitor who has just come, and with a clock that goes. */
  show(payment: PaymentProps, fields?: Parameters<typeof invoice>[0]): Promise<void>;
  /** Makes the page ask now, as it does when it gets back on line, and not only in five seconds. */
  askNow(): Promise<void>;
  stop(): Promise<void>;
};

/** A server with one invoice, and a browser's page that shows it. */
export async function openInvoice(
  browser: Browser,
  payment: PaymentProps,
  options: BrowserContextOptions = {},
  fields: Parameters<typeof invoice>[0] = {},
): Promise<LivePage> {
  let shown = fields;
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch(request) {
      if (live.payment === null) return new Response("Bad gateway", { status: 502 });
      if (live.isBusy)
        return new Response("Too many requests", { status: 429, headers: { "retry-after": "2" } });
      const path = new URL(request.url).pathname;
      const page = invoicePage(invoice({ ...shown, payment: live.payment, paymentUrl: "/payment" }));
      return path === "/payment"
        ? new Response(paymentSection(live.payment), {
            headers: { "content-type": "text/html; charset=utf-8" },
          })
        : htmlPage(page, { pictures: true });
    },
  });
  const context = await browser.newContext(options);
  const page = await context.newPage();
  await page.clock.install();
  const live: LivePage = {
    page,
    payment,
    isBusy: false,
    complaints: [],
    requests: [],
    async show(next, changes = {}) {
      shown = changes;
      Object.assign(live, { payment: next, isBusy: false, complaints: [] });
      await page.clock.resume();
      await page.goto("about:blank");
      live.requests = [];
      await page.goto(server.url.href);
    },
    async askNow() {
      await page.evaluate(`dispatchEvent(new Event("online"))`);
    },
    async stop() {
      await context.close();
      await server.stop(true);
    },
  };
  page.on("console", (message) => live.complaints.push(message.text()));
  page.on("pageerror", (error) => live.complaints.push(error.message));
  page.on("request", (request) => live.requests.push(request.url()));
  await page.goto(server.url.href);
  return live;
}
