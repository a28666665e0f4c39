import { readReceipt } from "../chain/account/transaction.ts";
import * as Authorization from "../chain/contract/authorization.ts";
import { readAuthorizationEnd } from "../chain/contract/authorization-end.ts";
import * as Token from "../chain/contract/token.ts";
import { mustReadBlock, readBlock } from "../chain/node/block.ts";
import { readConfirmed } from "../chain/node/confirmations.ts";
import { paceOf, reorgMsMax } from "../chain/node/pace.ts";
import * as Usdc from "../domain/usdc.ts";
import type { Address } from "../domain/wallet/address.ts";
import * as DepositAddress from "../domain/wallet/deposit-address.ts";
import * as PayoutWallet from "../domain/wallet/payout-wallet.ts";
import { sayWhy, type Why, why } from "../language/faults.ts";
import { type Db, transact } from "../store/database.ts";
import * as DepositStore from "../store/tables/invoicing/deposit.ts";
import * as GasTransactionStore from "../store/tables/settle/gas-transaction.ts";
import type { Withdrawal } from "../store/tables/settle/withdrawal.ts";
import * as WithdrawalStore from "../store/tables/settle/withdrawal.ts";
import { type GasAccount, type GasQuote, quote } from "./gas-account.ts";
import { type Job, obstacleOf, reopenLost, submit } from "./gas-transaction.ts";
import { finish } from "./run.ts";
import { outflowFault } from "./wallet-change.ts";

/**
 * How long an authorisation is valid. Until it expires the withdrawal may still happen, so it stays pending and no
 * other is signed; after that it certainly did not happen.
 */
const validForSec = 3_600;

export type WithdrawalRequest = {
  token: Address;
  accountIndex: number;
  to: Address;
  amount: Usdc.Usdc | "all";
};

export type WithdrawalPlan = {
  withdrawal: WithdrawalStore.NewWithdrawal;
  balance: Usdc.Usdc;
  fee: GasQuote;
  /** The time of the chain's newest block, in Unix ms. */
  headAt: number;
  /** The wallet's last withdrawal at planning time: if there has been another since, a person should look. */
  lastId: number | null;
};

/** Checks a withdrawal; signs and stores nothing. Throws a WithdrawalRefused or a DomainMismatch. */
export async function planWithdrawal(gas: GasAccount, request: WithdrawalRequest): Promise<WithdrawalPlan> {
  const { db, rpc, wallet, chainId } = gas;
  const { token, accountIndex, to } = request;
  const from = wallet.merchantAddress(accountIndex);
  if (to === from) throw new WithdrawalRefused(`${to} is the wallet itself.`);
  const fault = destinationFault(db, to, { usdc: token, gasAccount: wallet.gasAddress });
  if (fault !== null) throw new WithdrawalRefused(`${to} ${sayWhy(fault)}.`);
  const balance = Usdc.fromMicro(await Token.readTokenBalance(rpc, token, from));
  const amount = request.amount === "all" ? balance : request.amount;
  if (balance === 0n) throw new WithdrawalRefused(`There is no USDC in ${from}.`);
  if (amount === 0n) throw new WithdrawalRefused("Nothing is to be withdrawn: the amount is 0.");
  if (amount > balance) {
    throw new WithdrawalRefused(
      `${from} has ${Usdc.formatExact(balance)} USDC and not ${Usdc.formatExact(amount)}.`,
    );
  }
  const reason = await Token.transferRefusal(rpc, { token, from, to, amount });
  if (reason !== null) throw new WithdrawalRefused(`The token does not let ${from} pay ${to}. ${reason}.`);
  await Authorization.readDomain(rpc, { chainId, token });
  const head = await mustReadBlock(rpc, "latest");
  const withdrawal = {
    chainId,
    token,
    accountIndex,
    from,
    to,
    amount,
    nonce: Authorization.newNonce(),
    begunBlock: head.number,
    validBeforeSec: head.timestampSec + validForSec,
  };
  const intent = {
    gasLimit: Authorization.authorizationGas,
    data: Authorization.unsignedAuthorizationCall(withdrawal),
  };
  const fee = await quote(gas, [intent]);
  return {
    withdrawal,
    balance,
    fee,
    headAt: head.timestampSec * 1_000,
    lastId: WithdrawalStore.latest(db, chainId, from)?.id ?? null,
  };
}

/** Returns why no managed wallet can pay an address; null if it can. */
export function destinationFault(
  db: Db,
  to: Address,
  contracts: { usdc: Address; gasAccount: Address | null },
): Why | null {
  if (DepositStore.byAddress(db, to)) return why("wallet_deposit");
  return PayoutWallet.fault(to, { ...contracts, factory: DepositAddress.factory });
}

/**
 * Stores a planned withdrawal. A form that already began one gets that one. Throws a WithdrawalRefused if any process
 * has begun another for the wallet since it was planned; for the desk also if the address is not allowed by both
 * clocks, or the daily limit is reached. `isRefund`: the caller has checked in the same transaction that an owner
 * approved the address. The command line, which has no form, is bound by neither: whoever uses it has the wallet.
 */
export function beginWithdrawal(
  { db, now }: Pick<GasAccount, "db" | "now">,
  { withdrawal, headAt, lastId }: WithdrawalPlan,
  formKey: string | null = null,
  isRefund = false,
): Withdrawal {
  return transact(db, () => {
    const begun = formKey === null ? null : WithdrawalStore.byForm(db, formKey);
    if (begun) return begun;
    const fault = formKey && outflowFault(db, withdrawal, { now: now(), headAt }, isRefund);
    if (fault) throw new WithdrawalRefused(fault);
    const latest = WithdrawalStore.latest(db, withdrawal.chainId, withdrawal.from);
    if ((latest?.id ?? null) !== lastId) {
      throw new WithdrawalRefused(
        `Another withdrawal from ${withdrawal.from} was begun at the same time; nothing was done for this one. ` +
          "Look with till wallet show, then repeat it if it is still wanted.",
      );
    }
    if (WithdrawalStore.pendingOf(db, withdrawal.chainId, withdrawal.from))
      throw new WithdrawalRefused(`A withdrawal from ${withdrawal.from} is pending; one at a time.`);
    return WithdrawalStore.insert(db, withdrawal, { now: now(), formKey });
  });
}

export type WithdrawalOutcome =
  /** `txHash` is the transaction that moved the money, even if somebody else sent it. */
  | { kind: "done"; txHash: string }
  /** May still happen until the authorisation expires; `reason` is a sentence. Call again for the outcome. */
  | { kind: "pending"; reason: string }
  /** Did not happen and no longer can; `isExposure`: because somebody else has the wallet's words. */
  | { kind: "failed"; reason: string; txHash: string | null; isExposure: boolean };

/**
 * Carries out a stored withdrawal to its end, or as far as it gets until the signal aborts. Safe to repeat, after a
 * crash, and in several processes: there is only one authorisation with one nonce, and the token accepts a nonce once.
 * The token's record of the nonce decides, not the outcome of the transaction. `again`: whether to pay for another
 * transaction after one that reverted.
 */
export async function carryOut(
  gas: GasAccount,
  { id }: Withdrawal,
  signal?: AbortSignal,
  again = true,
): Promise<WithdrawalOutcome> {
  for (;;) {
    const withdrawal = stored(gas.db, id);
    if (withdrawal.state !== "pending") return outcomeOf(withdrawal);
    const end = await conclude(gas, withdrawal);
    if (end) return end;
    const sent = transactionOf(gas.db, withdrawal);
    if (sent === null || (sent.state === "reverted" && again)) {
      const obstacle = obstacleOf(await submit(gas, await jobOf(gas, withdrawal)));
      if (obstacle !== null) return { kind: "pending", reason: obstacle };
      continue;
    }
    const obstacle = await finish(gas, sent.id, signal);
    const after = await conclude(gas, withdrawal);
    if (after) return after;
    // A repeated command sends the same authorisation again; this call stops paying for failures.
    const isReverted = transactionOf(gas.db, withdrawal)?.state === "reverted";
    const unseen = isReverted
      ? await whyReverted(gas, withdrawal)
      : "The node does not show yet what it did.";
    return { kind: "pending", reason: obstacle ?? unseen };
  }
}

async function whyReverted({ rpc }: GasAccount, withdrawal: Withdrawal): Promise<string> {
  const why = await Token.transferRefusal(rpc, withdrawal);
  return `Its transaction was reverted and is not sent again. ${why === null ? "The token would take it now" : why}.`;
}

/** Concludes a pending withdrawal if the chain has ended it; sends nothing. */
export async function look(gas: GasAccount, withdrawal: Withdrawal): Promise<WithdrawalOutcome> {
  const reason = "The chain does not show yet how it ended.";
  return (await conclude(gas, withdrawal)) ?? { kind: "pending", reason };
}

/**
 * Checks whether the chain still has the end of a withdrawal, which a reorganisation deeper than finality may have
 * undone. If not, it becomes pending again with its transaction, unless the chain has ended it in another way. Returns
 * its new state; null if nothing changed.
 */
export async function lookAgain(gas: GasAccount, withdrawal: Withdrawal): Promise<WithdrawalOutcome | null> {
  const { db, rpc, confirmations } = gas;
  const { id, state, txHash, failure } = withdrawal;
  if (txHash !== null && (await readReceipt(rpc, txHash))?.status === "success") return null;
  const end = await readEnd(gas, withdrawal);
  // Time does not go back: a node that is behind has not come to where the authorisation ended.
  if (end?.state === "unclear" || (end === null && failure === "expired")) return null;
  if (end && Bun.deepEquals(end, failure === null ? { state, txHash } : { state, failure, txHash }))
    return null;
  const own = transactionOf(db, withdrawal);
  // A node that is behind knows neither its block nor its receipt.
  const { stateBlock } = await readConfirmed(rpc, confirmations);
  if (own && (own.blockNumber ?? 0) > stateBlock) return null;
  if (own) await reopenLost(gas, own);
  if (!transact(db, () => WithdrawalStore.reopen(db, id))) return null;
  const reason = "Its transaction has left the chain and is sent again.";
  return (await conclude(gas, stored(db, id))) ?? { kind: "pending", reason };
}

const failures: Record<WithdrawalStore.WithdrawalFailure, string> = {
  expired: "its authorisation ended before the chain took it",
  cancelled: "somebody with the wallet's words cancelled its authorisation",
  replaced: "somebody with the wallet's words used its nonce for another payment",
};

/** The outcome of a withdrawal that is not pending. */
function outcomeOf({ failure, txHash }: Withdrawal): WithdrawalOutcome {
  if (failure !== null) {
    const isExposure = WithdrawalStore.isExposure(failure);
    return { kind: "failed", reason: failures[failure], txHash, isExposure };
  }
  if (txHash === null) throw new Error("A withdrawal that is done has no transaction");
  return { kind: "done", txHash };
}

/** Stores how the chain ended it; null while it is open. */
async function conclude(gas: GasAccount, withdrawal: Withdrawal): Promise<WithdrawalOutcome | null> {
  const end = await readEnd(gas, withdrawal);
  if (end === null) return null;
  if (end.state === "unclear")
    return { kind: "pending", reason: "The node does not show how its authorisation was used." };
  WithdrawalStore.finish(gas.db, withdrawal.id, end);
  return outcomeOf(stored(gas.db, withdrawal.id));
}

/**
 * Reads how it ended; null while it is open. The nonce says that it is over, and the token's events say how: used by
 * anybody who had the authorisation, used for another payment signed with the same key, or cancelled; unclear if the
 * node does not show the event.
 */
async function readEnd(
  { db, rpc, confirmations }: GasAccount,
  withdrawal: Withdrawal,
): Promise<WithdrawalStore.WithdrawalEnd | { state: "unclear" } | null> {
  const { stateBlock } = await readConfirmed(rpc, confirmations);
  if (await Authorization.isUsed(rpc, withdrawal, stateBlock)) {
    // A reorganisation may remove blocks that existed when it was begun.
    const from = Math.max(0, withdrawal.begunBlock - paceOf(rpc).blocks(reorgMsMax));
    const blocks = { from, to: stateBlock };
    const use = await readAuthorizationEnd(rpc, withdrawal, blocks, attemptsOf(db, withdrawal));
    if (!use) return { state: "unclear" };
    const { txHash } = use;
    if (use.kind === "cancelled") return { state: "failed", failure: "cancelled", txHash };
    const isThis = use.to === withdrawal.to && use.amount === withdrawal.amount;
    return isThis ? { state: "done", txHash } : { state: "failed", failure: "replaced", txHash };
  }
  const block = await readBlock(rpc, stateBlock);
  if (!block || block.timestampSec < withdrawal.validBeforeSec) return null;
  // The state was read before the time. Both must be of one chain, and reading it again can only show more.
  if (await Authorization.isUsed(rpc, withdrawal, stateBlock)) return null;
  return { state: "failed", failure: "expired", txHash: null };
}

function attemptsOf(db: Db, { transactionId }: Withdrawal) {
  if (transactionId === null) return [];
  return GasTransactionStore.listAttempts(db, transactionId).map(({ hash }) => hash);
}

/** The transaction that submits the authorisation. Signing it again gives the same bytes. */
async function jobOf({ db, rpc, wallet }: GasAccount, withdrawal: Withdrawal): Promise<Job> {
  const { id, accountIndex, token, amount, to, transactionId } = withdrawal;
  return {
    purpose: "withdraw",
    to: token,
    data: await Authorization.authorizationCall(rpc, wallet.account(accountIndex), withdrawal),
    gasLimit: Authorization.authorizationGas,
    reason: `withdraw ${Usdc.formatExact(amount)} USDC to ${to}`,
    stillWanted() {
      const now = stored(db, id);
      return now.state === "pending" && now.transactionId === transactionId;
    },
    write: (transaction) => WithdrawalStore.setTransaction(db, id, transaction.id),
  };
}

function transactionOf(db: Db, { id }: Withdrawal) {
  const { transactionId } = stored(db, id);
  return transactionId === null ? null : GasTransactionStore.byId(db, transactionId);
}

function stored(db: Db, id: number): Withdrawal {
  const withdrawal = WithdrawalStore.byId(db, id);
  if (!withdrawal) throw new Error(`There is no withdrawal ${id}`);
  return withdrawal;
}

export class WithdrawalRefused extends Error {
  override readonly name = "WithdrawalRefused";
}
