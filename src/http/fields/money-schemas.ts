import { Type } from "@sinclair/typebox";
import { called, oneOf } from "../../invoicing/request/validation.ts";
import * as SettlementStore from "../../store/tables/settle/settlement.ts";
import { address, closed, exactUsdc, hash, id, instant, number, optional, slug } from "./answer-parts.ts";

/** Where the money is, and how it moved. */

const balance = {
  deposits: Type.Integer({ wants: "how many deposit addresses hold confirmed USDC" }),
  deposits_amount: { ...exactUsdc, wants: "what they hold, in USDC" },
  wallets: Type.Integer({ wants: "how many wallets Till has for its merchants" }),
  wallets_amount: optional({
    ...exactUsdc,
    wants: "what they held when that was last read; null if unknown",
  }),
  wallets_read_at: optional({ ...instant, wants: "when that was, ISO 8601" }),
  total_amount: optional({
    ...exactUsdc,
    wants: "both; null if unknown, or if Till has moved money since: ask again in a few seconds",
  }),
};

export const Balance = closed(balance, { noun: "Balance" });

const settlement = {
  id: Type.String({ wants: "of the settlement" }),
  state: called(
    "SettlementState",
    oneOf(
      SettlementStore.states,
      "empty: nothing was left to move; elsewhere: not by a transaction of Till's",
    ),
  ),
  invoice_id: Type.Optional({ ...id, wants: "the invoice that was paid there, or else there is slug" }),
  invoice_number: Type.Optional(number),
  slug: Type.Optional({ ...slug, wants: "the slug of the payment link that was paid there" }),
  deposit_address: address,
  payout_wallet: { ...address, wants: "where it was moved to" },
  amount: { ...exactUsdc, wants: "what was moved, in USDC; 0.00 unless settled or elsewhere" },
  tx_hash: optional({ ...hash, wants: "the transaction, as far as it is known" }),
  block_number: optional(Type.Integer({ wants: "its block" })),
  created_at: instant,
  retry_at: optional({ ...instant, wants: "when Till tries again what failed, ISO 8601" }),
};

export const SettlementRecord = closed(settlement, { noun: "Settlement" });
