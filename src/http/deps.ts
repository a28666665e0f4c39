import type { Config, SettingFault } from "../config/config.ts";
import type { Log } from "../config/log-events.ts";
import type { DeskSettingName } from "../config/settings.ts";
import type { CreditNote } from "../domain/bill/credit-note.ts";
import type { Invoice } from "../domain/bill/invoice.ts";
import type { Finding } from "../domain/finding.ts";
import type { Counting } from "../domain/payment/block.ts";
import type { Refund } from "../domain/payment/refund.ts";
import type { Receipt } from "../domain/receipt/receipt.ts";
import type { CreditNotes } from "../invoicing/credit/credit-notes.ts";
import type { EInvoices } from "../invoicing/documents/e-invoice.ts";
import type { Endpoints } from "../invoicing/endpoints.ts";
import type { Invoices } from "../invoicing/invoices.ts";
import type { Links } from "../invoicing/links/links.ts";
import type { Pricing } from "../invoicing/price.ts";
import type { RecurringInvoices } from "../invoicing/recurring/series.ts";
import type { Refunds } from "../invoicing/refunds/refunds.ts";
import type { RequestRules } from "../invoicing/request/fields.ts";
import type { Vault } from "../lib/crypto.ts";
import type { Redact } from "../lib/log.ts";
import type { Mailer } from "../outbox/mailer.ts";
import type { Refunder } from "../settle/refunder.ts";
import type { Relayer } from "../settle/relay/relayer.ts";
import type { SettleOutcome } from "../settle/settler.ts";
import type { OwnWallets, Treasury } from "../settle/treasury.ts";
import type { Db } from "../store/database.ts";
import type { ProxyWatch } from "./access/guard.ts";
import type { Limits } from "./access/limits.ts";
import type { Act } from "./act.ts";

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
  /** Those of the wallet, for the one page that shows or asks for them. Throws a WalletUnavailable. */
  words: () => Promise<string[]>;
  invoices: Invoices;
  recurring: RecurringInvoices;
  links: Links;
  creditNotes: CreditNotes;
  refunds: Refunds;
  endpoints: Endpoints;
  /** Converts an amount in a currency to USDC at the current rate. */
  price: Pricing;
  /** What checking a request depends on. */
  rules: () => RequestRules;
  act: Act;
  limits: Limits;
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
  /** Waits until the tax of a receipt stands in the currency that the law wants, if anybody knows its rate. */
  stateTax: (depositIndex: number) => Promise<void>;
  /** The receipt of a refund that has come, of what it gives money back of. Throws a RenderError. */
  refundPdfOf: (refund: Refund, receipt: Receipt) => Promise<Uint8Array>;
  /** The highest known block, for counting confirmations. */
  chainHead: () => number | null;
  /** When a payment in a block counts. */
  countsIn: (blockNumber: number) => Counting;
  /** How long the newest block is overdue, in ms; 0 when nothing is. */
  chainLagMs: () => number;
  /** Transfers since the start, by outcome. */
  transfers: () => Readonly<Record<string, number>>;
  /** Waits until the chain tells of money to a deposit, or the signal aborts. */
  paymentTo: (depositIndex: number, signal: AbortSignal) => Promise<void>;
  /** Calls to the nodes since the start, by method. */
  rpcRequests: () => ReadonlyMap<string, number>;
  /** Whether payments are currently detected late. */
  isDelayed: () => boolean;
  /** Why Till is not ready; empty when it is. */
  problems: () => Finding[];
  /** What somebody should look at although Till does its work. */
  warnings: () => Finding[];
  /** Is shown where every request came from. */
  proxyWatch: Pick<ProxyWatch, "saw">;
  /** The gas account's balance in wei when last read; null before. */
  gasBalance: () => bigint | null;
  /** Signed payments; null until the database was found whole. */
  relayer: () => Relayer | null;
  /** How long an x402 payment request waits for its block. */
  x402WaitMs: number;
  /** How long a request is held that waits for a payment to be told of; the usual time when it is not given. */
  toldHoldMs?: number | undefined;
  ownWallets: OwnWallets;
  /** The contents of Till's wallet, and the way out; null until the database was found whole. */
  treasury: () => Treasury | null;
  /** What sends refunds; null until the database was found whole. */
  refunder: () => Refunder | null;
  /** Settles what can be settled now; `retry` includes what failed before. Null until the database was found whole. */
  settleNow: (retry: boolean) => Promise<SettleOutcome | null>;
  settings: Settings;
  /** Removes secrets from what a node or a mail server says. */
  redact: Redact;
  /** A webhook event was made due. */
  onEventDue: () => void;
  /** A mail was put into the outbox. */
  onMailDue: () => void;
  /** Null outside of development. */
  dev: DevTools | null;
};

/** What people set at the desk. Null takes a setting back. */
export type SettingChanges = Readonly<Partial<Record<DeskSettingName, string | null>>>;

export type Settings = {
  /** What would be wrong then. */
  faultsOf(changes: SettingChanges): SettingFault[];
  /** Stores it, from when on it holds. In a transaction of the caller's, if there is one. */
  save(changes: SettingChanges, by: { name: string; vault: Vault; now: number }): void;
  /** As it was set at the desk; null when it was not. */
  storedText(name: DeskSettingName): string | null;
  /** Of the newest of these that somebody set. */
  lastChange(names: readonly DeskSettingName[]): { at: number; by: string } | null;
  /** What is stored and cannot hold. */
  findings(): Finding[];
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
