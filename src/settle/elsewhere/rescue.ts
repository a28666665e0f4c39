import { hasCode, isContract, readBalance } from "../../chain/account/account.ts";
import { readReceipt, type TransactionReceipt } from "../../chain/account/transaction.ts";
import { type Call, settleCall } from "../../chain/contract/settle-call.ts";
import { describeToken, readTokenBalance } from "../../chain/contract/token.ts";
import { topicOf, transferTopic } from "../../chain/transfer/transfer-log.ts";
import type { Deposit } from "../../domain/payment/deposit.ts";
import * as Address from "../../domain/wallet/address.ts";
import * as DepositAddress from "../../domain/wallet/deposit-address.ts";
import * as PayoutWallet from "../../domain/wallet/payout-wallet.ts";
import { sayWhy } from "../../language/faults.ts";
import { type Hex, isWord } from "../../lib/crypto.ts";
import * as ElsewhereStore from "../../store/tables/settle/elsewhere.ts";
import type { GasTransaction } from "../../store/tables/settle/gas-transaction.ts";
import { withFactory } from "../factory.ts";
import { type GasAccount, type GasQuote, quote } from "../gas-account.ts";
import { run } from "../run.ts";

/**
 * Gas limit for moving any token: more than Till's estimate for USDC, as a token may do anything in a transfer, and
 * some chains charge their own fees in gas. Unused gas costs nothing.
 */
const rescueGas = 500_000n;

/** Money sent to a deposit address where it does not count: another token, ETH, or USDC on another chain. */
export type Rescue = {
  deposit: Deposit;
  /** The zero address for ETH. */
  token: Address.Address;
  /** In the token's smallest unit. */
  balance: bigint;
  /** The token's own name for itself; null if it has none. */
  symbol: string | null;
  decimals: number | null;
  needed: Call[];
  fee: GasQuote;
  /** True if the payout wallet is a contract on both chains: at its address there may be somebody else's. */
  isContractWallet: boolean;
};

/**
 * Finds what is there and what moving it takes. With `home`, the gas account on Till's own chain, a payout wallet that
 * is missing here is refused, unless the owner takes that upon themselves (`isForced`). Throws a RescueRefused, a
 * NothingThere, a NoFactory, and errors about the nodes' answers.
 */
export async function planRescue(
  gas: GasAccount,
  deposit: Deposit,
  token: Address.Address,
  home: Pick<GasAccount, "rpc"> | null,
  isForced = false,
): Promise<Rescue> {
  const { rpc, wallet } = gas;
  const contracts = { usdc: token, factory: DepositAddress.factory, gasAccount: wallet.gasAddress };
  const fault = PayoutWallet.fault(deposit.payoutWallet, contracts);
  const why = token === deposit.payoutWallet ? "is the token itself" : fault && sayWhy(fault);
  if (why !== null)
    throw new RescueRefused(`${deposit.payoutWallet}, the only place where it can go, ${why}.`);
  const isContractWallet = home !== null && (await isContract(home.rpc, deposit.payoutWallet));
  // Nobody may hold its key there, so what is sent to it could be lost.
  if (isContractWallet && !isForced && !(await hasCode(rpc, deposit.payoutWallet)))
    throw new RescueRefused(
      `The payout wallet ${deposit.payoutWallet} is a contract on Till's chain and does not exist on the other one: ` +
        "what goes there may be lost. Create it there first.",
    );
  const balance = await readHolding(gas, token, deposit.address);
  if (balance === 0n) throw new NothingThere(deposit.address, rpc.host);
  const coin = { symbol: gas.elsewhere?.coin ?? "ETH", decimals: 18 };
  const named = token === Address.zero ? coin : await describeToken(rpc, token);
  const needed = await withFactory(gas, [callOf(deposit, token)]);
  const fee = await quote(gas, needed);
  return {
    deposit,
    token,
    balance,
    symbol: named?.symbol ?? null,
    decimals: named?.decimals ?? null,
    needed,
    fee,
    isContractWallet,
  };
}

type RescueResult = {
  /** The amount that left the deposit address. */
  moved: bigint;
  /** The amount that reached the payout wallet according to the token's logs; null if it writes none. */
  arrived: bigint | null;
  left: bigint;
  txHash: Hex | null;
  obstacle: string | null;
};

/** Moves it to the payout wallet. Safe to repeat: the remaining balance and the token's logs tell the outcome. */
export async function rescue(gas: GasAccount, plan: Rescue, signal?: AbortSignal): Promise<RescueResult> {
  const { deposit, token, balance } = plan;
  const reason = `rescue what is at ${deposit.address}`;
  const found = { index: deposit.index, chainId: gas.chainId };
  const note = ({ id }: GasTransaction) => {
    if (token === gas.elsewhere?.usdc) ElsewhereStore.setTransaction(gas.db, found, id);
  };
  const job = { ...callOf(deposit, token), purpose: "rescue", reason, write: note } as const;
  const { obstacle, transactions } = await run(gas, [job], signal);
  const transaction = transactions.at(-1);
  // Another process may have begun it.
  if (transaction) note(transaction);
  const left = await readHolding(gas, token, deposit.address);
  const moved = left < balance ? balance - left : 0n;
  const txHash = obstacle === null ? (transaction?.txHash ?? null) : null;
  const arrived = token === Address.zero ? moved : txHash && (await readArrived(gas, txHash, deposit, token));
  if (transaction && obstacle === null) await conclude(gas, deposit, token, transaction);
  return { moved, arrived, left, txHash, obstacle };
}

/**
 * Records what a final transaction did with USDC that was found: it is in the payout wallet, or an owner may ask again. One
 * that was reverted moved nothing, whoever emptied the address since.
 */
export async function conclude(
  gas: GasAccount,
  deposit: Deposit,
  token: Address.Address,
  { state, txHash }: Pick<GasTransaction, "state" | "txHash">,
): Promise<void> {
  if (token !== gas.elsewhere?.usdc) return;
  const place = { index: deposit.index, chainId: gas.chainId };
  const left = await readHolding(gas, token, deposit.address);
  // Anybody can send more meanwhile, which the next look finds.
  const hasMoved = async (hash: Hex) => left === 0n || Boolean(await readArrived(gas, hash, deposit, token));
  if (state === "confirmed" && txHash !== null && (await hasMoved(txHash)))
    ElsewhereStore.setMoved(gas.db, place, txHash, gas.now());
  else ElsewhereStore.setUnmoved(gas.db, place);
}

function callOf(deposit: Deposit, token: Address.Address): Call {
  return { ...settleCall(token, [deposit]), gasLimit: rescueGas };
}

/** Reads how much of a token a transaction brought to a deposit's payout wallet; null if the token writes no logs. */
async function readArrived(
  { rpc }: Pick<GasAccount, "rpc">,
  txHash: Hex,
  { payoutWallet }: Pick<Deposit, "payoutWallet">,
  token: Address.Address,
): Promise<bigint | null> {
  const receipt = await readReceipt(rpc, txHash);
  return receipt && arrivedIn(receipt, token, payoutWallet);
}

/** A token may keep part of each transfer, so only its logs say what arrived. Ignores logs of another form. */
function arrivedIn({ logs }: TransactionReceipt, token: Address.Address, to: Address.Address): bigint | null {
  const transfers = logs.filter(
    ({ address, topics, data }) =>
      address.toLowerCase() === token.toLowerCase() &&
      topics[0]?.toLowerCase() === transferTopic &&
      isWord(data),
  );
  if (transfers.length === 0) return null;
  return transfers
    .filter(({ topics }) => topics[2]?.toLowerCase() === topicOf(to))
    .reduce((sum, { data }) => sum + BigInt(data), 0n);
}

function readHolding({ rpc }: GasAccount, token: Address.Address, of: Address.Address): Promise<bigint> {
  return token === Address.zero ? readBalance(rpc, of) : readTokenBalance(rpc, token, of);
}

class RescueRefused extends Error {
  override readonly name = "RescueRefused";
}

export class NothingThere extends Error {
  override readonly name = "NothingThere";
  constructor(address: Address.Address, host: string) {
    super(
      `${address} holds none of it on the chain of ${host}. Is it on another chain, or another token? A block ` +
        "explorer shows where the payment really went.",
    );
  }
}
