import type { Browser, BrowserContextOptions, Frame, Page } from "playwright-core";
import { plainBrand } from "../../../src/domain/brand.ts";
import { pageHeaders } from "../../../src/http/answer/html.ts";
import { speak } from "../../../src/language/locale.ts";
import type { Page as Layout } from "../../../src/pages/layout.tsx";
import { messagePage } from "../../../src/pages/message-page.tsx";
import { checkoutPage, checkoutSection, modalScript, widgetScript } from "../../../src/pay/checkout-page.tsx";
import type { PaymentProps } from "../../../src/pay/payment/props.ts";
import { until } from "../../support/till/till.ts";
import { checkout } from "../link-sample.ts";

export type TestTill = {
  /** Its origin. */
  url: string;
  /** What each link's pages show from now on. */
  payments: Map<string, PaymentProps>;
  /** What it answers instead of its pages and its status: nothing yet, or what a broken proxy says; or of sections only, 429. */
  trouble: "none" | "silent" | "proxy" | "busy";
  /** Where a paid link leads back to. */
  successUrl: string | null;
  /** The paths that were asked for. */
  asked: string[];
  stop(): Promise<void>;
};

/** A server with the resources of payment links: pages, fragments, status and the widget's script. */
export function startTill(payments: Record<string, PaymentProps>): TestTill {
  const server = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: (request) => answer(till, request) });
  const till: TestTill = {
    url: server.url.origin,
    payments: new Map(Object.entries(payments)),
    trouble: "none",
    successUrl: null,
    asked: [],
    stop: () => server.stop(true),
  };
  return till;
}

async function answer(till: TestTill, request: Request): Promise<Response> {
  const { pathname, searchParams } = new URL(request.url);
  till.asked.push(pathname);
  const script = { "/w.js": widgetScript, "/modal/btcpay.js": modalScript }[pathname];
  if (script) {
    const headers = { "content-type": "text/javascript; charset=utf-8", "access-control-allow-origin": "*" };
    return new Response(script, { headers });
  }
  if (till.trouble === "silent")
    await until(
      () => till.trouble,
      (trouble) => trouble !== "silent",
      100_000,
    );
  if (till.trouble === "proxy") return html("<h1>Please log in to the network</h1>", {});

  const [, slug = ""] = /^\/(?:pay|api\/payments\/status)\/([^/]*)/.exec(pathname) ?? [];
  const payment = till.payments.get(slug);
  const frame = {
    slug,
    parentOrigin: searchParams.get("origin"),
    embedded: searchParams.get("embed") === "1",
  };
  if (!payment) {
    const page = messagePage({ message: "linkNotFound", locale: speak("en"), brand: plainBrand, frame });
    return shown(page, 404);
  }
  if (pathname.startsWith("/api/")) return Response.json(statusOf(payment));
  const props = checkout({ ...frame, payment, successUrl: till.successUrl });
  if (till.trouble === "busy" && pathname.endsWith("/payment"))
    return new Response("Too many requests", { status: 429, headers: { "retry-after": "2" } });
  return pathname.endsWith("/payment") ? html(checkoutSection(props), {}) : shown(checkoutPage(props));
}

export function statusOf({ status, received, total }: PaymentProps) {
  const ofLink = { draft: "pending", sent: "pending", paid: "confirmed" } as const;
  return {
    status: status in ofLink ? ofLink[status as keyof typeof ofLink] : status,
    received_amount: received,
    expected_amount: total,
  };
}

/** Under the server's own policy. */
function shown(page: Layout, status = 200): Response {
  return html(page.html, pageHeaders(page, { frameAncestors: "*", pictures: true }), status);
}

function html(markup: string, headers: Record<string, string>, status = 200): Response {
  return new Response(markup, {
    status,
    headers: { "content-type": "text/html; charset=utf-8", ...headers },
  });
}

export type Visit = { page: Page; complaints: string[]; stop(): Promise<void> };

export async function visit(browser: Browser, options: BrowserContextOptions = {}): Promise<Visit> {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on("console", (message) => complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(error.message));
  return { page, complaints, stop: () => context.close() };
}

/** Makes a checkout ask now, as it does when it gets back on line. */
export async function askNow(place: Page | Frame): Promise<void> {
  await place.evaluate(`dispatchEvent(new Event("online"))`);
}
