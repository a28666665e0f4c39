import { randomUUID } from "node:crypto";
import type { Wallet } from "../chain/wallet.ts";
import type { Address } from "../domain/address.ts";
import * as Calendar from "../domain/calendar.ts";
import type { Deposit } from "../domain/deposit.ts";
import * as Invoice from "../domain/invoice.ts";
import type { Quantity } from "../domain/quantity.ts";
import * as Usdc from "../domain/usdc.ts";
import { newSlug } from "../lib/id.ts";
import type { Db } from "../store/database.ts";
import { transactTogether } from "../store/group-commit.ts";
import type { Claim } from "../store/idempotency.ts";
import * as IdempotencyStore from "../store/idempotency.ts";
import * as InvoiceStore from "../store/invoice.ts";
import type { InvoiceMailer } from "./invoice-mailer.ts";
import { makeDeposit } from "./make-deposit.ts";
import { openedWallet, stored } from "./unavailable.ts";
import { newSecret, sealSecret } from "./webhook-secret.ts";

/** A checked request; see SPEC section 4.1. */
export type NewInvoice = {
  merchantEmail: string;
  merchantName: string;
  merchantAddress: string;
  vendorName: string;
  vendorEmail: string;
  vendorAddress: string | null;
  lineItems: { description: string; quantity: Quantity; unitPrice: Usdc.Usdc }[];
  /** Null stands for today. */
  issueDate: string | null;
  dueDate: string;
  /** The caller's wallet for `byo`, null for `managed`. */
  wallet: Address | null;
  notes: string | null;
  webhookUrl: string | null;
  sendNow: boolean;
};

/** With a claim, the request is remembered in the same transaction as what it makes. */
export type CreateInvoice = (request: NewInvoice, claim: Claim | null) => Promise<Invoice.Invoice>;

export type CreateInvoiceDeps = {
  db: Db;
  /** Opening it takes a moment after the start. */
  wallet: Promise<Wallet>;
  mailer: InvoiceMailer;
  timeZone: string;
  now: () => number;
  /** Told at once, before the address is shown to anybody, so that the chain is watched for it. */
  onDeposit: (deposit: Deposit) => void;
  /** A payment that is short by no more than this counts as all of it. */
  tolerance: Usdc.Usdc;
  /** Told once the invoice is stored, to begin with its PDF. */
  onCreated: (invoice: Invoice.Invoice) => void;
};

/**
 * Stores an invoice with its number and its deposit address in one transaction, and mails it when asked to.
 * Throws a WalletUnavailable, or a StorageFailed when nothing was stored. No node is needed for any of it.
 */
export function createInvoiceCreator(deps: CreateInvoiceDeps): CreateInvoice {
  const { db, mailer, timeZone, now } = deps;
  return async (request, claim) => {
    const wallet = await openedWallet(deps.wallet);
    const createdAt = now();
    const { invoice, mailId } = await stored(() =>
      transactTogether(db, () => {
        const made = assemble(deps, wallet, request, createdAt, Calendar.dayAt(createdAt, timeZone));
        const secret = made.webhookUrl && sealSecret(wallet.vault, newSecret(), made.deposit.index);
        InvoiceStore.insert(db, made, secret);
        if (claim) IdempotencyStore.insert(db, claim, made.id, createdAt);
        return { invoice: made, mailId: request.sendNow ? mailer.enqueue(made.sequence, createdAt) : null };
      }),
    );
    deps.onDeposit(invoice.deposit);
    deps.onCreated(invoice);
    if (mailId === null) return invoice;
    await mailer.sendFirst(mailId, invoice);
    return InvoiceStore.bySequence(db, invoice.sequence) ?? invoice;
  };
}

function assemble(
  { db, tolerance }: Pick<CreateInvoiceDeps, "db" | "tolerance">,
  wallet: Wallet,
  request: NewInvoice,
  createdAt: number,
  today: string,
): Invoice.Invoice {
  const lineItems = request.lineItems.map((item) => ({
    ...item,
    lineTotal: Invoice.lineTotal(item.quantity, item.unitPrice),
  }));
  const total = Usdc.sum(lineItems.map((item) => item.lineTotal));
  const { wallet: callersWallet, sendNow: _, ...fields } = request;
  const depositRequest = {
    merchantEmail: request.merchantEmail,
    wallet: callersWallet,
    expected: total,
    tolerance,
  };
  return {
    ...fields,
    id: randomUUID(),
    sequence: InvoiceStore.nextSequence(db),
    slug: newSlug(),
    issueDate: request.issueDate ?? today,
    lineItems,
    total,
    status: "draft",
    walletType: callersWallet ? "byo" : "managed",
    deposit: makeDeposit(db, wallet, depositRequest, createdAt),
    createdAt,
    sentAt: null,
  };
}
