import { qrPath } from "../../../document/qr.ts";
import { checkoutUrl, type Link } from "../../../domain/link/link.ts";
import * as Usdc from "../../../domain/usdc.ts";
import type { Outcome } from "../../../invoicing/outcome.ts";
import type { DeedText } from "../../../pages/desk/frame.tsx";
import { linkClosingPage } from "../../../pages/desk/links/closing-page.tsx";
import { linkHref } from "../../../pages/desk/links/detail-props.ts";
import { linkPrintPage } from "../../../pages/desk/links/print-page.tsx";
import * as LinkStore from "../../../store/tables/invoicing/link.ts";
import * as ReusableStore from "../../../store/tables/invoicing/reusable-link.ts";
import * as WebhookEventStore from "../../../store/tables/outbox/webhook-event.ts";
import type { HttpDeps } from "../../deps.ts";
import type { FormOutcome, Visit } from "../gate.ts";
import { showLink, showReusable } from "./detail.ts";
import { priceText, titleOf } from "./list.ts";
import { previewOfLink, previewOfReusable } from "./preview.ts";

/** What can be done with a link: the API's use cases, answered in the desk's words. */
export function linkDeeds(deps: HttpDeps) {
  const { db, baseUrl, links } = deps;
  const slugOf = ({ params }: Visit) => params["slug"] ?? "";
  const once = (visit: Visit) => LinkStore.bySlug(db, slugOf(visit));
  const again = (visit: Visit) => ReusableStore.bySlugWithTotals(db, slugOf(visit));

  const done = (slug: string, did: DeedText): FormOutcome => ({
    kind: "done",
    to: linkHref(slug),
    did,
    subject: slug,
  });
  const text = (form: URLSearchParams, name: string) =>
    (form.get(name) ?? "").replaceAll("\r\n", "\n").trim();

  const ask = (
    visit: Visit,
    link: { slug: string } & Parameters<typeof titleOf>[0],
    deed: "void" | "end" | "mark",
  ) => linkClosingPage({ frame: visit.frame, slug: link.slug, name: titleOf(link), deed });

  const faultTexts = { void: "faultVoidReason", end: "faultVoidReason", mark: "faultMarkNote" } as const;

  /** The same with what is wrong with what was typed. */
  const askAgain = (
    { frame }: Visit,
    link: { slug: string } & Parameters<typeof titleOf>[0],
    deed: keyof typeof faultTexts,
    value: string,
  ) => {
    const faults = [
      { field: deed === "mark" ? "note" : "reason", message: frame.locale.say(faultTexts[deed]) },
    ];
    return linkClosingPage({ frame, slug: link.slug, name: titleOf(link), deed, value, faults });
  };

  function of(work: (visit: Visit, link: Link, form: URLSearchParams) => Promise<FormOutcome>) {
    return async (visit: Visit, form: URLSearchParams): Promise<FormOutcome | null> => {
      const link = once(visit);
      return link && work(visit, link, form);
    };
  }

  /** What became of a one-time link; its page says so when that was not done. */
  async function closed(
    visit: Visit,
    { link, did, again }: { link: Link; did: DeedText; again: () => string },
    outcome: Promise<Outcome<unknown>>,
  ): Promise<FormOutcome> {
    const result = await outcome;
    if (result.ok) return done(link.slug, did);
    if (result.refusal.kind === "invalid") return again();
    return showLink(deps, visit, once(visit) ?? link, { problem: visit.frame.locale.say("notDone") });
  }

  return {
    show(visit: Visit): string | null {
      const link = once(visit);
      if (link) return showLink(deps, visit, link);
      const reusable = again(visit);
      return reusable && showReusable(deps, visit, reusable);
    },

    preview(visit: Visit): Response | null {
      const { locale } = visit.frame;
      const link = once(visit);
      if (link) return previewOfLink(deps, link, locale);
      const reusable = again(visit);
      return reusable && previewOfReusable(deps, reusable, locale);
    },

    print(visit: Visit): string | null {
      const { frame } = visit;
      const link = once(visit);
      const reusable = link ? null : again(visit);
      const one = link ?? reusable;
      if (!one) return null;
      const price = link
        ? frame.locale.usdc(Usdc.format(link.deposit.expected))
        : `${reusable ? priceText(reusable.price, frame.locale) : ""} USDC`;
      const url = checkoutUrl(baseUrl, one.slug);
      const { slug, businessName: shop, productDescription: title } = one;
      return linkPrintPage({ frame, slug, shop, title, price, url, code: qrPath(url) });
    },

    askVoid(visit: Visit): string | null {
      const link = once(visit);
      if (link) return ask(visit, link, "void");
      const reusable = again(visit);
      return reusable && ask(visit, reusable, "end");
    },

    askMark(visit: Visit): string | null {
      const link = once(visit);
      return link && ask(visit, link, "mark");
    },

    async void(visit: Visit, form: URLSearchParams): Promise<FormOutcome | null> {
      const found = links.find(slugOf(visit));
      if (!found) return null;
      const reason = text(form, "reason");
      const outcome = links.void(found, { reason }, { key: null });
      const again = () => askAgain(visit, found.link, found.kind === "once" ? "void" : "end", reason);
      if (found.kind === "once")
        return closed(visit, { link: found.link, did: "didVoidLink", again }, outcome);
      return (await outcome).ok ? done(found.link.slug, "didEndLink") : again();
    },

    mark: of((visit, link, form) => {
      const note = text(form, "note");
      const again = () => askAgain(visit, link, "mark", note);
      const outcome = links.mark(link, { as: "paid", note }, { key: null });
      return closed(visit, { link, did: "didMarkLink", again }, outcome);
    }),

    unmark: of((visit, link) => {
      const outcome = links.mark(link, { as: "unpaid" }, { key: null });
      return closed(visit, { link, did: "didUnmarkLink", again: () => ask(visit, link, "mark") }, outcome);
    }),

    note: of(async (visit, link, form) => {
      const note = text(form, "note");
      const outcome = await links.comment(link, { text: note }, { key: null });
      if (outcome.ok) return done(link.slug, "didAddNote");
      const faults = [{ field: "note", message: visit.frame.locale.say("faultNote") }];
      return showLink(deps, visit, link, { note, faults });
    }),

    /** Only if it belongs to this link. */
    redeliver: of(async (_, link, form) => {
      const id = form.get("event") ?? "";
      const own = WebhookEventStore.listByDeposit(db, link.deposit.index);
      if (own.some((event) => event.id === id) && WebhookEventStore.redeliver(db, id, deps.now()))
        deps.onEventDue();
      return done(link.slug, "didRedeliver");
    }),
  };
}
