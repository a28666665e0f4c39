import * as Currency from "../domain/bill/currency.ts";
import type { Refund } from "../domain/payment/refund.ts";
import { faceOf, namedFields, type Receivable } from "../domain/receivable/receivable.ts";
import * as Usdc from "../domain/usdc.ts";
import { instant, instantOrNull } from "../lib/time.ts";
import { receivableAt } from "../store/reports/receivable.ts";
import * as BookValueStore from "../store/tables/invoicing/book-value.ts";
import * as RefundStore from "../store/tables/invoicing/refund.ts";
import { type BookColumns, type Valued, worth } from "./columns.ts";
import { isWithin, type Selection, type Table, table } from "./table.ts";

/** A refund with its invoice or link. */
export type RefundRow = { refund: Refund; owner: Receivable };

/** Refunds given back in the days. */
export function* eachRefund(
  selection: Selection,
): Generator<RefundRow & Valued & { refund: RefundStore.StoredRefund }> {
  for (const refund of RefundStore.eachConfirmed(selection.db)) {
    if (!isWithin(refund.endedAt ?? refund.changedAt, selection)) continue;
    const value = BookValueStore.find(selection.db, "refund", refund.number);
    yield { refund, owner: receivableAt(selection.db, refund.depositIndex), value };
  }
}

/** The desk's file of refunds has these columns as well. */
export const refundColumns: BookColumns<RefundRow> = {
  ended_at: ({ refund }) => instantOrNull(refund.endedAt),
  state: ({ refund }) => refund.state,
  currency: () => "USDC",
  amount: ({ refund }) => Usdc.formatExact(refund.amount),
  invoice_number: ({ owner }) => namedFields(owner).invoice_number,
  link: ({ owner }) => namedFields(owner).link_slug,
  customer_name: ({ owner }) => faceOf(owner).customerName,
  customer_email: ({ refund }) => refund.email,
  way: ({ refund }) => refund.way,
  to_address: ({ refund }) => refund.address,
  tx_hash: ({ refund }) => refund.txHash,
  reason: ({ refund }) => refund.reason,
  note: ({ refund }) => refund.note,
  created_at: ({ refund }) => instant(refund.createdAt),
  id: ({ refund }) => refund.id,
};

export const refunds: Table = table(
  "refunds",
  "one row for each refund that was made in the days, the oldest first",
  eachRefund,
  ({ valueCurrency }) => ({
    ...refundColumns,
    ...worth(valueCurrency, {
      isKept: () => true,
      worthAt: ({ refund }, rate, code) => Currency.fromUsdc(refund.amount, rate, code),
    }),
  }),
);
