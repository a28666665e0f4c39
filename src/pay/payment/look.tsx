import { Elysia } from "elysia";

import { faceOf, ofInvoice, ofLink, pageUrl, type Receivable } from "../../domain/receivable/receivable.ts";
import * as Usdc from "../../domain/usdc.ts";
import { htmlPage, seeOther } from "../../http/answer/html.ts";
import { formBody } from "../../http/route/body.ts";
import type { HttpDeps } from "../../http/route/deps.ts";
import type { Locale } from "../../language/locale.ts";
import { within } from "../../lib/loop.ts";
import { messagePage } from "../../pages/message-page.tsx";
import { isPageClosed } from "../../store/reports/closed-page.ts";
import * as InvoiceStore from "../../store/tables/invoicing/invoice.ts";
import * as LinkStore from "../../store/tables/invoicing/link.ts";
import type { Found } from "../../store/tables/settle/elsewhere.ts";
import * as ElsewhereStore from "../../store/tables/settle/elsewhere.ts";
import { formCard } from "../refund/form-card.tsx";
import { localeFor } from "../visit.ts";

/** Where a payer who has paid, and sees nothing of it, asks Till to look on every chain. */
export const lookRoute = "/look/:slug";
export const lookPath = (slug: string): string => `/look/${encodeURIComponent(slug)}`;

/** Nobody waits longer for nodes; what they say later is there when the page is opened again. */
const lookMsMax = 8_000;

export function lookRoutes(deps: HttpDeps) {
  const { db, config, elsewhere, lookFor } = deps;

  function find(slug: string): Receivable | null {
    const invoice = InvoiceStore.bySlug(db, slug);
    const link = invoice ? null : LinkStore.bySlug(db, slug);
    const about = invoice ? ofInvoice(invoice) : link && ofLink(link);
    return about && (isPageClosed(deps, about) ? null : about);
  }

  function show(request: Request, slug: string): Response {
    const about = find(slug);
    const locale = localeFor(deps, request, slug);
    const isOn = elsewhere()?.isOn ?? false;
    if (about === null || !isOn)
      return htmlPage(messagePage({ message: "pageNotFound", locale, brand: config.brand }), { status: 404 });
    const { received, pending, index } = about.deposit;
    const back = `${new URL(pageUrl(deps.baseUrl, about)).pathname}?lang=${locale.code}`;
    const found = ElsewhereStore.listOf(db, index);
    const isThere = found.some(({ movedAt }) => movedAt === null);
    if (!isThere && (Usdc.shows(received) || Usdc.shows(pending))) return seeOther(back);
    const [title = nothing(locale)] = found.map((each) => cameOf(locale, each));
    return formCard({
      title,
      locale,
      brand: config.brand,
      children: (
        <>
          <p class="soft">
            <bdi>{faceOf(about).seller}</bdi>
          </p>
          {found.length > 0 ? (
            <Came locale={locale} found={found} merchant={faceOf(about).seller} />
          ) : (
            <Nothing locale={locale} index={index} />
          )}
          <form method="post">
            <button class="button" type="submit">
              {locale.say("lookAgain")}
            </button>
          </form>
          <p>
            <a href={back}>{locale.say("backToPayment")}</a>
          </p>
        </>
      ),
    });
  }

  const nothing = (locale: Locale) => locale.say("lookedNothing", { network: config.network.label });

  function cameOf(locale: Locale, found: Found): string {
    const amount = locale.usdc(Usdc.formatExact(found.amount));
    const chain = elsewhere()?.chainOf(found).label ?? "";
    return locale.say("cameElsewhere", { amount, chain, network: config.network.label });
  }

  function Came({ locale, found, merchant }: { locale: Locale; found: readonly Found[]; merchant: string }) {
    return (
      <>
        {found.map((each) => (
          <h1>{cameOf(locale, each)}</h1>
        ))}
        <p>{locale.say("cameElsewhereText", { merchant })}</p>
      </>
    );
  }

  function Nothing({ locale, index }: { locale: Locale; index: number }) {
    const { chains = [], silent = 0 } = elsewhere()?.lastLook(index) ?? {};
    return (
      <>
        <h1>{nothing(locale)}</h1>
        <p>{locale.say("lookedNothingText")}</p>
        {chains.length > 0 && (
          <p class="soft">
            {locale.say("lookedAlso", { chains: locale.listed(chains.map(({ label }) => label)) })}
          </p>
        )}
        {silent > 0 && <p class="soft">{locale.say("lookedSilent")}</p>}
      </>
    );
  }

  return new Elysia()
    .get(lookRoute, ({ params: { slug }, request }) => show(request, slug))
    .post(
      lookRoute,
      async ({ params: { slug }, request }) => {
        const about = find(slug);
        if (about !== null && elsewhere()?.isOn) await within(lookFor(about.deposit), lookMsMax);
        return seeOther(`${lookPath(slug)}${new URL(request.url).search}`);
      },
      formBody,
    );
}
