import { readReceipt, type TransactionReceipt } from "../../chain/account/transaction.ts";
import { isUsed } from "../../chain/contract/authorization.ts";
import { readAuthorizationEnd } from "../../chain/contract/authorization-end.ts";
import { mustReadBlock, readBlock } from "../../chain/node/block.ts";
import { readConfirmed } from "../../chain/node/confirmations.ts";
import { paceOf, reorgMsMax } from "../../chain/node/pace.ts";
import { RpcUnreachable } from "../../chain/node/rpc.ts";
import { topicOf, transferTopic } from "../../chain/transfer/transfer-log.ts";
import type { Inclusion } from "../../domain/payment/block.ts";
import type { Failure } from "../../domain/payment/relay.ts";
import { type Hex, isWord } from "../../lib/crypto.ts";
import { transact } from "../../store/database.ts";
import * as GasTransactionStore from "../../store/tables/settle/gas-transaction.ts";
import type { StoredRelay } from "../../store/tables/settle/relay.ts";
import * as RelayStore from "../../store/tables/settle/relay.ts";
import type { GasAccount } from "../gas-account.ts";
import { advance, type Progress, reopenLost } from "../gas-transaction.ts";
import { isIdle, makeIdle } from "./hold.ts";

/** A relay after a step, with its transaction's progress; null if that is unknown. */
export type RelayStep = { relay: StoredRelay; progress: Progress | null };

/**
 * Advances every unresolved relay one step and reports each. Safe to call at any time and from several processes at
 * once. The token's record of the payer's nonce decides, not the outcome of Till's transaction: anybody who sees the
 * authorisation may use it first, and Till's transaction then reverts. An error about one relay does not hold up the
 * others: it is thrown after all of them, or at once if the node does not answer.
 */
export async function followAll(gas: GasAccount, onFollowed: (followed: RelayStep) => void): Promise<void> {
  const { db, chainId } = gas;
  const thrown: unknown[] = [];
  async function attempt<T>(work: () => Promise<T>): Promise<T | null> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof RpcUnreachable) throw error;
      thrown.push(error);
      return null;
    }
  }
  const relays = RelayStore.listUnresolved(db, chainId);
  const own = new Set(relays.map(({ transactionId }) => transactionId));
  const progress = new Map<number, Progress | null>();
  const pending = GasTransactionStore.listPending(db, chainId);
  // In the order the chain takes them, up to the last of ours.
  for (const { id } of pending.slice(0, pending.findLastIndex(({ id }) => own.has(id)) + 1))
    progress.set(id, await attempt(() => advance(gas, id)));
  // First those that are in no block yet: their payers wait.
  for (const relay of relays.toSorted((a, b) => Number(a.state === "mined") - Number(b.state === "mined"))) {
    const after = await attempt(() => record(gas, relay));
    if (after) onFollowed({ relay: after, progress: progress.get(relay.transactionId) ?? null });
  }
  if (thrown.length > 0) throw thrown[0];
}

/** Records the current state of a relay. Returns the relay afterwards. */
async function record(gas: GasAccount, relay: StoredRelay): Promise<StoredRelay> {
  const attempts = GasTransactionStore.listAttempts(gas.db, relay.transactionId);
  const evidence = await findReceipt(
    gas,
    attempts.map(({ hash }) => hash),
  );
  if (evidence && isTransferOf(relay, evidence.receipt)) recordMoved(gas, relay, evidence);
  else if (!(await recordEnd(gas, relay, evidence))) {
    const transaction = GasTransactionStore.byId(gas.db, relay.transactionId);
    if (!evidence && transaction) await reopenLost(gas, transaction);
    // A relay that made way sends nothing any more.
    const sent = transaction && isIdle(transaction) ? null : attempts.find(({ sentAt }) => sentAt !== null);
    if (sent && (relay.state !== "sent" || relay.txHash !== sent.hash))
      transact(gas.db, () => RelayStore.markSent(gas.db, relay.id, sent.hash));
  }
  return stored(gas, relay.id);
}

/** Records how a relay ended other than by Till's transaction. Returns false while that is open. */
async function recordEnd(gas: GasAccount, relay: StoredRelay, own: Evidence | null): Promise<boolean> {
  const { rpc, confirmations } = gas;
  const { token, payer: from, nonce } = relay;
  const end = await readEnd(gas, relay);
  if (end?.kind === "moved") {
    recordMoved(gas, relay, end.evidence);
    return true;
  }
  const { stateBlock } = await readConfirmed(rpc, confirmations);
  const state = await readBlock(rpc, stateBlock);
  const isOver = state !== null && state.timestampSec >= relay.validBeforeSec;
  // If an empty transaction took its place, anybody can still use the authorisation: the payer must not pay again yet.
  const hasReverted = own?.isDeep === true && own.receipt.status !== "success";
  if (!end && !isOver && !hasReverted) return false;
  // Read after the time and the receipt: a nonce unused by then never will be, or not by that transaction.
  const isUsedForGood = await isUsed(rpc, { token, from, nonce }, stateBlock);
  if (isUsedForGood !== (end !== null)) return false;
  const failure = end?.failure ?? (isOver ? "expired" : "reverted");
  recordFailed(gas, relay, { failure, txHash: own?.receipt.txHash ?? null });
  return true;
}

/** A receipt, and whether its block is deep enough to count. */
type Evidence = { receipt: TransactionReceipt; isDeep: boolean };

/** Finds the first receipt whose block is on the chain; null if there is none. */
async function findReceipt(
  { rpc, confirmations }: GasAccount,
  hashes: readonly string[],
): Promise<Evidence | null> {
  for (const hash of hashes) {
    const receipt = await readReceipt(rpc, hash);
    if (!receipt) continue;
    const { confirmedUpTo } = await readConfirmed(rpc, confirmations);
    // The depth was read after the receipt, so check that both are of one chain.
    const block = await readBlock(rpc, receipt.blockNumber);
    if (block?.hash === receipt.blockHash) return { receipt, isDeep: receipt.blockNumber <= confirmedUpTo };
  }
  return null;
}

/** Returns whether a transaction made exactly the signed transfer. */
function isTransferOf(
  { token, payer, to, amount, nonce }: StoredRelay,
  { status, logs }: TransactionReceipt,
): boolean {
  return (
    status === "success" &&
    logs.some(
      ({ address, topics: [event, from, receiver], data }) =>
        address.toLowerCase() === token.toLowerCase() &&
        event === transferTopic &&
        from?.toLowerCase() === topicOf(payer) &&
        receiver?.toLowerCase() === topicOf(to) &&
        isWord(data) &&
        BigInt(data) === amount,
    ) &&
    // This authorisation's own event, as the payer may send the same amount by other means in the same transaction.
    logs.some(
      ({ address, topics: [, from, used] }) =>
        address.toLowerCase() === token.toLowerCase() &&
        from?.toLowerCase() === topicOf(payer) &&
        used?.toLowerCase() === nonce.toLowerCase(),
    )
  );
}

type End = { kind: "moved"; evidence: Evidence } | { kind: "failed"; failure: Failure };

/** Finds how the payer's nonce was used; null if it is unused, or the node does not show how. */
async function readEnd(gas: GasAccount, relay: StoredRelay): Promise<End | null> {
  const { rpc } = gas;
  const { token, payer: from, nonce, begunBlock, to, amount } = relay;
  if (!(await isUsed(rpc, { token, from, nonce }))) return null;
  const head = await mustReadBlock(rpc, "latest");
  // A reorganisation may remove blocks that existed when it was accepted.
  const blocks = { from: Math.max(0, begunBlock - paceOf(rpc).blocks(reorgMsMax)), to: head.number };
  const suspects = relay.txHash === null ? [] : [relay.txHash];
  const end = await readAuthorizationEnd(rpc, { token, from, nonce }, blocks, suspects);
  if (end === null) return null;
  if (end.kind === "cancelled") return { kind: "failed", failure: "cancelled" };
  if (end.to !== to || end.amount !== amount) return { kind: "failed", failure: "replaced" };
  const evidence = await findReceipt(gas, [end.txHash]);
  return evidence && { kind: "moved", evidence };
}

function recordMoved(gas: GasAccount, relay: StoredRelay, { receipt, isDeep }: Evidence): void {
  const { db, now } = gas;
  const { txHash, blockNumber, blockHash } = receipt;
  const place: Inclusion = { txHash, blockNumber, blockHash };
  transact(db, () => {
    // Until the books count it, the page would ask for payment again.
    if (isDeep && RelayStore.isCounted(db, relay.depositIndex, place)) {
      RelayStore.markConfirmed(db, relay.id, place, now());
      const isOurs = GasTransactionStore.listAttempts(db, relay.transactionId).some(
        ({ hash }) => hash === txHash,
      );
      if (!isOurs) makeIdle(gas, relay.transactionId);
    } else if (relay.state !== "mined" || relay.blockHash !== blockHash || relay.txHash !== txHash)
      RelayStore.markMined(db, relay.id, place, now());
  });
}

function recordFailed(
  gas: GasAccount,
  relay: StoredRelay,
  end: { failure: Failure; txHash: Hex | null },
): void {
  transact(gas.db, () => {
    RelayStore.markFailed(gas.db, relay.id, end, gas.now());
    makeIdle(gas, relay.transactionId);
  });
}

function stored({ db }: GasAccount, id: number): StoredRelay {
  const relay = RelayStore.byId(db, id);
  if (!relay) throw new Error(`There is no relay ${id}`);
  return relay;
}
