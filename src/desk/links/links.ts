import type { Link } from "../../domain/link/link.ts";
import { ofLink } from "../../domain/receivable/receivable.ts";
import type { HttpDeps } from "../../http/route/deps.ts";
import type { Locale, TextKey } from "../../language/locale.ts";
import * as LinkStore from "../../store/tables/invoicing/link.ts";
import * as ReusableStore from "../../store/tables/invoicing/reusable-link.ts";
import type { Gate } from "../gate.ts";
import { afterWallet } from "../money/first-wallet.tsx";
import { doneAt, pagesOfOne } from "../one.ts";
import type { Visit } from "../parts/page/visit.ts";
import { noKey, reasonForm, receivableActions } from "../receivables/actions.ts";
import { linkPrintPage, showLink, showReusable } from "./detail.tsx";
import { linkHref } from "./detail-parts.tsx";
import { linkList, titleOf } from "./list.ts";
import { newLink } from "./new.ts";
import { previewOfLink, previewOfReusable, previewOfTyped } from "./preview.ts";

/** By slug: a one-time or a reusable link. */
const one = "/desk/links/:slug";

/** Payment links at the desk: the list, a new one, and each of them. */
export function deskLinkRoutes(deps: HttpDeps, gate: Gate): void {
  const { db, baseUrl, links } = deps;
  const creation = newLink(deps);
  gate.page("/desk/links", "read", (visit) => linkList(deps, visit));
  gate.page("/desk/links/new", "issue", afterWallet(deps, creation.form));
  gate.page("/desk/links/preview", "issue", (visit) =>
    previewOfTyped(deps, creation.typedOf(visit), visit.frame.locale),
  );
  gate.action("/desk/links/new", "issue", "link.create", creation.make);

  const slugOf = ({ params }: Visit) => params["slug"] ?? "";
  const again = (visit: Visit) => ReusableStore.bySlugWithTotals(db, slugOf(visit));
  const once = (visit: Visit) => {
    const link = LinkStore.bySlug(db, slugOf(visit));
    return link && ofLink(link);
  };
  const questionOf = (link: Link | ReusableStore.LinkWithTotals, { say }: Locale) => ({
    place: "links" as const,
    back: { href: linkHref(link.slug), label: titleOf(link) },
    keep: say("linkKeep"),
  });
  const { answer } = receivableActions(deps, gate, {
    path: one,
    kind: "link",
    find: once,
    show: (visit, link, told) => showLink(deps, visit, link, told),
    mark: links.mark,
    comment: links.comment,
    askMark: (locale, link) => ({
      ...questionOf(link, locale),
      question: locale.say("linkMarkTitle"),
      text: locale.say("linkMarkText"),
      confirm: locale.say("doMark"),
    }),
    did: { mark: "didMarkLink", unmark: "didUnmarkLink" },
  });
  gate.page(one, "read", (visit) => {
    const link = once(visit);
    if (link) return showLink(deps, visit, link);
    const reusable = again(visit);
    return reusable && showReusable(deps, visit, reusable);
  });
  pagesOfOne(gate, (visit) => links.find(slugOf(visit))).confirmed(`${one}/void`, "close", "link.void", {
    form: reasonForm("linkVoidReasonHint"),
    ask({ frame: { locale } }, { kind, link }) {
      const [question, text, confirm] = voidTexts[kind];
      return {
        ...questionOf(link, locale),
        question: locale.say(question),
        text: locale.say(text),
        confirm: locale.say(confirm),
      };
    },
    async does(visit, found, { typed, again }) {
      const outcome = links.void(found, typed, noKey);
      const anew = () => again([{ field: "reason" }]);
      if (found.kind === "once") return answer(visit, ofLink(found.link), outcome, "didVoidLink", anew);
      const { slug } = found.link;
      return (await outcome).ok ? doneAt(linkHref(slug), "didEndLink", slug) : anew();
    },
  });

  gate.page(`${one}/preview`, "read", (visit) => {
    const { locale } = visit.frame;
    const link = once(visit);
    if (link) return previewOfLink(deps, link, locale);
    const reusable = again(visit);
    return reusable && previewOfReusable(deps, reusable, locale);
  });
  gate.page(`${one}/print`, "read", (visit) => {
    const link = once(visit) ?? again(visit);
    return link && linkPrintPage(visit.frame, link, baseUrl);
  });
}

/** Texts of the question before a link is closed. */
const voidTexts = {
  once: ["linkVoidTitle", "linkVoidText", "linkVoidIt"],
  again: ["linkEndTitle", "linkEndText", "linkEndIt"],
} as const satisfies Record<string, readonly TextKey[]>;
