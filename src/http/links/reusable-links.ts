import type { Static } from "@sinclair/typebox";
import { Elysia } from "elysia";
import type { CreatedReusableLink } from "../../invoicing/reusable-link.ts";
import { openReusableSecret } from "../../store/secrets.ts";
import * as ReusableStore from "../../store/tables/invoicing/reusable-link.ts";
import { existing, type JsonAnswer } from "../access/idempotency.ts";
import { parseVoidRequest } from "../closing/closing-request.ts";
import type { HttpDeps } from "../deps.ts";
import { listLimitDefault } from "../fields/list-limit.ts";
import { queryFaults, ReusableLinkListQuery } from "../fields/list-query.ts";
import { validationProblem } from "../problem/problem.ts";
import { createdReusableLink, reusableLinkRecord } from "./link-record.ts";

/** The answer to the creation of a reusable link. */
export function reusableCreated(
  baseUrl: string,
  { reusable, webhookSecret }: CreatedReusableLink,
): JsonAnswer {
  const secret = webhookSecret ? { webhook_secret: webhookSecret } : {};
  return { status: 201, body: { ...createdReusableLink(baseUrl, reusable), ...secret } };
}

/** The same answer again, rebuilt from what is stored. */
export async function rebuiltReusable(
  { baseUrl, db, vault }: Pick<HttpDeps, "baseUrl" | "db" | "vault">,
  slug: string,
): Promise<JsonAnswer> {
  const reusable = existing(ReusableStore.bySlug(db, slug));
  const sealed = ReusableStore.sealedSecret(db, reusable.id);
  const webhookSecret = sealed && openReusableSecret(await vault(), sealed, slug);
  return reusableCreated(baseUrl, { reusable, webhookSecret });
}

/** Closes a reusable link; answers its record afterwards. */
export function voidReusable(
  deps: Pick<HttpDeps, "baseUrl" | "db" | "now" | "idempotent" | "voidReusableLink">,
) {
  const { baseUrl, db, now } = deps;
  const answer = (slug: string): JsonAnswer => ({
    status: 200,
    body: reusableLinkRecord(baseUrl, existing(ReusableStore.bySlugWithTotals(db, slug)), now()),
  });
  return deps.idempotent<{ request: Request; body: unknown; slug: string }>(async ({ body, slug }, claim) => {
    const parsed = parseVoidRequest(body);
    if (!parsed.ok) return validationProblem(parsed.faults);
    await deps.voidReusableLink(slug, parsed.closing.reason, claim);
    return answer(slug);
  }, answer);
}

/** Lists reusable links with the totals of their payments. */
export function reusableLinkRoutes({ baseUrl, db, now }: HttpDeps) {
  return new Elysia().get("/api/reusable-links", ({ query, request }) => {
    const faults = queryFaults(ReusableLinkListQuery, query, request.url);
    if (faults.length > 0) return validationProblem(faults);
    const filter = query as Static<typeof ReusableLinkListQuery>;
    const after =
      filter.starting_after === undefined ? null : ReusableStore.bySlug(db, filter.starting_after);
    if (filter.starting_after !== undefined && !after) {
      return validationProblem([{ field: "starting_after", message: "must be the slug of a reusable link" }]);
    }
    const { links, hasMore } = ReusableStore.list(db, {
      limit: Number(filter.limit ?? listLimitDefault),
      ...(after ? { before: after.id } : {}),
      ...(filter.slug ? { slug: filter.slug } : {}),
    });
    return { data: links.map((link) => reusableLinkRecord(baseUrl, link, now())), has_more: hasMore };
  });
}
