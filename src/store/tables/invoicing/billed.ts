import * as Currency from "../../../domain/bill/currency.ts";
import type { Invoice } from "../../../domain/bill/invoice.ts";
import type { Row } from "../../columns.ts";
import type { Db } from "../../database.ts";
import * as InvoiceStore from "./invoice.ts";

/** What invoices add up to and in which currency, without the rest of their records. */

/** The amounts of invoices, by their sequences. */
export function billedOf(db: Db, sequences: readonly number[]) {
  const rows = db
    .query<Row<ReturnType<typeof InvoiceStore.billed.fromRow>>, [string]>(
      `SELECT ${InvoiceStore.billed.list} FROM invoice WHERE sequence IN (SELECT value FROM json_each(?))`,
    )
    .all(JSON.stringify(sequences));
  return new Map(rows.map(InvoiceStore.billed.fromRow).map((each) => [each.sequence, each]));
}

/** The totals of the newest invoices. */
export function newestTotals(db: Db, limit: number): Invoice["totals"][] {
  const totals = InvoiceStore.billed.pick("totals");
  return db
    .query<Row<Pick<Invoice, "totals">>, [number]>(
      `SELECT ${totals.list} FROM invoice ORDER BY sequence DESC LIMIT ?`,
    )
    .all(limit)
    .map((row) => totals.fromRow(row).totals);
}

/** Newest invoices to search for currencies in use. */
const lookedAt = 1_000;

/** The currencies of recent invoices whose rate was quoted. */
export function quotedCurrencies(db: Db): Currency.Code[] {
  return db
    .query<{ code: string }, [number, string, string]>(
      `SELECT DISTINCT currency ->> '$.code' AS code
       FROM (SELECT currency FROM invoice ORDER BY sequence DESC LIMIT ?)
       WHERE currency IS NOT NULL AND currency ->> '$.source' NOT IN (?, ?) ORDER BY code`,
    )
    .all(lookedAt, Currency.byCaller, Currency.byParity)
    .map(({ code }) => code);
}
