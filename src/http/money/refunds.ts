import type { Static } from "@sinclair/typebox";
import * as Refund from "../../domain/payment/refund.ts";
import {
  faceOf,
  namedFields,
  ofInvoice,
  ofLink,
  type Receivable,
} from "../../domain/receivable/receivable.ts";
import { refundRecord } from "../../domain/record/refund.ts";
import * as Usdc from "../../domain/usdc.ts";
import { RefundRequest } from "../../invoicing/request/refund.ts";
import { oneOf } from "../../invoicing/request/validation.ts";
import { type Fault, why } from "../../language/faults.ts";
import { soldOf } from "../../store/reports/receipt.ts";
import { receivableAt } from "../../store/reports/receivable.ts";
import * as RefundStore from "../../store/tables/invoicing/refund.ts";
import { pdfAnswer } from "../answer/receipts.ts";
import * as Part from "../fields/answer-parts.ts";
import * as Answer from "../fields/answer-schemas.ts";
import { OwedListQuery, RefundListQuery } from "../fields/list-query.ts";
import { invoiceNamed } from "../invoices/records.ts";
import { linkNamed } from "../links/link-record.ts";
import { listPreset } from "../mcp/tool.ts";
import { problem, validationProblem } from "../problem/problem.ts";
import type { JsonAnswer } from "../route/act.ts";
import type { HttpDeps } from "../route/deps.ts";
import {
  type CallInput,
  lookUpsIn,
  pageAnswer,
  type Route,
  route,
  runUseCase,
  subjectInPath,
} from "../route/route.ts";

const state = oneOf(Refund.states, "how far it is: approved ones are sent by Till, or by the merchant");

const subject = {
  invoice_id: Part.optional(Part.id),
  invoice_number: Part.optional(Part.number),
  link_slug: Part.optional(Part.text("of the payment link")),
};

const RefundRecord = Part.record("Refund", {
  id: Part.text("the id of the refund"),
  status: { ...state, noun: "RefundState" },
  amount: Part.exactUsdc,
  currency: Part.text("always USDC"),
  ...subject,
  reference: Part.optional(Part.text("of the invoice or link")),
  url: Part.url,
  way: oneOf(Refund.ways, "from Till's wallet, by a transfer from the merchant's own, or outside of Till"),
  merchant_email: Part.text("of the merchant"),
  customer_email: Part.optional(Part.text("who is asked for the address and told of the refund")),
  reason: Part.optional(Part.text("for the customer")),
  note: Part.optional(Part.text("for the merchant alone")),
  address: Part.optional(Part.text("where it goes")),
  address_by: Part.optional(
    oneOf(["mail", "link", "person"], "who named it: the customer, by mail or a link, or the merchant"),
  ),
  sends_at: Part.optional(Part.instant),
  failure: Part.optional(oneOf(["expired", "cancelled", "replaced"], "why it did not arrive")),
  tx_hash: Part.optional(Part.text("of the transfer")),
  created_at: Part.instant,
  changed_at: Part.instant,
  ended_at: Part.optional(Part.instant),
});

const OwedRecord = Part.record("Owed", {
  id: Part.text("the id of the invoice, or the slug of the link"),
  amount: { ...Part.exactUsdc, wants: "what is to be returned, and in no refund yet" },
  ...subject,
  merchant_email: Part.text("of the merchant"),
  customer_email: Part.optional(Part.text("of the customer")),
});

const recordOf = (
  { db, baseUrl }: Pick<HttpDeps, "db" | "baseUrl">,
  refund: RefundStore.StoredRefund,
): Static<typeof RefundRecord> => refundRecord(baseUrl, receivableAt(db, refund.depositIndex), refund);

/** Facts about a refund for the person to agree to: an agent may name it by an id alone. */
const factsOf = ({ invoice_number, link_slug, amount, customer_email }: Static<typeof RefundRecord>) => ({
  "refund of": `${invoice_number ?? link_slug}`,
  "to give back": `${amount} USDC`,
  customer: customer_email ?? "nobody is told",
});

const recordAnswer =
  (status: number) =>
  (refund: RefundStore.StoredRefund, deps: HttpDeps): JsonAnswer => ({
    status,
    body: recordOf(deps, refund),
  });

const refundNamed = subjectInPath(
  "id",
  ({ refunds }, id) => refunds.find(id),
  ({ merchant }) => merchant,
  () => problem("not_found", "There is no refund with this id."),
);

/** Responds with the receipt of a refund; refuses if it has not arrived. */
export async function refundPdf(
  { db, refundPdfOf }: Pick<HttpDeps, "db" | "refundPdfOf">,
  refund: RefundStore.StoredRefund,
): Promise<Response> {
  if (refund.state !== "confirmed")
    return problem("refund_refused", `${refund.id} has not come, so there is no receipt of it yet.`);
  const sold = soldOf(db, receivableAt(db, refund.depositIndex));
  return pdfAnswer(await refundPdfOf(refund, sold), Refund.fileName(refund));
}

function owedRecord(
  { db }: HttpDeps,
  { depositIndex, amount }: RefundStore.Owing,
): Static<typeof OwedRecord> {
  const owner = receivableAt(db, depositIndex);
  const { id, customerEmail } = faceOf(owner);
  return {
    amount: Usdc.formatExact(amount),
    merchant_email: owner.merchantEmail,
    id,
    ...namedFields(owner),
    customer_email: customerEmail,
  };
}

/** Returns the invoice or link that a request names, if its key may see it; else the fault. */
function ownerIn(deps: HttpDeps, input: Pick<CallInput, "body" | "merchant">): Receivable | Fault {
  const { invoice: name, link: slug } = (input.body ?? {}) as Record<"invoice" | "link", unknown>;
  if (name !== undefined && slug !== undefined)
    return { field: "link", ...why("left_out_with", { other: "invoice" }) };
  if (name === undefined && slug === undefined)
    return { field: "invoice", ...why("required_without", { other: "link" }) };
  const invoice = typeof name === "string" ? invoiceNamed.find(deps, input)(name) : null;
  if (invoice) return ofInvoice(invoice);
  const link = typeof slug === "string" ? linkNamed.find(deps, input)(slug) : null;
  return link ? ofLink(link) : { field: slug === undefined ? "invoice" : "link", ...why("refund_unknown") };
}

/** Amounts owed to customers, and refunding them. Nothing here moves money: an owner approves at the desk. */
export const refundRoutes: readonly Route[] = [
  route({
    method: "post",
    path: "/api/refunds",
    scope: "shop",
    isConfined: true,
    summary: "Begin a refund; an owner approves it at the desk before anything is sent",
    tool: {
      name: "begin_refund",
      asks: () => "begin a refund, which an owner approves at the desk",
      async check(deps, { body, merchant }) {
        const owner = ownerIn(deps, { body, merchant });
        const tried = await deps.refunds.request(owner, body, { key: null, isTrial: true });
        return tried.ok ? { ok: true, facts: factsOf(recordOf(deps, tried.value)) } : tried;
      },
      isOpen: true,
    },
    once: true,
    body: RefundRequest,
    status: 201,
    gives: RefundRecord,
    fails: ["refund_refused"],
    does: (deps) => (input) =>
      runUseCase(
        deps,
        input,
        (by) => deps.refunds.request(ownerIn(deps, input), input.body, by),
        (refund) => recordAnswer(201)(refund, deps),
      ),
  }),
  route({
    method: "get",
    path: "/api/refunds",
    scope: "read",
    isConfined: true,
    summary: "List refunds, the newest first",
    tool: { name: "list_refunds", preset: listPreset },
    query: RefundListQuery,
    gives: Answer.listOf(RefundRecord),
    does: (deps) => (input) => {
      const { query, merchant } = input;
      const { faults, lookUp, limit } = lookUpsIn(query);
      const after = lookUp("starting_after", refundNamed.find(deps, input), "the id of a refund");
      const invoice = lookUp("invoice", invoiceNamed.find(deps, input), "the id or the number of an invoice");
      if (faults.length > 0) return validationProblem(faults);
      const filter = { limit, before: after?.number, deposit: invoice?.deposit.index, merchant };
      return pageAnswer(RefundStore.list(deps.db, { ...filter, state: query.status }), (refund) =>
        recordOf(deps, refund),
      );
    },
  }),
  route({
    method: "get",
    path: "/api/owed",
    scope: "read",
    isConfined: true,
    summary: "List what is to be returned to customers and in no refund yet, the newest first",
    tool: { name: "list_owed", preset: listPreset },
    query: OwedListQuery,
    gives: Answer.listOf(OwedRecord),
    does: (deps) => (input) => {
      const { faults, lookUp, limit } = lookUpsIn(input.query);
      const find = (name: string) =>
        invoiceNamed.find(deps, input)(name) ?? linkNamed.find(deps, input)(name);
      const after = lookUp("starting_after", find, "the id of an invoice or the slug of a link");
      if (faults.length > 0) return validationProblem(faults);
      const page = { limit, before: after?.deposit.index, merchant: input.merchant };
      const owing = RefundStore.listOwing(deps.db, page);
      return pageAnswer(owing, (each) => owedRecord(deps, each));
    },
  }),
  route({
    method: "get",
    path: "/api/refunds/:id",
    scope: "read",
    summary: "Get a refund",
    gives: RefundRecord,
    does: refundNamed.of(recordOf),
  }),
  route({
    method: "get",
    path: "/api/refunds/:id/pdf",
    scope: "read",
    summary: "Download the receipt of a refund that has come",
    gives: "application/pdf",
    fails: ["refund_refused"],
    does: refundNamed.of(refundPdf),
  }),
  route({
    method: "post",
    path: "/api/refunds/:id/cancel",
    scope: "shop",
    summary: "Cancel a refund that was not sent; what it was for is to be returned as before",
    once: true,
    gives: RefundRecord,
    fails: ["refund_refused"],
    does: refundNamed.act(({ refunds }, refund, _, by) => refunds.cancel(refund, by), recordAnswer(200)),
  }),
];
