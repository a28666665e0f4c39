import type { Deposit } from "../../domain/deposit.ts";
import * as Invoice from "../../domain/invoice.ts";
import { alone, type Link } from "../../domain/link.ts";
import * as Quantity from "../../domain/quantity.ts";
import type * as Receipt from "../../domain/receipt/receipt.ts";
import { invoiceRecord, linkRecord, publicLink } from "../../domain/record.ts";
import * as Usdc from "../../domain/usdc.ts";
import * as Address from "../../domain/wallet/address.ts";
import * as DepositAddress from "../../domain/wallet/deposit-address.ts";
import * as WebhookEvent from "../../domain/webhook-event.ts";
import type { Hex } from "../../lib/crypto/hex.ts";
import type { WithTotals } from "../../store/tables/invoicing/reusable-link.ts";
import type { RecordedEvent } from "../../store/tables/outbox/webhook-event.ts";
import { createdRecord } from "../invoices/invoice-record.ts";
import { eventRecord, transferRecord } from "../invoices/payment-record.ts";
import { createdLink, paymentStatusRecord, reusableLinkRecord } from "../links/link-record.ts";
import { eventExamplesOf } from "./event-examples.ts";
import { receiptExample } from "./receipt-example.ts";

/**
 * One invoice and one link as /docs and /openapi.json show them. Their answers are made by what makes the real ones, so
 * they cannot say anything else.
 */

const wallet = Address.checksum("0x70997970c51812dc3a010c7d01b50e0d17dc79c8");
const customerWallet = Address.checksum("0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc");
const secret = "whsec_3Vg1mZ8qkM0yYx2pW7cN5tRb9uLhE4sJdKfA6oQiT0w=";
const txHash = "0x4f0c5ad2a8ab2d3a3b6cf7b8a1f6bd51b9f3a2d0c4e85f1796d2e0a8c37b1e94";
const createdAt = Date.parse("2026-11-02T09:30:00.000Z");
const paidAt = Date.parse("2026-11-05T14:12:31.000Z");
const block = 38_214_907;

function depositAt(index: number, salt: Hex, expected: Usdc.Usdc, received: Usdc.Usdc): Deposit {
  const { factory, implementation } = DepositAddress;
  const address = DepositAddress.derive({ factory, implementation, payoutWallet: wallet, salt });
  const amounts = { expected, tolerance: Usdc.zero, received, pending: Usdc.zero };
  return { index, address, payoutWallet: wallet, salt, factory, ...amounts };
}

const cents = (amount: bigint) => Usdc.fromMicro(amount * 10_000n);

function item(description: string, quantity: number, unitPrice: Usdc.Usdc): Invoice.LineItem {
  const exact = Quantity.fromMillionths(BigInt(quantity * 1_000_000));
  return { description, quantity: exact, unitPrice, lineTotal: Invoice.lineTotal(exact, unitPrice) };
}

const lineItems = [item("Design", 10, cents(12_000n)), item("Hosting, per month", 1.5, cents(20_000n))];
const total = Usdc.sum(lineItems.map(({ lineTotal }) => lineTotal));

const invoice: Invoice.Invoice = {
  id: "3f2b8a4e-6c1d-4f7a-9b52-8e0d7c6a5f41",
  sequence: 42,
  number: "INV-0042",
  slug: "k7w2m9qd3xv5tb8h",
  merchantEmail: "billing@acme.example",
  merchantName: "Acme Studio",
  merchantAddress: "1 Main Street\nSpringfield",
  vendorName: "Globex GmbH",
  vendorEmail: "accounts@globex.example",
  vendorAddress: "2 Side Street\n10115 Berlin",
  issueDate: "2026-11-02",
  dueDate: "2030-01-31",
  notes: "Thank you.",
  lineItems,
  total,
  status: "partial",
  walletType: "byo",
  webhookUrl: "https://shop.example/hooks/till",
  reminders: null,
  deposit: depositAt(41, `0x${"6b1f93c7d2a8045e".repeat(4)}`, total, cents(50_000n)),
  createdAt,
  sentAt: createdAt + 1_204,
  ...Invoice.defaults,
  reference: "PO-4711",
};

const link: Link = {
  id: 7,
  slug: "p4x9c2rm6wd8kv3z",
  merchantEmail: "owner@corner.example",
  businessName: "Corner Shop",
  productDescription: "Ethiopia Guji, 500 g",
  status: "confirmed",
  walletType: "byo",
  successUrl: "https://shop.example/thanks",
  payerEmail: null,
  embedOrigins: ["https://shop.example"],
  webhookUrl: "https://shop.example/hooks/till",
  deposit: depositAt(42, `0x${"c05e7ab91d3f8264".repeat(4)}`, cents(2_500n), cents(2_500n)),
  createdAt,
  expiresAt: null,
  ...alone,
  ...Invoice.defaults,
  reference: "4712",
};

/** What the others are made of, and when the invoice was paid in part. */
export const exemplary = {
  invoice,
  link,
  transfer: { txHash, payer: customerWallet, blockNumber: block },
  paidAt,
};

const reusable: WithTotals = {
  id: 3,
  slug: "h8t3w6mz4qk9bx2d",
  merchantEmail: link.merchantEmail,
  businessName: link.businessName,
  productDescription: link.productDescription,
  price: { kind: "fixed", each: cents(2_500n), quantityMax: 10 },
  walletType: "byo",
  wallet,
  successUrl: link.successUrl,
  embedOrigins: link.embedOrigins,
  reference: null,
  metadata: null,
  webhookUrl: link.webhookUrl,
  webhookEvents: "contract",
  createdAt,
  expiresAt: null,
  voidedAt: null,
  voidReason: null,
  totals: { begun: 31, paid: 24, received: cents(87_500n) },
};

/** The bodies of the two webhooks of the contract, as they are signed and sent. */
export const eventBodies = {
  invoice: WebhookEvent.invoiceBody({
    ...invoice,
    invoiceId: invoice.id,
    invoiceNumber: invoice.number,
    status: "partial",
  }),
  link: WebhookEvent.linkBody({
    ...link,
    expected: link.deposit.expected,
    received: link.deposit.received,
    status: "confirmed",
  }),
};

function delivered({ salt }: Deposit, status: string, body: string): RecordedEvent {
  const attempt = { attempt: 1, startedAt: paidAt + 1_000, durationMs: 183, httpStatus: 200, reason: null };
  const id = WebhookEvent.id(salt, status);
  const url = "https://shop.example/hooks/till";
  const [state, nextAttemptAt] = ["delivered", null] as const;
  return { id, status, url, body, state, nextAttemptAt, createdAt: paidAt, attempts: [attempt] };
}

const events = {
  invoice: delivered(invoice.deposit, invoice.status, eventBodies.invoice),
  link: delivered(link.deposit, link.status, eventBodies.link),
};

/** What the first event is delivered with; a test signs it again. */
export const signedExample = { secret, id: events.invoice.id, timestampSec: paidAt / 1000 + 1 };

const smallInvoice = {
  merchant_email: invoice.merchantEmail,
  merchant_name: invoice.merchantName,
  merchant_address: invoice.merchantAddress,
  customer_email: invoice.vendorEmail,
  customer_name: invoice.vendorName,
  line_items: [{ description: "Design", quantity: 10, unit_price: "120.00" }],
  due_date: invoice.dueDate,
  wallet_type: "managed",
};

const smallLink = {
  business_name: link.businessName,
  expected_amount: "25.00",
  merchant_email: link.merchantEmail,
  wallet_type: "managed",
};

const requests = {
  invoice: {
    "Smallest request": smallInvoice,
    "Request with all fields": {
      ...smallInvoice,
      customer_address: invoice.vendorAddress,
      line_items: [
        ...smallInvoice.line_items,
        { description: "Hosting, per month", quantity: 1.5, unit_price: "200.00" },
      ],
      issue_date: invoice.issueDate,
      due_date: invoice.dueDate,
      wallet_type: "byo",
      wallet_address: wallet,
      notes: invoice.notes,
      reference: invoice.reference,
      metadata: { cart: "8f14e45f" },
      webhook_url: invoice.webhookUrl,
      webhook_events: invoice.webhookEvents,
      send_now: true,
    },
  },
  link: {
    "Smallest request": smallLink,
    "Reusable link": {
      ...smallLink,
      product_description: link.productDescription,
      reusable: true,
      quantity_max: 10,
    },
    "Reusable link, the payer chooses the amount": {
      business_name: link.businessName,
      merchant_email: link.merchantEmail,
      wallet_type: "managed",
      product_description: "A donation to our garden",
      reusable: true,
      amount_min: "1.00",
      amount_max: "500.00",
    },
    "Request with all fields": {
      ...smallLink,
      wallet_type: "byo",
      wallet_address: wallet,
      product_description: link.productDescription,
      reference: link.reference,
      metadata: { cart: "c9f0f895" },
      webhook_url: link.webhookUrl,
      webhook_events: link.webhookEvents,
      success_url: link.successUrl,
      expires_at: "2030-12-31T18:00:00+01:00",
      embed_origins: link.embedOrigins,
    },
  },
};

const voidedAt = createdAt + 86_400_000;
const voided = { voidedAt, voidReason: "Billed twice: please see INV-0041." };
const marked = { markedPaidAt: voidedAt };

const closingRequests = {
  void: { "Smallest request": { reason: voided.voidReason } },
  mark: {
    "Smallest request": { as: "paid" },
    "Request with all fields": { as: "paid", note: "By bank on 3 November." },
  },
};

/** Of an invoice or a link that nobody has paid. */
const unpaid = (deposit: Deposit): Deposit => ({ ...deposit, received: Usdc.zero });

export type Examples = {
  /** What stands for each name in braces of the path. */
  params: Record<string, string>;
  query: Record<string, string>;
  /** Bodies by what they show; empty when the call takes none. */
  requests: Record<string, object>;
  /** Null when the answer is not JSON. */
  answer: object | null;
};

/** The examples of every call, by `GET /path`, for a Till at `baseUrl`. */
export function examplesAt(baseUrl: string): Record<string, Examples> {
  const record = invoiceRecord(baseUrl, invoice, "2026-11-06");
  const paid = {
    blockHash: txHash,
    logIndex: 0,
    txHash,
    depositIndex: 0,
    payer: customerWallet,
    confirmed: true,
    seenAt: paidAt,
  };
  const transfer = ({ received }: Deposit) =>
    transferRecord({ ...paid, blockNumber: block, amount: received }, block + 11);
  const receipt = (subject: Receipt.Subject) => receiptExample(subject, { ...paid, blockNumber: block });
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
  const closedInvoice = (status: Invoice.Status, closed: Partial<Invoice.Closed>) => {
    const deposit = unpaid(invoice.deposit);
    return invoiceRecord(baseUrl, { ...invoice, ...closed, status, deposit }, "2026-11-06");
  };
  const closedLink = (status: Link["status"], closed: Partial<Invoice.Closed>) =>
    linkRecord(baseUrl, { ...link, ...closed, status, deposit: unpaid(link.deposit) });
  return {
    "POST /api/invoices": example({
      requests: requests.invoice,
      answer: createdRecord(baseUrl, invoice, { webhookSecret: secret, refusal: null }),
    }),
    "GET /api/invoices": example({
      query: { ...listed, ...filters },
      answer: { data: [record], has_more: false },
    }),
    "GET /api/invoices/{id}": ofInvoice(record),
    "GET /api/invoices/{id}/status": ofInvoice({ status: record.status, overdue: record.overdue }),
    "GET /api/invoices/{id}/pdf": ofInvoice(null),
    "GET /api/invoices/{id}/receipt": ofInvoice(null),
    "GET /api/invoices/{id}/receipt.json": ofInvoice(receipt({ kind: "invoice", invoice: paidInvoice })),
    "POST /api/invoices/{id}/send": ofInvoice({ ok: true }),
    "POST /api/invoices/{id}/remind": ofInvoice({ ok: true }),
    "POST /api/invoices/{id}/void": ofInvoice(closedInvoice("void", voided), closingRequests.void),
    "POST /api/invoices/{id}/mark": ofInvoice(closedInvoice("paid", marked), closingRequests.mark),
    "GET /api/invoices/{id}/payments": ofInvoice({ data: [transfer(invoice.deposit)] }),
    "GET /api/invoices/{id}/events": ofInvoice({ data: [eventRecord(events.invoice)] }),
    "GET /api/invoices/{id}/timeline": ofInvoice({ data: timeline.ofInvoice }),
    "POST /api/invoices/{id}/comments": { ...ofInvoice(comment.ofInvoice), requests: commented },
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
      answer: { ...createdLink(baseUrl, { ...link, status: "pending" }), webhook_secret: secret },
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
      answer: { data: [linkRecord(baseUrl, link)], has_more: false },
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
