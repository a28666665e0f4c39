import { hasCode, readBalance } from "../chain/account/account.ts";
import {
  costMax,
  type FeeLimits,
  type Fees,
  feeLimits,
  feeLimitsElsewhere,
  type NetworkFees,
  readDataFee,
  readFees,
} from "../chain/account/fees.ts";
import type { Wallet } from "../chain/account/wallet.ts";
import { factoryDeployment, sampleSettlement } from "../chain/contract/settle-call.ts";
import { createNodes } from "../chain/node/nodes.ts";
import { checkIdentity } from "../chain/node/probe.ts";
import type { Rpc } from "../chain/node/rpc.ts";
import type { Config } from "../config/config.ts";
import * as Ether from "../domain/ether.ts";
import type { Confirmations } from "../domain/payment/block.ts";
import type * as Usdc from "../domain/usdc.ts";
import type { Address } from "../domain/wallet/address.ts";
import * as DepositAddress from "../domain/wallet/deposit-address.ts";
import { type OtherChain, otherChain } from "../domain/wallet/elsewhere.ts";
import { world } from "../lib/world.ts";
import type { Db } from "../store/database.ts";
import * as ChainStore from "../store/tables/installation/chain.ts";
import type { Intent } from "../store/tables/settle/gas-transaction.ts";
import * as GasTransactionStore from "../store/tables/settle/gas-transaction.ts";
import * as UnsettledStore from "../store/tables/settle/unsettled.ts";

const pollMs = 1_000;

/** Everything needed to send from the gas account. Several processes may do so at once, on one database. */
export type GasAccount = {
  db: Db;
  rpc: Rpc;
  wallet: Wallet;
  chainId: number;
  /** Null on Till's own chain, and on one that Till knows nothing of. */
  elsewhere: OtherChain | null;
  confirmations: Confirmations;
  now: () => number;
  /** How often to look at a transaction on its way while waiting for it. */
  pollMs: number;
  feeLimits: FeeLimits;
  /** Minimum amount of a deposit worth settling on this chain; null for none. */
  settleMin: Usdc.Usdc | null;
  /** Maximum cost of relays in 24 hours, in wei. */
  relayBudget: bigint;
};

/**
 * Creates the gas account on the chain of `rpc`, by default the configured one. Its address is the same on every chain;
 * nonces and ETH are per chain.
 */
export function createGasAccount(
  opened: {
    config: Pick<Config, "confirmations" | "network" | "settleMin" | "relay">;
    db: Db;
    wallet: Wallet;
    now?: () => number;
  },
  rpc: Rpc,
  chainId = opened.config.network.chainId,
): GasAccount {
  const { config, db, wallet, now = () => world.now() } = opened;
  const elsewhere = otherChain(config.network.name, chainId);
  return {
    db,
    rpc,
    wallet,
    chainId,
    elsewhere,
    confirmations: config.confirmations,
    now,
    pollMs,
    feeLimits: elsewhere ? feeLimitsElsewhere(elsewhere) : feeLimits(),
    settleMin: chainId === config.network.chainId ? config.settleMin : null,
    relayBudget: config.relay.budget,
  };
}

/** The gas account has too little ETH for everything that waits, which takes `needed`. Amounts in wei. */
export type Shortage = { address: Address; balance: bigint; needed: bigint; elsewhere: OtherChain | null };

/** A sentence that says how much is missing and where to send it. */
export function describeShortage({ address, balance, needed, elsewhere }: Shortage): string {
  const coin = elsewhere?.coin ?? "ETH";
  const where = elsewhere ? ` on ${elsewhere.label}` : "";
  return (
    `The gas account has ${Ether.format(balance)} ${coin}${where} and ${Ether.format(needed)} ${coin} are needed: ` +
    `send at least ${Ether.format(needed - balance)} ${coin}${where} to ${address}.`
  );
}

/** Cost of transactions, in wei, in addition to what is already pending. */
export type GasQuote = {
  /** At current fees. */
  cost: bigint;
  /** Maximum, however far fees rise and however often a transaction is replaced. */
  costMax: bigint;
  balance: bigint;
  /** Base fee of the newest block, in wei per unit of gas. */
  baseFee: bigint;
  /** The balance once everything is paid; negative if there is a shortage. */
  left: bigint;
  shortage: Shortage | null;
};

/** The sentence a person reads before agreeing. */
export function describeFee({ cost, costMax }: Pick<GasQuote, "cost" | "costMax">, coin = "ETH"): string {
  return `about ${Ether.format(cost)} ${coin}, and never more than ${Ether.format(costMax)}`;
}

type Cost = Pick<Intent, "gasLimit" | "data">;

/** Quotes these transactions, and whether the gas account can pay for them after everything that waits. */
export async function quote(gas: GasAccount, calls: readonly Cost[]): Promise<GasQuote> {
  const { db, rpc, wallet, chainId, feeLimits } = gas;
  const all = [...calls, ...GasTransactionStore.listPending(db, chainId)];
  const [{ fees, baseFee }, balance, dataFees] = await Promise.all([
    readFees(rpc, feeLimits),
    readBalance(rpc, wallet.gasAddress),
    readDataFees(rpc, all),
  ]);
  const costs = priced(all, fees, dataFees);
  const cost = sumOf(costs.slice(0, calls.length));
  const needed = sumOf(costs);
  return {
    cost,
    costMax: calls.reduce(
      (total, { gasLimit }, at) => total + costMax(feeLimits, gasLimit, costs[at]?.data !== 0n),
      0n,
    ),
    balance,
    baseFee,
    left: balance - needed,
    shortage: balance < needed ? await shortageOf(gas, needed) : null,
  };
}

/** What a transaction is signed by: the network's fees, the fee for its data, and the account's balance, in wei. */
export type Market = NetworkFees & { dataFee: bigint; balance: bigint };

export async function readMarket(gas: GasAccount, { data }: Pick<Cost, "data">): Promise<Market> {
  const { rpc, wallet, feeLimits } = gas;
  const [network, dataFee, balance] = await Promise.all([
    readFees(rpc, feeLimits),
    dataFeeOf(rpc, data),
    readBalance(rpc, wallet.gasAddress),
  ]);
  return { ...network, dataFee, balance };
}

/** Returns what one transaction lacks at these fees, ignoring all others; null if the account can pay for it. */
export async function shortageFor(
  gas: GasAccount,
  { gasLimit }: Pick<Cost, "gasLimit">,
  { fees, dataFee, balance }: Pick<Market, "fees" | "dataFee" | "balance">,
): Promise<Shortage | null> {
  const needed = gasLimit * fees.max + dataFee;
  return balance < needed ? await shortageOf(gas, needed) : null;
}

/**
 * Returns the ETH that the gas account lacks for everything that waits: pending transactions, every settlement worth
 * making, and the factory. Requests for ETH ask for this much, or for `atLeast` if that is more. Null if nothing is
 * lacking.
 */
export async function shortageOf(gas: GasAccount, atLeast = 0n): Promise<Shortage | null> {
  const { db, rpc, wallet, chainId, feeLimits, elsewhere } = gas;
  const [{ fees }, balance, settlements] = await Promise.all([
    readFees(rpc, feeLimits),
    readBalance(rpc, wallet.gasAddress),
    waitingCosts(gas),
  ]);
  const waiting = [...GasTransactionStore.listPending(db, chainId), ...settlements];
  const all = sumOf(priced(waiting, fees, await readDataFees(rpc, waiting)));
  const needed = all > atLeast ? all : atLeast;
  return balance < needed ? { address: wallet.gasAddress, balance, needed, elsewhere } : null;
}

/** Stand-ins for the settlements that the server will send, and the factory's creation if nobody has begun it. */
async function waitingCosts({ db, rpc, chainId, settleMin: min }: GasAccount): Promise<Cost[]> {
  const { factory, settlementDepositsMax: most } = DepositAddress;
  const deposits = min === null ? 0 : UnsettledStore.countUnsettled(db, { factory, min });
  if (deposits === 0) return [];
  const settlements = Array.from({ length: Math.ceil(deposits / most) }, (_, i) =>
    sampleSettlement(Math.min(most, deposits - i * most)),
  );
  const isBegun = GasTransactionStore.latest(db, chainId, "deploy")?.state === "pending";
  return isBegun || (await hasCode(rpc, factory)) ? settlements : [factoryDeployment, ...settlements];
}

type Priced = { gas: bigint; data: bigint };

function priced(calls: readonly Cost[], fees: Fees, dataFees: readonly bigint[]): Priced[] {
  return calls.map(({ gasLimit }, at) => ({ gas: gasLimit * fees.max, data: dataFees[at] ?? 0n }));
}

/** Reads the fee for the data of each. Most waiting ones are equally long, so it is read once per length. */
function readDataFees(rpc: Rpc, calls: readonly Cost[]): Promise<bigint[]> {
  const byLength = new Map(calls.map(({ data }) => [data.length, data]));
  const read = new Map([...byLength].map(([length, data]) => [length, dataFeeOf(rpc, data)]));
  return Promise.all(calls.map(({ data }) => read.get(data.length) ?? 0n));
}

const sumOf = (costs: readonly Priced[]) => costs.reduce((total, { gas, data }) => total + gas + data, 0n);

/** Size of a signature and the fields around the data. */
const envelopeBytes = 150;

/** The cost of storing a transaction with this data on Ethereum, in wei. */
function dataFeeOf(rpc: Rpc, data: Cost["data"]): Promise<bigint> {
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
  /** Runs `work` with the first node that gives usable answers. Throws the last one's error. */
  withNode<T>(work: (gas: GasAccount) => Promise<T>): Promise<T>;
};

/** Creates the nodes for one user of the gas account. Skips a node on another chain than the data. */
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
