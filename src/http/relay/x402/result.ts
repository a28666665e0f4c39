import type { Relay } from "../../../domain/payment/relay.ts";
import type { InvalidReason } from "./reason.ts";

/** The outcome of a payment, for the response's header. */
export type SettlementResponse = {
  /** Null if the money has moved. */
  reason: InvalidReason | null;
  message: string | null;
  /** Null without a payment: the payer is unknown. */
  payer: string | null;
  /** The transaction sent to the chain; null if none was. */
  transaction: string | null;
  amount: bigint | null;
  /** When it was seen in a block, in Unix milliseconds; null before. */
  minedAt: number | null;
};

export const refusedFor = (
  reason: InvalidReason,
  message: string | null,
  payer: string | null = null,
): SettlementResponse => ({
  reason,
  message,
  payer,
  transaction: null,
  amount: null,
  minedAt: null,
});

export function resultOf(relay: Relay, reason: InvalidReason | null): SettlementResponse {
  const { payer, txHash: transaction, minedAt } = relay;
  return {
    reason,
    message: null,
    payer,
    transaction,
    amount: reason === null ? relay.amount : null,
    minedAt,
  };
}
