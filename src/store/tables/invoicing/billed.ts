import * as Currency from "../../../domain/bill/currency.ts";
import type { Invoice } from "../../../domain/bill/invoice.ts";
import type { Row } from "../../columns.ts";
import type { Db } from "../../database.ts";
import * as InvoiceStore from "./invoice.ts";

/** Totals of invoices, and currencies of invoices and links, without the rest of their records. */

/** The totals of the newest invoices, and of the newest links with a numbered receipt. */
export function newestTotals(db: Db, limit: number): Invoice["totals"][] {
  const queries = [
    `SELECT ${InvoiceStore.totals.list} FROM invoice ORDER BY sequence DESC LIMIT ?`,
    "SELECT bill -> '$.totals' AS totals FROM receipt JOIN link USING (deposit_index) ORDER BY sequence DESC LIMIT ?",
  ];
  return queries.flatMap((sql) =>
    db
      .query<Row<Pick<Invoice, "totals">>, [number]>(sql)
      .all(limit)
      .map((row) => InvoiceStore.totals.fromRow(row).totals),
  );
}

/** Newest invoices and links to search for currencies in use. */
const lookedAt = 1_000;

/** The currencies of recent invoices and links whose rate was quoted. */
export function quotedCurrencies(db: Db): Currency.Code[] {
  return db
    .query<{ code: string }, [number, string, string]>(
      `SELECT DISTINCT currency ->> '$.code' AS code
       FROM (SELECT * FROM (SELECT deposit_index FROM invoice ORDER BY sequence DESC LIMIT ?1)
         UNION ALL SELECT * FROM (SELECT deposit_index FROM link ORDER BY id DESC LIMIT ?1))
         JOIN receivable USING (deposit_index)
       WHERE currency IS NOT NULL AND currency ->> '$.source' NOT IN (?2, ?3) ORDER BY code`,
    )
    .all(lookedAt, Currency.byCaller, Currency.byParity)
    .map(({ code }) => code);
}
