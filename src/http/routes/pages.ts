import { Elysia } from "elysia";
import type { Brand } from "../../domain/brand.ts";
import { checkoutMessagePage } from "../../pages/checkout-message-page.tsx";
import { checkoutPage, checkoutSection } from "../../pages/checkout-page.tsx";
import { homePage } from "../../pages/home-page.tsx";
import { invoicePage } from "../../pages/invoice-page.tsx";
import type { Reader } from "../../pages/language/reader.ts";
import { messagePage } from "../../pages/message-page.tsx";
import { paymentSection } from "../../pages/payment-section.tsx";
import { widgetScript } from "../../pages/widget.ts";
import * as InvoiceStore from "../../store/invoice.ts";
import * as LinkStore from "../../store/link.ts";
import type { HttpDeps } from "../deps.ts";
import { htmlPage, withEtag } from "../html.ts";
import { invoicePageProps } from "../invoice-page-props.ts";
import { originOf } from "../link-request.ts";
import { createPageCache } from "../page-cache.ts";
import { invoicePaymentProps, linkPaymentProps } from "../payment-props.ts";
import { queryOf, readerOfRequest } from "../reader.ts";
import { readableFromAnywhere } from "../security-headers.ts";
import { devRoutes, newestInvoiceProps } from "./dev.ts";

export const invoicePageRoute = "/i/:slug";
export const checkoutPageRoute = "/pay/:slug";

/** The pages on which people pay, which are opened most. */
export type PayPages = Record<
  "invoice" | "checkout",
  (request: Request, slug: string) => Response | Promise<Response>
>;

export function createPayPages(deps: HttpDeps): PayPages {
  const {
    db,
    config: { brand, language },
  } = deps;
  const kept = createPageCache(deps);
  return {
    invoice(request, slug) {
      const reader = readerOfRequest(request, language);
      return kept(request, `/i/${slug} ${reader.code}`, () => {
        const invoice = InvoiceStore.bySlug(db, slug);
        if (!invoice) return unknownInvoice(reader, brand);
        return { page: invoicePage(invoicePageProps(deps, invoice, reader)) };
      });
    },

    checkout(request, slug) {
      const reader = readerOfRequest(request, language);
      const query = queryOf(request.url);
      const parentOrigin = originOf(query?.get("origin") ?? "");
      const embedded = query?.get("embed") === "1";
      const frame = { slug, parentOrigin, embedded, brand };
      return kept(request, `/pay/${slug} ${reader.code} ${parentOrigin} ${embedded}`, () => {
        const link = LinkStore.bySlug(db, slug);
        if (!link) {
          // The message may be in a frame on a shop's page, where it must be seen just as well.
          const message = checkoutMessagePage({ ...frame, reader, ...unknownLinkWords(reader) });
          return htmlPage(message, { status: 404, frameAncestors: "*" });
        }
        const page = checkoutPage({
          ...frame,
          businessName: link.businessName,
          productDescription: link.productDescription,
          statusUrl: `/api/payments/status/${slug}`,
          paymentUrl: `/pay/${slug}/payment?lang=${reader.code}`,
          successUrl: link.successUrl,
          payment: linkPaymentProps(deps, link, reader),
        });
        return { page, frameAncestors: link.embedOrigins.join(" ") || "*" };
      });
    },
  };
}

/** What people see in a browser. */
export function pageRoutes(deps: HttpDeps, payPages: PayPages) {
  const {
    db,
    dev,
    config: { brand, language },
  } = deps;
  const readerOf = (request: Request) => readerOfRequest(request, language);
  const routes = new Elysia()
    .get("/", ({ request }) => {
      const reader = readerOf(request);
      const shown = dev && { newest: newestInvoiceProps(deps, dev), mails: dev.caughtMail().length };
      return htmlPage(homePage({ dev: shown, baseUrl: deps.baseUrl, brand, reader }));
    })

    .get(invoicePageRoute, ({ params, request }) => payPages.invoice(request, params.slug))
    .get("/i/:slug/payment", ({ params, request }) => {
      const reader = readerOf(request);
      const invoice = InvoiceStore.bySlug(db, params.slug);
      if (!invoice) return unknownInvoice(reader, brand);
      return withEtag(request, "text/html", paymentSection(invoicePaymentProps(deps, invoice, reader)));
    })

    .get(checkoutPageRoute, ({ params, request }) => payPages.checkout(request, params.slug))
    .get("/pay/:slug/payment", ({ params, request }) => {
      const reader = readerOf(request);
      const link = LinkStore.bySlug(db, params.slug);
      if (!link) return unknownPage(reader, brand, unknownLinkWords(reader));
      return withEtag(
        request,
        "text/html",
        checkoutSection({ payment: linkPaymentProps(deps, link, reader), successUrl: link.successUrl }),
      );
    })

    .get("/w.js", ({ request }) => withEtag(request, "text/javascript", widgetScript, scriptHeaders));
  return dev ? routes.use(devRoutes(deps, dev)) : routes;
}

type Words = { title: string; text: string };

function unknownPage(reader: Reader, brand: Brand, words: Words): Response {
  return htmlPage(messagePage({ ...words, reader, brand }), { status: 404 });
}

function unknownInvoice(reader: Reader, brand: Brand): Response {
  const words = { title: reader.say("invoiceNotFound"), text: reader.say("invoiceNotFoundText") };
  return unknownPage(reader, brand, words);
}

function unknownLinkWords(reader: Reader): Words {
  return { title: reader.say("linkNotFound"), text: reader.say("linkNotFoundText") };
}

/** A shop may load the widget as a module, which browsers fetch as cross-origin. */
const scriptHeaders = readableFromAnywhere;
