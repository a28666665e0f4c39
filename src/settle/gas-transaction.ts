import { readNonce } from "../chain/account/account.ts";
import { costMax, feeObstacle, lowered, type NetworkFees, raise, readFees } from "../chain/account/fees.ts";
import { broadcast, readReceipt, sign, type TransactionReceipt } from "../chain/account/transaction.ts";
import { readBlock } from "../chain/node/block.ts";
import { readConfirmed } from "../chain/node/confirmations.ts";
import type { Rpc } from "../chain/node/rpc.ts";
import { sleep } from "../lib/loop.ts";
import { type Db, transact } from "../store/database.ts";
import type { Attempt, GasTransaction, Intent } from "../store/tables/settle/gas-transaction.ts";
import * as GasTransactionStore from "../store/tables/settle/gas-transaction.ts";
import {
  dataFeeOf,
  describeShortage,
  type GasAccount,
  type GasQuote,
  quote,
  type Shortage,
  shortageFor,
} from "./gas-account.ts";

type SubmitResult =
  | { kind: "submitted"; transaction: GasTransaction }
  | { kind: "no-gas"; shortage: Shortage }
  /** `stillWanted` said no: another process was faster. */
  | { kind: "superseded" };

/** A transaction to be sent, and what has to be true when it is stored. */
export type Job = Omit<Intent, "chainId" | "feeMax"> & {
  /** The most that it offers for each unit of gas, in wei; as much as any transaction unless told. */
  feeMax?: bigint;
  /** What it costs at most, when that was asked for a moment ago. */
  quoted?: GasQuote;
  /** Asked under the write lock: whether the transaction is still to be sent. */
  stillWanted?: () => boolean;
  /** Writes what has to be true together with the intent, in its transaction. */
  write?: (transaction: GasTransaction) => void;
};

/**
 * Stores an intent with a nonce, if the gas account can pay for it. Nothing is sent before `advance`; from now on
 * it will be, by whichever process advances it, however often one of them is killed.
 */
export async function submit(
  gas: GasAccount,
  { stillWanted, write, feeMax, quoted, ...call }: Job,
): Promise<SubmitResult> {
  const { db, rpc, wallet, chainId, now } = gas;
  const [{ shortage }, chainNonce] = await Promise.all([
    quoted ?? quote(gas, [call]),
    readNonce(rpc, wallet.gasAddress),
  ]);
  if (shortage) return { kind: "no-gas", shortage };
  return transact(db, (): SubmitResult => {
    if (stillWanted && !stillWanted()) return { kind: "superseded" };
    const transaction = GasTransactionStore.insert(
      db,
      { ...call, feeMax: feeMax ?? null, chainId },
      chainNonce,
      now(),
    );
    write?.(transaction);
    return { kind: "submitted", transaction };
  });
}

export type Progress =
  /** It is in a block that is deep enough; `transaction.state` says whether it reverted. */
  | { kind: "final"; transaction: GasTransaction }
  /** It is in a block that is not deep enough yet. */
  | { kind: "mined" }
  | { kind: "waiting" }
  | { kind: "no-gas"; shortage: Shortage }
  /** The network asks for more than Till pays; it goes on by itself when that falls. */
  | { kind: "fees-high"; reason: string }
  /** The node does not take it, for a reason that Till knows no answer to. */
  | { kind: "refused"; reason: string };

/** What somebody has to do something about before an intent goes on, as a sentence; null when it is nothing. */
export function obstacleOf(outcome: Progress | SubmitResult): string | null {
  if (outcome.kind === "no-gas") return describeShortage(outcome.shortage);
  if (outcome.kind === "fees-high") return outcome.reason;
  return outcome.kind === "refused" ? `The node does not take a transaction: ${outcome.reason}.` : null;
}

/**
 * Takes one intent a step further: signs and sends it, sends it again, replaces it by one with a higher fee, finds its
 * receipt, gives it another nonce when its own was used by somebody else. Safe to be called at any time and by several
 * processes at once. Throws when the node fails or answers nonsense.
 */
export async function advance(account: GasAccount, id: number): Promise<Progress> {
  const { db, rpc, wallet, now } = account;
  const transaction = stored(db, id);
  const gas = { ...account, feeLimits: lowered(account.feeLimits, transaction.feeMax) };
  if (transaction.state !== "pending") return { kind: "final", transaction };
  const attempts = GasTransactionStore.listAttempts(db, id);
  const receipt = await findReceipt(rpc, attempts);
  if (receipt) return conclude(gas, transaction, receipt);

  const chainNonce = await readNonce(rpc, wallet.gasAddress);
  if (chainNonce > transaction.nonce) return renumber(gas, transaction, chainNonce);
  const newest = attempts.find((attempt) => attempt.nonce === transaction.nonce);
  if (!newest) return sendNew(gas, transaction, await readFees(rpc, gas.feeLimits));
  // The clock may have been set back.
  const isPast = (at: number, ms: number) => Math.abs(now() - at) >= ms;
  const isResendDue = newest.sentAt === null || isPast(newest.sentAt, gas.timing.resendMs);
  // What waits for the nonce before it is not helped by a higher fee.
  if (chainNonce === transaction.nonce && isPast(newest.signedAt, gas.timing.stuckMs)) {
    const network = await readFees(rpc, gas.feeLimits);
    const fees = raise({ max: newest.feeMax, tip: newest.feeTip }, network.fees, gas.feeLimits);
    const progress = fees
      ? await sendNew(gas, transaction, { ...network, fees })
      : await tooLow(gas, transaction, network);
    // With too little ETH to replace it, or while the fees are too high, it is still good as it is.
    if (progress && progress.kind !== "waiting" && isResendDue) await send(gas, transaction, newest);
    if (progress) return progress;
  }
  if (!isResendDue) return { kind: "waiting" };
  const obstacle = chainNonce < transaction.nonce ? await sendLost(gas, chainNonce) : null;
  return obstacle ?? send(gas, transaction, newest);
}

/** Why a transaction cannot be sent at the fees of this moment; null when it can. */
async function tooLow(
  { rpc, feeLimits }: GasAccount,
  { data }: GasTransaction,
  { baseFee }: NetworkFees,
): Promise<Progress | null> {
  const reason = feeObstacle(feeLimits, { baseFee, dataFee: await dataFeeOf(rpc, data) });
  return reason === null ? null : { kind: "fees-high", reason };
}

/**
 * A reorganisation deeper than what counts as final can take a transaction off the chain for good, and all later ones
 * wait for its nonce. What it was to do is still wanted, so it is sent once more as it was. Returns why it cannot be.
 */
async function sendLost({ db, rpc, chainId }: GasAccount, chainNonce: number): Promise<Progress | null> {
  const raw = GasTransactionStore.finalRaw(db, chainId, chainNonce);
  const outcome = raw && (await broadcast(rpc, raw));
  if (outcome?.kind !== "refused" && outcome?.kind !== "insufficient-funds") return null;
  const why = outcome.kind === "refused" ? outcome.reason : "there is too little ETH";
  return { kind: "refused", reason: `transaction ${chainNonce} has left the chain, and ${why}` };
}

/**
 * Advances everything that waits, of whatever purpose, in the order in which the chain takes it. Returns the first
 * obstacle, as `obstacleOf` says it.
 */
export async function advanceAll(gas: GasAccount): Promise<string | null> {
  let obstacle: string | null = null;
  for (const { id } of GasTransactionStore.listPending(gas.db, gas.chainId)) {
    const next = obstacleOf(await advance(gas, id));
    obstacle ??= next;
  }
  return obstacle;
}

/** Advances an intent, and those that the chain takes before it, a step each. Throws as `advance` does. */
export async function advanceUpTo(gas: GasAccount, id: number): Promise<Progress> {
  for (const earlier of GasTransactionStore.listPending(gas.db, gas.chainId)) {
    if (earlier.nonce < stored(gas.db, id).nonce) await advance(gas, earlier.id);
  }
  return advance(gas, id);
}

/**
 * Advances an intent, and those that the chain takes before it, until it is final or cannot go on. Returns the last
 * progress when the signal aborts. Throws as `advance` does; the intent is not lost then.
 */
export async function waitFor(gas: GasAccount, id: number, signal?: AbortSignal): Promise<Progress> {
  for (;;) {
    const progress = await advanceUpTo(gas, id);
    if ((progress.kind !== "waiting" && progress.kind !== "mined") || signal?.aborted) return progress;
    await sleep(gas.timing.pollMs, signal);
  }
}

async function findReceipt(rpc: Rpc, attempts: readonly Attempt[]): Promise<TransactionReceipt | null> {
  for (const { hash } of attempts) {
    const receipt = await readReceipt(rpc, hash);
    if (receipt) return receipt;
  }
  return null;
}

async function conclude(
  { db, rpc, confirmations, feeLimits }: GasAccount,
  { id, gasLimit }: GasTransaction,
  { blockNumber, blockHash, txHash, status, fee: reportedFee }: TransactionReceipt,
): Promise<Progress> {
  const { confirmedUpTo } = await readConfirmed(rpc, confirmations);
  if (blockNumber > confirmedUpTo) return { kind: "mined" };
  // The depth was read after the receipt: they have to be of one chain.
  const block = await readBlock(rpc, blockNumber);
  if (block?.hash !== blockHash) return { kind: "waiting" };
  const minedAt = block.timestampSec * 1_000;
  const state = status === "success" ? "confirmed" : "reverted";
  // Nobody takes more than was offered, whatever a node says.
  const offered = costMax(feeLimits, gasLimit, true);
  const fee = reportedFee !== null && reportedFee > offered ? offered : reportedFee;
  transact(db, () => GasTransactionStore.finish(db, id, { state, txHash, blockNumber, minedAt, fee }));
  return { kind: "final", transaction: stored(db, id) };
}

/** The chain has used the nonce, and not for an attempt that was known a moment ago. */
async function renumber(
  { db, rpc, wallet, confirmations }: GasAccount,
  transaction: GasTransaction,
  chainNonce: number,
): Promise<Progress> {
  const { stateBlock } = await readConfirmed(rpc, confirmations);
  const final = (await readNonce(rpc, wallet.gasAddress, stateBlock)) > transaction.nonce;
  if (!final) return { kind: "waiting" };
  // Another process may have sent an attempt: what the chain has by now was stored before the nonce was read.
  const receipt = await findReceipt(rpc, GasTransactionStore.listAttempts(db, transaction.id));
  if (!receipt) transact(db, () => GasTransactionStore.renumber(db, transaction, chainNonce));
  return { kind: "waiting" };
}

async function sendNew(
  gas: GasAccount,
  transaction: GasTransaction,
  network: NetworkFees,
): Promise<Progress> {
  const { db, wallet, now } = gas;
  const { fees } = network;
  const obstacle = await tooLow(gas, transaction, network);
  if (obstacle) return obstacle;
  const shortage = await shortageFor(gas, transaction, fees);
  if (shortage) return { kind: "no-gas", shortage };
  const { chainId, nonce, to, data, gasLimit } = transaction;
  const { hash, raw } = await sign(wallet, { chainId, nonce, to, data, gasLimit, fees });
  const attempt = { hash, nonce, raw, feeMax: fees.max, feeTip: fees.tip, signedAt: now() };
  if (!GasTransactionStore.insertAttempt(db, transaction.id, attempt)) return { kind: "waiting" };
  return send(gas, transaction, { ...attempt, sentAt: null });
}

async function send(gas: GasAccount, transaction: GasTransaction, attempt: Attempt): Promise<Progress> {
  const { db, rpc, now } = gas;
  const outcome = await broadcast(rpc, attempt.raw);
  GasTransactionStore.markSent(db, attempt.hash, now());
  switch (outcome.kind) {
    case "sent":
    case "nonce-used":
    case "underpriced":
      return { kind: "waiting" };
    case "insufficient-funds": {
      const fees = { max: attempt.feeMax, tip: attempt.feeTip };
      const shortage = await shortageFor(gas, transaction, fees);
      return shortage
        ? { kind: "no-gas", shortage }
        : { kind: "refused", reason: "the node finds too little ETH" };
    }
    case "refused":
      return outcome;
  }
}

function stored(db: Db, id: number): GasTransaction {
  const transaction = GasTransactionStore.byId(db, id);
  if (!transaction) throw new Error(`There is no transaction ${id} of the gas account`);
  return transaction;
}
