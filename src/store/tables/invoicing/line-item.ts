import type { LineItem } from "../../../domain/bill/invoice.ts";
import type * as Tax from "../../../domain/bill/tax.ts";
import { billed, columns, json, orNull, quantity, type Row, text, withAmounts } from "../../columns.ts";
import type { Db } from "../../database.ts";

/** For joins too, under the name `line_item`. */
export const stored = columns("line_item", {
  description: text(),
  quantity: quantity(),
  unitPrice: billed(),
  unit: orNull(text()),
  discount: orNull(withAmounts<Tax.Discount>()),
  tax: orNull(json<Tax.Tax>()),
  lineTotal: billed(),
});

/** An invoice's line items, by its sequence, in order. */
export function ofInvoice(db: Db, sequence: number): LineItem[] {
  return db
    .query<Row<LineItem>, [number]>(
      `SELECT ${stored.list} FROM line_item WHERE sequence = +? ORDER BY position`,
    )
    .all(sequence)
    .map(stored.fromRow);
}

export function insert(db: Db, sequence: number, items: readonly LineItem[]): void {
  const query = db.query(stored.insert({ sequence: "$sequence", position: "$position" }));
  for (const [position, item] of items.entries()) query.run({ ...stored.values(item), sequence, position });
}
