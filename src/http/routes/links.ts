import type { Static } from "@sinclair/typebox";
import { Elysia } from "elysia";
import * as Address from "../../domain/address.ts";
import type * as Link from "../../domain/link.ts";
import { openSecret } from "../../service/webhook-secret.ts";
import * as LinkStore from "../../store/link.ts";
import * as TransferStore from "../../store/transfer.ts";
import * as WebhookEventStore from "../../store/webhook-event.ts";
import { paymentStatusRoute } from "../access.ts";
import { jsonBody } from "../body.ts";
import { type HttpDeps, requestRules } from "../deps.ts";
import { type Answer, existing } from "../idempotency.ts";
import { createdLink, linkRecord, paymentStatusRecord, publicLink } from "../link-record.ts";
import { parseLinkRequest } from "../link-request.ts";
import { listLimitDefault } from "../list-limit.ts";
import { LinkListQuery, queryFaults } from "../list-query.ts";
import { eventRecord, transferRecord } from "../payment-record.ts";
import { problem, validationProblem } from "../problem.ts";
import { polledJson, readableFromAnywhere } from "../security-headers.ts";

/** What every open checkout asks for every few seconds. */
export function paymentStatusOf({
  baseUrl,
  db,
}: Pick<HttpDeps, "baseUrl" | "db">): (slug: string) => Response {
  const answer = polledJson(baseUrl, readableFromAnywhere);
  return (slug) => {
    const found = LinkStore.statusBySlug(db, slug);
    return found ? answer(paymentStatusRecord(found)) : unknownLink();
  };
}

/** SPEC sections 4.6 to 4.8, and the lists of what belongs to a link. */
export function linkRoutes(deps: HttpDeps) {
  const { baseUrl, db } = deps;
  const rules = requestRules(deps);
  const publicAnswer = polledJson(baseUrl, readableFromAnywhere);
  const paymentStatus = paymentStatusOf(deps);
  const created = async (link: Link.Link): Promise<Answer> => {
    const sealed = LinkStore.sealedSecret(db, link.id);
    const secret = sealed === null ? null : openSecret(await deps.vault(), sealed, link.deposit.index);
    return {
      status: 201,
      body: { ...createdLink(baseUrl, link), ...(secret ? { webhook_secret: secret } : {}) },
    };
  };

  return new Elysia()
    .post(
      "/api/links",
      ({ body, request }) =>
        deps.once(
          request,
          body,
          async (claim) => {
            const parsed = parseLinkRequest(body, rules);
            if (!parsed.ok) return validationProblem(parsed.faults);
            return created(await deps.createLink(parsed.request, claim));
          },
          (slug) => created(existing(LinkStore.bySlug(db, slug))),
        ),
      jsonBody,
    )

    .get("/api/links", ({ query, request }) => {
      const faults = queryFaults(LinkListQuery, query, request.url);
      if (faults.length > 0) return validationProblem(faults);
      const given = query as Static<typeof LinkListQuery>;
      const after = given.starting_after === undefined ? null : LinkStore.bySlug(db, given.starting_after);
      if (given.starting_after !== undefined && !after) {
        return validationProblem([{ field: "starting_after", message: "must be the slug of a link" }]);
      }
      const { links, hasMore } = LinkStore.list(db, {
        limit: Number(given.limit ?? listLimitDefault),
        ...(after ? { before: after.id } : {}),
        ...(given.status ? { status: given.status } : {}),
        ...(given.slug ? { slug: given.slug } : {}),
        ...(given.deposit_address ? { address: Address.checksum(given.deposit_address) } : {}),
      });
      return { data: links.map((link) => linkRecord(baseUrl, link)), has_more: hasMore };
    })

    .get("/api/links/:slug", ({ params }) => {
      const link = LinkStore.bySlug(db, params.slug);
      return link ? publicAnswer(publicLink(link)) : unknownLink();
    })

    .get("/api/links/:slug/payments", ({ params }) => {
      const link = LinkStore.bySlug(db, params.slug);
      if (!link) return unknownLink();
      const transfers = TransferStore.listByDeposit(db, link.deposit.index);
      return { data: transfers.map((transfer) => transferRecord(transfer, deps.chainHead())) };
    })

    .get("/api/links/:slug/events", ({ params }) => {
      const link = LinkStore.bySlug(db, params.slug);
      if (!link) return unknownLink();
      return { data: WebhookEventStore.listByDeposit(db, link.deposit.index).map(eventRecord) };
    })

    .get(paymentStatusRoute, ({ params }) => paymentStatus(params.slug));
}

function unknownLink(): Response {
  return problem("not_found", "There is no payment link with this slug.", {
    headers: readableFromAnywhere,
  });
}
