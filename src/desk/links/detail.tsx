import { qrPath } from "../../document/qr.ts";
import { checkoutUrl, isExpired, type Link } from "../../domain/link/link.ts";
import * as Reusable from "../../domain/link/reusable-link.ts";
import { may } from "../../domain/party/person.ts";
import * as Receipt from "../../domain/receipt/receipt.ts";
import type { ofLink } from "../../domain/receivable/receivable.ts";
import * as Usdc from "../../domain/usdc.ts";
import type { HttpDeps } from "../../http/route/deps.ts";
import * as LinkList from "../../store/reports/desk/link-list.ts";
import * as ReusableStore from "../../store/tables/invoicing/reusable-link.ts";
import { closingsOf } from "../parts/closings.ts";
import { AddressFact } from "../parts/copy.tsx";
import { DeskIcon } from "../parts/icon.tsx";
import { Fact } from "../parts/menu.tsx";
import type { DeskFrame } from "../parts/page/desk-frame.ts";
import { deskDocument } from "../parts/page/document.tsx";
import { deskPage } from "../parts/page/frame.tsx";
import { Part } from "../parts/page/head.tsx";
import { Pager } from "../parts/page/list-page.tsx";
import type { Visit } from "../parts/page/visit.ts";
import { numberIn } from "../parts/place.ts";
import { QrCode } from "../parts/qr.tsx";
import { receivablePage } from "../receivables/detail.tsx";
import type { Feedback } from "../receivables/timeline.tsx";
import { Embed, InPage, LinkFacts, LinkHead, linkHref, SendIt } from "./detail-parts.tsx";
import { lineOf, linkState, priceText, reusableState, rowOf, titleOf, untilLine } from "./list.ts";
import { LinkRows } from "./list-page.tsx";

/** A link as a receivable. */
export type Owed = ReturnType<typeof ofLink>;

/** All about a link that is paid once. */
export function showLink(deps: HttpDeps, visit: Visit, link: Owed, feedback: Feedback = {}): string {
  const { frame, now, who } = visit;
  const { locale } = frame;
  const state = linkState(link, now, locale);
  const parent = link.reusableSlug === null ? null : ReusableStore.bySlug(deps.db, link.reusableSlug);
  const can = { issue: may(who.role, "issue") && parent === null, ...closingsOf(link, who) };
  const isOpen = (state.name === "open" || state.name === "partial") && !isExpired(link, now);
  const kind = untilLine(locale.say(parent === null ? "linkOnce" : "linkOncePart"), link.expiresAt, frame);
  const of = { frame, baseUrl: deps.baseUrl, link };
  return receivablePage({
    deps,
    frame,
    receivable: link,
    feedback,
    place: "links",
    title: titleOf(link),
    marked: can.unmark ? "didMarkLink" : null,
    columns: "columns columns-preview",
    head: (
      <LinkHead
        {...of}
        line={lineOf(link, kind, locale)}
        state={state}
        isOpen={isOpen}
        can={can}
        hasReceipt={Receipt.refusal(link) === null}
      />
    ),
    before: isOpen && <SendIt {...of} />,
    after: isOpen && <Embed {...of} />,
    aside: (
      <aside aria-label={locale.say("linkAbout")}>
        <InPage {...of} />
        <LinkFacts {...of}>
          {parent !== null && (
            <Fact label={locale.say("linkFactPartOf")}>
              <a class="reach" href={linkHref(parent.slug)} dir="auto">
                {titleOf(parent)}
              </a>
            </Fact>
          )}
          <AddressFact frame={frame} name={locale.say("depositAddress")} address={link.deposit.address} />
        </LinkFacts>
      </aside>
    ),
  });
}

/** All about a reusable link: its payments, each with its own page. */
export function showReusable(deps: HttpDeps, visit: Visit, link: ReusableStore.LinkWithTotals): string {
  const { frame, now, who } = visit;
  const { locale } = frame;
  const isOpen = Reusable.status(link, now) === "open";
  const kind = untilLine(locale.say("linkAgain"), link.expiresAt, frame);
  const of = { frame, baseUrl: deps.baseUrl, link };
  return deskPage({
    frame,
    place: "links",
    title: titleOf(link),
    body: (
      <>
        <LinkHead
          {...of}
          line={lineOf(link, kind, locale)}
          state={reusableState(link, now, locale)}
          isOpen={isOpen}
          can={{
            issue: may(who.role, "issue"),
            void: link.voidedAt === null && may(who.role, "close"),
            mark: false,
            unmark: false,
          }}
          hasReceipt={false}
        />
        {link.voidReason !== null && (
          <p class="notice notice-plain" dir="auto">
            {locale.say("linkVoided", { reason: link.voidReason })}
          </p>
        )}
        <div class="columns columns-preview">
          <div>
            {isOpen && <SendIt {...of} />}
            <PaymentsOf deps={deps} visit={visit} link={link} />
            {isOpen && <Embed {...of} />}
          </div>
          <aside aria-label={locale.say("linkAbout")}>
            <InPage {...of} />
            <LinkFacts {...of} />
          </aside>
        </div>
      </>
    ),
  });
}

/** Payments of a reusable link per page. */
const paymentsMax = 25;

type PaymentsOfProps = { deps: HttpDeps; visit: Visit; link: ReusableStore.LinkWithTotals };

/** The payments of a reusable link. `?before=` is the end of the previous page. */
function PaymentsOf({ deps: { db }, visit: { frame, now, query }, link }: PaymentsOfProps) {
  const { locale, when } = frame;
  const { begun, paid, received } = link.totals;
  const before = numberIn(query.get("before"));
  const { rows: links, next } = LinkList.paymentsOf(db, link.id, { before, limit: paymentsMax });
  const onTheirWay = before === null ? LinkList.paymentsOnTheirWay(db, link.id) : [];
  const rows = [...onTheirWay, ...links].map((payment) => ({
    ...rowOf({ kind: "once", link: payment }, now, frame),
    title: payment.payerEmail ?? payment.slug,
    line: when.moment(payment.createdAt),
  }));
  const href = linkHref(link.slug);
  const sum = { paid: locale.figure(String(paid)), received: locale.figure(Usdc.format(received)) };
  const isBegun = locale.figure(String(Math.max(0, begun - paid)));
  return (
    <Part
      title={locale.say("paymentsTitle")}
      beside={
        <span class="soft small" id="totals" data-live>
          {locale.say("linkPaymentsSum", sum)}
        </span>
      }
    >
      {rows.length === 0 ? (
        <p class="soft" id="links" data-live>
          {locale.say("linkNoPayments")}
        </p>
      ) : (
        <LinkRows frame={frame} rows={rows} />
      )}
      <Pager
        locale={locale}
        newest={before === null ? null : href}
        older={next && `${href}?before=${next.id}`}
      />
      <p class="soft small begun">{locale.say("linkBegun", { count: isBegun })}</p>
    </Part>
  );
}

/** A link's code on a page for printing: for a counter, a window or a table. */
export function linkPrintPage(frame: DeskFrame, link: Link | Reusable.ReusableLink, baseUrl: string): string {
  const { locale } = frame;
  const { slug, businessName: shop, productDescription: title } = link;
  const url = checkoutUrl(baseUrl, slug);
  return deskDocument({
    ...frame,
    title: locale.say("linkPrint"),
    bodyClass: "poster",
    body: (
      <main>
        <p class="poster-actions">
          <a class="button button-quiet" href={linkHref(slug)}>
            <DeskIcon name="back" turns />
            {title ?? shop}
          </a>
          <button type="button" class="button" data-print hidden="">
            <DeskIcon name="print" />
            {locale.say("linkPosterPrint")}
          </button>
        </p>
        <h1 dir="auto">{shop}</h1>
        {title !== null && (
          <p class="poster-title" dir="auto">
            {title}
          </p>
        )}
        <p class="poster-price">{priceText(link, locale)}</p>
        <QrCode code={qrPath(url)} label={locale.say("linkPosterCode")} />
        <p>{locale.say("linkPosterScan")}</p>
        <p class="address">{url}</p>
      </main>
    ),
  });
}
