import type { Static } from "@sinclair/typebox";
import { Elysia } from "elysia";
import type { Link } from "../../domain/link/link.ts";
import { linkRecord, publicLink } from "../../domain/record.ts";
import * as Address from "../../domain/wallet/address.ts";
import type { MadeLink } from "../../invoicing/links.ts";
import type { Db } from "../../store/database.ts";
import * as LinkStore from "../../store/tables/invoicing/link.ts";
import * as ReusableStore from "../../store/tables/invoicing/reusable-link.ts";
import * as WebhookEventStore from "../../store/tables/outbox/webhook-event.ts";
import * as TransferStore from "../../store/tables/watch/transfer.ts";
import { linkReceiptRoute, paymentStatusRoute, proofRoute } from "../access/access.ts";
import type { JsonAnswer } from "../access/idempotency.ts";
import type { HttpDeps } from "../deps.ts";
import { commented } from "../events/events.ts";
import { timelineOf } from "../events/timeline.ts";
import { jsonBody } from "../fields/body.ts";
import { listLimitDefault } from "../fields/list-limit.ts";
import { LinkListQuery, queryFaults } from "../fields/list-query.ts";
import { eventRecord, transferRecord } from "../invoices/payment-record.ts";
import { createReceipts } from "../pages/receipts.ts";
import { polledJson, readableFromAnywhere } from "../pages/security-headers.ts";
import { problem, validationProblem } from "../problem/problem.ts";
import { x402Field } from "../relay/x402/subject.ts";
import {
  createdLink,
  createdReusableLink,
  paymentStatusRecord,
  publicReusableLink,
  reusableLinkRecord,
} from "./link-record.ts";

/** The poll of every open checkout, every few seconds. */
export function paymentStatusOf({
  baseUrl,
  db,
}: Pick<HttpDeps, "baseUrl" | "db">): (slug: string) => Response {
  const answer = polledJson(baseUrl, readableFromAnywhere);
  return (slug) => {
    const link = LinkStore.statusBySlug(db, slug);
    return link ? answer(paymentStatusRecord(link)) : unknownLink(db, slug);
  };
}

/** A request whose path names a link. */
type Asked = { params: { slug: string }; request: Request; body: unknown };

/** SPEC sections 4.6 to 4.8, and the lists that belong to a link. */
export function linkRoutes(deps: HttpDeps) {
  const { baseUrl, db, links } = deps;
  const receipts = createReceipts(deps);
  const publicAnswer = polledJson(baseUrl, readableFromAnywhere);
  const paymentStatus = paymentStatusOf(deps);
  const record = (link: Link) => ({ ...linkRecord(baseUrl, link), ...x402Field(deps, link) });
  const created = (made: MadeLink): JsonAnswer => ({
    status: 201,
    body: {
      ...(made.kind === "once"
        ? { ...createdLink(baseUrl, made.link), ...x402Field(deps, made.link) }
        : createdReusableLink(baseUrl, made.link)),
      ...(made.webhookSecret ? { webhook_secret: made.webhookSecret } : {}),
    },
  });
  const recorded = (link: Link): JsonAnswer => ({ status: 200, body: record(link) });

  /** Answers about the one-time link that the path names. */
  const of =
    <A>(answer: (link: Link, asked: Asked) => A) =>
    (asked: Asked) => {
      const link = LinkStore.bySlug(db, asked.params.slug);
      return link ? answer(link, asked) : unknownLink(db, asked.params.slug);
    };

  return new Elysia()
    .post(
      "/api/links",
      ({ request, body }) => deps.act(request, (key) => links.make(body, { key }), created),
      jsonBody,
    )

    .get("/api/links", ({ query, request }) => {
      const faults = queryFaults(LinkListQuery, query, request.url);
      if (faults.length > 0) return validationProblem(faults);
      const filter = query as Static<typeof LinkListQuery>;
      const after = filter.starting_after === undefined ? null : LinkStore.bySlug(db, filter.starting_after);
      if (filter.starting_after !== undefined && !after) {
        return validationProblem([{ field: "starting_after", message: "must be the slug of a link" }]);
      }
      const reusable =
        filter.reusable_slug === undefined ? null : ReusableStore.bySlug(db, filter.reusable_slug);
      if (filter.reusable_slug !== undefined && !reusable) {
        return validationProblem([
          { field: "reusable_slug", message: "must be the slug of a reusable link" },
        ]);
      }
      const { links: listed, hasMore } = LinkStore.list(db, {
        limit: Number(filter.limit ?? listLimitDefault),
        ...(after ? { before: after.id } : {}),
        ...(filter.status ? { status: filter.status } : {}),
        ...(filter.slug ? { slug: filter.slug } : {}),
        ...(filter.reference ? { reference: filter.reference } : {}),
        ...(reusable ? { reusableId: reusable.id } : {}),
        ...(filter.deposit_address ? { address: Address.checksum(filter.deposit_address) } : {}),
      });
      return { data: listed.map(record), has_more: hasMore };
    })

    .get("/api/links/:slug", ({ params }) => {
      const link = LinkStore.bySlug(db, params.slug);
      if (link) return publicAnswer(publicLink(link));
      const reusable = ReusableStore.bySlug(db, params.slug);
      return reusable ? publicAnswer(publicReusableLink(reusable, deps.now())) : unknownLink(db, params.slug);
    })

    .get(
      linkReceiptRoute,
      of((link, { request }) => receipts.document(request, { kind: "link", link })),
    )
    .get(
      proofRoute(linkReceiptRoute),
      of((link, { request }) => receipts.proof(request, { kind: "link", link })),
    )

    .post(
      "/api/links/:slug/void",
      ({ params, request, body }) => {
        const found = links.find(params.slug);
        if (found === null) return unknownLink(db, params.slug);
        return deps.act(
          request,
          (key) => links.void(found, body, { key }),
          (now) =>
            now.kind === "once"
              ? recorded(now.link)
              : { status: 200, body: reusableLinkRecord(baseUrl, now.link, deps.now()) },
        );
      },
      jsonBody,
    )

    .post(
      "/api/links/:slug/mark",
      of((link, { request, body }) => deps.act(request, (key) => links.mark(link, body, { key }), recorded)),
      jsonBody,
    )
    .get(
      "/api/links/:slug/payments",
      of(({ deposit }) => {
        const transfers = TransferStore.listByDeposit(db, deposit.index);
        return { data: transfers.map((transfer) => transferRecord(transfer, deps.chainHead())) };
      }),
    )
    .get(
      "/api/links/:slug/events",
      of(({ deposit }) => ({ data: WebhookEventStore.listByDeposit(db, deposit.index).map(eventRecord) })),
    )
    .get(
      "/api/links/:slug/timeline",
      of((link) => ({ data: timelineOf(deps, { kind: "link", ...link }) })),
    )
    .post(
      "/api/links/:slug/comments",
      of((link, { request, body }) =>
        deps.act(request, (key) => links.comment(link, body, { key }), commented),
      ),
      jsonBody,
    )

    .get(paymentStatusRoute, ({ params }) => paymentStatus(params.slug));
}

function unknownLink(db: Db, slug: string): Response {
  const detail = ReusableStore.bySlug(db, slug)
    ? `This is a reusable link: each payment of it has a slug of its own. See GET /api/links?reusable_slug=${slug}.`
    : "There is no payment link with this slug.";
  return problem("not_found", detail, { headers: readableFromAnywhere });
}
