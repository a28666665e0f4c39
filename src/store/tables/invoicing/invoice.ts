import { byField } from "../../../domain/bill/buyer-references.ts";
import type { CreditNote } from "../../../domain/bill/credit-note.ts";
import type { TaxInCurrency } from "../../../domain/bill/currency.ts";
import type { Delivery, Invoice, LineItem, Status } from "../../../domain/bill/invoice.ts";
import type * as Tax from "../../../domain/bill/tax.ts";
import * as Email from "../../../domain/party/email.ts";
import type { Party } from "../../../domain/party/party.ts";
import type * as Usdc from "../../../domain/usdc.ts";
import type { Address } from "../../../domain/wallet/address.ts";
import {
  billed as billedAmount,
  boolean,
  columns,
  integer,
  join,
  json,
  orNull,
  quantity,
  type Selectable,
  selectAll,
  selectOne,
  text,
  usdc,
  withAmounts,
} from "../../columns.ts";
import { type Db, numberOf } from "../../database.ts";
import { type Page, page } from "../../page.ts";
import { indexInTurn } from "../../search.ts";
import * as ReceivableStore from "./receivable.ts";

/** Columns not shared with links. */
const stored = columns("invoice", {
  id: text(),
  sequence: integer(),
  number: text(),
  slug: text(),
  merchantName: text(),
  merchantAddress: text(),
  vendorName: text(),
  vendorEmail: text(),
  vendorAddress: orNull(text()),
  issueDate: text(),
  dueDate: text(),
  notes: orNull(text()),
  discount: orNull(withAmounts<Tax.Discount>()),
  pricesIncludeTax: boolean(),
  totals: orNull(withAmounts<Tax.Totals>()),
  taxInCurrency: orNull(withAmounts<TaxInCurrency>()),
  credited: billedAmount("credited_amount"),
  merchantDetails: orNull(json<Party>()),
  vendorDetails: orNull(json<Party>()),
  paymentTerms: orNull(text()),
  delivery: orNull(json<Delivery>()),
  ...byField(() => orNull(text())),
  status: text<Status>(),
  reminders: orNull(json<number[]>()),
  createdAt: integer(),
  sentAt: orNull(integer()),
  correctedAt: orNull(integer()),
});

/** The USDC amount to pay, as issued or quoted. */
export const total = columns("receivable", { total: usdc("expected_amount") });

/** Totals of its lines and taxes. */
export const totals = stored.pick("totals");

/** An invoice without its line items, which have their own table. */
export type InvoiceHead = Omit<Invoice, "lineItems">;

/** For joins too, which go on after its `from`. */
export const head = {
  ...join(join(stored, total), ReceivableStore.common),
  from: "invoice JOIN receivable USING (deposit_index)",
};

/** With its line items. */
const whole = (db: Db): Selectable<Invoice> => ({
  ...head,
  fromRow: (row) => ({
    ...head.fromRow(row),
    lineItems: lineItems(db, Number(row["sequence"])),
  }),
});

/** Read and use it in one transaction, so that none is skipped; only a restored backup can raise it. */
export function nextSequence(db: Db): number {
  const sql = "SELECT max(coalesce((SELECT max(sequence) FROM invoice), 0) + 1, sequence) FROM next_numbers";
  return numberOf(db, sql) ?? 1;
}

const insertion = stored.insert({ deposit_index: "$depositIndex" });

export function insert(db: Db, invoice: Invoice, sealedSecret: string | null): void {
  ReceivableStore.insert(db, "invoice", invoice, sealedSecret);
  db.query(insertion).run({
    ...stored.values(invoice),
    depositIndex: invoice.deposit.index,
  });
  insertLineItems(db, invoice.sequence, invoice.lineItems);
  indexInTurn(db, invoice.sequence, ["invoice", "customer"]);
}

const one = (db: Db, where: string, value: string | number): Invoice | null =>
  selectOne(db, whole(db), `WHERE ${where}`, value);

export const byId = (db: Db, id: string) => one(db, "id = +?", id);
export const bySlug = (db: Db, slug: string) => one(db, "slug = +?", slug);
export const bySequence = (db: Db, sequence: number) => one(db, "sequence = +?", sequence);
export const byDeposit = (db: Db, depositIndex: number) => one(db, "deposit_index = +?", depositIndex);

/** The invoice that a credit note reduces. */
export function ofCreditNote(db: Db, { invoice, number }: Pick<CreditNote, "invoice" | "number">): Invoice {
  const record = bySequence(db, invoice);
  if (!record) throw new Error(`Credit note ${number} is of no invoice`);
  return record;
}

/** A merchant's newest invoice; the mail address may be in any spelling. Null if there is none. */
export const newestOf = (db: Db, merchantEmail: string) =>
  one(
    db,
    "merchant = ? AND kind = 'invoice' ORDER BY receivable.deposit_index DESC LIMIT 1",
    Email.normalize(merchantEmail),
  );

const poll = stored.pick("status", "dueDate");

/** Only what a poll needs. */
export const statusById = (db: Db, id: string): Pick<Invoice, "status" | "dueDate"> | null =>
  selectOne(db, poll, "WHERE id = ?", id);

/** Returns these invoices, in this order. */
export const heads = (db: Db, sequences: readonly number[]): InvoiceHead[] =>
  selectAll(
    db,
    head,
    "JOIN json_each(?) AS wanted ON wanted.value = sequence ORDER BY wanted.key",
    JSON.stringify(sequences),
  );

type InvoiceListQuery = {
  limit: number;
  /** Only invoices with a lower number than this one. */
  before?: number | undefined;
  status?: Status | undefined;
  /** `today` is the day that counts as today. */
  overdue?: { value: boolean; today: string } | undefined;
  slug?: string | undefined;
  reference?: string | undefined;
  sequence?: number | undefined;
  merchant?: string | null;
  /** The deposit address. */
  address?: Address | undefined;
};

/** Newest first. */
export function list(db: Db, { limit, before, overdue, ...equal }: InvoiceListQuery): Page<Invoice> {
  const isOverdue = "(due_date < $today AND status NOT IN ('paid', 'void'))";
  const { kind, order, after } = ReceivableStore.listOrder(db, "invoice", "sequence", equal, before);
  return page(db, {
    from: whole(db),
    equal: { ...equal, kind },
    where: [overdue ? `${overdue.value ? "" : "NOT "}${isOverdue}` : null],
    values: { today: overdue?.today ?? null },
    order,
    after,
    limit,
  });
}

const correcting = stored.pick("vendorEmail", "dueDate", "reminders", "correctedAt");

/** Stores everything but the amounts. */
export function correct(db: Db, invoice: Invoice): void {
  db.query(
    `UPDATE invoice SET vendor_email = $vendorEmail, due_date = $dueDate, reminders = $reminders,
       corrected_at = $correctedAt WHERE sequence = $sequence`,
  ).run({ ...correcting.values(invoice), sequence: invoice.sequence });
  ReceivableStore.correct(db, invoice);
}

export function setSent(db: Db, sequence: number, sentAt: number, status: Status): void {
  db.query("UPDATE invoice SET sent_at = ?, status = ? WHERE sequence = ?").run(sentAt, status, sequence);
}

/** Adds one credit note's amount, in the currency of the invoice. */
export function addCredited(db: Db, sequence: number, amount: Usdc.Billed): void {
  db.query("UPDATE invoice SET credited_amount = credited_amount + ? WHERE sequence = ?").run(
    amount,
    sequence,
  );
}

/** For joins too, under the name `line_item`. */
export const lineItem = columns("line_item", {
  description: text(),
  quantity: quantity(),
  unitPrice: billedAmount(),
  unit: orNull(text()),
  discount: orNull(withAmounts<Tax.Discount>()),
  tax: orNull(json<Tax.Tax>()),
  lineTotal: billedAmount(),
});

/** An invoice's line items, by its sequence, in order. */
export function lineItems(db: Db, sequence: number): LineItem[] {
  return selectAll(db, lineItem, "WHERE sequence = +? ORDER BY position", sequence);
}

const itemInsertion = lineItem.insert({ sequence: "$sequence", position: "$position" });

function insertLineItems(db: Db, sequence: number, items: readonly LineItem[]): void {
  const query = db.query(itemInsertion);
  for (const [position, item] of items.entries()) query.run({ ...lineItem.values(item), sequence, position });
}
