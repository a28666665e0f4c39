import type * as Currency from "../../../domain/bill/currency.ts";
import * as InvoiceNumber from "../../../domain/bill/invoice-number.ts";
import * as TaxCurrency from "../../../domain/bill/tax-currency.ts";
import * as Calendar from "../../../domain/calendar.ts";
import {
  type Bill,
  buyerOf,
  type IssuedReceipt,
  isTaxed,
  type PayerDetails,
  type Seller,
  taxedBillOf,
} from "../../../domain/link/bill.ts";
import {
  columns,
  integer,
  join,
  json,
  orNull,
  selectEach,
  selectOne,
  text,
  withAmounts,
} from "../../columns.ts";
import { type Db, numberOf } from "../../database.ts";
import * as PreferenceStore from "../desk/preference.ts";
import * as PartyStore from "./party.ts";
import * as ReceivableStore from "./receivable.ts";

/** The numbered receipts of links with tax. */
const stored = columns("receipt", {
  sequence: integer(),
  number: text(),
  issueDate: text(),
  seller: json<Seller>(),
  buyer: orNull(json<PayerDetails>()),
  createdAt: integer(),
  taxCurrency: orNull(text<Currency.Code>()),
  taxInCurrency: orNull(withAmounts<Currency.TaxInCurrency>()),
});

export const byDeposit = (db: Db, depositIndex: number): IssuedReceipt | null =>
  selectOne(db, stored, "WHERE deposit_index = ?", depositIndex);

type Issuing = { receiptNumber: InvoiceNumber.Pattern; timeZone: string };

/** Data for the receipt of a paid link that has none yet. */
const unreceipted = {
  ...join(
    columns("link", {
      businessName: text(),
      bill: orNull(withAmounts<Bill>()),
      payerDetails: orNull(json<PayerDetails>()),
    }),
    ReceivableStore.billing,
  ),
  from: "link JOIN receivable USING (deposit_index)",
};

/**
 * Gives a taxed link its receipt number if it is now paid and has none; does nothing for other deposits. Call it in the
 * transaction that makes it paid, as numbers have no gaps. Whatever becomes of the payment, the link keeps the number.
 */
export function issue(db: Db, depositIndex: number, at: number, { receiptNumber, timeZone }: Issuing): void {
  const link = selectOne(
    db,
    unreceipted,
    `WHERE deposit_index = ? AND status IN ('confirmed', 'excess') AND bill IS NOT NULL
     AND NOT EXISTS (SELECT 1 FROM receipt WHERE receipt.deposit_index = link.deposit_index)`,
    depositIndex,
  );
  if (link === null || !isTaxed(link.bill)) return;
  const saved = PartyStore.find(db, "merchant", link.merchantEmail);
  const sequence = nextSequence(db);
  const issueDate = PreferenceStore.openDay(db, Calendar.dayAt(at, timeZone));
  const seller: Seller = {
    name: saved?.name ?? link.businessName,
    address: saved?.address ?? null,
    details: saved?.details ?? null,
  };
  const receipt: IssuedReceipt = {
    sequence,
    number: InvoiceNumber.of(receiptNumber, sequence),
    issueDate,
    seller,
    buyer: buyerOf(link.payerDetails),
    createdAt: at,
    taxCurrency: TaxCurrency.neededBy(taxedBillOf({ seller, issueDate }, link)),
    taxInCurrency: null,
  };
  const others = { deposit_index: "$depositIndex" };
  db.query(stored.insert(others)).run({ ...stored.values(receipt), depositIndex });
}

const withDeposit = {
  ...join(stored, columns("receipt", { depositIndex: integer() })),
  from: "receipt",
};

/** How long a missing rate for a receipt is looked for. */
const askedForMs = 7 * 86_400_000;

const awaitingRate = "tax_currency IS NOT NULL AND tax_in_currency IS NULL AND created_at";

/** Deposits of receipts whose tax is still to be stated in another currency, newest first. */
export const listAwaitingRate = (db: Db, now: number): number[] =>
  db
    .query<{ index: number }, [number]>(
      `SELECT deposit_index AS "index" FROM receipt WHERE ${awaitingRate} >= ? ORDER BY created_at DESC`,
    )
    .all(now - askedForMs)
    .map(({ index }) => Number(index));

/**
 * Number of receipts since a time (Unix ms) that lack the tax in the legally required currency, as no rate was found
 * for a week.
 */
export const countWithoutRate = (db: Db, since: number, now: number): number =>
  numberOf(
    db,
    `SELECT count(*) FROM receipt WHERE ${awaitingRate} BETWEEN ? AND ?`,
    since,
    now - askedForMs,
  ) ?? 0;

/** Writes the tax in the legally required currency; only once. */
export function stateTax(db: Db, { sequence }: IssuedReceipt, taxInCurrency: Currency.TaxInCurrency): void {
  db.query(
    "UPDATE receipt SET tax_in_currency = $taxInCurrency WHERE sequence = $sequence AND tax_in_currency IS NULL",
  ).run(stored.pick("sequence", "taxInCurrency").values({ sequence, taxInCurrency }));
}

/** Receipts issued in these days, both included, in order of number; null means no bound. */
export const each = (db: Db, days: { from: string | null; to: string | null }) =>
  selectEach(
    db,
    withDeposit,
    "WHERE ($from IS NULL OR issue_date >= $from) AND ($to IS NULL OR issue_date <= $to) ORDER BY sequence",
    days,
  );

/** Sellers of the receipts since a time, among the newest thousand, by mail address. */
export const sellersSince = (db: Db, at: number): string[] =>
  db
    .query<{ email: string }, [number]>(
      `SELECT DISTINCT merchant_email AS email FROM receipt JOIN receivable USING (deposit_index)
       WHERE sequence > (SELECT max(sequence) FROM receipt) - 1000 AND receipt.created_at >= ?
       ORDER BY merchant_email`,
    )
    .all(at)
    .map(({ email }) => email);

/** The next number; see `nextSequence` of invoices. */
export function nextSequence(db: Db): number {
  const sql = "SELECT max(coalesce((SELECT max(sequence) FROM receipt), 0) + 1, receipt) FROM next_numbers";
  return numberOf(db, sql) ?? 1;
}
