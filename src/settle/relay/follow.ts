import { type Receipt, readReceipt } from "../../chain/account/transaction.ts";
import { isUsed } from "../../chain/contract/authorization.ts";
import { readAuthorizationEnd } from "../../chain/contract/authorization-end.ts";
import { mustReadBlock, readBlock } from "../../chain/node/block.ts";
import { readConfirmed } from "../../chain/node/confirmations.ts";
import { topicOf, transferTopic } from "../../chain/transfer/transfer-log.ts";
import { type Failure, isUnresolved } from "../../domain/relay.ts";
import { transact } from "../../store/database.ts";
import * as GasTransactionStore from "../../store/tables/settle/gas-transaction.ts";
import type { Place, StoredRelay } from "../../store/tables/settle/relay.ts";
import * as RelayStore from "../../store/tables/settle/relay.ts";
import type { GasAccount } from "../gas-account.ts";
import { advanceUpTo, type Progress } from "../gas-transaction.ts";

/** A reorganisation may take blocks back that were there when a relay was accepted. */
const reorgBlocksMax = 64;

/** Of a transaction that does nothing. */
const idleGas = 21_000n;

/** A relay after a step, and what is in the way of its transaction; null when it had ended before. */
export type Followed = { relay: StoredRelay; progress: Progress | null };

/**
 * Takes a relay a step further. Safe to be called at any time and by several processes at once. What became of it is
 * what the token says of the payer's nonce, not what became of Till's transaction: whoever sees the authorisation may
 * show it to the token first, and Till's transaction reverts then. Throws what the node's answers make it throw.
 */
export async function follow(gas: GasAccount, id: number): Promise<Followed> {
  const relay = stored(gas, id);
  if (!isUnresolved(relay)) return { relay, progress: null };
  const progress = await advanceUpTo(gas, relay.transactionId);
  await record(gas, relay);
  const after = stored(gas, id);
  // Its transaction is as deep by now, and there is nobody else to see to it.
  if (!isUnresolved(after)) await advanceUpTo(gas, relay.transactionId);
  return { relay: after, progress };
}

async function record(gas: GasAccount, relay: StoredRelay): Promise<void> {
  const { db, rpc, confirmations } = gas;
  const attempts = GasTransactionStore.listAttempts(db, relay.transactionId);
  const receipt = await findReceipt(
    gas,
    attempts.map(({ hash }) => hash),
  );
  const { confirmedUpTo, stateBlock } = await readConfirmed(rpc, confirmations);
  if (receipt && isTransferOf(relay, receipt)) return moved(gas, relay, receipt, confirmedUpTo);

  const state = await readBlock(rpc, stateBlock);
  const isOver = state !== null && state.timestampSec >= relay.validBeforeSec;
  if (receipt || isOver) {
    const { token, payer: from, nonce } = relay;
    const end = await readEnd(gas, relay);
    if (end?.kind === "moved") return moved(gas, relay, end.receipt, confirmedUpTo);
    // Read after the time and the receipt: what is not used by then is never used, or was not by that transaction.
    const isUsedForGood = await isUsed(rpc, { token, from, nonce }, stateBlock);
    if (end && isUsedForGood) return failed(gas, relay, end.failure);
    const isDeep = receipt !== null && receipt.blockNumber <= confirmedUpTo;
    if (!end && !isUsedForGood && (isOver || isDeep))
      return failed(gas, relay, isOver ? "expired" : "reverted");
  }
  const sent = attempts.find(({ sentAt }) => sentAt !== null);
  if (sent && (relay.state !== "sent" || relay.txHash !== sent.hash))
    transact(db, () => RelayStore.markSent(db, relay.id, sent.hash));
}

/** The receipt of the attempt that is in the chain, in a block that the chain has; null when none is. */
async function findReceipt({ rpc }: GasAccount, hashes: readonly string[]): Promise<Receipt | null> {
  for (const hash of hashes) {
    const receipt = await readReceipt(rpc, hash);
    const block = receipt && (await readBlock(rpc, receipt.blockNumber));
    if (receipt && block?.hash === receipt.blockHash) return receipt;
  }
  return null;
}

/** Whether a transaction made the transfer that was signed. */
function isTransferOf({ token, payer, to, amount, nonce }: StoredRelay, { status, logs }: Receipt): boolean {
  return (
    status === "success" &&
    logs.some(
      ({ address, topics: [event, from, receiver], data }) =>
        address.toLowerCase() === token.toLowerCase() &&
        event === transferTopic &&
        from?.toLowerCase() === topicOf(payer) &&
        receiver?.toLowerCase() === topicOf(to) &&
        /^0x[0-9a-f]{64}$/i.test(data) &&
        BigInt(data) === amount,
    ) &&
    // The mark of this authorisation: the payer may send as much by other means in the same transaction.
    logs.some(({ topics }) => topics[2]?.toLowerCase() === nonce.toLowerCase())
  );
}

type End = { kind: "moved"; receipt: Receipt } | { kind: "failed"; failure: Failure };

/** How the payer's nonce was used by somebody else; null when it was not, or when the node does not show how. */
async function readEnd({ rpc }: GasAccount, relay: StoredRelay): Promise<End | null> {
  const { token, payer: from, nonce, begunBlock, to, amount } = relay;
  if (!(await isUsed(rpc, { token, from, nonce }))) return null;
  const head = await mustReadBlock(rpc, "latest");
  const blocks = { from: Math.max(0, begunBlock - reorgBlocksMax), to: head.number };
  const end = await readAuthorizationEnd(rpc, { token, from, nonce }, blocks, []);
  if (end === null) return null;
  if (end.kind === "cancelled") return { kind: "failed", failure: "cancelled" };
  if (end.to !== to || end.amount !== amount) return { kind: "failed", failure: "replaced" };
  const receipt = await readReceipt(rpc, end.txHash);
  return receipt && { kind: "moved", receipt };
}

function moved({ db, now }: GasAccount, relay: StoredRelay, receipt: Receipt, confirmedUpTo: number): void {
  const { txHash, blockNumber, blockHash } = receipt;
  const place: Place = { txHash, blockNumber, blockHash };
  const isDeep = blockNumber <= confirmedUpTo;
  if (!isDeep && relay.state === "mined" && relay.blockHash === blockHash) return;
  const mark = isDeep ? RelayStore.markConfirmed : RelayStore.markMined;
  transact(db, () => mark(db, relay.id, place, now()));
}

/** What its transaction was to do cannot be done any more: it takes its nonce for the least gas. */
function failed({ db, now, wallet }: GasAccount, relay: StoredRelay, failure: Failure): void {
  const idle = { to: wallet.gasAddress, gasLimit: idleGas };
  transact(db, () => {
    RelayStore.markFailed(db, relay.id, failure, now());
    GasTransactionStore.makeIdle(db, relay.transactionId, idle);
  });
}

function stored({ db }: GasAccount, id: number): StoredRelay {
  const relay = RelayStore.byId(db, id);
  if (!relay) throw new Error(`There is no relay ${id}`);
  return relay;
}
