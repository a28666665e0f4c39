import type { Config } from "../config/config.ts";
import type { Log } from "../config/log-events.ts";
import type { CreditNote } from "../domain/bill/credit-note.ts";
import type { Invoice } from "../domain/bill/invoice.ts";
import type { Receipt } from "../domain/receipt/receipt.ts";
import * as DepositAddress from "../domain/wallet/deposit-address.ts";
import type { Close } from "../invoicing/close.ts";
import type { CreateInvoice } from "../invoicing/create-invoice.ts";
import type { CreateLink } from "../invoicing/create-link.ts";
import type { CreateCreditNote } from "../invoicing/credit-note.ts";
import type { EInvoices } from "../invoicing/e-invoice.ts";
import type { Pricing } from "../invoicing/price.ts";
import type { QuoteAgain } from "../invoicing/quote-again.ts";
import type { BeginPayment, CreateReusableLink, VoidReusableLink } from "../invoicing/reusable-link.ts";
import type { Vault } from "../lib/crypto/vault.ts";
import type { Redact } from "../lib/redact.ts";
import type { Mailer } from "../outbox/mailer.ts";
import type { Relayer } from "../settle/relay/relayer.ts";
import type { SettleOutcome } from "../settle/settler.ts";
import type { OwnWallets, Treasury } from "../settle/treasury.ts";
import type { Db } from "../store/database.ts";
import * as WalletStore from "../store/tables/installation/wallet.ts";
import * as DepositStore from "../store/tables/invoicing/deposit.ts";
import type { IdempotentRoute } from "./access/idempotency.ts";
import type { RequestRules } from "./fields/request-fields.ts";
import type { Remark } from "./system/remark.ts";

/** What the routes need; created and stopped by the command that serves. */
export type HttpDeps = {
  config: Config;
  /** Of Till. */
  version: string;
  /** Where people reach this Till; no trailing slash. */
  baseUrl: string;
  db: Db;
  log: Log;
  now: () => number;
  /** Opens stored secrets for the one answer that shows them. Throws a WalletUnavailable. */
  vault: () => Promise<Vault>;
  createInvoice: CreateInvoice;
  createLink: CreateLink;
  createReusableLink: CreateReusableLink;
  voidReusableLink: VoidReusableLink;
  beginPayment: BeginPayment;
  close: Close;
  /** Converts an amount in a currency to USDC at the current rate. */
  price: Pricing;
  quoteAgain: QuoteAgain;
  createCreditNote: CreateCreditNote;
  idempotent: IdempotentRoute;
  /** Resolves once the database was found whole; writes wait for it. Rejects with a DatabaseDamaged. */
  working: Promise<void>;
  mailer: Mailer;
  /** The PDF of an invoice as it is now. Throws a RenderError. */
  pdfOf: (invoice: Invoice) => Promise<Uint8Array>;
  eInvoices: EInvoices;
  /** The PDF of a credit note. Throws a RenderError. */
  creditNotePdfOf: (note: CreditNote) => Promise<Uint8Array>;
  /** The PDF of a receipt. Throws a RenderError. */
  receiptPdfOf: (receipt: Receipt) => Promise<Uint8Array>;
  /** The highest known block, for counting confirmations. */
  chainHead: () => number | null;
  /** How long the newest block is overdue, in ms; 0 when nothing is. */
  chainLagMs: () => number;
  /** Transfers since the start, by outcome. */
  transfers: () => Readonly<Record<string, number>>;
  /** Calls to the nodes since the start, by method. */
  rpcRequests: () => ReadonlyMap<string, number>;
  /** Whether payments are currently detected late. */
  isDelayed: () => boolean;
  /** Why Till is not ready; empty when it is. */
  problems: () => Remark[];
  /** What somebody should look at although Till does its work. */
  warnings: () => Remark[];
  /** The gas account's balance in wei when last read; null before. */
  gasBalance: () => bigint | null;
  /** Signed payments; null until the database was found whole. */
  relayer: () => Relayer | null;
  /** How long an x402 payment request waits for its block. */
  x402WaitMs: number;
  ownWallets: OwnWallets;
  /** The contents of Till's wallet, and the way out; null until the database was found whole. */
  treasury: () => Treasury | null;
  /** Settles what can be settled now; `retry` includes what failed before. Null until the database was found whole. */
  settleNow: (retry: boolean) => Promise<SettleOutcome | null>;
  /** Removes secrets from what a node or a mail server says. */
  redact: Redact;
  /** A webhook event was made due. */
  onEventDue: () => void;
  /** A mail was put into the outbox. */
  onMailDue: () => void;
  /** Null outside of development. */
  dev: DevTools | null;
};

export type DevTools = {
  /** The caught mails, newest first. */
  caughtMail: () => readonly MailCopy[];
  /** How to call `till pay` from a shell. */
  payCommand: string;
};

export type MailCopy = {
  id: string;
  receivedAt: number;
  from: string;
  to: readonly string[];
  subject: string;
  text: string;
  html: string;
  attachments: readonly { name: string; mediaType: string; bytes: Uint8Array }[];
};

/** What checking a creation request depends on. */
export function requestRules({ config, db, ...deps }: Pick<HttpDeps, "config" | "db" | "now">): RequestRules {
  return {
    usdc: config.network.usdc,
    factory: DepositAddress.factory,
    // Read late: the first start creates it while requests already come in.
    get gasAccount() {
      return WalletStore.gasAddress(db);
    },
    isDeposit: (address) => DepositStore.byAddress(db, address) !== null,
    publicWebhooksOnly: config.publicWebhooksOnly,
    now: deps.now,
  };
}
