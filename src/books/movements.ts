import { withBlockTimes } from "../chain/node/block-times.ts";
import * as ExportStore from "../store/reports/export/export.ts";
import type * as GasStore from "../store/reports/export/gas.ts";
import { isWithin, type Selection } from "./table.ts";

/** What moved money in the days of an export. */

const twoDaysMs = 2 * 86_400_000;

/** Payments, each on the day of its block. */
export async function* eachPayment(selection: Selection) {
  const { from } = selection.days;
  // A payment is seen after its block was made, in whatever time zone; this day is early enough.
  const sinceMs = from === null ? 0 : Date.parse(`${from}T00:00:00Z`) - twoDaysMs;
  const recorded = ExportStore.eachPayment(selection.db, sinceMs);
  const payments = withBlockTimes(
    recorded,
    (payment) => payment,
    selection.rpcUrls,
    (reason) =>
      selection.onGap(
        `the times of blocks are missing (${reason}). Where block_time is empty, payment_date is the day on ` +
          "which the payment was made as far as Till knows.",
      ),
  );
  for await (const payment of payments)
    if (isWithin(payment.blockMs ?? payment.madeAt, selection)) yield payment;
}

export function* within<T>(
  items: Iterable<T>,
  timeOf: (item: T) => number,
  selection: Selection,
): Generator<T> {
  for (const item of items) if (isWithin(timeOf(item), selection)) yield item;
}

export function minedOrBegun({ minedAt, createdAt }: GasStore.ChainPlace & { createdAt: number }): number {
  return minedAt ?? createdAt;
}
