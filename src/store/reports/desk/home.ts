import type { Status } from "../../../domain/bill/invoice.ts";
import type * as Usdc from "../../../domain/usdc.ts";
import { boolean, columns, computed, integer, orNull, selectAll, sumOf, text, usdc } from "../../columns.ts";
import type { Db } from "../../database.ts";

/** The unit of times in `received`, in ms. */
const quarterMs = 900_000;

/** The confirmed amount of payments made between two times, in Unix milliseconds. */
export function receivedBetween(db: Db, from: number, to: number): Usdc.Usdc {
  const row = db
    .query<{ amount: bigint | null }, [number, number]>(
      "SELECT sum(amount) AS amount FROM received WHERE quarter >= ? AND quarter < ?",
    )
    .get(Math.floor(from / quarterMs), Math.ceil(to / quarterMs));
  return sumOf(row?.amount);
}

/** Open invoices: how many, how much is still due, and the earliest due date. */
type Owed = { invoices: number; amount: Usdc.Usdc; firstDue: string | null };

/** Open invoices due from `from` and before `before`; all of them without either. */
export function owed(db: Db, { from = "", before = "~" }: { from?: string; before?: string } = {}): Owed {
  const row = db
    .query<{ invoices: bigint | null; amount: number; first: string | null }, [string, string]>(
      `SELECT sum(invoices) AS invoices, total(amount) AS amount, min(due_date) AS first FROM owed
       WHERE due_date >= ? AND due_date < ?`,
    )
    .get(from, before);
  return { invoices: Number(row?.invoices ?? 0n), amount: sumOf(row?.amount), firstDue: row?.first ?? null };
}

/** A payment, and what it paid for. */
const payment = {
  ...columns("transfer", {
    amount: usdc(),
    confirmed: boolean(),
    /** When it was made, in Unix milliseconds. */
    madeAt: integer(),
    blockNumber: integer(),
    /** For an invoice; null for a link. */
    number: computed("invoice.number", orNull(text())),
    vendorName: computed("vendor_name", orNull(text())),
    status: computed("invoice.status", orNull(text<Status>())),
    /** For a link; null for an invoice. */
    linkSlug: computed("link.slug", orNull(text())),
    productDescription: computed("product_description", orNull(text())),
    atCounter: computed("coalesce(at_counter, 0)", boolean()),
  }),
  from: "transfer LEFT JOIN invoice USING (deposit_index) LEFT JOIN link USING (deposit_index)",
};
export type NewPayment = ReturnType<typeof payment.fromRow>;

/** Newest first. Leaves out payments below `least`: anybody can send any number of them. */
export const newestPayments = (db: Db, { least, limit }: { least: Usdc.Usdc; limit: number }): NewPayment[] =>
  selectAll(db, payment, "WHERE transfer.amount >= ? ORDER BY transfer.made_at DESC LIMIT ?", least, limit);
