import type { Static } from "@sinclair/typebox";
import * as Receipt from "../../domain/receipt/receipt.ts";
import * as ReceiptProof from "../../domain/receipt/receipt-proof.ts";
import { faces } from "../../domain/receivable/faces.ts";
import type { Receivable } from "../../domain/receivable/receivable.ts";
import { receiptOf } from "../../store/reports/receipt.ts";
import { receivableAt } from "../../store/reports/receivable.ts";
import { isMerchant } from "../access/access.ts";
import { closedAnswer } from "../access/closed-page.ts";
import { ReceiptAnswer } from "../fields/receipt-schemas.ts";
import { problem } from "../problem/problem.ts";
import type { HttpDeps } from "../route/deps.ts";
import { type Route, route, type subjectInPath } from "../route/route.ts";

/**
 * The receipt of an invoice or a link: its PDF, or the proof for a program that asks for JSON, and the proof by itself;
 * for the merchant it includes the inputs of the deposit address. 409 until it is paid.
 */
export const receiptRoutes = <T>(
  path: "/api/invoices/:id" | "/api/links/:slug",
  noun: string,
  { of }: ReturnType<typeof subjectInPath<T>>,
  subjectOf: (thing: T) => Receivable,
): Route[] => [
  route({
    method: "get",
    path: `${path}/receipt`,
    scope: "open",
    keyShowsMore: true,
    summary: `Download the receipt of ${noun}; its proof with Accept: application/json`,
    gives: "application/pdf",
    fails: ["not_paid"],
    does: of((deps, thing, { request }) =>
      answerIfPaid(deps, request, subjectOf(thing), async (receipt) =>
        prefersJson(request)
          ? proofAnswer(deps, request, receipt)
          : pdfAnswer(await deps.receiptPdfOf(receipt), Receipt.fileName(receipt.of)),
      ),
    ),
  }),
  route({
    method: "get",
    path: `${path}/receipt.json`,
    scope: "open",
    keyShowsMore: true,
    summary: `Get the proof of ${noun}'s receipt`,
    gives: ReceiptAnswer,
    fails: ["not_paid"],
    does: of((deps, thing, { request }) =>
      answerIfPaid(deps, request, subjectOf(thing), (receipt) => proofAnswer(deps, request, receipt)),
    ),
  }),
];

async function answerIfPaid(
  deps: HttpDeps,
  request: Request,
  { deposit }: Receivable,
  answer: (receipt: Receipt.Receipt) => Response | Promise<Response>,
): Promise<Response> {
  const { db, stateTax } = deps;
  await stateTax(deposit.index);
  // Its state may have changed meanwhile.
  const subject = receivableAt(db, deposit.index);
  const closed = closedAnswer(request, deps, subject);
  if (closed) return closed;
  const receipt = receiptOf(db, subject);
  if (receipt) return answer(receipt);
  const { noun } = faces[subject.kind];
  return problem("not_paid", unpaid[Receipt.refusal(subject) ?? "unpaid"].replace("{name}", noun));
}

const unpaid = {
  void: "This {name} is void, so there is no receipt.",
  error: "A payment of this {name} left the chain. There is a receipt once it is confirmed again.",
  partial:
    "Only a part of this {name} is paid. There is a receipt once the rest has arrived and is confirmed.",
  unpaid: "This {name} is not paid. There is a receipt once the payment has arrived and is confirmed.",
} as const satisfies Record<Receipt.ReceiptRefusal, string>;

function proofAnswer(deps: HttpDeps, request: Request, receipt: Receipt.Receipt): Response {
  const withDepositProof = isMerchant(request, deps);
  const proof = ReceiptProof.proofOf(receipt, { network: deps.config.network, withDepositProof });
  return Response.json({ receipt_proof: proof } satisfies Static<typeof ReceiptAnswer>);
}

/** Browsers accept anything, and a program without a preference gets the document. */
function prefersJson({ headers }: Request): boolean {
  return /^\s*application\/json\b/i.test(headers.get("accept") ?? "");
}

/** Returns a PDF to show in the browser. `fileName` must be safe in a header. */
export function pdfAnswer(pdf: Uint8Array, fileName: string): Response {
  const headers = {
    "content-type": "application/pdf",
    "content-disposition": `inline; filename="${fileName}"`,
  };
  return new Response(pdf, { headers });
}
