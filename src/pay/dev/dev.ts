import { Elysia } from "elysia";
import { originOf } from "../../config/parse.ts";
import * as Invoice from "../../domain/bill/invoice.ts";
import { htmlPage, wantsHtml, withEtag } from "../../http/answer/html.ts";
import { problem } from "../../http/problem/problem.ts";
import type { DevTools, HttpDeps, MailCopy } from "../../http/route/deps.ts";
import { speak } from "../../language/locale.ts";
import * as InvoiceStore from "../../store/tables/invoicing/invoice.ts";
import { invoicePaymentProps } from "../payment/props.ts";
import { devMailPage, shownMail } from "./dev-mail-page.tsx";
import { type NewestInvoiceProps, newestInvoice } from "./newest-invoice.tsx";

/** Only in `till dev`: the start page's newest invoice and chain, and the caught mails with their attachments. */
export function devRoutes(deps: HttpDeps, dev: DevTools) {
  const [nodeUrl = ""] = deps.config.rpcUrls;
  // The rest of a URL beside the host may contain somebody's key.
  const chain = { rpc_url: originOf(nodeUrl) ?? null };
  return new Elysia()
    .get("/dev/newest-invoice", ({ request }) =>
      withEtag(request, "text/html", newestInvoice(newestInvoiceProps(deps, dev))),
    )
    .get("/dev/chain", () => chain)
    .get("/dev/mail", ({ request }) => mailsResponse(request, deps.baseUrl, dev.caughtMail()))
    .get("/dev/mail/:id/attachments/:position", ({ params }) => {
      const mail = dev.caughtMail().find(({ id }) => id === params.id);
      const attachment = mail?.attachments[Number(params.position)];
      return attachment
        ? attachmentResponse(attachment)
        : problem("not_found", "There is no such attachment.");
    });
}

/** Describes the newest invoice; null if there is none. */
export function newestInvoiceProps(deps: HttpDeps, { payCommand }: DevTools): NewestInvoiceProps | null {
  const [invoice] = InvoiceStore.list(deps.db, { limit: 1 }).rows;
  if (!invoice) return null;
  const url = Invoice.pageUrl(deps.baseUrl, invoice);
  return {
    number: invoice.number,
    customerName: invoice.vendorName,
    isDraft: invoice.status === "draft",
    invoiceUrl: url,
    pdfUrl: Invoice.pdfUrl(deps.baseUrl, invoice),
    payCommand: `${payCommand} ${url}`,
    payment: invoicePaymentProps(deps, invoice, speak("en")),
  };
}

/** Returns the mails caught in development, newest first: a page for people, JSON for scripts. */
function mailsResponse(request: Request, baseUrl: string, mails: readonly MailCopy[]): Response {
  const data = mails.map((mail) => shownMail(mail, baseUrl));
  return wantsHtml(request)
    ? htmlPage(devMailPage({ mails: data }), { inlineStyles: true })
    : Response.json({ data });
}

/**
 * Opens PDFs in the browser. Anything else is a download, whatever type it claims: HTML or SVG from a mail must not run
 * as a page of Till.
 */
function attachmentResponse({ name, mediaType, bytes }: MailCopy["attachments"][number]): Response {
  const isPdf = mediaType === "application/pdf" && Buffer.from(bytes.subarray(0, 5)).toString() === "%PDF-";
  // RFC 8187: names may contain any characters, headers only ASCII.
  const encoded = encodeURIComponent(name.toWellFormed()).replaceAll(
    /['()*]/g,
    (sign) => `%${hexOfSign(sign)}`,
  );
  const disposition = `${isPdf ? "inline" : "attachment"}; filename*=UTF-8''${encoded}`;
  return new Response(new Uint8Array(bytes), {
    headers: {
      "content-disposition": disposition,
      "content-type": isPdf ? "application/pdf" : "application/octet-stream",
      // Browsers do not show PDFs in a sandbox.
      ...(isPdf ? {} : { "content-security-policy": "sandbox; default-src 'none'" }),
    },
  });
}

function hexOfSign(sign: string): string {
  return sign.charCodeAt(0).toString(16).toUpperCase();
}
