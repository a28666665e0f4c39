import { Elysia } from "elysia";
import { qrPng } from "../document/qr.ts";
import type { Brand } from "../domain/brand.ts";
import { isPriceOver, type Link, priceEndsAt } from "../domain/link/link.ts";
import { ofInvoice, ofLink } from "../domain/receivable/receivable.ts";
import {
  htmlPage,
  localeOf,
  readableFromAnywhere,
  seeOther,
  wantsJson,
  withEtag,
} from "../http/answer/html.ts";
import { publicViewOf } from "../http/links/links.ts";
import { problem } from "../http/problem/problem.ts";
import { x402Link } from "../http/relay/x402/subject.ts";
import type { AppDeps } from "../http/route/app-deps.ts";
import type { HttpDeps } from "../http/route/deps.ts";
import type { Locale } from "../language/locale.ts";
import { messagePage } from "../pages/message-page.tsx";
import * as InvoiceStore from "../store/tables/invoicing/invoice.ts";
import * as LinkStore from "../store/tables/invoicing/link.ts";
import * as ReusableStore from "../store/tables/invoicing/reusable-link.ts";
import { beginPageOf, reusableOf } from "./begin-page.tsx";
import { checkoutPage, checkoutSection, modalScript, widgetScript } from "./checkout-page.tsx";
import { closedPage } from "./closed-page.tsx";
import { devRoutes, newestInvoiceProps } from "./dev/dev.ts";
import { homePage } from "./dev/home-page.tsx";
import { invoicePage, invoicePageProps } from "./invoice-page.tsx";
import { createLongPoll } from "./long-poll.ts";
import type { Openings } from "./openings.ts";
import { createPageCache } from "./page-cache.ts";
import { detailsOffer } from "./payment/payer-details.tsx";
import { invoicePaymentProps, linkPaymentProps, type PaymentProps, soldProps } from "./payment/props.ts";
import { paymentSection } from "./payment/section.tsx";
import { countingOf, phaseOf } from "./payment/state.ts";
import { receiptOffer } from "./receipt.tsx";
import { isStill, linkNotFound, localeFor, queryFor, visitOf } from "./visit.ts";

export const invoicePageRoute = "/i/:slug";
/** A form here, without a key, begins a payment of a reusable link. */
export const checkoutPageRoute = "/pay/:slug";

/** The pages where people pay, the most visited ones. */
type PayPages = Record<
  "invoice" | "checkout",
  (request: Request, slug: string) => Response | Promise<Response>
>;

export function createPayPages(deps: HttpDeps, openings: Openings): PayPages {
  const { db, config } = deps;
  const cached = createPageCache(deps);
  const beginPage = beginPageOf(deps);
  const publicView = publicViewOf(deps, { vary: "accept" });
  /** The time when a countdown on a page changes, in Unix ms. */
  const countedUntil = (payment: Pick<PaymentProps, "transfers">) =>
    countingOf(payment)?.inMs == null ? Number.POSITIVE_INFINITY : deps.now() + 1_000;
  return {
    invoice(request, slug) {
      openings.saw(request, "invoice", slug);
      const locale = localeFor(deps, request, slug);
      const still = isStill(request);
      return cached(request, `/i/${slug} ${locale.code} ${still}`, () => {
        const invoice = InvoiceStore.bySlug(db, slug);
        // An invoice of a shop's plugin is a link in Till.
        if (!invoice && LinkStore.bySlug(db, slug)) return seeOther(`/pay/${slug}`);
        if (!invoice) return notFound("invoiceNotFound", locale, config.brand);
        const closed = closedPage(deps, ofInvoice(invoice), { locale });
        if (closed) return closed;
        const props = invoicePageProps(deps, invoice, locale);
        return {
          page: invoicePage(props, still),
          pictures: true,
          formAction: formActionOf(props.payment),
          until: countedUntil(props.payment),
          headers: x402Link(deps, slug),
        };
      });
    },

    checkout(request, slug) {
      openings.saw(request, "link", slug);
      const visit = visitOf(deps, request, slug);
      const { locale, frame } = visit;
      const ready = () => {
        const link = LinkStore.bySlug(db, slug);
        return link && deps.links.quote(link);
      };
      // If programs can pay it themselves, x402 has answered already.
      if (wantsJson(request)) return ready()?.then(() => publicView(slug)) ?? publicView(slug);
      const show = () => {
        const link = LinkStore.bySlug(db, slug);
        const reusable = link ? null : ReusableStore.bySlug(db, slug);
        // Rendered for each visitor, because every form has its own token.
        if (reusable) return beginPage({ reusable, ...visit });
        if (!link) return linkNotFound(deps, visit);
        const closed = closedPage(deps, ofLink(link), visit);
        if (closed) return closed;
        const query = queryFor(visit);
        const payment = linkPaymentProps(deps, link, locale);
        const page = checkoutPage({
          ...link,
          ...frame,
          brand: config.brand,
          statusUrl: `/api/payments/status/${slug}`,
          paymentUrl: `/pay/${slug}/payment?lang=${locale.code}`,
          details: detailsOffer(link, query, locale),
          receipt: receiptOffer(deps, link, query),
          payment,
          sold: soldProps(db, link, locale),
          reusable: reusableOf(link, query),
        });
        const until = Math.min(changesAt(link, deps.now()), countedUntil(payment));
        const frameAncestors = link.embedOrigins.join(" ") || "*";
        const formAction = formActionOf(payment);
        return { page, frameAncestors, pictures: true, formAction, until, headers: x402Link(deps, slug) };
      };
      const key = `/pay/${slug} ${locale.code} ${frame.parentOrigin} ${frame.embedded} ${frame.isStill}`;
      return cached(request, key, show, ready);
    },
  };
}

/** The only form that these pages have asks Till to look for a payment. */
const formActionOf = ({ lookPath }: Pick<PaymentProps, "lookPath">) =>
  lookPath === null ? "'none'" : "'self'";

/** Time to cache a page without an amount, for people who look at the same moment. */
const unpricedMs = 1_000;

/** Returns when a link's page changes by itself, in Unix milliseconds. Times already past are ignored. */
function changesAt(link: Link, now: number): number {
  if (isPriceOver(link, now)) return now + unpricedMs;
  const ends = [link.expiresAt, priceEndsAt(link)].filter((at) => at !== null);
  return Math.min(...ends.filter((at) => at > now));
}

/** Routes of the pages that people see in a browser. */
export function pageRoutes(deps: AppDeps, payPages: PayPages) {
  const { db, dev, config } = deps;
  const longPoll = createLongPoll(deps);
  const invoicePayment = (request: Request, slug: string) => {
    const locale = localeFor(deps, request, slug);
    const invoice = InvoiceStore.bySlug(db, slug);
    if (!invoice) return notFound("invoiceNotFound", locale, config.brand);
    const closed = closedPage(deps, ofInvoice(invoice), { locale });
    if (closed) return closed;
    return withEtag(request, "text/html", paymentSection(invoicePaymentProps(deps, invoice, locale)));
  };
  const linkPayment = async (request: Request, slug: string) => {
    const locale = localeFor(deps, request, slug);
    const quotedLink = LinkStore.bySlug(db, slug);
    const isQuoting = quotedLink && deps.links.quote(quotedLink);
    if (isQuoting) await isQuoting;
    const link = isQuoting ? LinkStore.bySlug(db, slug) : quotedLink;
    if (!link) return notFound("linkNotFound", locale, config.brand);
    const closed = closedPage(deps, ofLink(link), { locale });
    if (closed) return closed;
    return withEtag(
      request,
      "text/html",
      checkoutSection({
        payment: linkPaymentProps(deps, link, locale),
        successUrl: link.successUrl,
        reusable: reusableOf(link, ""),
      }),
    );
  };
  const routes = new Elysia()
    .get("/", ({ request }) => {
      const locale = localeOf(request, config.language);
      const shown = dev && { newest: newestInvoiceProps(deps, dev), mails: dev.caughtMail().length };
      return htmlPage(homePage({ dev: shown, baseUrl: deps.baseUrl, brand: config.brand, locale }));
    })

    .get(invoicePageRoute, ({ params, request }) => payPages.invoice(request, params.slug))
    .get("/i/:slug/payment", ({ params, request }) => invoicePayment(request, params.slug))
    .get("/i/:slug/told", ({ params, request }) => longPoll(request, "invoice", params.slug))

    .get(checkoutPageRoute, ({ params, request }) => payPages.checkout(request, params.slug))
    .get("/pay/:slug/payment", ({ params, request }) => linkPayment(request, params.slug))
    .get("/pay/:slug/told", ({ params, request }) => longPoll(request, "link", params.slug))

    .get("/i/:slug/wallet.png", ({ params, request }) => {
      const invoice = InvoiceStore.bySlug(db, params.slug);
      return walletCode(invoice && invoicePaymentProps(deps, invoice, localeFor(deps, request, params.slug)));
    })
    .get("/pay/:slug/wallet.png", ({ params, request }) => {
      const link = LinkStore.bySlug(db, params.slug);
      return walletCode(link && linkPaymentProps(deps, link, localeFor(deps, request, params.slug)));
    })

    // Linked from the list of orders in a shop.
    .get("/invoices/:slug", ({ params }) => seeOther(`/desk/links/${encodeURIComponent(params.slug)}`))

    .get("/w.js", ({ request }) => withEtag(request, "text/javascript", widgetScript, scriptHeaders))
    .get("/modal/btcpay.js", ({ request }) =>
      withEtag(request, "text/javascript", modalScript, scriptHeaders),
    );
  return dev ? routes.use(devRoutes(deps, dev)) : routes;
}

/** The QR code for wallet apps, which a camera does not read. */
function walletCode(payment: PaymentProps | null): Response {
  const phase = payment && phaseOf(payment);
  if (payment === null || (phase !== "open" && phase !== "partial"))
    return problem("not_found", "There is no such code.");
  return new Response(qrPng(payment.paymentUri), { headers: { "content-type": "image/png" } });
}

function notFound(message: "invoiceNotFound" | "linkNotFound", locale: Locale, brand: Brand): Response {
  return htmlPage(messagePage({ message, locale, brand }), { status: 404 });
}

/** A shop may load the widget as a module, which browsers fetch cross-origin. */
const scriptHeaders = readableFromAnywhere;
