import type { Link } from "../../domain/link/link.ts";
import type { HttpDeps } from "../../http/deps.ts";
import type { Outcome } from "../../invoicing/outcome.ts";
import type { TextKey } from "../../language/locale.ts";
import * as LinkStore from "../../store/tables/invoicing/link.ts";
import * as ReusableStore from "../../store/tables/invoicing/reusable-link.ts";
import type { Gate } from "../gate.ts";
import { redeliver } from "../invoices/hooks.tsx";
import { afterWallet } from "../money/first-wallet.tsx";
import { doneAt } from "../one.ts";
import { closingPage } from "../parts/form/confirm-page.tsx";
import { typedText } from "../parts/form/form.tsx";
import type { DeedText } from "../parts/page/desk-frame.ts";
import type { FormOutcome, Visit } from "../parts/page/visit.ts";
import { linkPrintPage, showLink, showReusable } from "./detail.tsx";
import { linkHref } from "./detail-parts.tsx";
import { linkList, titleOf } from "./list.ts";
import { newLink } from "./new.ts";
import { previewOfLink, previewOfReusable, previewOfTyped } from "./preview.ts";

/** By slug: a one-time or a reusable link. */
const one = "/desk/links/:slug";

/** Payment links at the desk: the list, a new one, and each of them. */
export function deskLinkRoutes(deps: HttpDeps, gate: Gate): void {
  const creation = newLink(deps);
  const deeds = linkDeeds(deps);
  gate.page("/desk/links", "read", (visit) => linkList(deps, visit));
  gate.page("/desk/links/new", "issue", afterWallet(deps, creation.form));
  gate.page("/desk/links/preview", "issue", (visit) =>
    previewOfTyped(deps, creation.typedOf(visit), visit.frame.locale),
  );
  gate.action("/desk/links/new", "issue", "link.create", creation.make);
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

  const done = (slug: string, did: DeedText) => doneAt(linkHref(slug), did, slug);
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
      const link = once(visit) ?? again(visit);
      return link && linkPrintPage(visit.frame, link, baseUrl);
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
      const reason = typedText(form, "reason");
      const outcome = links.void(found, { reason }, { key: null });
      const again = () => ask(visit, found.link, found.kind === "once" ? "void" : "end", reason);
      if (found.kind === "once")
        return closed(visit, { link: found.link, did: "didVoidLink", again }, outcome);
      return (await outcome).ok ? done(found.link.slug, "didEndLink") : again();
    },

    mark: of((visit, link, form) => {
      const note = typedText(form, "note");
      const again = () => ask(visit, link, "mark", note);
      const outcome = links.mark(link, { as: "paid", note }, { key: null });
      return closed(visit, { link, did: "didMarkLink", again }, outcome);
    }),

    unmark: of((visit, link) => {
      const outcome = links.mark(link, { as: "unpaid" }, { key: null });
      return closed(visit, { link, did: "didUnmarkLink", again: () => ask(visit, link, "mark") }, outcome);
    }),

    note: of(async (visit, link, form) => {
      const note = typedText(form, "note");
      const outcome = await links.comment(link, { text: note }, { key: null });
      if (outcome.ok) return done(link.slug, "didAddNote");
      const faults = [{ field: "note", message: visit.frame.locale.say("faultNote") }];
      return showLink(deps, visit, link, { note, faults });
    }),

    redeliver: of(async (_, link, form) => {
      redeliver(deps, link, form);
      return done(link.slug, "didRedeliver");
    }),
  };
}

const questions = {
  void: ["linkVoidTitle", "linkVoidText", "linkVoidIt", "faultVoidReason"],
  end: ["linkEndTitle", "linkEndText", "linkEndIt", "faultVoidReason"],
  mark: ["linkMarkTitle", "linkMarkText", "doMark", "faultMarkNote"],
} as const satisfies Record<string, readonly TextKey[]>;

/**
 * Asks once more before a link is void, has ended or counts as paid. With a script it is a dialog over the link. `value`
 * is what was typed and refused.
 */
function ask(
  { frame }: Visit,
  link: { slug: string } & Parameters<typeof titleOf>[0],
  deed: keyof typeof questions,
  value?: string,
): string {
  const { say, texts } = frame.locale;
  const href = linkHref(link.slug);
  const [title, text, go, fault] = questions[deed];
  const isMark = deed === "mark";
  const field = isMark
    ? { name: "note", label: say("markNote"), hint: say("markNoteHint"), optional: true }
    : { name: "reason", label: say("reason"), hint: say("linkVoidReasonHint") };
  return closingPage({
    frame,
    place: "links",
    back: { href, label: titleOf(link) },
    question: texts[title],
    text: texts[text],
    action: `${href}/${isMark ? "mark" : "void"}`,
    field,
    value: value ?? "",
    faults: value === undefined ? [] : [{ field: field.name, message: texts[fault] }],
    keep: say("linkKeep"),
    confirm: texts[go],
    isDanger: !isMark,
  });
}
