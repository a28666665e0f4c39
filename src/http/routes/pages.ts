import { Elysia } from "elysia";
import { checkoutMessagePage } from "../../pages/checkout-message-page.tsx";
import { checkoutPage, checkoutSection } from "../../pages/checkout-page.tsx";
import { homePage } from "../../pages/home-page.tsx";
import { invoicePage } from "../../pages/invoice-page.tsx";
import { paymentSection } from "../../pages/payment-section.tsx";
import { widgetScript } from "../../pages/widget.ts";
import * as InvoiceStore from "../../store/invoice.ts";
import * as LinkStore from "../../store/link.ts";
import type { HttpDeps } from "../deps.ts";
import { htmlMessage, htmlPage, newNonce, withEtag } from "../html.ts";
import { invoicePageProps } from "../invoice-page-props.ts";
import { originOf } from "../link-request.ts";
import { invoicePaymentProps, linkPaymentProps } from "../payment-props.ts";
import { readableFromAnywhere } from "../security-headers.ts";
import { devMailResponse } from "./dev-mail.ts";

/** What people see in a browser. */
export function pageRoutes(deps: HttpDeps) {
  const { db, caughtMail } = deps;
  const routes = new Elysia()
    .get("/", () => {
      const nonce = newNonce();
      return htmlPage(homePage({ isDev: caughtMail !== null, baseUrl: deps.baseUrl, nonce }), nonce);
    })

    .get("/i/:slug", ({ params }) => {
      const invoice = InvoiceStore.bySlug(db, params.slug);
      if (!invoice) return unknownInvoice();
      const nonce = newNonce();
      return htmlPage(invoicePage(invoicePageProps(deps, invoice, nonce)), nonce);
    })

    .get("/i/:slug/payment", ({ params, request }) => {
      const invoice = InvoiceStore.bySlug(db, params.slug);
      if (!invoice) return unknownInvoice();
      return withEtag(request, "text/html", paymentSection(invoicePaymentProps(deps, invoice)));
    })

    .get("/pay/:slug", ({ params, query }) => {
      const { slug } = params;
      const nonce = newNonce();
      const parentOrigin = originOf(query["origin"] ?? "");
      const frame = { slug, parentOrigin, embedded: query["embed"] === "1", nonce };
      const link = LinkStore.bySlug(db, slug);
      // The message may be in a frame on a shop's page, where it must be seen just as well.
      if (!link) {
        const page = checkoutMessagePage({ ...frame, ...unknownLinkWords });
        return htmlPage(page, nonce, { status: 404, frameAncestors: "*" });
      }
      const page = checkoutPage({
        ...frame,
        businessName: link.businessName,
        productDescription: link.productDescription,
        statusUrl: `/api/payments/status/${slug}`,
        paymentUrl: `/pay/${slug}/payment`,
        successUrl: link.successUrl,
        payment: linkPaymentProps(deps, link),
      });
      return htmlPage(page, nonce, { frameAncestors: link.embedOrigins.join(" ") || "*" });
    })

    .get("/pay/:slug/payment", ({ params, request }) => {
      const link = LinkStore.bySlug(db, params.slug);
      if (!link) return htmlMessage(404, unknownLinkWords.title, unknownLinkWords.text);
      return withEtag(
        request,
        "text/html",
        checkoutSection({ payment: linkPaymentProps(deps, link), successUrl: link.successUrl }),
      );
    })

    .get("/w.js", ({ request }) => withEtag(request, "text/javascript", widgetScript, scriptHeaders));
  if (caughtMail) routes.get("/dev/mail", ({ request }) => devMailResponse(request, caughtMail()));
  return routes;
}

function unknownInvoice(): Response {
  return htmlMessage(
    404,
    "Invoice not found",
    "There is no invoice at this address. Check that the link is complete, or ask the sender for a new one.",
  );
}

/** A shop may load the widget as a module, which browsers fetch as cross-origin. */
const scriptHeaders = readableFromAnywhere;

const unknownLinkWords = {
  title: "Payment link not found",
  text: "There is no payment link at this address. Check that the link is complete, or ask the shop for a new one.",
};
