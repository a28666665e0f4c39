import { Elysia } from "elysia";
import { faceOf } from "../../domain/receivable/receivable.ts";
import * as Usdc from "../../domain/usdc.ts";
import { htmlPage, localeOf, seeOther } from "../../http/answer/html.ts";
import { formBody } from "../../http/route/body.ts";
import type { HttpDeps } from "../../http/route/deps.ts";
import { messagePage } from "../../pages/message-page.tsx";
import { stored } from "../../store/group-commit.ts";
import { isPageClosed } from "../../store/reports/closed-page.ts";
import { receivableAt } from "../../store/reports/receivable.ts";
import * as RefundStore from "../../store/tables/invoicing/refund.ts";
import { formCard } from "./form-card.tsx";

/** Where a payer asks for an overpayment. Anybody who knows the payer's page may: the desk shows it, no money moves. */
export const refundAskRoute = "/refund/ask/:slug";

/** Returns null unless something is owed that no refund is under way for. */
export const refundAskHref = (slug: string, toRefund: Usdc.Usdc): string | null =>
  toRefund < Usdc.microPerCent ? null : `/refund/ask/${slug}`;

export function refundAskRoutes(deps: HttpDeps) {
  const { db, config, now } = deps;

  /** What is owed of something whose page is open. */
  function find(slug: string) {
    const owing = RefundStore.owingOf(db, slug);
    const owner = owing && receivableAt(db, owing.depositIndex);
    return owing && owner && !isPageClosed(deps, owner) ? { owing, owner } : null;
  }

  function show(request: Request, slug: string): Response {
    const found = find(slug);
    const locale = localeOf(request, config.language, () => found?.owner.language ?? null);
    const { say } = locale;
    if (found === null)
      return htmlPage(messagePage({ message: "pageNotFound", locale, brand: config.brand }), { status: 404 });
    const { owing, owner } = found;
    const merchant = faceOf(owner).seller;
    const title = say(owing.askedAt === null ? "refundAsk" : "refundIsAsked");
    return formCard({
      title,
      locale,
      brand: config.brand,
      children: (
        <>
          <p class="soft">
            <bdi>{merchant}</bdi>
          </p>
          <p class="refund-amount">{locale.usdc(Usdc.formatExact(owing.amount))}</p>
          <h1>{title}</h1>
          <p>{say("refundAskText", { merchant })}</p>
          {owing.askedAt === null && (
            <form method="post">
              <button class="button" type="submit">
                {title}
              </button>
            </form>
          )}
        </>
      ),
    });
  }

  return new Elysia()
    .get(refundAskRoute, ({ params: { slug }, request }) => show(request, slug))
    .post(
      refundAskRoute,
      async ({ params: { slug } }) => {
        const found = find(slug);
        if (found !== null) await stored(db, () => RefundStore.setAsked(db, found.owing.depositIndex, now()));
        return seeOther(`/refund/ask/${encodeURIComponent(slug)}`);
      },
      formBody,
    );
}
