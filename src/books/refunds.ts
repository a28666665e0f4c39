import type { Refund } from "../domain/payment/refund.ts";
import type { ReceiptSubject } from "../domain/receipt/receipt.ts";
import * as Usdc from "../domain/usdc.ts";
import { instant, instantOrNull } from "../lib/time.ts";
import { ownerOf } from "../store/reports/receipt.ts";
import * as RefundStore from "../store/tables/invoicing/refund.ts";
import type { BookColumns } from "./columns.ts";
import { isWithin, type Table, table } from "./table.ts";

/** A refund, and what it is of. */
export type RefundRow = { refund: Refund; owner: ReceiptSubject };

/** The desk's file of refunds has these columns, too. */
export const refundColumns: BookColumns<RefundRow> = {
  ended_at: ({ refund }) => instantOrNull(refund.endedAt),
  state: ({ refund }) => refund.state,
  currency: () => "USDC",
  amount: ({ refund }) => Usdc.formatExact(refund.amount),
  invoice_number: ({ owner }) => (owner.kind === "invoice" ? owner.invoice.number : null),
  link: ({ owner }) => (owner.kind === "link" ? owner.link.slug : null),
  customer_name: ({ owner }) => (owner.kind === "invoice" ? owner.invoice.vendorName : null),
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
  function* (selection) {
    for (const refund of RefundStore.eachConfirmed(selection.db))
      if (isWithin(refund.endedAt ?? refund.changedAt, selection))
        yield { refund, owner: ownerOf(selection.db, refund.depositIndex) };
  },
  () => refundColumns,
);
