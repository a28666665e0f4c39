import * as Invoice from "../../domain/bill/invoice.ts";
import * as Closing from "../../domain/closing.ts";
import { checkoutUrl, isExpired, type Link, type Status } from "../../domain/link/link.ts";
import * as Reusable from "../../domain/link/reusable-link.ts";
import { may } from "../../domain/party/person.ts";
import * as Receipt from "../../domain/receipt/receipt.ts";
import * as Usdc from "../../domain/usdc.ts";
import type { HttpDeps } from "../../http/deps.ts";
import { timelineOf } from "../../http/events/timeline.ts";
import { buttonSnippet, iframeSnippet, widgetSnippet } from "../../pages/snippets.ts";
import * as LinkList from "../../store/reports/desk/link-list.ts";
import * as ReusableStore from "../../store/tables/invoicing/reusable-link.ts";
import type { Visit } from "../gate.ts";
import { hooksOf, paymentsOf } from "../invoices/detail.ts";
import type { StandingInvoice } from "../invoices/standing.tsx";
import type { FormFault } from "../parts/form/form.tsx";
import { linkDetailPage, reusableDetailPage } from "./detail-page.tsx";
import { type LinkCommon, linkHref } from "./detail-props.ts";
import { linkState, priceText, reusableState, rowOf, titleOf, untilLine } from "./list.ts";

type Shown = { problem?: string; note?: string; faults?: readonly FormFault[] };

const standingStatus = {
  pending: "sent",
  error: "sent",
  partial: "partial",
  confirmed: "paid",
  excess: "excess",
  void: "void",
} as const satisfies Record<Status, StandingInvoice["status"]>;

/** The page of a one-time link, with what went wrong if anything did. */
export function showLink(
  deps: HttpDeps,
  visit: Visit,
  link: Link,
  { problem, note = "", faults = [] }: Shown = {},
): string {
  const { db } = deps;
  const { frame, now, who } = visit;
  const { deposit } = link;
  const { payments, others } = paymentsOf(deps, link);
  const state = linkState(link, now, frame.locale);
  const canClose = may(who.role, "close");
  const isPossible = (closing: Closing.Closing) =>
    canClose && Closing.refusal(closing, { ...link, ...deposit }) === null;
  const parent = link.reusableSlug === null ? null : ReusableStore.bySlug(db, link.reusableSlug);
  const timeline = timelineOf(deps, { kind: "link", ...link });
  return linkDetailPage({
    ...common(deps, visit, link),
    line: frame.locale.say("linkLine", {
      price: frame.locale.figure(Usdc.format(deposit.expected)),
      kind: untilLine(frame.locale.say(parent === null ? "linkOnce" : "linkOncePart"), link.expiresAt, frame),
    }),
    state,
    isOpen: (state.name === "open" || state.name === "partial") && !isExpired(link, now),
    isLive: true,
    can: {
      issue: may(who.role, "issue") && parent === null,
      void: link.voidedAt === null && isPossible({ kind: "void", reason: "" }),
      mark: isPossible({ kind: "mark", as: "paid", note: null }),
      unmark: isPossible({ kind: "mark", as: "unpaid", note: null }),
    },
    standing: {
      status: standingStatus[link.status],
      ...Invoice.closedOf(link),
      deposit,
      total: deposit.net,
      // A link is not mailed.
      sentAt: link.createdAt,
    },
    payments,
    otherPayments: others,
    timeline: timeline
      .map(({ at, type, data }) => ({
        at: Date.parse(at),
        type: type === "created" ? "created_link" : type,
        data,
      }))
      .reverse(),
    hooks: hooksOf(deps, link),
    webhookUrl: link.webhookUrl,
    merchantEmail: link.merchantEmail,
    payerEmail: link.payerEmail,
    address: deposit.address,
    receiptHref: Receipt.refusal({ kind: "link", link }) === null ? `/api/links/${link.slug}/receipt` : null,
    parent: parent && { href: linkHref(parent.slug), title: titleOf(parent) },
    note,
    faults,
    problem: problem ?? null,
  });
}

/** Payments of a reusable link per page. */
const paymentsMax = 25;

/** A reusable link's page. `?before=` is where the previous page ended. */
export function showReusable(deps: HttpDeps, visit: Visit, link: ReusableStore.LinkWithTotals): string {
  const { db } = deps;
  const { frame, now, who, query } = visit;
  const { locale } = frame;
  const before = /^\d{1,15}$/.test(query.get("before") ?? "") ? Number(query.get("before")) : null;
  const { rows, next } = LinkList.paymentsOf(db, link.id, { before, limit: paymentsMax });
  const onTheirWay = before === null ? LinkList.paymentsOnTheirWay(db, link.id) : [];
  const state = reusableState(link, now, locale);
  const isOpen = Reusable.status(link, now) === "open";
  const href = linkHref(link.slug);
  return reusableDetailPage({
    ...common(deps, visit, link),
    line: locale.say("linkLine", {
      price: priceText(link.price, locale),
      kind: untilLine(locale.say("linkAgain"), link.expiresAt, frame),
    }),
    state,
    isOpen,
    isLive: false,
    can: {
      issue: may(who.role, "issue"),
      void: link.voidedAt === null && may(who.role, "close"),
      mark: false,
      unmark: false,
    },
    totals: {
      begun: locale.figure(String(Math.max(0, link.totals.begun - link.totals.paid))),
      paid: locale.figure(String(link.totals.paid)),
      received: locale.figure(Usdc.format(link.totals.received)),
    },
    rows: [...onTheirWay, ...rows].map((payment) => ({
      ...rowOf({ kind: "once", link: payment }, now, frame),
      title: payment.payerEmail ?? payment.slug,
      line: frame.when.moment(payment.createdAt),
    })),
    newest: before === null ? null : href,
    older: next && `${href}?before=${next.id}`,
    voidReason: link.voidReason,
  });
}

function common({ baseUrl }: HttpDeps, { frame }: Visit, link: Link | Reusable.ReusableLink) {
  const { slug, walletType, createdAt, expiresAt, reference, successUrl, embedOrigins } = link;
  const { locale, when } = frame;
  const url = checkoutUrl(baseUrl, slug);
  const payerEmail = "payerEmail" in link ? link.payerEmail : null;
  const quantity = "quantity" in link && link.quantity > 1 ? String(link.quantity) : null;
  const facts = [
    [locale.say("linkFactMade"), when.moment(createdAt)],
    [locale.say("linkFactEnds"), expiresAt === null ? null : when.moment(expiresAt)],
    [locale.say("linkReference"), reference],
    [locale.say("linkFactQuantity"), quantity],
    [locale.say("linkFactShop"), link.businessName],
    [locale.say("linkFactNotices"), link.merchantEmail],
    [locale.say("linkFactReceipt"), payerEmail],
    [locale.say("linkPaidInto"), locale.say(walletType === "managed" ? "tillsWallet" : "ownWalletTitle")],
    [locale.say("linkFactSuccess"), successUrl],
    [locale.say("linkFactOrigins"), embedOrigins.length === 0 ? null : embedOrigins.join(" ")],
  ] as const;
  return {
    frame,
    slug,
    title: titleOf(link),
    url,
    snippets: {
      checkout: widgetSnippet(baseUrl, slug),
      frame: iframeSnippet(baseUrl, slug),
      button: buttonSnippet(baseUrl, slug, locale.say("payWithUsdc")),
    },
    facts: facts.filter((fact): fact is readonly [string, string] => fact[1] !== null),
  } satisfies Partial<LinkCommon>;
}
