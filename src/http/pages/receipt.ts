import { Elysia } from "elysia";
import * as Event from "../../domain/event/event.ts";
import type { Link } from "../../domain/link/link.ts";
import * as Email from "../../domain/party/email.ts";
import { noteReceiptAddress } from "../../invoicing/payer-receipt.ts";
import { originOf } from "../../invoicing/request/link.ts";
import { receiptPage } from "../../pages/invoice/receipt-page.tsx";
import { messagePage } from "../../pages/message-page.tsx";
import * as LinkStore from "../../store/tables/invoicing/link.ts";
import * as MailStore from "../../store/tables/outbox/mail.ts";
import { receiptRoute } from "../access/access.ts";
import type { HttpDeps } from "../deps.ts";
import { formBody } from "../fields/body.ts";
import { htmlPage } from "./html.ts";
import { localeOf, queryOf } from "./locale.ts";

type Frame = { parentOrigin: string | null; embedded: boolean };

/** Who frames a checkout, by its address. */
export function frameOf(url: string): Frame {
  const query = queryOf(url);
  return { parentOrigin: originOf(query?.get("origin") ?? ""), embedded: query?.get("embed") === "1" };
}

/** The query that keeps a page in the same frame and language. */
export function frameQuery(lang: string, { parentOrigin, embedded }: Frame): string {
  const query = new URLSearchParams({
    lang,
    ...(embedded ? { embed: "1" } : {}),
    ...(parentOrigin === null ? {} : { origin: parentOrigin }),
  });
  return `?${query}`;
}

/** What the checkout page says about a receipt for the payer; null when none will be mailed. */
export function receiptOffer({ config }: Pick<HttpDeps, "config">, link: Link, query: string) {
  if (!config.mailReceipts || Event.closedAt(link) !== null) return null;
  const { slug, payerEmail } = link;
  return { href: `/pay/${slug}/receipt${query}`, maskedEmail: payerEmail && Email.masked(payerEmail) };
}

/** Where a link's payer leaves an address for the receipt: the only thing a public page writes. */
export function receiptRoutes(deps: HttpDeps) {
  const { db, now, config } = deps;
  const { brand, language } = config;

  const notFound = (request: Request, slug: string) => {
    const locale = localeOf(request, language);
    const page = messagePage({
      message: "linkNotFound",
      locale,
      brand,
      frame: { slug, ...frameOf(request.url) },
    });
    return htmlPage(page, { status: 404, frameAncestors: "*" });
  };

  return new Elysia()
    .get(receiptRoute, ({ params: { slug }, request }) => {
      const link = LinkStore.bySlug(db, slug);
      const locale = localeOf(request, language);
      const frame = frameOf(request.url);
      const query = frameQuery(locale.code, frame);
      const offer = link && receiptOffer(deps, link, query);
      if (!link || !offer) return notFound(request, slug);
      const page = receiptPage({
        ...frame,
        slug,
        action: offer.href,
        checkout: `/pay/${slug}${query}`,
        businessName: link.businessName,
        maskedEmail: offer.maskedEmail,
        isSent: MailStore.mayHaveGone(db, link.deposit.index, "receipt"),
        isRefused: queryOf(request.url)?.get("fault") === "email",
        brand,
        locale,
      });
      return htmlPage(page, { frameAncestors: link.embedOrigins.join(" ") || "*", formAction: "'self'" });
    })

    .post(
      receiptRoute,
      async ({ params: { slug }, request, body }) => {
        if (!config.mailReceipts) return notFound(request, slug);
        const query = frameQuery(localeOf(request, language).code, frameOf(request.url));
        const email = Email.parse((body as URLSearchParams).get("email")?.trim() ?? "");
        if (!email.ok) return goTo(`/pay/${encodeURIComponent(slug)}/receipt${query}&fault=email`);
        const became = await noteReceiptAddress(db, { slug, email: email.email, now: now() });
        if (became === "unknown") return notFound(request, slug);
        deps.onMailDue();
        return goTo(`/pay/${slug}${became === "sent" ? "/receipt" : ""}${query}`);
      },
      formBody,
    );
}

/** Redirects the browser after a form, so that reloading sends nothing twice. */
export function goTo(location: string): Response {
  return new Response(null, { status: 303, headers: { location } });
}
