import { Type } from "@sinclair/typebox";
import type { Link } from "../../domain/link/link.ts";
import { isTheirs } from "../../domain/party/api-key.ts";
import { ofLink } from "../../domain/receivable/receivable.ts";
import { closedLink, linkRecord, publicLink } from "../../domain/record/link.ts";
import { MarkRequest, VoidRequest } from "../../invoicing/request/closing.ts";
import { LinkRequest } from "../../invoicing/request/link/link-schema.ts";
import { isPageClosed } from "../../store/reports/closed-page.ts";
import * as LinkStore from "../../store/tables/invoicing/link.ts";
import * as ReusableStore from "../../store/tables/invoicing/reusable-link.ts";
import { keyOf } from "../access/api-key.ts";
import { polledJson, readableFromAnywhere } from "../answer/html.ts";
import { receiptRoutes } from "../answer/receipts.ts";
import { historyRoutes } from "../events/events.ts";
import * as Answer from "../fields/answer-schemas.ts";
import * as LinkSchemas from "../fields/link-schemas.ts";
import { addressIn, LinkListQuery, ReusableLinkListQuery } from "../fields/list-query.ts";
import * as ReusableAnswer from "../fields/reusable-link-schemas.ts";
import { asksOfWallet, listPreset, webhookFields } from "../mcp/tool.ts";
import { validationProblem } from "../problem/problem.ts";
import { x402Field } from "../relay/x402/subject.ts";
import type { HttpDeps } from "../route/deps.ts";
import { lookUpsIn, pageAnswer, type Route, route, runUseCase } from "../route/route.ts";
import {
  anyLinkNamed,
  createdLink,
  createdReusableLink,
  linkNamed,
  paymentStatusRecord,
  publicReusableLink,
  reusableLinkRecord,
  reusableNamed,
  unknownLink,
} from "./link-record.ts";

/** The call that every open checkout polls. */
export const paymentStatusRoute = "/api/payments/status/:slug";

/** Serves the polling of every open checkout, every few seconds. */
export function paymentStatusOf({
  baseUrl,
  db,
}: Pick<HttpDeps, "baseUrl" | "db">): (slug: string) => Response {
  const answer = polledJson(baseUrl, readableFromAnywhere);
  return (slug) => {
    const link = LinkStore.statusBySlug(db, slug);
    return link ? answer(paymentStatusRecord(link)) : unknownLink({ db }, slug);
  };
}

/** Returns what anybody may know about a link, by its slug; `more` are headers. */
export function publicViewOf(
  deps: Pick<HttpDeps, "config" | "db" | "baseUrl" | "now">,
  more: Record<string, string> = {},
): (slug: string) => Response {
  const { db, baseUrl, now } = deps;
  const answer = polledJson(baseUrl, { ...readableFromAnywhere, ...more });
  return (slug) => {
    const link = LinkStore.bySlug(db, slug);
    if (link) return answer(isPageClosed(deps, ofLink(link)) ? closedLink(link) : publicLink(link));
    const reusable = ReusableStore.bySlug(db, slug);
    return reusable ? answer(publicReusableLink(reusable, now())) : unknownLink({ db }, slug);
  };
}

const recordOf = (deps: HttpDeps, link: Link) => ({
  ...linkRecord(deps.baseUrl, link),
  ...x402Field(deps, link),
});

/** SPEC sections 4.6 to 4.8, and the lists of a link. */
export const linkRoutes: readonly Route[] = [
  route({
    method: "post",
    path: "/api/links",
    scope: "shop",
    isConfined: true,
    summary: "Create a payment link",
    tool: {
      name: "create_payment_link",
      about:
        "Create a payment link, for one payment or many; nobody is mailed. An idempotency_key keeps a repetition from " +
        "making a second one",
      // An agent influenced by a stranger's text must not choose where a payer is sent.
      without: [...webhookFields, "success_url", "embed_origins"],
      preset: { wallet_type: "managed" },
      asks: asksOfWallet,
      check: ({ links }, { body, merchant }) => links.check(body, merchant),
    },
    once: true,
    body: LinkRequest,
    status: 201,
    gives: Type.Union([LinkSchemas.CreatedLink, ReusableAnswer.CreatedReusableLink]),
    fails: ["wallet_unavailable", "rate_unavailable"],
    does: (deps) => (input) =>
      runUseCase(
        deps,
        input,
        (by) => deps.links.make(input.body, by),
        (made) => ({
          status: 201,
          body: {
            ...(made.kind === "once"
              ? { ...createdLink(deps.baseUrl, made.link), ...x402Field(deps, made.link) }
              : createdReusableLink(deps.baseUrl, made.link)),
            ...(made.webhookSecret ? { webhook_secret: made.webhookSecret } : {}),
          },
        }),
      ),
  }),
  route({
    method: "get",
    path: "/api/links",
    scope: "read",
    isConfined: true,
    summary: "List payment links, the newest first",
    tool: { name: "list_payment_links", preset: listPreset },
    query: LinkListQuery,
    gives: Answer.listOf(LinkSchemas.LinkAnswer),
    does: (deps) => (input) => {
      const { query, merchant } = input;
      const { faults, lookUp, limit } = lookUpsIn(query);
      const after = lookUp("starting_after", linkNamed.find(deps, input), "the slug of a link");
      const findReusable = reusableNamed.find(deps, input);
      const reusable = lookUp("reusable_slug", findReusable, "the slug of a reusable link");
      if (faults.length > 0) return validationProblem(faults);
      const page = LinkStore.list(deps.db, {
        limit,
        before: after?.id,
        status: query.status,
        slug: query.slug,
        reference: query.reference,
        reusableId: reusable?.id,
        merchant,
        address: addressIn(query),
      });
      return pageAnswer(page, (link) => recordOf(deps, link));
    },
  }),
  route({
    method: "get",
    path: "/api/links/:slug",
    scope: "open",
    keyShowsMore: true,
    isReadAnywhere: true,
    isConfined: true,
    summary: "Get the public view of a payment link; with a key, the whole record",
    tool: { name: "get_payment_link" },
    gives: Type.Union([
      LinkSchemas.PublicLink,
      ReusableAnswer.PublicReusableLink,
      LinkSchemas.LinkAnswer,
      ReusableAnswer.ReusableLinkRecord,
    ]),
    does: (deps) => {
      const { db, baseUrl, now } = deps;
      const answer = publicViewOf(deps);
      return ({ params: { slug }, request, merchant }) => {
        if (keyOf(request) === null) return answer(slug);
        const isWhole = ({ merchantEmail }: Pick<Link, "merchantEmail">) =>
          merchant === null || isTheirs(merchant, merchantEmail);
        const link = LinkStore.bySlug(db, slug);
        if (link && isWhole(link)) return recordOf(deps, link);
        const reusable = link ? null : ReusableStore.bySlugWithTotals(db, slug);
        return reusable && isWhole(reusable) ? reusableLinkRecord(baseUrl, reusable, now()) : answer(slug);
      };
    },
  }),
  ...receiptRoutes("/api/links/:slug", "a confirmed link", linkNamed, ofLink),
  route({
    method: "post",
    path: "/api/links/:slug/void",
    scope: "shop",
    summary: "Void a payment link, for good; the payer reads why",
    once: true,
    body: VoidRequest,
    gives: Type.Union([LinkSchemas.LinkAnswer, ReusableAnswer.ReusableLinkRecord]),
    fails: ["void_refused"],
    does: anyLinkNamed.act(
      ({ links }, ...link) => links.void(...link),
      (now, deps) => ({
        status: 200,
        body:
          now.kind === "once"
            ? recordOf(deps, now.link)
            : reusableLinkRecord(deps.baseUrl, now.link, deps.now()),
      }),
    ),
  }),
  route({
    method: "post",
    path: "/api/links/:slug/mark",
    scope: "shop",
    summary: "Mark a payment link as paid in another way, or take that back",
    once: true,
    body: MarkRequest,
    gives: LinkSchemas.LinkAnswer,
    fails: ["is_void", "mark_refused"],
    does: linkNamed.act(
      ({ links }, ...link) => links.mark(...link),
      (now, deps) => ({ status: 200, body: recordOf(deps, now) }),
    ),
  }),
  ...historyRoutes("/api/links/:slug", "link", "a payment link", linkNamed, ({ links }, ...link) =>
    links.comment(...link),
  ),
  route({
    method: "get",
    path: "/api/reusable-links",
    scope: "read",
    isConfined: true,
    summary: "List reusable links, the newest first, with what has become of their payments",
    query: ReusableLinkListQuery,
    gives: Answer.listOf(ReusableAnswer.ReusableLinkRecord),
    does: (deps) => (input) => {
      const { query, merchant } = input;
      const { faults, lookUp, limit } = lookUpsIn(query);
      const after = lookUp("starting_after", reusableNamed.find(deps, input), "the slug of a reusable link");
      if (faults.length > 0) return validationProblem(faults);
      const page = ReusableStore.list(deps.db, { limit, before: after?.id, slug: query.slug, merchant });
      return pageAnswer(page, (link) => reusableLinkRecord(deps.baseUrl, link, deps.now()));
    },
  }),
  route({
    method: "get",
    path: paymentStatusRoute,
    scope: "open",
    isReadAnywhere: true,
    summary: "Get the status of a payment, for polling",
    gives: LinkSchemas.PaymentStatus,
    does: (deps) => {
      const status = paymentStatusOf(deps);
      return ({ params: { slug } }) => status(slug);
    },
  }),
];
