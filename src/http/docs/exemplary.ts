import * as Invoice from "../../domain/bill/invoice.ts";
import * as Quantity from "../../domain/bill/quantity.ts";
import * as WebhookEvent from "../../domain/event/webhook-event.ts";
import { alone, type Link } from "../../domain/link/link.ts";
import * as Party from "../../domain/party/party.ts";
import type { Deposit } from "../../domain/payment/deposit.ts";
import * as Usdc from "../../domain/usdc.ts";
import * as Address from "../../domain/wallet/address.ts";
import * as DepositAddress from "../../domain/wallet/deposit-address.ts";
import type { Hex } from "../../lib/crypto/hex.ts";
import type { ListedCustomer } from "../../store/tables/invoicing/customer.ts";
import type { LinkWithTotals } from "../../store/tables/invoicing/reusable-link.ts";
import type { QueuedEvent } from "../../store/tables/outbox/webhook-event.ts";

/** The sample invoice, link and reusable link whose history /docs and /openapi.json show. */

export const wallet = Address.checksum("0x70997970c51812dc3a010c7d01b50e0d17dc79c8");
export const customerWallet = Address.checksum("0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc");
export const secret = "whsec_3Vg1mZ8qkM0yYx2pW7cN5tRb9uLhE4sJdKfA6oQiT0w=";
export const txHash = "0x4f0c5ad2a8ab2d3a3b6cf7b8a1f6bd51b9f3a2d0c4e85f1796d2e0a8c37b1e94";
export const createdAt = Date.parse("2026-11-02T09:30:00.000Z");
export const paidAt = Date.parse("2026-11-05T14:12:31.000Z");
export const block = 38_214_907;

function depositAt(index: number, salt: Hex, expected: Usdc.Usdc, received: Usdc.Usdc): Deposit {
  const { factory, implementation } = DepositAddress;
  const address = DepositAddress.derive({ factory, implementation, payoutWallet: wallet, salt });
  const none = { creditedMarked: Usdc.zero, tolerance: Usdc.zero, pending: Usdc.zero };
  return { index, address, payoutWallet: wallet, salt, factory, expected, net: expected, received, ...none };
}

const cents = (amount: bigint) => Usdc.fromMicro(amount * 10_000n);

function item(description: string, quantity: number, unitPrice: Usdc.Usdc): Invoice.LineItem {
  const exact = Quantity.fromMillionths(BigInt(quantity * 1_000_000));
  const lineTotal = Invoice.lineTotal(exact, unitPrice);
  return { description, quantity: exact, unitPrice, ...Invoice.plainLine, lineTotal };
}

const lineItems = [item("Design", 10, cents(12_000n)), item("Hosting, per month", 1.5, cents(20_000n))];
export const total = Usdc.sum(lineItems.map(({ lineTotal }) => lineTotal));

export const invoice: Invoice.Invoice = {
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
  ...Invoice.plain,
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

export const customer: ListedCustomer = {
  id: 12,
  key: invoice.vendorEmail,
  email: invoice.vendorEmail,
  name: invoice.vendorName,
  lastSequence: invoice.sequence,
  invoices: 3,
  open: Usdc.remaining(total, invoice.deposit.received),
  paid: invoice.deposit.received,
  lastNumber: invoice.number,
  lastIssueDate: invoice.issueDate,
};

export const link: Link = {
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

/** What other samples are made from, and when the invoice was paid in part. */
export const exemplary = {
  invoice,
  link,
  transfer: { txHash, payer: customerWallet, blockNumber: block },
  paidAt,
};

export const reusable: LinkWithTotals = {
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

/** The bodies of the contract's two webhooks, as signed and sent. */
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

function delivered({ salt }: Deposit, status: string, body: string): QueuedEvent {
  const attempt = { attempt: 1, startedAt: paidAt + 1_000, durationMs: 183, httpStatus: 200, reason: null };
  const id = WebhookEvent.id(salt, status);
  const url = "https://shop.example/hooks/till";
  const [state, nextAttemptAt] = ["delivered", null] as const;
  return { id, status, url, body, state, nextAttemptAt, createdAt: paidAt, attempts: [attempt] };
}

export const events = {
  invoice: delivered(invoice.deposit, invoice.status, eventBodies.invoice),
  link: delivered(link.deposit, link.status, eventBodies.link),
};

/** What the first event is delivered with; a test verifies the signature. */
export const signedExample = { secret, id: events.invoice.id, timestampSec: paidAt / 1000 + 1 };

const details = {
  street: "1 Main Street",
  postalCode: "10115",
  city: "Berlin",
  country: "DE",
  vatId: "DE136695976",
};
export const savedMerchant: Party.SavedParty = {
  name: invoice.merchantName,
  address: invoice.merchantAddress,
  details,
  paymentTerms: "Payable within 30 days.",
  usdParity: true,
};
export const savedCustomer: Party.SavedParty = {
  ...Party.nothingSaved,
  name: invoice.vendorName,
  address: invoice.vendorAddress,
  details: {
    ...details,
    street: "2 Side Street",
    vatId: "DE111111125",
    electronicAddress: "9930:DE111111125",
  },
};
