import { isUsed } from "../../chain/contract/authorization.ts";
import { readAuthorizationEnd } from "../../chain/contract/authorization-end.ts";
import { mustReadBlock } from "../../chain/node/block.ts";
import { paceOf } from "../../chain/node/pace.ts";
import { amountMax } from "../../chain/transfer/transfer-log.ts";
import type { Deposit } from "../../domain/payment/deposit.ts";
import type { Address } from "../../domain/wallet/address.ts";
import type { Hex } from "../../lib/crypto.ts";
import type { Db } from "../../store/database.ts";
import * as DepositTransferStore from "../../store/tables/watch/deposit-transfer.ts";
import type { GasNodes } from "../gas-account.ts";
import type { RelayRefusal } from "./refusal.ts";
import type { TransferTerms } from "./terms.ts";

/** The payment that an authorisation made, whoever submitted it to the chain. */
export type MadePayment = {
  txHash: Hex;
  /** When it was seen in a block, in Unix milliseconds. */
  minedAt: number | null;
  /** Whether the books have it, confirmed or not. */
  isKnown: boolean;
  /** Whether the books count it. */
  isConfirmed: boolean;
};

/** Only the payer can send themselves a longer list of equal payments. */
const suspectsMax = 16;

/** Payments missing in the books are no older, as the watcher is a minute behind at most. */
const newMs = 120_000;

/** Returns whether a refusal is due to the chain, which may know a payment that is not in the books yet. */
const isOfChain = ({ code, relay }: RelayRefusal) => code === "used" || (code === "busy" && relay === null);

/** An authorisation shown to Till, and its deposit. */
export type Shown = { deposit: Deposit; auth: Pick<TransferTerms, "from" | "to" | "amount" | "nonce"> };

type MadeDeps = {
  db: Db;
  now: () => number;
  token: Address;
  withNode: GasNodes["withNode"];
};

/**
 * Finds the payment to a deposit that an authorisation made; null if it made none. Anybody can submit an authorisation
 * to the token, so a refusal does not mean that it was not paid. Asks the node only if the books or the refusal hint at
 * a payment. Throws when the node fails or answers nonsense.
 */
export async function paymentMadeBy(
  { db, now, token, withNode }: MadeDeps,
  { deposit, auth: { from, to, amount, nonce } }: Shown,
  refusal: RelayRefusal | null,
): Promise<MadePayment | null> {
  // No payment was ever that large, nor could the database be asked for it.
  if (to !== deposit.address || amount > amountMax) return null;
  const known = DepositTransferStore.listEqual(
    db,
    { depositIndex: deposit.index, payer: from, amount },
    suspectsMax,
  );
  if (known.length === 0 && !(refusal && isOfChain(refusal))) return null;
  const suspects = known.map(({ txHash }) => txHash as Hex);
  const end = await withNode(async ({ rpc }) => {
    const authorization = { token, from, nonce };
    if (!(await isUsed(rpc, authorization))) return null;
    const head = await mustReadBlock(rpc, "latest");
    const blocks = { from: Math.max(0, head.number - paceOf(rpc).blocks(newMs)), to: head.number };
    return readAuthorizationEnd(rpc, authorization, blocks, suspects);
  });
  if (end?.kind !== "used" || end.to !== to || end.amount !== amount) return null;
  const transfer = known.find(({ txHash }) => txHash === end.txHash);
  return {
    txHash: end.txHash,
    minedAt: transfer?.madeAt ?? now(),
    isKnown: transfer !== undefined,
    isConfirmed: transfer?.confirmed ?? false,
  };
}
