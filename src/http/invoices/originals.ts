import { receivableAt } from "../../store/reports/receivable.ts";
import * as OriginalStore from "../../store/tables/invoicing/original.ts";
import { closedAnswer } from "../access/closed-page.ts";
import { problem } from "../problem/problem.ts";
import { type Route, route } from "../route/route.ts";
import { fileAnswer } from "./e-invoice.ts";

/** Documents as issued. Their name is their hash: whoever knows it has had the document, or was told about it. */
export const originalRoutes: readonly Route[] = [
  route({
    method: "get",
    path: "/api/originals/:sha256",
    scope: "open",
    summary: "Download a document byte for byte as it was issued, by the SHA-256 that the timeline names",
    gives: "application/pdf",
    alsoGives: ["application/xml"],
    does:
      (deps) =>
      ({ params, request }) => {
        const original = OriginalStore.bytesOf(deps.db, params["sha256"] ?? "");
        if (original === null) return problem("not_found", "There is no document with this SHA-256.");
        const closed = closedAnswer(request, deps, receivableAt(deps.db, original.depositIndex));
        return closed ?? fileAnswer({ ...original, name: original.fileName });
      },
  }),
];
