import type { Wallet } from "../chain/account/wallet.ts";
import type { Config } from "../config/config.ts";
import * as Currency from "../domain/bill/currency.ts";
import type * as Invoice from "../domain/bill/invoice.ts";
import * as InvoiceNumber from "../domain/bill/invoice-number.ts";
import * as TaxCurrency from "../domain/bill/tax-currency.ts";
import * as Calendar from "../domain/calendar.ts";
import * as Party from "../domain/party/party.ts";
import type { Deposit } from "../domain/payment/deposit.ts";
import * as Common from "../domain/receivable/common.ts";
import * as Usdc from "../domain/usdc.ts";
import type { Address } from "../domain/wallet/address.ts";
import { newSlug } from "../lib/crypto.ts";
import { world } from "../lib/world.ts";
import type { TaxRates } from "../rates/tax.ts";
import type { Db } from "../store/database.ts";
import { stored } from "../store/group-commit.ts";
import { newSecret, placeOf } from "../store/secrets.ts";
import * as PreferenceStore from "../store/tables/desk/preference.ts";
import type { Claim } from "../store/tables/installation/idempotency.ts";
import * as IdempotencyStore from "../store/tables/installation/idempotency.ts";
import * as InvoiceStore from "../store/tables/invoicing/invoice.ts";
import * as PartyStore from "../store/tables/invoicing/party.ts";
import * as MailStore from "../store/tables/outbox/mail.ts";
import { nextDeposit, openedWallet } from "./next-deposit.ts";
import type { Pricing } from "./price.ts";

/** Fields that Till adds to a request. */
type NewInvoiceFields =
  | "id"
  | "sequence"
  | "number"
  | "slug"
  | "issueDate"
  | "status"
  | "walletType"
  | "deposit"
  | "currency"
  | "total"
  | "taxInCurrency"
  | "credited"
  | "createdAt"
  | "correctedAt"
  | "sentAt"
  | keyof SavedTrade
  | keyof Common.Closure;

/** If undefined, the saved details of merchant and customer apply. */
type SavedTrade = Pick<Invoice.Trade, "merchantDetails" | "vendorDetails" | "paymentTerms"> &
  Pick<Invoice.Invoice, "language">;

/** A checked request; see SPEC section 4.1. */
export type NewInvoice = Omit<Invoice.Invoice, NewInvoiceFields> & {
  [K in keyof SavedTrade]: SavedTrade[K] | undefined;
} & {
  /** Null for today. */
  issueDate: string | null;
  /** The total in the invoice's currency. */
  billed: Usdc.Billed;
  /** Null for USDC. */
  currency: Currency.RequestedCurrency | null;
  /** The price of 1 of it in the currency of the seller's country; null to look it up if needed. */
  taxExchangeRate: Currency.Rate | null;
  /** The caller's wallet for `byo`; null for `managed`. */
  wallet: Address | null;
  sendNow: boolean;
};

/** The webhook's secret, shown only this once; null without a webhook. */
export type CreatedInvoice = { invoice: Invoice.Invoice; webhookSecret: string | null };

/** A claim, and whatever `keep` stores, go into the invoice's own transaction. */
export type CreateInvoice = (
  request: NewInvoice,
  claim: Claim | null,
  keep?: (invoice: Invoice.Invoice) => void,
) => Promise<CreatedInvoice>;

export type CreateInvoiceDeps = {
  db: Db;
  /** Opens shortly after the start. */
  wallet: Promise<Wallet>;
  /** Wakes the outbox for an invoice's first mail, and waits a few seconds for the outcome. Never throws. */
  sendFirst: (mailId: string, invoice: Invoice.Invoice) => Promise<void>;
  config: Pick<Config, "invoiceNumber" | "timeZone" | "tolerance">;
  now: () => number;
  /** Called before anybody sees the address, so that the chain is already watched for it. */
  onDeposit: (deposit: Deposit) => void;
  price: Pricing;
  taxRates: TaxRates;
  /** Called once the invoice is stored, to start on its PDF. */
  onCreated: (invoice: Invoice.Invoice) => void;
};

/**
 * Stores an invoice with its number and deposit address in one transaction, and mails it on request. Needs no node.
 * Throws a WalletUnavailable, whatever `price` throws, or a StorageFailed if nothing was stored.
 */
export function createInvoiceCreator(deps: CreateInvoiceDeps): CreateInvoice {
  const { db, config, now } = deps;
  const today = () => Calendar.dayAt(now(), config.timeZone);

  /**
   * The rate for stating its tax in another currency; null if the seller's country does not require it, or no rate is
   * known.
   */
  async function taxRateOf(input: Omit<NewInvoice, "sendNow" | "wallet">): Promise<Currency.TaxRate | null> {
    // Most have no tax: nothing is read for them.
    if (!TaxCurrency.hasTax(input)) return null;
    const bill = { ...input, ...withSaved(db, input), issueDate: input.issueDate ?? today() };
    const code = TaxCurrency.neededBy(bill);
    if (code === null) return null;
    const rate = input.taxExchangeRate;
    if (rate !== null) return { code, rate, source: Currency.byCaller, fetchedAt: now() };
    const day = TaxCurrency.dayOf(bill);
    const quoted = await deps.taxRates({
      from: Currency.codeOf(input),
      to: code,
      day,
      isToday: day === today(),
      isParity: PartyStore.hasParity(db, input.merchantEmail),
    });
    return quoted && { ...quoted, code };
  }

  return async ({ wallet: callersWallet, sendNow, ...input }, claim, keep) => {
    const wallet = await openedWallet(deps.wallet);
    const { billed, taxExchangeRate, ...rest } = input;
    const [priced, taxRate] = await Promise.all([deps.price(input), taxRateOf(input)]);
    const fields = { ...rest, ...priced };
    const createdAt = now();
    const webhookSecret = fields.webhookUrl && newSecret();
    const { invoice, mailId } = await stored(
      db,
      () => {
        const deposit = nextDeposit(db, wallet, {
          merchantEmail: fields.merchantEmail,
          wallet: callersWallet,
          expected: fields.total,
          tolerance: config.tolerance,
        });
        const sequence = InvoiceStore.nextSequence(db);
        const closed = PreferenceStore.closedThrough(db);
        const issueDate = fields.issueDate ?? PreferenceStore.firstOpenDay(closed, today());
        if (closed !== null && issueDate <= closed) throw new PeriodClosed(closed);
        const bill = { ...fields, ...withSaved(db, fields), issueDate };
        const invoice: Invoice.Invoice = {
          ...bill,
          taxInCurrency: TaxCurrency.of(bill, taxRate),
          id: world.randomUUID(),
          sequence,
          number: InvoiceNumber.of(config.invoiceNumber, sequence),
          slug: newSlug(),
          status: "draft",
          walletType: callersWallet ? "byo" : "managed",
          deposit,
          credited: Usdc.zero,
          createdAt,
          sentAt: null,
          correctedAt: null,
          ...Common.open,
        };
        InvoiceStore.insert(
          db,
          invoice,
          webhookSecret && wallet.vault.seal(webhookSecret, placeOf.deposit(deposit.index)),
        );
        if (claim) IdempotencyStore.insert(db, claim, invoice.id, createdAt);
        keep?.(invoice);
        return { invoice, mailId: sendNow ? MailStore.insertFirst(db, deposit.index, createdAt) : null };
      },
      ({ invoice }) => deps.onDeposit(invoice.deposit),
    );
    deps.onCreated(invoice);
    if (mailId === null) return { invoice, webhookSecret };
    await deps.sendFirst(mailId, invoice);
    return { invoice: InvoiceStore.bySequence(db, invoice.sequence) ?? invoice, webhookSecret };
  };
}

/** The books were closed through its issue date since the request was checked. */
export class PeriodClosed extends Error {
  override readonly name = "PeriodClosed";

  /** `day`: the last closed day. */
  constructor(readonly day: string) {
    super(`The books are closed through ${day}`);
  }
}

/** Fills in parties and terms that the request omits from what is saved now. */
export function withSaved(
  db: Db,
  request: Pick<NewInvoice, "merchantEmail" | "vendorEmail" | keyof SavedTrade>,
): SavedTrade {
  const { merchantEmail, vendorEmail, merchantDetails, vendorDetails, paymentTerms } = request;
  const merchant = PartyStore.find(db, "merchant", merchantEmail) ?? Party.nothingSaved;
  const vendor = PartyStore.find(db, "vendor", vendorEmail) ?? Party.nothingSaved;
  return {
    merchantDetails: merchantDetails === undefined ? merchant.details : merchantDetails,
    vendorDetails: vendorDetails === undefined ? vendor.details : vendorDetails,
    paymentTerms: paymentTerms === undefined ? merchant.paymentTerms : paymentTerms,
    language: request.language ?? vendor.language,
  };
}
