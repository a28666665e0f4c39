import { readNonce } from "../chain/account/account.ts";
import { costMax, feeObstacle, lowered, raise } from "../chain/account/fees.ts";
import { broadcast, readReceipt, sign, type TransactionReceipt } from "../chain/account/transaction.ts";
import { readBlock } from "../chain/node/block.ts";
import { readConfirmed } from "../chain/node/confirmations.ts";
import type { Rpc } from "../chain/node/rpc.ts";
import { sleep } from "../lib/loop.ts";
import { type Db, transact } from "../store/database.ts";
import type { Attempt, GasTransaction, Intent } from "../store/tables/settle/gas-transaction.ts";
import * as GasTransactionStore from "../store/tables/settle/gas-transaction.ts";
import * as SettlementStore from "../store/tables/settle/settlement.ts";
import {
  describeShortage,
  type GasAccount,
  type GasQuote,
  type Market,
  quote,
  readMarket,
  type Shortage,
  shortageFor,
} from "./gas-account.ts";
import { holdRelay, isInTheWay } from "./relay/hold.ts";

/** How long a transaction may be in no block before it is resent with a higher fee. */
const stuckMs = 60_000;
/** How long until it is resent: nodes forget pending transactions, and may never have passed one on. */
const resendMs = 15_000;

type SubmitResult =
  | { kind: "submitted"; transaction: GasTransaction }
  | { kind: "no-gas"; shortage: Shortage }
  /** `stillWanted` returned false: another process was faster. */
  | { kind: "superseded" };

/** A transaction to send, with conditions for storing it. */
export type Job = Omit<Intent, "chainId" | "feeMax"> & {
  /** Maximum fee per unit of gas, in wei; by default the general limit. */
  feeMax?: bigint;
  /** Its maximum cost, if just quoted, and the nonce that the chain takes next, if just read. */
  quoted?: GasQuote;
  nextNonce?: number | undefined;
  /** Called under the write lock to decide whether to send it at all. */
  stillWanted?: () => boolean;
  /** Writes, in the intent's transaction, what must be stored together with it. */
  write?: (transaction: GasTransaction) => void;
};

/**
 * Stores an intent with a nonce, if the gas account can pay for it. Nothing is sent before `advance`; from then on
 * whichever process advances it sends it, however often one is killed.
 */
export async function submit(
  gas: GasAccount,
  { stillWanted, write, feeMax, quoted, nextNonce, ...call }: Job,
): Promise<SubmitResult> {
  const { db, rpc, wallet, chainId, now } = gas;
  const [{ shortage }, chainNonce] = await Promise.all([
    quoted ?? quote(gas, [call]),
    nextNonce ?? readNonce(rpc, wallet.gasAddress),
  ]);
  if (shortage) return { kind: "no-gas", shortage };
  return transact(db, (): SubmitResult => {
    if (stillWanted && !stillWanted()) return { kind: "superseded" };
    const intent = { ...call, feeMax: feeMax ?? null, chainId };
    const transaction = GasTransactionStore.insert(db, intent, chainNonce, now());
    write?.(transaction);
    return { kind: "submitted", transaction };
  });
}

export type Progress =
  /** In a block that is deep enough; `transaction.state` says whether it reverted. */
  | { kind: "final"; transaction: GasTransaction }
  /** In a block that is not deep enough yet. */
  | { kind: "mined" }
  | { kind: "waiting" }
  | { kind: "no-gas"; shortage: Shortage }
  /** The network asks for more than Till pays; it continues by itself once fees fall. */
  | { kind: "fees-high"; reason: string }
  /** A relay that the token would not execute now, so that a higher offer would be wasted. */
  | { kind: "pointless" }
  /** The node rejects it for a reason Till cannot resolve. */
  | { kind: "refused"; reason: string };

/** Returns a sentence saying what somebody must do before an intent can continue; null if nothing. */
export function obstacleOf(outcome: Progress | SubmitResult): string | null {
  if (outcome.kind === "no-gas") return describeShortage(outcome.shortage);
  if (outcome.kind === "fees-high") return outcome.reason;
  return outcome.kind === "refused" ? `The node does not take a transaction: ${outcome.reason}.` : null;
}

/**
 * Takes an intent one step further: signs and sends it, resends it, replaces it with a higher fee, finds its receipt,
 * or renumbers it when somebody else used its nonce. Safe to call at any time and from several processes at once.
 * Throws when the node fails or answers nonsense.
 */
export async function advance(account: GasAccount, id: number): Promise<Progress> {
  const { db, rpc, wallet, chainId, now } = account;
  const transaction = stored(db, id);
  if (transaction.state !== "pending") return { kind: "final", transaction };
  const attempts = GasTransactionStore.listAttempts(db, id);
  const receipt = await findReceipt(rpc, attempts);
  if (receipt) return conclude(account, transaction, receipt);
  // Transactions behind its nonce wait for it. If one has no limit of its own, this one's must not hold it up.
  const feeMax = isInTheWay(account, transaction) ? null : transaction.feeMax;
  const gas = { ...account, feeLimits: lowered(account.feeLimits, feeMax) };

  const newest = attempts.find((attempt) => attempt.nonce === transaction.nonce);
  if (!newest) return sendFirst(gas, transaction);
  const chainNonce = await readNonce(rpc, wallet.gasAddress);
  if (chainNonce > transaction.nonce) return renumber(gas, transaction, chainNonce);
  // The clock may have been set back.
  const isPast = (at: number, ms: number) => Math.abs(now() - at) >= ms;
  const isResendDue = newest.sentAt === null || isPast(newest.sentAt, resendMs);
  // A higher fee does not help while an earlier nonce is missing.
  if (chainNonce === transaction.nonce && isPast(newest.signedAt, stuckMs)) {
    const market = await readMarket(gas, transaction);
    const fees = raise({ max: newest.feeMax, tip: newest.feeTip }, market.fees, gas.feeLimits);
    const progress = fees
      ? await sendNew(gas, transaction, { ...market, fees })
      : tooLow(gas, transaction, market);
    // If there is too little ETH to replace it, or fees are too high, the signed one is still valid.
    if (progress && progress.kind !== "waiting" && isResendDue) await send(gas, transaction, newest);
    if (progress) return progress;
  }
  if (!isResendDue) return { kind: "waiting" };
  if (chainNonce < transaction.nonce) {
    for (const lost of await reopenFrom(account, chainNonce)) await advance(account, lost);
    // Below the nonce that a node reported at first, nobody has or sends the transactions that this one waits for.
    const isLost = GasTransactionStore.freeNonce(db, chainId, chainNonce) < transaction.nonce;
    if (isLost && isPast(newest.signedAt, stuckMs)) {
      transact(db, () => GasTransactionStore.renumber(db, transaction, chainNonce));
      return { kind: "waiting" };
    }
  }
  return send(gas, transaction, newest);
}

/** Returns why a transaction cannot be sent at current fees; null if it can. */
function tooLow(gas: GasAccount, { feeMax }: GasTransaction, market: Market): Progress | null {
  const payer = gas.feeLimits.gas === feeMax ? "this transaction may pay" : "Till pays";
  const reason = feeObstacle(gas.feeLimits, market, payer);
  return reason === null ? null : { kind: "fees-high", reason };
}

/**
 * Reopens final transactions that a reorganisation deeper than finality removed, as every later one would wait for
 * their nonces. They are still wanted, so they become pending again. Returns their ids.
 */
async function reopenFrom(gas: GasAccount, chainNonce: number): Promise<number[]> {
  const reopened: number[] = [];
  for (const final of GasTransactionStore.listFinalFrom(gas.db, gas.chainId, chainNonce))
    if (await reopenLost(gas, final)) reopened.push(final.id);
  return reopened;
}

/**
 * Makes a final intent pending again if it has left the chain, or ended there otherwise: it is then resent, for a higher
 * fee if need be, or found in another block. A node that is behind knows neither its block nor its receipt.
 */
export async function reopenLost(
  { db, rpc, now }: Pick<GasAccount, "db" | "rpc" | "now">,
  { id, state, blockNumber }: GasTransaction,
): Promise<boolean> {
  if (state === "pending" || blockNumber === null) return false;
  const receipt = await findReceipt(rpc, GasTransactionStore.listAttempts(db, id));
  if (receipt && (receipt.status === "success") === (state === "confirmed")) return false;
  const block = await readBlock(rpc, blockNumber);
  const settledIn = SettlementStore.blockHashOf(db, id);
  if (!block || block.hash === settledIn) return false;
  transact(db, () => {
    if (settledIn !== null) SettlementStore.retract(db, settledIn, now());
    GasTransactionStore.reopen(db, id);
  });
  return true;
}

/** Advances every pending intent in nonce order. Returns the first obstacle, as `obstacleOf` words it. */
export async function advanceAll(gas: GasAccount): Promise<string | null> {
  let obstacle: string | null = null;
  for (const { id } of GasTransactionStore.listPending(gas.db, gas.chainId)) {
    const next = obstacleOf(await advance(gas, id));
    obstacle ??= next;
  }
  return obstacle;
}

/** Advances an intent one step, after those with lower nonces. Throws as `advance` does. */
async function advanceUpTo(gas: GasAccount, id: number): Promise<Progress> {
  for (const earlier of GasTransactionStore.listPending(gas.db, gas.chainId)) {
    if (earlier.nonce < stored(gas.db, id).nonce) await advance(gas, earlier.id);
  }
  return advance(gas, id);
}

/**
 * Advances an intent, and those with lower nonces, until it is final or stuck. Returns the latest progress when the
 * signal aborts. Throws as `advance` does; the intent is not lost.
 */
export async function waitFor(gas: GasAccount, id: number, signal?: AbortSignal): Promise<Progress> {
  for (;;) {
    const progress = await advanceUpTo(gas, id);
    if ((progress.kind !== "waiting" && progress.kind !== "mined") || signal?.aborted) return progress;
    await sleep(gas.pollMs, signal);
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
  // The depth was read after the receipt, so check that both are of one chain.
  const block = await readBlock(rpc, blockNumber);
  if (block?.hash !== blockHash) return { kind: "waiting" };
  const minedAt = block.timestampSec * 1_000;
  const state = status === "success" ? "confirmed" : "reverted";
  // A node may report any fee, but none can exceed the offer.
  const offered = costMax(feeLimits, gasLimit, true);
  const fee = reportedFee !== null && reportedFee > offered ? offered : reportedFee;
  transact(db, () => GasTransactionStore.finish(db, id, { state, txHash, blockNumber, minedAt, fee }));
  return { kind: "final", transaction: stored(db, id) };
}

/** Handles a nonce that the chain has used, but not for any attempt known when it was read. */
async function renumber(
  { db, rpc, wallet, confirmations }: GasAccount,
  transaction: GasTransaction,
  chainNonce: number,
): Promise<Progress> {
  const { stateBlock } = await readConfirmed(rpc, confirmations);
  const final = (await readNonce(rpc, wallet.gasAddress, stateBlock)) > transaction.nonce;
  if (!final) return { kind: "waiting" };
  // Another process may have sent an attempt. Attempts are stored before they are sent, so read them again.
  const receipt = await findReceipt(rpc, GasTransactionStore.listAttempts(db, transaction.id));
  if (!receipt) transact(db, () => GasTransactionStore.renumber(db, transaction, chainNonce));
  return { kind: "waiting" };
}

/** Sends a transaction that nothing was signed for under its nonce yet. */
async function sendFirst(gas: GasAccount, transaction: GasTransaction): Promise<Progress> {
  const [chainNonce, market] = await Promise.all([
    readNonce(gas.rpc, gas.wallet.gasAddress),
    readMarket(gas, transaction),
  ]);
  if (chainNonce > transaction.nonce) return renumber(gas, transaction, chainNonce);
  return sendNew(gas, transaction, market);
}

async function sendNew(gas: GasAccount, transaction: GasTransaction, market: Market): Promise<Progress> {
  const { db, wallet, now } = gas;
  const { fees } = market;
  const obstacle = tooLow(gas, transaction, market) ?? (await holdRelay(gas, transaction, market));
  if (obstacle) return obstacle;
  const shortage = await shortageFor(gas, transaction, market);
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
      const shortage = await shortageFor(gas, transaction, { ...(await readMarket(gas, transaction)), fees });
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
