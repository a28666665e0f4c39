import { receivableAt } from "../../store/reports/receivable.ts";
import * as OriginalStore from "../../store/tables/invoicing/original.ts";
import { closedAnswer } from "../access/closed-page.ts";
import { problem } from "../problem/problem.ts";
import { type Route, route, subjectInPath } from "../route/route.ts";
import { fileAnswer } from "./e-invoice.ts";

const originalNamed = subjectInPath(
  "sha256",
  ({ db }, sha256) => OriginalStore.bytesOf(db, sha256),
  ({ depositIndex }, { db }) => receivableAt(db, depositIndex).merchantEmail,
  () => problem("not_found", "There is no document with this SHA-256."),
);

/** Documents as issued. Their name is their hash: whoever knows it has had the document, or was told about it. */
export const originalRoutes: readonly Route[] = [
  route({
    method: "get",
    path: "/api/originals/:sha256",
    scope: "open",
    keyShowsMore: true,
    summary: "Download a document byte for byte as it was issued, by the SHA-256 that the timeline names",
    gives: "application/pdf",
    alsoGives: ["application/xml"],
    does: originalNamed.of(
      (deps, original, { request }) =>
        closedAnswer(request, deps, receivableAt(deps.db, original.depositIndex)) ??
        fileAnswer({ ...original, name: original.fileName }),
    ),
  }),
];
