import { readBalance } from "../chain/account/account.ts";
import {
  costMax,
  type FeeLimits,
  type Fees,
  feeLimits,
  readDataFee,
  readFees,
} from "../chain/account/fees.ts";
import type { Wallet } from "../chain/account/wallet.ts";
import { createNodes } from "../chain/node/nodes.ts";
import { checkIdentity } from "../chain/node/probe.ts";
import type { Rpc } from "../chain/node/rpc.ts";
import type { Config } from "../config/config.ts";
import * as Ether from "../domain/ether.ts";
import type { Confirmations } from "../domain/payment/block.ts";
import type { Address } from "../domain/wallet/address.ts";
import type { Db } from "../store/database.ts";
import * as ChainStore from "../store/tables/installation/chain.ts";
import type { Intent } from "../store/tables/settle/gas-transaction.ts";
import * as GasTransactionStore from "../store/tables/settle/gas-transaction.ts";

const pollMs = 1_000;

/** What it takes to send from the gas account. Several processes may do so at once, on one database. */
export type GasAccount = {
  db: Db;
  rpc: Rpc;
  wallet: Wallet;
  chainId: number;
  confirmations: Confirmations;
  now: () => number;
  /** How often to look at a transaction on its way while waiting for it. */
  pollMs: number;
  feeLimits: FeeLimits;
};

/**
 * The gas account on the chain of `rpc`, by default the configured one. Its address is the same on every chain; nonces
 * and ETH are per chain.
 */
export function createGasAccount(
  opened: { config: Pick<Config, "confirmations" | "network">; db: Db; wallet: Wallet; now?: () => number },
  rpc: Rpc,
  chainId = opened.config.network.chainId,
): GasAccount {
  const { config, db, wallet, now = Date.now } = opened;
  return {
    db,
    rpc,
    wallet,
    chainId,
    confirmations: config.confirmations,
    now,
    pollMs,
    feeLimits: feeLimits(),
  };
}

/** The gas account has too little ETH. Amounts in wei. */
export type Shortage = { address: Address; balance: bigint; needed: bigint };

/** A sentence that says how much is missing and where to send it. */
export function describeShortage({ address, balance, needed }: Shortage): string {
  return (
    `The gas account has ${Ether.format(balance)} ETH and ${Ether.format(needed)} ETH are needed: ` +
    `send at least ${Ether.format(needed - balance)} ETH to ${address}.`
  );
}

/** What transactions cost, in wei, on top of what already waits to be sent. */
export type GasQuote = {
  /** At the current fees, to begin with. */
  cost: bigint;
  /** At most, however far fees rise and however often a transaction is replaced. */
  costMax: bigint;
  balance: bigint;
  /** Of the newest block, in wei per unit of gas. */
  baseFee: bigint;
  /** Left in the account once all of it is paid; negative when there is a shortage. */
  left: bigint;
  shortage: Shortage | null;
};

/** The sentence a person reads before agreeing. */
export function describeFee({ cost, costMax }: Pick<GasQuote, "cost" | "costMax">, coin = "ETH"): string {
  return `about ${Ether.format(cost)} ${coin}, and never more than ${Ether.format(costMax)}`;
}

type Cost = Pick<Intent, "gasLimit" | "data">;

/** What these transactions cost, and whether the gas account can pay for them after all that waits. */
export async function quote(
  { db, rpc, wallet, chainId, feeLimits }: GasAccount,
  calls: readonly Cost[],
): Promise<GasQuote> {
  const address = wallet.gasAddress;
  const [{ fees, baseFee }, balance] = await Promise.all([
    readFees(rpc, feeLimits),
    readBalance(rpc, address),
  ]);
  // Most waiting transactions are equally long, so one answer per length is enough.
  const dataFees = new Map<number, Promise<bigint>>();
  const costsOf = (each: readonly Cost[]) =>
    Promise.all(
      each.map(async ({ gasLimit, data }) => {
        const dataFee = dataFees.get(data.length) ?? dataFeeOf(rpc, data);
        dataFees.set(data.length, dataFee);
        return { gas: gasLimit * fees.max, data: await dataFee };
      }),
    );
  const sum = (costs: readonly { gas: bigint; data: bigint }[]) =>
    costs.reduce((total, { gas, data }) => total + gas + data, 0n);
  const costs = await costsOf(calls);
  const cost = sum(costs);
  const needed = cost + sum(await costsOf(GasTransactionStore.listPending(db, chainId)));
  return {
    cost,
    costMax: calls.reduce(
      (total, { gasLimit }, at) => total + costMax(feeLimits, gasLimit, costs[at]?.data !== 0n),
      0n,
    ),
    balance,
    baseFee,
    left: balance - needed,
    shortage: balance < needed ? { address, balance, needed } : null,
  };
}

/** What one transaction lacks at these fees, ignoring all others; null when the account can pay for it. */
export async function shortageFor(
  { rpc, wallet }: GasAccount,
  call: Cost,
  fees: Fees,
): Promise<Shortage | null> {
  const needed = call.gasLimit * fees.max + (await dataFeeOf(rpc, call.data));
  const balance = await readBalance(rpc, wallet.gasAddress);
  return balance < needed ? { address: wallet.gasAddress, balance, needed } : null;
}

/** A signature and the fields around the data. */
const envelopeBytes = 150;

/** What it costs to store a transaction with this data on Ethereum, in wei. */
export function dataFeeOf(rpc: Rpc, data: Cost["data"]): Promise<bigint> {
  return readDataFee(rpc, data.length / 2 + envelopeBytes);
}

type GasNodesDeps = {
  config: Config;
  db: Db;
  now: () => number;
  wallet: Promise<Wallet>;
  /** Ends every call in progress. */
  signal: AbortSignal;
};

export type GasNodes = {
  /** Calls to the nodes since the start, by method. */
  requests(): ReadonlyMap<string, number>;
  /** Runs `work` with the first node that gives usable answers. Throws whatever the last one failed with. */
  withNode<T>(work: (gas: GasAccount) => Promise<T>): Promise<T>;
};

/** The nodes for one user of the gas account. Skips a node on another chain than the data. */
export function createGasNodes({ config, db, now, wallet, signal }: GasNodesDeps): GasNodes {
  const requests = new Map<string, number>();
  const nodes = createNodes({
    ...config,
    usdc: config.network.usdc,
    signal,
    onRequest: (method) => requests.set(method, (requests.get(method) ?? 0) + 1),
    check: ({ rpc }) => checkIdentity(rpc, config, ChainStore.record(db)),
  });

  return {
    requests: () => requests,
    async withNode(work) {
      const opened = await wallet;
      return nodes.ask(({ rpc }) => work(createGasAccount({ config, db, wallet: opened, now }, rpc)));
    },
  };
}
