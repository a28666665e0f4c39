import * as Usdc from "../../domain/usdc.ts";
import { transactionUrl } from "../../domain/wallet/network.ts";
import type { PaymentLine } from "../../mail/messages/payment-message.ts";
import * as TransferStore from "../../store/tables/watch/transfer.ts";
import type { MailDeps } from "./mail-kind.ts";

/** Payments listed in a mail; the rest are only counted. */
const shownMax = 20;

/** What counts at a deposit, the largest payments first. */
export function paymentsOf(
  { db, network }: MailDeps,
  depositIndex: number,
): { payments: PaymentLine[]; otherPayments: number } {
  const shown = { limit: shownMax, confirmedOnly: true };
  const { transfers, others } = TransferStore.listLargest(db, depositIndex, shown);
  const payments = transfers.map(({ amount, madeAt, txHash }) => ({
    amount: Usdc.formatExact(amount),
    madeAt,
    txHash,
    url: transactionUrl(network.explorer, txHash),
  }));
  return { payments, otherPayments: others };
}
