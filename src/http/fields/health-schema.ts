import { Type } from "@sinclair/typebox";
import { record, text } from "./answer-parts.ts";

/** Responses of the two health calls; figures only for those allowed to see them. */
export const Health = record("Health", {
  status: text("ok, or not ready"),
  reasons: Type.Optional(Type.Array(Type.String(), { wants: "why Till is not ready; only with 503" })),
  warnings: Type.Optional(
    Type.Array(Type.String(), { wants: "what needs a person's attention all the same" }),
  ),
  signed_payments: Type.Optional(
    record("SignedPayments", {
      offered: Type.Boolean({ wants: "whether payers can pay by a signature just now" }),
      obstacle: Type.Union([Type.String(), Type.Null()], {
        wants: "why not: off, node, reserve, fees or budget",
      }),
      on_the_way: Type.Integer({ wants: "how many are on their way" }),
      paid_24h: Type.Integer({ wants: "how many paid, of those begun in 24 hours" }),
      failed_24h: Type.Integer({ wants: "how many failed after they were sent" }),
      fees_24h_eth: text("what their fees took in 24 hours"),
      budget_eth: text("the most that they take in 24 hours"),
      reserve_eth: text("what the gas account keeps for settlements"),
      minimum_usdc: text("the least that is paid so"),
      base_fee_max_gwei: text("the highest base fee"),
      gas_max: Type.Integer({ wants: "the most gas for the signature of a smart wallet" }),
      failures_max: Type.Integer({ wants: "failures in an hour after which a payer waits" }),
    }),
  ),
});
