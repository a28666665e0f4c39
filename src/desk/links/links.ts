import { qrPath } from "../../document/qr.ts";
import { checkoutUrl, type Link } from "../../domain/link/link.ts";
import * as Usdc from "../../domain/usdc.ts";
import type { HttpDeps } from "../../http/deps.ts";
import type { Outcome } from "../../invoicing/outcome.ts";
import * as LinkStore from "../../store/tables/invoicing/link.ts";
import * as ReusableStore from "../../store/tables/invoicing/reusable-link.ts";
import * as WebhookEventStore from "../../store/tables/outbox/webhook-event.ts";
import type { FormOutcome, Gate, Visit } from "../gate.ts";
import type { DeedText } from "../parts/frame.tsx";
import { linkClosingPage } from "./closing-page.tsx";
import { showLink, showReusable } from "./detail.ts";
import { linkHref } from "./detail-props.ts";
import { linkList, priceText, titleOf } from "./list.ts";
import { newLink } from "./new.ts";
import { previewOfLink, previewOfReusable, previewOfTyped } from "./preview.ts";
import { linkPrintPage } from "./print-page.tsx";

/** By slug: a one-time or a reusable link. */
const one = "/desk/links/:slug";

/** Payment links at the desk: the list, a new one, and each of them. */
export function deskLinkRoutes(deps: HttpDeps, gate: Gate): void {
  const creation = newLink(deps);
  const deeds = linkDeeds(deps);
  gate.page("/desk/links", "read", (visit) => linkList(deps, visit));
  gate.page("/desk/links/new", "issue", creation.form);
  gate.page("/desk/links/preview", "issue", ({ query, frame }) =>
    previewOfTyped(deps, creation.typedOf(query), frame.locale),
  );
  gate.action("/desk/links", "issue", "link.create", creation.make);
  gate.page(one, "read", deeds.show);
  gate.page(`${one}/preview`, "read", deeds.preview);
  gate.page(`${one}/print`, "read", deeds.print);
  gate.page(`${one}/void`, "close", deeds.askVoid);
  gate.page(`${one}/mark`, "close", deeds.askMark);
  gate.action(`${one}/void`, "close", "link.void", deeds.void);
  gate.action(`${one}/mark`, "close", "link.mark", deeds.mark);
  gate.action(`${one}/unmark`, "close", "link.unmark", deeds.unmark);
  gate.action(`${one}/note`, "issue", "link.note", deeds.note);
  gate.action(`${one}/redeliver`, "issue", "webhook.redeliver", deeds.redeliver);
}

/** What can be done with a link: the API's use cases, answered in the desk's words. */
function linkDeeds(deps: HttpDeps) {
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
