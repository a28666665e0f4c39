import type { Static } from "@sinclair/typebox";
import * as Currency from "../../domain/bill/currency.ts";
import type * as Invoice from "../../domain/bill/invoice.ts";
import { checkoutUrl, type Link } from "../../domain/link/link.ts";
import type { Deposit } from "../../domain/payment/deposit.ts";
import * as Receipt from "../../domain/receipt/receipt.ts";
import * as ReceiptProof from "../../domain/receipt/receipt-proof.ts";
import { invoiceRecord, linkRecord, publicLink } from "../../domain/record.ts";
import * as Usdc from "../../domain/usdc.ts";
import { networks } from "../../domain/wallet/network.ts";
import { customerRecord } from "../customers/customers.ts";
import { savedRecord } from "../customers/saved-party.ts";
import type { X402Payment } from "../fields/x402-schemas.ts";
import { createdRecord } from "../invoices/invoice-record.ts";
import { eventRecord, transferRecord } from "../invoices/payment-record.ts";
import { createdLink, paymentStatusRecord, reusableLinkRecord } from "../links/link-record.ts";
import { x402Url } from "../relay/x402/subject.ts";
import { creditNoteAnswer, creditRequests } from "./credit-note-example.ts";
import { eventExamplesOf } from "./event-examples.ts";
import { closingRequests, marked, quoteRequests, requests, voided, voidedAt } from "./example-requests.ts";
import {
  block,
  createdAt,
  customer,
  customerWallet,
  events,
  exemplary,
  invoice,
  link,
  paidAt,
  reusable,
  savedCustomer,
  savedMerchant,
  secret,
  total,
  txHash,
} from "./exemplary.ts";

/**
 * The sample invoice and link of /docs and /openapi.json. The code of real answers makes theirs, so they cannot differ.
 */

/** For an invoice or link that nobody has paid. */
const unpaid = (deposit: Deposit): Deposit => ({ ...deposit, received: Usdc.zero });

export type Examples = {
  /** The value of each path parameter. */
  params: Record<string, string>;
  query: Record<string, string>;
  /** Bodies by title; empty when the call takes none. */
  requests: Record<string, object>;
  /** Null when the answer is not JSON. */
  answer: object | null;
};

/** Every call's examples, keyed by `GET /path`, for a Till at `baseUrl`. */
export function examplesAt(baseUrl: string): Record<string, Examples> {
  const payable = ({ slug }: { slug: string }) => ({ x402_url: x402Url(baseUrl, slug) });
  const record = { ...invoiceRecord(baseUrl, invoice, "2026-11-06"), ...payable(invoice) };
  const creditNote = creditNoteAnswer(baseUrl);
  const paid = {
    blockHash: txHash,
    logIndex: 0,
    txHash,
    depositIndex: 0,
    payer: customerWallet,
    confirmed: true,
    seenAt: paidAt,
    madeAt: paidAt,
  };
  const transfer = ({ received }: Deposit) =>
    transferRecord({ ...paid, blockNumber: block, amount: received }, block + 11);
  // An invoice's as the merchant gets it, a link's as a payer does.
  const receipt = (subject: Receipt.ReceiptSubject) => {
    const payments = [{ ...paid, blockNumber: block, amount: Receipt.depositOf(subject).expected }];
    const options = { network: networks.base, withDepositProof: subject.kind === "invoice" };
    const whole = { ...subject, payments, otherPayments: 0, completedAt: paidAt };
    return { receipt_proof: ReceiptProof.proofOf(whole, options) };
  };
  const paidInvoice = { ...invoice, deposit: { ...invoice.deposit, received: total } };
  const address = { deposit_address: invoice.deposit.address };
  const { event, comment, timeline } = eventExamplesOf(exemplary);
  const commented = { Comment: comment.request };
  const listed = { limit: "20", starting_after: invoice.id, status: "partial", overdue: "false" };
  const filters = { slug: invoice.slug, invoice_number: "INV-0042", reference: "PO-4711", ...address };

  const ofInvoice = (answer: object | null, requests = {}) =>
    example({ answer, requests, params: { id: invoice.id } });
  const ofLink = (answer: object | null, requests = {}) =>
    example({ answer, requests, params: { slug: link.slug } });
  const closedInvoice = (status: Invoice.Status, closed: Partial<Invoice.Closure>) => {
    const deposit = unpaid(invoice.deposit);
    const record = invoiceRecord(baseUrl, { ...invoice, ...closed, status, deposit }, "2026-11-06");
    return { ...record, ...payable(invoice) };
  };
  const quotedInvoice = () => {
    const quote = { rate: "0.8607", source: "kraken, coinbase", fetchedAt: voidedAt };
    const priced = { currency: { ...quote, code: "EUR", total }, total: Currency.toUsdc(total, quote.rate) };
    const open = { ...invoice, ...priced, deposit: unpaid(invoice.deposit), status: "sent" as const };
    return { ...invoiceRecord(baseUrl, open, "2030-12-31"), ...payable(invoice) };
  };
  const linkAnswer = (link: Link) => ({ ...linkRecord(baseUrl, link), ...payable(link) });
  const closedLink = (status: Link["status"], closed: Partial<Invoice.Closure>) =>
    linkAnswer({ ...link, ...closed, status, deposit: unpaid(link.deposit) });
  const paidByProgram: Static<typeof X402Payment> = {
    status: "confirming",
    transaction: txHash,
    page_url: checkoutUrl(baseUrl, link.slug),
    receipt_url: `${baseUrl}/api/links/${link.slug}/receipt.json`,
  };
  const saved = {
    customer: example({
      answer: savedRecord.vendor(invoice.vendorEmail, savedCustomer),
      params: { email: invoice.vendorEmail },
    }),
    merchant: example({
      answer: savedRecord.merchant(invoice.merchantEmail, savedMerchant),
      params: { email: invoice.merchantEmail },
    }),
  };
  return {
    "POST /api/invoices": example({
      requests: requests.invoice,
      answer: {
        ...createdRecord(baseUrl, invoice, { webhookSecret: secret, refusal: null }),
        ...payable(invoice),
      },
    }),
    "GET /api/invoices": example({
      query: { ...listed, ...filters },
      answer: { data: [record], has_more: false },
    }),
    "GET /api/invoices/{id}": ofInvoice(record),
    "GET /api/invoices/{id}/status": ofInvoice({ status: record.status, overdue: record.overdue }),
    "GET /api/invoices/{id}/pdf": ofInvoice(null),
    "GET /api/invoices/{id}/e-invoice": { ...ofInvoice(null), query: { format: "factur-x" } },
    "GET /api/invoices/{id}/receipt": ofInvoice(null),
    "GET /api/invoices/{id}/receipt.json": ofInvoice(receipt({ kind: "invoice", invoice: paidInvoice })),
    "POST /api/invoices/{id}/send": ofInvoice({ ok: true }),
    "POST /api/invoices/{id}/remind": ofInvoice({ ok: true }),
    "POST /api/invoices/{id}/void": ofInvoice(closedInvoice("void", voided), closingRequests.void),
    "POST /api/invoices/{id}/quote": ofInvoice(quotedInvoice(), quoteRequests),
    "POST /api/invoices/{id}/mark": ofInvoice(closedInvoice("paid", marked), closingRequests.mark),
    "POST /api/invoices/{id}/credit-notes": ofInvoice(creditNote, creditRequests),
    "GET /api/invoices/{id}/credit-notes": ofInvoice({ data: [creditNote] }),
    "GET /api/credit-notes": example({
      query: { limit: "20", starting_after: creditNote.id, invoice: invoice.number },
      answer: { data: [creditNote], has_more: false },
    }),
    "GET /api/credit-notes/{id}": example({ answer: creditNote, params: { id: creditNote.id } }),
    "GET /api/credit-notes/{id}/pdf": example({ params: { id: creditNote.id } }),
    "GET /api/credit-notes/{id}/e-invoice": example({
      params: { id: creditNote.id },
      query: { format: "factur-x" },
    }),
    "POST /api/credit-notes/{id}/send": example({ answer: { ok: true }, params: { id: creditNote.id } }),
    "GET /api/invoices/{id}/payments": ofInvoice({ data: [transfer(invoice.deposit)] }),
    "GET /api/invoices/{id}/events": ofInvoice({ data: [eventRecord(events.invoice)] }),
    "GET /api/invoices/{id}/timeline": ofInvoice({ data: timeline.ofInvoice }),
    "POST /api/invoices/{id}/comments": { ...ofInvoice(comment.ofInvoice), requests: commented },
    "GET /api/customers": example({
      query: { limit: "20", starting_after: customer.email, email: customer.email, search: "globex" },
      answer: { data: [customerRecord(customer)], has_more: false },
    }),
    "GET /api/customers/{email}": saved.customer,
    "PUT /api/customers/{email}": { ...saved.customer, requests: { Request: saved.customer.answer ?? {} } },
    "GET /api/merchants/{email}": saved.merchant,
    "PUT /api/merchants/{email}": { ...saved.merchant, requests: { Request: saved.merchant.answer ?? {} } },
    "GET /api/events": example({
      query: {
        limit: "20",
        starting_after: event.id,
        type: event.type,
        invoice: invoice.number,
        link: link.slug,
      },
      answer: { data: [event], has_more: false },
    }),
    "GET /api/events/{id}": example({ answer: event, params: { id: event.id } }),
    "POST /api/events/{id}/redeliver": example({ answer: { ok: true }, params: { id: events.invoice.id } }),
    "POST /api/links": example({
      requests: requests.link,
      answer: {
        ...createdLink(baseUrl, { ...link, status: "pending" }),
        ...payable(link),
        webhook_secret: secret,
      },
    }),
    "GET /api/links": example({
      query: {
        limit: "20",
        starting_after: link.slug,
        status: link.status,
        slug: link.slug,
        reference: "4712",
        reusable_slug: reusable.slug,
        deposit_address: link.deposit.address,
      },
      answer: { data: [linkAnswer(link)], has_more: false },
    }),
    "GET /api/reusable-links": example({
      query: { limit: "20", starting_after: reusable.slug, slug: reusable.slug },
      answer: { data: [reusableLinkRecord(baseUrl, reusable, createdAt)], has_more: false },
    }),
    "GET /api/links/{slug}": ofLink(publicLink(link)),
    "GET /api/links/{slug}/receipt": ofLink(null),
    "GET /api/links/{slug}/receipt.json": ofLink(receipt({ kind: "link", link })),
    "POST /api/links/{slug}/void": ofLink(closedLink("void", voided), closingRequests.void),
    "POST /api/links/{slug}/mark": ofLink(closedLink("confirmed", marked), closingRequests.mark),
    "GET /api/links/{slug}/payments": ofLink({ data: [transfer(link.deposit)] }),
    "GET /api/links/{slug}/events": ofLink({ data: [eventRecord(events.link)] }),
    "GET /api/links/{slug}/timeline": ofLink({ data: timeline.ofLink }),
    "POST /api/links/{slug}/comments": { ...ofLink(comment.ofLink), requests: commented },
    "GET /api/payments/status/{slug}": ofLink(paymentStatusRecord({ ...link, ...link.deposit })),
    "GET /x402/{slug}": ofLink(paidByProgram),
    "POST /x402/{slug}": ofLink(paidByProgram),
    "GET /x402/invoices/{id}": ofInvoice(paidByProgram),
    "POST /x402/invoices/{id}": ofInvoice(paidByProgram),
    "GET /health/live": example({ answer: { status: "ok" } }),
    "GET /health/ready": example({ answer: { status: "ok" } }),
  };
}

/** The answer of a Till that is not ready. */
export const notReadyExample = {
  status: "not ready",
  reasons: ["the node does not answer: no connection to 127.0.0.1:8545"],
};

function example({ params = {}, query = {}, requests = {}, answer = null }: Partial<Examples>): Examples {
  return { params, query, requests, answer };
}
