import type { Static } from "@sinclair/typebox";
import { Elysia } from "elysia";
import * as ReusableStore from "../../store/tables/invoicing/reusable-link.ts";
import type { HttpDeps } from "../deps.ts";
import { listLimitDefault } from "../fields/list-limit.ts";
import { queryFaults, ReusableLinkListQuery } from "../fields/list-query.ts";
import { validationProblem } from "../problem/problem.ts";
import { reusableLinkRecord } from "./link-record.ts";

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
