import { Elysia } from "elysia";
import { homePage } from "../../pages/home-page.tsx";
import { invoicePage } from "../../pages/invoice-page.tsx";
import { paymentSection } from "../../pages/payment-section.tsx";
import * as InvoiceStore from "../../store/invoice.ts";
import type { HttpDeps } from "../deps.ts";
import { htmlMessage, htmlPage, newNonce } from "../html.ts";
import { invoicePageProps, paymentProps } from "../invoice-page-props.ts";
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
      const markup = paymentSection(paymentProps(deps, invoice));
      const etag = `"${Bun.hash(markup).toString(36)}"`;
      const headers = { etag, "cache-control": "no-cache", "content-type": "text/html; charset=utf-8" };
      if (request.headers.get("if-none-match") === etag) return new Response(null, { status: 304, headers });
      return new Response(markup, { headers });
    });
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
