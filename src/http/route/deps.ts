import type { Config, SettingFault } from "../../config/config.ts";
import type { Log } from "../../config/log-events.ts";
import type { DeskSettingName } from "../../config/settings.ts";
import type { CreditNote } from "../../domain/bill/credit-note.ts";
import type { Invoice } from "../../domain/bill/invoice.ts";
import type { Finding } from "../../domain/finding.ts";
import type { Counting } from "../../domain/payment/block.ts";
import type { Deposit } from "../../domain/payment/deposit.ts";
import type { Refund } from "../../domain/payment/refund.ts";
import type { Receipt } from "../../domain/receipt/receipt.ts";
import type { CreditNotes } from "../../invoicing/credit/credit-notes.ts";
import type { EInvoices } from "../../invoicing/documents/e-invoice.ts";
import type { Endpoints } from "../../invoicing/endpoints.ts";
import type { Invoices } from "../../invoicing/invoices.ts";
import type { Links } from "../../invoicing/links/links.ts";
import type { Pricing } from "../../invoicing/price.ts";
import type { RecurringInvoices } from "../../invoicing/recurring/series.ts";
import type { Refunds } from "../../invoicing/refunds/refunds.ts";
import type { RequestRules } from "../../invoicing/request/fields.ts";
import type { Vault } from "../../lib/crypto.ts";
import type { Redact } from "../../lib/log.ts";
import type { Mailer } from "../../outbox/mailer.ts";
import type { Elsewhere } from "../../settle/elsewhere/elsewhere.ts";
import type { Refunder } from "../../settle/refunder.ts";
import type { Relayer } from "../../settle/relay/relayer.ts";
import type { SettleOutcome } from "../../settle/settler.ts";
import type { OwnWallets, Treasury } from "../../settle/treasury.ts";
import type { Db } from "../../store/database.ts";
import type { Crossings } from "../../watch/crossing/crossings.ts";
import type { ProxyWatch } from "../access/guard.ts";
import type { Limits } from "../access/limits.ts";
import type { Act } from "./act.ts";

/** Dependencies of the routes; created and stopped by the command that serves. */
export type HttpDeps = {
  config: Config;
  /** Till's version. */
  version: string;
  /** The public address of this Till; no trailing slash. */
  baseUrl: string;
  db: Db;
  log: Log;
  now: () => number;
  /** Opens stored secrets for the one response that shows them. Throws a WalletUnavailable. */
  vault: () => Promise<Vault>;
  /** The wallet's words, for the one page that shows or asks for them. Throws a WalletUnavailable. */
  words: () => Promise<string[]>;
  invoices: Invoices;
  recurring: RecurringInvoices;
  links: Links;
  creditNotes: CreditNotes;
  refunds: Refunds;
  endpoints: Endpoints;
  /** Converts an amount in a currency to USDC at the current rate. */
  price: Pricing;
  /** The rules for checking a request. */
  rules: () => RequestRules;
  act: Act;
  limits: Limits;
  /** Resolves once the database was found intact; writes wait for it. Rejects with a DatabaseDamaged. */
  working: Promise<void>;
  mailer: Mailer;
  /** The PDF of an invoice in its current state. Throws a RenderError. */
  pdfOf: (invoice: Invoice) => Promise<Uint8Array>;
  eInvoices: EInvoices;
  /** The PDF of a credit note. Throws a RenderError. */
  creditNotePdfOf: (note: CreditNote) => Promise<Uint8Array>;
  /** The PDF of a receipt. Throws a RenderError. */
  receiptPdfOf: (receipt: Receipt) => Promise<Uint8Array>;
  /** Waits until a receipt's tax is stated in the currency that the law requires, if its rate is known. */
  stateTax: (depositIndex: number) => Promise<void>;
  /** The PDF of the receipt for a completed refund; `receipt` is that of the refunded payment. Throws a RenderError. */
  refundPdfOf: (refund: Refund, receipt: Receipt) => Promise<Uint8Array>;
  /** The highest known block, for counting confirmations. */
  chainHead: () => number | null;
  /** When a payment in a block counts. */
  countsIn: (blockNumber: number) => Counting;
  /** How long the newest block is overdue, in ms; 0 if it is not. */
  chainLagMs: () => number;
  /** Transfers since the start, by outcome. */
  transfers: () => Readonly<Record<string, number>>;
  /** Waits until the chain reports money to a deposit, or the signal aborts. */
  paymentTo: (depositIndex: number, signal: AbortSignal) => Promise<void>;
  /** Calls to the nodes since the start, by method. */
  rpcRequests: () => ReadonlyMap<string, number>;
  /** True if payments are currently detected late. */
  isDelayed: () => boolean;
  /** Reasons why Till is not ready; empty if it is. */
  problems: () => Finding[];
  /** Findings that somebody should look at although Till is working. */
  warnings: () => Finding[];
  /** Sees the origin of every request. */
  proxyWatch: Pick<ProxyWatch, "saw">;
  /** The gas account's balance in wei when last read; null before. */
  gasBalance: () => bigint | null;
  /** Signed payments; null until the database was found intact. */
  relayer: () => Relayer | null;
  /** USDC that crosses from other chains; null without Circle's service, and until the database was found intact. */
  crossings: () => Crossings | null;
  /** How long an x402 payment request waits for its block. */
  x402WaitMs: number;
  /** Time to hold a request that waits for news of a payment; a default if not given. */
  longPollHoldMs?: number | undefined;
  ownWallets: OwnWallets;
  /** The contents of Till's wallet, and withdrawals from it; null until the database was found intact. */
  treasury: () => Treasury | null;
  /** Sends refunds; null until the database was found intact. */
  refunder: () => Refunder | null;
  /** USDC on other chains; null until the database was found intact. */
  elsewhere: () => Elsewhere | null;
  /** Looks for a payment to a deposit on every chain, as somebody says that there is one. */
  lookFor: (deposit: Pick<Deposit, "index" | "address">) => Promise<void>;
  /** Settles what can be settled now; `retry` includes what failed before. Null until the database was found intact. */
  settleNow: (retry: boolean) => Promise<SettleOutcome | null>;
  settings: Settings;
  /** Removes secrets from texts of a node or a mail server. */
  redact: Redact;
  /** Call when a webhook event became due. */
  onEventDue: () => void;
  /** Call when a mail was put into the outbox. */
  onMailDue: () => void;
  /** Null except in development. */
  dev: DevTools | null;
};

/** Settings changed at the desk. Null resets one. */
export type SettingChanges = Readonly<Partial<Record<DeskSettingName, string | null>>>;

export type Settings = {
  /** Lists the faults that these changes would cause. */
  faultsOf(changes: SettingChanges): SettingFault[];
  /** Stores the changes, which apply from then on. Joins the caller's transaction, if there is one. */
  save(changes: SettingChanges, by: { name: string; vault: Vault; now: number }): void;
  /** The value set at the desk; null if none was. */
  storedText(name: DeskSettingName): string | null;
  /** The most recent change to any of these. */
  lastChange(names: readonly DeskSettingName[]): { at: number; by: string } | null;
  /** Findings about stored values that cannot apply. */
  findings(): Finding[];
};

export type DevTools = {
  /** The caught mails, newest first. */
  caughtMail: () => readonly MailCopy[];
  /** A shell command for `till pay`. */
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
