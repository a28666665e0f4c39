import { type TObject, type TSchema, Type } from "@sinclair/typebox";
import { keyForm } from "../../invoicing/once.ts";
import { MarkRequest, VoidRequest } from "../../invoicing/request/closing.ts";
import { CommentRequest } from "../../invoicing/request/comment.ts";
import { CreditRequest } from "../../invoicing/request/credit.ts";
import { InvoiceBody } from "../../invoicing/request/invoice.ts";
import { LinkRequest } from "../../invoicing/request/link.ts";
import { QuoteRequest } from "../../invoicing/request/quote.ts";
import { CustomerDetails, MerchantDetails } from "../customers/saved-party.ts";
import * as Answer from "../fields/answer-schemas.ts";
import { CreditNoteAnswer } from "../fields/credit-note-schema.ts";
import * as CustomerAnswer from "../fields/customer-schemas.ts";
import * as EventAnswer from "../fields/event-schemas.ts";
import { Health } from "../fields/health-schema.ts";
import {
  CreditNoteListQuery,
  CustomerListQuery,
  EventListQuery,
  InvoiceListQuery,
  LinkListQuery,
  ReusableLinkListQuery,
} from "../fields/list-query.ts";
import { ReceiptAnswer } from "../fields/receipt-schemas.ts";
import * as ReusableAnswer from "../fields/reusable-link-schemas.ts";
import { X402Payment } from "../fields/x402-schemas.ts";
import { EInvoiceQuery } from "../invoices/e-invoice.ts";
import { type Examples, examplesAt, notReadyExample } from "./examples.ts";
import { plain, plainRequest } from "./openapi-schema.ts";
import { problemsOf } from "./problem-examples.ts";
import { openApiWebhooks } from "./webhook-docs.ts";
import { clientSample, paymentHeaders, requiredAnswer } from "./x402-docs.ts";

export type Method = "get" | "post" | "put";

export type Operation = {
  method: Method;
  /** With `{…}` for what varies. */
  path: string;
  summary: string;
  /** Whether a public Till asks for an API key. */
  needsKey: boolean;
  /** Whether x402 pays for it. */
  isPaid?: true;
  /** Whether it accepts an Idempotency-Key. */
  isRepeatable?: true;
  request?: TObject;
  query?: TObject;
  /** The successful answer: a schema, or a media type. */
  success: { status: 200 | 201; body: TSchema | "application/pdf" };
  /** Errors with a specific cause in this call. */
  errors: readonly number[];
};

const get = { method: "get" } as const;
const post = { method: "post" } as const;
const put = { method: "put" } as const;
const repeatablePost = { ...post, isRepeatable: true } as const;
const paidErrors = [400, 402, 404, 409, 410, 422, 503];
const ok = (body: TSchema | "application/pdf") => ({ status: 200, body }) as const;
/** The answers for a one-time link and for a reusable one. */
const either = (once: TObject, reusable: TObject) => Type.Union([once, reusable]);
const paid = { isPaid: true, needsKey: false, success: ok(X402Payment) } as const;
const created = (body: TSchema) => ({ status: 201, body }) as const;

/** Every call of the API. A test compares it with what the server answers to. */
// biome-ignore format: one line for each call reads as a table
export const operations: readonly Operation[] = [
  { ...repeatablePost, path: "/api/invoices", summary: "Create an invoice", needsKey: true, request: InvoiceBody, success: created(Answer.CreatedInvoice), errors: [400, 409, 413, 415, 500] },
  { ...get, path: "/api/invoices", summary: "List invoices, the newest first", needsKey: true, query: InvoiceListQuery, success: ok(Answer.listOf(Answer.InvoiceAnswer)), errors: [400] },
  { ...get, path: "/api/invoices/{id}", summary: "Get an invoice", needsKey: true, success: ok(Answer.InvoiceAnswer), errors: [404] },
  { ...get, path: "/api/invoices/{id}/status", summary: "Get the status of an invoice, for polling", needsKey: false, success: ok(Answer.Status), errors: [404] },
  { ...get, path: "/api/invoices/{id}/pdf", summary: "Download the PDF of an invoice", needsKey: false, success: ok("application/pdf"), errors: [404, 500] },
  { ...get, path: "/api/invoices/{id}/receipt", summary: "Download the receipt of a paid invoice; its proof with Accept: application/json", needsKey: false, success: ok("application/pdf"), errors: [404, 409, 500] },
  { ...get, path: "/api/invoices/{id}/receipt.json", summary: "Get the proof of a paid invoice's receipt", needsKey: false, success: ok(ReceiptAnswer), errors: [404, 409] },
  { ...get, path: "/api/invoices/{id}/e-invoice", summary: "Download an invoice as EN 16931 has it: CII, UBL, or a PDF with CII in it (Factur-X, ZUGFeRD)", needsKey: true, query: EInvoiceQuery, success: ok("application/pdf"), errors: [400, 404, 409, 500] },
  { ...repeatablePost, path: "/api/invoices/{id}/send", summary: "Email the invoice to the customer (each call sends it again)", needsKey: true, success: ok(Answer.Sent), errors: [400, 404, 409, 413, 415, 500] },
  { ...repeatablePost, path: "/api/invoices/{id}/remind", summary: "Email the customer a reminder of what is left to pay (each call sends one)", needsKey: true, success: ok(Answer.Sent), errors: [400, 404, 409, 413, 415, 500] },
  { ...repeatablePost, path: "/api/invoices/{id}/void", summary: "Void an invoice, for good; the customer reads why", needsKey: true, request: VoidRequest, success: ok(Answer.InvoiceAnswer), errors: [400, 404, 409, 413, 415, 500] },
  { ...repeatablePost, path: "/api/invoices/{id}/mark", summary: "Mark an invoice as paid in another way, or take that back", needsKey: true, request: MarkRequest, success: ok(Answer.InvoiceAnswer), errors: [400, 404, 409, 413, 415, 500] },
  { ...repeatablePost, path: "/api/invoices/{id}/quote", summary: "Quote an overdue invoice in a currency again: what is to be paid in USDC, at a rate of now", needsKey: true, request: QuoteRequest, success: ok(Answer.InvoiceAnswer), errors: [400, 404, 409, 413, 415, 500, 503] },
  { ...repeatablePost, path: "/api/invoices/{id}/credit-notes", summary: "Credit an invoice, in whole or in part; a credit note is final", needsKey: true, request: CreditRequest, success: created(CreditNoteAnswer), errors: [400, 404, 409, 413, 415, 500] },
  { ...get, path: "/api/invoices/{id}/credit-notes", summary: "List the credit notes of an invoice, the oldest first", needsKey: true, success: ok(Answer.allOf(CreditNoteAnswer)), errors: [404] },
  { ...get, path: "/api/invoices/{id}/payments", summary: "List the transfers to an invoice", needsKey: true, success: ok(Answer.allOf(Answer.TransferRecord)), errors: [404] },
  { ...get, path: "/api/invoices/{id}/events", summary: "List the webhook events of an invoice", needsKey: true, success: ok(Answer.allOf(Answer.EventRecord)), errors: [404] },
  { ...get, path: "/api/invoices/{id}/timeline", summary: "Get all that happened to an invoice, the oldest first", needsKey: true, success: ok(Answer.allOf(EventAnswer.TimelineEntry)), errors: [404] },
  { ...repeatablePost, path: "/api/invoices/{id}/comments", summary: "Comment on an invoice, for the merchant alone", needsKey: true, request: CommentRequest, success: created(EventAnswer.HappenedEvent), errors: [400, 404, 409, 413, 415, 500] },
  { ...get, path: "/api/customers", summary: "List who was billed, with what is open and what was paid; those first billed last first", needsKey: true, query: CustomerListQuery, success: ok(Answer.listOf(CustomerAnswer.CustomerRecord)), errors: [400] },
  { ...get, path: "/api/customers/{email}", summary: "Get what is saved of a customer", needsKey: true, success: ok(CustomerAnswer.SavedCustomer), errors: [404] },
  { ...put, path: "/api/customers/{email}", summary: "Save a customer's address and ids for the invoices that follow, in place of what was saved", needsKey: true, request: CustomerDetails, success: ok(CustomerAnswer.SavedCustomer), errors: [400, 413, 415, 500] },
  { ...get, path: "/api/merchants/{email}", summary: "Get what is saved of a merchant", needsKey: true, success: ok(CustomerAnswer.SavedMerchant), errors: [404] },
  { ...put, path: "/api/merchants/{email}", summary: "Save a merchant's address, ids and terms for the invoices that follow, in place of what was saved", needsKey: true, request: MerchantDetails, success: ok(CustomerAnswer.SavedMerchant), errors: [400, 413, 415, 500] },
  { ...get, path: "/api/credit-notes", summary: "List credit notes, the newest first", needsKey: true, query: CreditNoteListQuery, success: ok(Answer.listOf(CreditNoteAnswer)), errors: [400] },
  { ...get, path: "/api/credit-notes/{id}", summary: "Get a credit note", needsKey: true, success: ok(CreditNoteAnswer), errors: [404] },
  { ...get, path: "/api/credit-notes/{id}/pdf", summary: "Download the PDF of a credit note", needsKey: false, success: ok("application/pdf"), errors: [404, 500] },
  { ...get, path: "/api/credit-notes/{id}/e-invoice", summary: "Download a credit note as EN 16931 has it: CII, UBL, or a PDF with CII in it (Factur-X, ZUGFeRD)", needsKey: true, query: EInvoiceQuery, success: ok("application/pdf"), errors: [400, 404, 409, 500] },
  { ...repeatablePost, path: "/api/credit-notes/{id}/send", summary: "Email a credit note to the customer (each call sends it again)", needsKey: true, success: ok(Answer.Sent), errors: [400, 404, 409, 413, 415, 500] },
  { ...get, path: "/api/events", summary: "List what happened to all invoices and links, the newest first", needsKey: true, query: EventListQuery, success: ok(Answer.listOf(EventAnswer.HappenedEvent)), errors: [400] },
  { ...get, path: "/api/events/{id}", summary: "Get an event", needsKey: true, success: ok(EventAnswer.HappenedEvent), errors: [404] },
  { ...post, path: "/api/events/{id}/redeliver", summary: "Send a webhook event again", needsKey: true, success: ok(Answer.Done), errors: [400, 404, 413, 415, 500] },
  { ...repeatablePost, path: "/api/links", summary: "Create a payment link", needsKey: true, request: LinkRequest, success: created(either(Answer.CreatedLink, ReusableAnswer.CreatedReusableLink)), errors: [400, 409, 413, 415, 500] },
  { ...get, path: "/api/links", summary: "List payment links, the newest first", needsKey: true, query: LinkListQuery, success: ok(Answer.listOf(Answer.LinkAnswer)), errors: [400] },
  { ...get, path: "/api/links/{slug}", summary: "Get the public view of a payment link", needsKey: false, success: ok(either(Answer.PublicLink, ReusableAnswer.PublicReusableLink)), errors: [404] },
  { ...get, path: "/api/links/{slug}/receipt", summary: "Download the receipt of a confirmed link; its proof with Accept: application/json", needsKey: false, success: ok("application/pdf"), errors: [404, 409, 500] },
  { ...get, path: "/api/links/{slug}/receipt.json", summary: "Get the proof of a confirmed link's receipt", needsKey: false, success: ok(ReceiptAnswer), errors: [404, 409] },
  { ...repeatablePost, path: "/api/links/{slug}/void", summary: "Void a payment link, for good; the payer reads why", needsKey: true, request: VoidRequest, success: ok(either(Answer.LinkAnswer, ReusableAnswer.ReusableLinkRecord)), errors: [400, 404, 409, 413, 415, 500] },
  { ...repeatablePost, path: "/api/links/{slug}/mark", summary: "Mark a payment link as paid in another way, or take that back", needsKey: true, request: MarkRequest, success: ok(Answer.LinkAnswer), errors: [400, 404, 409, 413, 415, 500] },
  { ...get, path: "/api/links/{slug}/payments", summary: "List the transfers to a payment link", needsKey: true, success: ok(Answer.allOf(Answer.TransferRecord)), errors: [404] },
  { ...get, path: "/api/links/{slug}/events", summary: "List the webhook events of a payment link", needsKey: true, success: ok(Answer.allOf(Answer.EventRecord)), errors: [404] },
  { ...get, path: "/api/links/{slug}/timeline", summary: "Get all that happened to a payment link, the oldest first", needsKey: true, success: ok(Answer.allOf(EventAnswer.TimelineEntry)), errors: [404] },
  { ...repeatablePost, path: "/api/links/{slug}/comments", summary: "Comment on a payment link, for the merchant alone", needsKey: true, request: CommentRequest, success: created(EventAnswer.HappenedEvent), errors: [400, 404, 409, 413, 415, 500] },
  { ...get, path: "/api/reusable-links", summary: "List reusable links, the newest first, with what has become of their payments", needsKey: true, query: ReusableLinkListQuery, success: ok(Answer.listOf(ReusableAnswer.ReusableLinkRecord)), errors: [400] },
  { ...get, path: "/api/payments/status/{slug}", summary: "Get the status of a payment, for polling", needsKey: false, success: ok(Answer.PaymentStatus), errors: [404] },
  { ...get, ...paid, path: "/x402/{slug}", summary: "Pay a link or an invoice by x402; without a payment 402 with what is due", errors: paidErrors },
  { ...post, ...paid, path: "/x402/{slug}", summary: "Pay a link or an invoice by x402 with POST, whose body is not read", errors: paidErrors },
  { ...get, ...paid, path: "/x402/invoices/{id}", summary: "Pay an invoice by x402, by its id", errors: paidErrors },
  { ...post, ...paid, path: "/x402/invoices/{id}", summary: "Pay an invoice by x402, by its id, with POST", errors: paidErrors },
  { ...get, path: "/health/live", summary: "Check whether Till is running", needsKey: false, success: ok(Health), errors: [] },
  { ...get, path: "/health/ready", summary: "Check whether Till is healthy; 503 with the reasons if not", needsKey: false, success: ok(Health), errors: [503] },
];

/** The API's parts in the order of /docs, with their paths. */
export const groups = [
  { name: "Invoices", prefixes: ["/api/invoices", "/api/credit-notes", "/api/customers", "/api/merchants"] },
  { name: "Payment links", prefixes: ["/api/links", "/api/reusable-links", "/api/payments"] },
  { name: "x402", prefixes: ["/x402"] },
  { name: "Events", prefixes: ["/api/events"] },
  { name: "Health", prefixes: ["/health"] },
] as const;

/** The name of a path's part. */
export function groupOf(path: string): string | undefined {
  return groups.find(({ prefixes }) => prefixes.some((prefix) => path.startsWith(prefix)))?.name;
}

/** What a path's parameter stands for. */
export function nameMeaning({ path, needsKey }: Pick<Operation, "path" | "needsKey">): string {
  if (path.startsWith("/api/events")) return "the id of the event";
  const byNumber = `its number${needsKey ? "" : ", for which a public Till asks for a key"}`;
  if (path.startsWith("/api/credit-notes")) return `the id of the credit note, or ${byNumber}`;
  if (path.endsWith("{email}")) return "the mail address, in any spelling";
  if (path === "/x402/{slug}") return "the slug of the payment link or of the invoice";
  if (path.startsWith("/x402")) return "the id of the invoice";
  if (!path.startsWith("/api/invoices")) return "the slug of the payment link";
  return `the id of the invoice, or ${byNumber}`;
}

/** The description of the API as OpenAPI 3.1. */
export function openApiDocument(baseUrl: string, version: string): object {
  const paths: Record<string, Record<string, object>> = {};
  const examples = examplesAt(baseUrl);
  for (const operation of operations) {
    const { method, path } = operation;
    paths[path] = { ...paths[path], [method]: describe(baseUrl, operation, examples[nameOf(operation)]) };
  }
  return {
    openapi: "3.1.0",
    info: { title: "Till", version, description: "USDC invoices and payment links on Base." },
    servers: [{ url: baseUrl }],
    tags: [...groups, { name: "Webhooks" }].map(({ name }) => ({ name })),
    paths,
    webhooks: openApiWebhooks(baseUrl),
    components: {
      securitySchemes: { key: { type: "http", scheme: "bearer", description: "An API key, till_…" } },
    },
  };
}

/** `GET /api/invoices/{id}` */
export const nameOf = ({ method, path }: Pick<Operation, "method" | "path">) =>
  `${method.toUpperCase()} ${path}`;

/** The header that makes a call repeatable when no answer came. */
const idempotencyKey = {
  name: "Idempotency-Key",
  in: "header",
  schema: {
    type: "string",
    pattern: keyForm.source,
    description: "for a day the first answer is given again, and nothing is made or mailed twice",
  },
  example: "order-1042",
};

function describe(baseUrl: string, operation: Operation, examples: Examples | undefined): object {
  const { path, summary, needsKey, isPaid, isRepeatable, request, query, success } = operation;
  const { status, body } = success;
  const answer =
    typeof body === "string"
      ? { [body]: { schema: { type: "string", format: "binary" } } }
      : { "application/json": { schema: plain(body), example: examples?.answer } };
  return {
    tags: [groupOf(path)],
    summary,
    ...(needsKey ? { security: [{ key: [] }] } : {}),
    ...(isPaid ? { description: `\`\`\`js\n${clientSample}\n\`\`\`` } : {}),
    parameters: [
      ...[...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => ({
        name,
        in: "path",
        required: true,
        schema: { type: "string" },
        description: nameMeaning(operation),
        example: examples?.params[name],
      })),
      ...Object.entries(query?.properties ?? {}).map(([name, schema]) => ({
        name,
        in: "query",
        schema: plain(schema),
        example: examples?.query[name],
      })),
      ...(isRepeatable ? [idempotencyKey] : []),
      ...(isPaid ? paymentHeaders : []),
    ],
    ...(request
      ? {
          requestBody: {
            required: true,
            content: {
              "application/json": {
                schema: plainRequest(request),
                examples: named(Object.entries(examples?.requests ?? {})),
              },
            },
          },
        }
      : {}),
    responses: {
      [status]: { description: summary, content: answer },
      ...Object.fromEntries(
        failuresOf(operation).map((status) => [status, failure(baseUrl, status, operation)]),
      ),
    },
  };
}

/** The error statuses of a call, in order. */
export function failuresOf({ errors, needsKey }: Operation): number[] {
  return [...new Set([...errors, ...(needsKey ? [401] : []), 403, 429])].sort();
}

/** A call's errors with this status. */
export function problemsOfCall(
  status: number,
  { method, path, request, isPaid, isRepeatable, success }: Operation,
) {
  const call = {
    method,
    path,
    hasBody: request !== undefined,
    isPaid: isPaid === true,
    isRepeatable: isRepeatable === true,
  };
  return problemsOf(status, { ...call, isPdf: typeof success.body === "string" });
}

function failure(baseUrl: string, status: number, operation: Operation): object {
  if (status === 402) return requiredAnswer(baseUrl, plain);
  if (status === 503 && !operation.isPaid) {
    const content = { schema: plain(Health), example: notReadyExample };
    return { description: "Not ready", content: { "application/json": content } };
  }
  const problems = problemsOfCall(status, operation);
  const content = {
    schema: plain(Answer.Problem),
    examples: Object.fromEntries(
      problems.map(({ code, meaning, body }) => [code, { summary: meaning, value: body }]),
    ),
  };
  return {
    description: problems.map(({ meaning }) => meaning).join(" "),
    content: { "application/problem+json": content },
  };
}

/** Examples under names that OpenAPI allows: `Smallest request` → `smallest-request`. */
function named(examples: readonly (readonly [summary: string, value: object])[]): object {
  return Object.fromEntries(
    examples.map(([summary, value]) => [summary.toLowerCase().replaceAll(" ", "-"), { summary, value }]),
  );
}
