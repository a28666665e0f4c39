import { withBlockTimes } from "../chain/node/block-times.ts";
import type * as Currency from "../domain/bill/currency.ts";
import { faceOf } from "../domain/receivable/receivable.ts";
import type { Usdc } from "../domain/usdc.ts";
import * as ExportStore from "../store/reports/export/export.ts";
import * as GasStore from "../store/reports/export/gas.ts";
import { valued } from "./columns.ts";
import { eachRefund } from "./refunds.ts";
import { isWithin, type Selection } from "./table.ts";

/** Movements of money in the days of an export. */

const twoDaysMs = 2 * 86_400_000;

/** Payments, each on the day of its block. */
export async function* eachPayment(selection: Selection) {
  const { from } = selection.days;
  // A payment is seen after its block was made; two days cover every time zone.
  const sinceMs = from === null ? 0 : Date.parse(`${from}T00:00:00Z`) - twoDaysMs;
  const recorded = ExportStore.eachPayment(selection.db, sinceMs);
  const payments = withBlockTimes(
    recorded,
    (payment) => payment,
    selection.rpcUrls,
    (reason) =>
      selection.onGap(
        `the times of blocks are missing (${reason}). Without one, the day of a payment is that on which it was ` +
          "made as far as Till knows.",
        "times",
        0,
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

/** USDC that the sellers received or that left them. */
export type Movement = {
  kind: "payment" | "refund" | "withdrawal";
  at: number;
  amount: Usdc;
  /** The number of the invoice or the receipt, or the slug of a link without one; null for a withdrawal. */
  subject: string | null;
  /** The customer's. */
  name: string | null;
  email: string | null;
  /** The payer's address, or the destination. */
  address: string | null;
  txHash: string | null;
  /** The value of 1 USDC at that time; null if unknown. */
  value: { currency: Currency.Code; rate: Currency.Rate } | null;
};

/** The confirmed payments of the days, in the order of their blocks. */
export async function* eachIn(selection: Selection): AsyncGenerator<Movement> {
  for await (const payment of eachPayment(selection)) {
    const { amount, payer, txHash, valueCurrency: currency, rate } = payment;
    if (payment.confirmed)
      yield {
        kind: "payment",
        at: payment.blockMs ?? payment.madeAt,
        amount,
        txHash,
        address: payer,
        subject: payment.number ?? payment.receiptNumber ?? payment.linkSlug,
        name: payment.vendorName,
        email: payment.customerEmail,
        value: currency === null || rate === null ? null : { currency, rate },
      };
  }
}

const allDays = { from: null, to: null };

/** Outgoing money of the days: refunds, except those outside of Till, and withdrawals that are not refunds. */
export function* eachOut(selection: Selection): Generator<Movement> {
  const ofRefunds = new Set<number>();
  for (const { refund, owner, value } of eachRefund({ ...selection, days: allDays })) {
    if (refund.withdrawalId !== null) ofRefunds.add(refund.withdrawalId);
    const at = refund.endedAt ?? refund.changedAt;
    if (refund.way === "elsewhere" || !isWithin(at, selection)) continue;
    const { amount, address, txHash } = refund;
    const { receiptName: subject, customerName: name, customerEmail: email } = faceOf(owner);
    yield {
      kind: "refund",
      at,
      amount,
      address,
      txHash,
      value,
      subject,
      name,
      email,
    };
  }
  const withdrawals = within(GasStore.eachWithdrawal(selection.db), minedOrBegun, selection);
  for (const withdrawal of valued(selection, "withdrawal", withdrawals)) {
    const { id, state, amount, to: address, txHash, value } = withdrawal;
    if (state === "done" && !ofRefunds.has(id))
      yield {
        kind: "withdrawal",
        at: minedOrBegun(withdrawal),
        amount,
        address,
        txHash,
        value,
        subject: null,
        name: null,
        email: null,
      };
  }
}
