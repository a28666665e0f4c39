import { Elysia } from "elysia";
import receiptStyles from "../../assets/styles/receipt.css" with { type: "text" };
import type { Brand } from "../domain/brand.ts";
import * as Event from "../domain/event/event.ts";
import type { Link } from "../domain/link/link.ts";
import * as Email from "../domain/party/email.ts";
import { htmlPage, seeOther } from "../http/answer/html.ts";
import { formBody } from "../http/route/body.ts";
import type { HttpDeps } from "../http/route/deps.ts";
import { noteReceiptAddress } from "../invoicing/links/links.ts";
import type { Locale } from "../language/locale.ts";
import type { CheckoutFrame, Page } from "../pages/layout.tsx";
import { cardPage } from "../pages/message-page.tsx";
import { webHref } from "../pages/text.ts";
import * as MailStore from "../store/tables/outbox/mail.ts";
import { linkNotFound, openLink, queryFor, visitOf } from "./visit.ts";

/** A page's form writes here without a key. */
export const receiptRoute = "/pay/:slug/receipt";

/** Returns the checkout page's offer of a receipt for the payer; null if none will be mailed. */
export function receiptOffer({ config }: Pick<HttpDeps, "config">, link: Link, query: string) {
  if (!config.mailReceipts || Event.closedAt(link) !== null) return null;
  const { slug, payerEmail } = link;
  return { href: `/pay/${slug}/receipt${query}`, maskedEmail: payerEmail && Email.masked(payerEmail) };
}

/** Routes where a link's payer enters an address for the receipt. */
export function receiptRoutes(deps: HttpDeps) {
  const { db, now, config } = deps;

  /** An invalid address that was `typed` is shown to be corrected, as long as it matters. */
  function show(request: Request, slug: string, typed: string | null = null): Response {
    const link = openLink(deps, slug);
    const visit = visitOf(deps, request, slug);
    const query = queryFor(visit);
    const offer = link && receiptOffer(deps, link, query);
    if (!link || !offer) return linkNotFound(deps, visit);
    const isSent = MailStore.mayHaveGone(db, link.deposit.index, "receipt");
    const refused = isSent ? null : typed;
    const page = receiptPage({
      ...visit.frame,
      action: offer.href,
      checkout: `/pay/${slug}${query}`,
      businessName: link.businessName,
      maskedEmail: offer.maskedEmail,
      isSent,
      refused,
      brand: config.brand,
      locale: visit.locale,
    });
    return htmlPage(page, {
      status: refused === null ? 200 : 422,
      frameAncestors: link.embedOrigins.join(" ") || "*",
      formAction: "'self'",
    });
  }

  return new Elysia()
    .get(receiptRoute, ({ params: { slug }, request }) => show(request, slug))

    .post(
      receiptRoute,
      async ({ params: { slug }, request, body }) => {
        const visit = visitOf(deps, request, slug);
        if (!config.mailReceipts || !openLink(deps, slug)) return linkNotFound(deps, visit);
        const query = queryFor(visit);
        const typed = (body as URLSearchParams).get("email")?.trim() ?? "";
        const email = Email.parse(typed);
        if (!email.ok) return show(request, slug, typed);
        const became = await noteReceiptAddress(db, { slug, email: email.email, now: now() });
        if (became === "unknown") return linkNotFound(deps, visit);
        deps.onMailDue();
        return seeOther(`/pay/${slug}${became === "sent" ? "/receipt" : ""}${query}`);
      },
      formBody,
    );
}

export type ReceiptPageProps = CheckoutFrame & {
  /** The form's action, and the checkout that it came from: paths on this server. */
  action: string;
  checkout: string;
  businessName: string;
  /** The address on record, masked for strangers. */
  maskedEmail: string | null;
  /** True if the receipt has been sent there. */
  isSent: boolean;
  /** The submitted address, if it is invalid. */
  refused: string | null;
  brand: Brand;
  locale: Locale;
};

/** The form where a link's payer enters an address for the receipt. A plain form, which needs no script. */
export function receiptPage(props: ReceiptPageProps): Page {
  const { locale, brand } = props;
  const title = locale.say(props.isSent ? "receipt" : "receiptByEmail");
  return cardPage({
    title: props.refused !== null ? `${locale.say("emailInvalid")} · ${title}` : title,
    locale,
    brand,
    frame: props,
    className: " receipt",
    styles: [receiptStyles],
    children: (
      <>
        <p class="soft">
          <bdi>{props.businessName}</bdi>
        </p>
        <h1>{title}</h1>
        {props.isSent ? <Sent props={props} /> : <Form props={props} />}
        <p>
          <a href={webHref(props.checkout) ?? "#"}>{locale.say("backToPayment")}</a>
        </p>
      </>
    ),
  });
}

/** Spread, because the JSX types do not know it here. */
const focused = { autofocus: true };

type Props = { props: ReceiptPageProps };

function Sent({ props: { locale, maskedEmail } }: Props) {
  return <p>{locale.say("receiptSentTo", { email: maskedEmail ?? "" })}</p>;
}

function Form({ props: { action, locale, maskedEmail, refused } }: Props) {
  const { say } = locale;
  const isRefused = refused !== null;
  return (
    <form method="post" action={webHref(action) ?? "#"}>
      {maskedEmail !== null && <p>{say("receiptGoesTo", { email: maskedEmail })}</p>}
      <label for="email">{say("yourEmail")}</label>
      <input
        id="email"
        name="email"
        type="email"
        value={refused ?? ""}
        required
        {...focused}
        maxlength={254}
        autocomplete="email"
        dir="ltr"
        aria-describedby={isRefused ? "fault" : false}
        aria-invalid={isRefused ? "true" : false}
      />
      {isRefused && (
        <p class="fault" id="fault">
          {say("emailInvalid")}
        </p>
      )}
      <p class="soft">{say("receiptWhen")}</p>
      <button class="button" type="submit">
        {say(maskedEmail === null ? "receiptByEmail" : "changeEmail")}
      </button>
    </form>
  );
}
