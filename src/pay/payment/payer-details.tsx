import { Elysia } from "elysia";
import receiptStyles from "../../../assets/styles/receipt.css" with { type: "text" };
import type { Link } from "../../domain/link/link.ts";
import { htmlPage, seeOther } from "../../http/answer/html.ts";
import { readForm } from "../../http/route/body.ts";
import type { HttpDeps } from "../../http/route/deps.ts";
import {
  fieldsOf,
  lengthMaxOf,
  mayTell,
  noteDetails,
  type PayerField,
  readDetails,
} from "../../invoicing/links/payer-details.ts";
import type { Locale } from "../../language/locale.ts";
import { cardPage } from "../../pages/message-page.tsx";
import { webHref } from "../../pages/text.ts";
import { linkNotFound, openLink, queryFor, visitOf } from "../visit.ts";

/** Large enough for an address in Chinese characters, which take nine bytes each. */
const formBytesMax = 32 * 1024;

/** A page's form writes here without a key. */
export const payerDetailsRoute = "/pay/:slug/details";

/** The link to the form for a payer's details; null if none are asked for. */
export const detailsOffer = (link: Link, query: string, locale: Locale) =>
  mayTell(link) ? { href: `/pay/${link.slug}/details${query}`, text: detailsTitle(link, locale) } : null;

/** Label of the link to it: a receipt in the payer's name, or only details that the seller asks for. */
const detailsTitle = ({ collect }: Link, { say }: Locale): string =>
  say(collect?.fields.includes("name") || collect?.fields.includes("address") ? "inMyName" : "inMyNameAnd");

type Filled = { typed: (field: PayerField) => string; faults: readonly PayerField[] };

/** Earlier input is not shown: anybody with the link may open it. */
const empty: Filled = { typed: () => "", faults: [] };

export function payerDetailsRoutes(deps: HttpDeps) {
  const { db, config } = deps;

  function show(request: Request, slug: string, filled: Filled, status = 200): Response {
    const visit = visitOf(deps, request, slug);
    const { locale } = visit;
    const link = openLink(deps, slug);
    if (!link?.collect) return linkNotFound(deps, visit);
    const query = queryFor(visit);
    const title = detailsTitle(link, locale);
    const [wrong] = filled.faults;
    const page = cardPage({
      ...visit,
      title: wrong ? `${faultOf(wrong, locale)} · ${title}` : title,
      brand: config.brand,
      className: " receipt",
      styles: [receiptStyles],
      children: (
        <>
          <p class="soft">
            <bdi>{link.businessName}</bdi>
          </p>
          <h1>{title}</h1>
          {mayTell(link) ? (
            <Form action={`/pay/${slug}/details${query}`} link={link} filled={filled} locale={locale} />
          ) : (
            <p>{locale.say("payerFixed")}</p>
          )}
          <p>
            <a href={webHref(`/pay/${slug}${query}`) ?? "#"}>{locale.say("backToPayment")}</a>
          </p>
        </>
      ),
    });
    return htmlPage(page, {
      status,
      frameAncestors: link.embedOrigins.join(" ") || "*",
      formAction: "'self'",
    });
  }

  return new Elysia()
    .get(payerDetailsRoute, ({ params: { slug }, request }) => show(request, slug, empty))
    .post(
      payerDetailsRoute,
      async ({ params: { slug }, request, body }) => {
        const link = openLink(deps, slug);
        if (!link?.collect || !mayTell(link)) return show(request, slug, empty);
        const form = body as URLSearchParams;
        const typed = (field: PayerField) => form.get(field) ?? "";
        const read = readDetails(link.collect, typed);
        if (!read.ok) return show(request, slug, { typed, faults: read.faults }, 422);
        const query = queryFor(visitOf(deps, request, slug));
        const isKept = Object.keys(read.details).length === 0 || (await noteDetails(db, slug, read.details));
        return isKept ? seeOther(`/pay/${slug}${query}`) : show(request, slug, empty);
      },
      { parse: ({ request }) => readForm(request, formBytesMax) },
    );
}

const words = {
  name: "payerName",
  address: "payerAddress",
  tax_id: "payerTaxId",
  phone: "payerPhone",
} as const;
const kinds = { name: "name", address: "street-address", tax_id: "off", phone: "tel" } as const;

const faultOf = (field: PayerField, { say }: Locale) => say("payerFault", { max: lengthMaxOf(field) });

type FormProps = { action: string; link: Link; filled: Filled; locale: Locale };

/** A plain form, which needs no script. */
function Form({ action, link: { collect, payerDetails }, filled, locale }: FormProps) {
  const { say } = locale;
  if (collect === null) return "";
  return (
    <form method="post" action={webHref(action) ?? "#"}>
      {payerDetails !== null && <p>{say("payerSaved")}</p>}
      {fieldsOf(collect).map((field, i) => {
        const asked = field in words ? (field as keyof typeof words) : null;
        const isWrong = filled.faults.includes(field);
        const attributes = {
          id: field,
          name: field,
          maxlength: lengthMaxOf(field),
          autocomplete: asked === null ? "off" : kinds[asked],
          dir: field === "tax_id" || field === "phone" ? "ltr" : "auto",
          "aria-describedby": isWrong ? `${field}-fault` : false,
          "aria-invalid": isWrong ? "true" : false,
          ...(field === filled.faults[0] ? { autofocus: true } : {}),
        } as const;
        return (
          <>
            <label for={field} dir={asked === null ? "auto" : locale.dir}>
              {asked === null ? collect.questions[i - collect.fields.length] : say(words[asked])}
            </label>
            {field === "address" ? (
              <textarea {...attributes} rows="3">
                {filled.typed(field)}
              </textarea>
            ) : (
              <input {...attributes} type={field === "phone" ? "tel" : "text"} value={filled.typed(field)} />
            )}
            {isWrong && (
              <p class="fault" id={`${field}-fault`}>
                {faultOf(field, locale)}
              </p>
            )}
          </>
        );
      })}
      <p class="soft">{say("payerWhy")}</p>
      <button class="button" type="submit">
        {say("payerSave")}
      </button>
    </form>
  );
}
