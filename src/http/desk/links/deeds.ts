import { qrPath } from "../../../document/qr.ts";
import { checkoutUrl, type Link } from "../../../domain/link/link.ts";
import * as Usdc from "../../../domain/usdc.ts";
import type { DeedText } from "../../../pages/desk/frame.tsx";
import { linkClosingPage } from "../../../pages/desk/links/closing-page.tsx";
import { linkHref } from "../../../pages/desk/links/detail-props.ts";
import { linkPrintPage } from "../../../pages/desk/links/print-page.tsx";
import * as LinkStore from "../../../store/tables/invoicing/link.ts";
import * as ReusableStore from "../../../store/tables/invoicing/reusable-link.ts";
import * as WebhookEventStore from "../../../store/tables/outbox/webhook-event.ts";
import { parseMarkRequest, parseVoidRequest } from "../../closing/closing-request.ts";
import type { HttpDeps } from "../../deps.ts";
import { createCommenter } from "../../events/comments.ts";
import type { FormOutcome, Visit } from "../gate.ts";
import { apiRequest } from "../invoices/api-request.ts";
import { showLink, showReusable } from "./detail.ts";
import { priceText, titleOf } from "./list.ts";
import { previewOfLink, previewOfReusable } from "./preview.ts";

/** What can be done with a link: the API's use cases, answered in the desk's words. */
export function linkDeeds(deps: HttpDeps) {
  const { db, baseUrl } = deps;
  const comment = createCommenter(deps);
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

  function of(work: (visit: Visit, link: Link, form: URLSearchParams) => Promise<FormOutcome>) {
    return async (visit: Visit, form: URLSearchParams): Promise<FormOutcome | null> => {
      const link = once(visit);
      return link && work(visit, link, form);
    };
  }

  async function close(
    visit: Visit,
    link: Link,
    closing: Parameters<HttpDeps["close"]>[1],
    did: DeedText,
  ): Promise<FormOutcome> {
    const refusal = await deps.close({ kind: "link", depositIndex: link.deposit.index }, closing, null);
    if (refusal === null) return done(link.slug, did);
    const problem = visit.frame.locale.say("notDone");
    return showLink(deps, visit, once(visit) ?? link, { problem });
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
      const link = once(visit);
      const reusable = link ? null : again(visit);
      const one = link ?? reusable;
      if (!one) return null;
      const value = text(form, "reason");
      const parsed = parseVoidRequest({ reason: value });
      if (!parsed.ok) {
        const faults = [{ field: "reason", message: visit.frame.locale.say("faultVoidReason") }];
        const deed = link ? "void" : "end";
        const { slug } = one;
        const html = linkClosingPage({ frame: visit.frame, slug, name: titleOf(one), deed, value, faults });
        return html;
      }
      if (link) return close(visit, link, parsed.closing, "didVoidLink");
      await deps.voidReusableLink(one.slug, parsed.closing.reason, null);
      return done(one.slug, "didEndLink");
    },

    mark: of(async (visit, link, form) => {
      const value = text(form, "note");
      const parsed = parseMarkRequest({ as: "paid", note: value });
      if (parsed.ok) return close(visit, link, parsed.closing, "didMarkLink");
      const faults = [{ field: "note", message: visit.frame.locale.say("faultMarkNote") }];
      const { slug } = link;
      const html = linkClosingPage({
        frame: visit.frame,
        slug,
        name: titleOf(link),
        deed: "mark",
        value,
        faults,
      });
      return html;
    }),

    unmark: of((visit, link) =>
      close(visit, link, { kind: "mark", as: "unpaid", note: null }, "didUnmarkLink"),
    ),

    note: of(async (visit, link, form) => {
      const note = text(form, "note");
      const answer = await comment({
        request: apiRequest(`/api/links/${link.slug}/comments`),
        body: { text: note },
        kind: "link",
        depositIndex: link.deposit.index,
      });
      if (answer.ok) return done(link.slug, "didAddNote");
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
