import { readBalance } from "../chain/account/account.ts";
import type { Wallet } from "../chain/account/wallet.ts";
import { readBalances } from "../chain/contract/balance.ts";
import { sampleSettlement } from "../chain/contract/settle-call.ts";
import { readSight, type Sight } from "../chain/contract/sight.ts";
import * as Token from "../chain/contract/token.ts";
import { mustReadBlock } from "../chain/node/block.ts";
import type { Rpc } from "../chain/node/rpc.ts";
import type { Config } from "../config/config.ts";
import type { Log } from "../config/log-events.ts";
import type { Finding } from "../domain/finding.ts";
import * as Usdc from "../domain/usdc.ts";
import type { Address } from "../domain/wallet/address.ts";
import * as DepositAddress from "../domain/wallet/deposit-address.ts";
import { messageOf } from "../lib/error.ts";
import { turn, within } from "../lib/loop.ts";
import type { Db } from "../store/database.ts";
import * as MoneyReport from "../store/reports/desk/money.ts";
import * as PartyStore from "../store/tables/invoicing/party.ts";
import * as UnsettledStore from "../store/tables/settle/unsettled.ts";
import type { Withdrawal } from "../store/tables/settle/withdrawal.ts";
import { createGasNodes, type GasAccount, type GasNodes, quote } from "./gas-account.ts";
import { beginWithdrawal, planWithdrawal, type WithdrawalPlan, type WithdrawalRequest } from "./withdraw.ts";
import { startWithdrawer } from "./withdrawer.ts";

/** Maximum age of a reading for `read`, and for `glance`. */
const freshMs = 10_000;
const glanceMs = 60_000;
/** Time limit, as somebody waits for the answer in front of a form. */
const lookMs = 4_000;

/** Number of wallets whose balances are read; `till wallet show` reads the others. */
const walletsMax = 1_000;

/** Deriving an address takes a millisecond; after this many, other work gets a turn. */
const derivedAtOnce = 20;

/** Number of stuck deposits for which the token is asked why. */
const stuckMax = 10;

/** The contents of Till's wallet, as read from a node. */
export type Holdings = {
  /** Unix time in milliseconds. */
  readAt: number;
  gasAddress: Address;
  /** In wei. */
  gasBalance: bigint;
  /** Maximum cost of settling one deposit at current fees, in wei. */
  settlementCost: bigint;
  /** Balances of the first merchants' wallets, in micro-USDC. */
  balances: ReadonlyMap<Address, Usdc.Usdc>;
  stuck: readonly StuckDeposit[];
};

/** A merchant's account in Till's wallet. */
export type ManagedWallet = { account: number; email: string; address: Address };

/** Returns the wallets of all merchants, by address. They are derived from the words: no node is asked. */
export type OwnWallets = () => Promise<ReadonlyMap<Address, ManagedWallet>>;

export function createOwnWallets(db: Db, wallet: Promise<Wallet>): OwnWallets {
  const known = new Map<Address, ManagedWallet>();
  const derived = new Set<number>();
  return async () => {
    const { merchantAddress } = await wallet;
    for (const { email, accountIndex: account } of PartyStore.listAccounts(db)) {
      if (derived.has(account)) continue;
      derived.add(account);
      const address = merchantAddress(account);
      known.set(address, { account, email, address });
      if (derived.size % derivedAtOnce === 0) await turn();
    }
    return known;
  };
}

/** A deposit whose money could not be moved; `reason` in the token's words, null if it would move now. */
type StuckDeposit = {
  address: Address;
  payoutWallet: Address;
  amount: Usdc.Usdc;
  retryAt: number | null;
  reason: string | null;
};

/** Till's wallet on a server: its contents, and withdrawals from it. */
export type Treasury = {
  /** Returns the latest reading; rereads in the background once it is a minute old. Null before the first. */
  glance(): Holdings | null;
  /** Reads, unless just read and unchanged. Resolves with what is known; `problem` says why no node answered. */
  read(): Promise<Holdings | null>;
  /** Returns whether the latest reading still holds: no reading failed and nothing has moved since. */
  isCurrent(): boolean;
  /** Returns whether anything has moved since the latest reading, according to the books. */
  hasMoved(): boolean;
  /** A sentence saying why the latest reading failed; null if it did not. */
  problem(): string | null;
  /** Reads the time of the chain's newest block, in Unix ms. Throws if no node answers. */
  headAt(): Promise<number>;
  /** Checks a withdrawal. Throws a WithdrawalRefused, or when the node fails or answers nonsense. */
  plan(request: Omit<WithdrawalRequest, "token">): Promise<WithdrawalPlan>;
  /**
   * Stores a withdrawal once per form and starts it. Throws a WithdrawalRefused. See `beginWithdrawal` for `isRefund`.
   */
  begin(plan: WithdrawalPlan, formKey: string, isRefund?: boolean): Withdrawal;
  /** Runs `work` with the first node that gives usable answers. Throws the last one's error. */
  withNode: GasNodes["withNode"];
  /** Reads what a node knows of a destination address; `unseen` if none gives a usable answer in time. */
  lookAt(address: Address): Promise<Sight | "unseen">;
  /** A sentence saying what holds up a withdrawal; null if nothing does. */
  obstacleOf(id: number): string | null;
  /** Call it when blocks left the chain, to check whether they contained ended withdrawals. */
  lookAgain(): void;
  /** Findings about what holds up withdrawals. */
  warnings(): Finding[];
  /** Calls to the nodes since the start, by method. */
  requests(): ReadonlyMap<string, number>;
  stop(): Promise<void>;
};

type TreasuryDeps = {
  config: Config;
  db: Db;
  log: Log;
  now: () => number;
  wallet: Promise<Wallet>;
  /** Called when somebody looks, so that the chain is read too. */
  onRead?: () => void;
};

export function startTreasury({ config, db, log, now, wallet, onRead }: TreasuryDeps): Treasury {
  const stopping = new AbortController();
  const { usdc, chainId } = config.network;
  const failed = { factory: DepositAddress.factory, min: config.settleMin };
  const { withNode, requests } = createGasNodes({ config, db, now, wallet, signal: stopping.signal });
  const ownWallets = createOwnWallets(db, wallet);
  const withdrawer = startWithdrawer({ db, chainId, log, now, withNode });

  let cached: Holdings | null = null;
  /** Settled, withdrawn, recovered and stuck money in the books at the time of the reading. */
  let booksThen = "";
  let problem: string | null = null;
  let reading: Promise<Holdings | null> | null = null;

  async function readHoldings(gas: GasAccount): Promise<Holdings> {
    const { rpc } = gas;
    const addresses = [...(await ownWallets()).keys()].slice(0, walletsMax);
    const [gasBalance, { cost }, held, stuck] = await Promise.all([
      readBalance(rpc, gas.wallet.gasAddress),
      quote(gas, [sampleSettlement(1)]),
      readBalances(rpc, usdc, addresses, "latest"),
      readStuck(rpc),
    ]);
    return {
      readAt: now(),
      gasAddress: gas.wallet.gasAddress,
      gasBalance,
      settlementCost: cost,
      balances: new Map(addresses.map((address, at) => [address, held[at] ?? Usdc.zero])),
      stuck,
    };
  }

  async function readStuck(rpc: Rpc): Promise<StuckDeposit[]> {
    return Promise.all(
      UnsettledStore.listFailed(db, failed, stuckMax).map(
        async ({ address, payoutWallet, toMove: amount, retryAt }) => {
          const transfer = { token: usdc, from: address, to: payoutWallet, amount };
          return {
            address,
            payoutWallet,
            amount,
            retryAt,
            reason: await Token.transferRefusal(rpc, transfer),
          };
        },
      ),
    );
  }

  function booksNow(): string {
    const { settled, withdrawn } = MoneyReport.all(db);
    const recovered = Usdc.sum(UnsettledStore.listRecovered(db).map(({ amount }) => amount));
    return `${settled} ${withdrawn} ${recovered} ${UnsettledStore.summarizeFailed(db, failed, 1).count}`;
  }

  function read(maxAgeMs = freshMs): Promise<Holdings | null> {
    const books = booksNow();
    const isFresh = cached !== null && Math.abs(now() - cached.readAt) < maxAgeMs && books === booksThen;
    if (isFresh) return Promise.resolve(cached);
    if (reading === null) onRead?.();
    reading ??= withNode(readHoldings)
      .then(
        (holdings) => {
          cached = holdings;
          booksThen = books;
          problem = null;
        },
        (thrown) => {
          problem = messageOf(thrown);
        },
      )
      .then(() => {
        reading = null;
        return cached;
      });
    return reading;
  }

  return {
    glance() {
      void read(glanceMs);
      return cached;
    },
    read: () => read(),
    problem: () => problem,
    isCurrent: () =>
      cached !== null &&
      problem === null &&
      Math.abs(now() - cached.readAt) < glanceMs &&
      booksThen === booksNow(),
    hasMoved: () => booksThen !== booksNow(),
    headAt: () => withNode(async ({ rpc }) => (await mustReadBlock(rpc, "latest")).timestampSec * 1_000),
    plan: (request) => withNode((gas) => planWithdrawal(gas, { ...request, token: usdc })),
    withNode,
    begin(plan, formKey, isRefund = false) {
      const withdrawal = beginWithdrawal({ db, now }, plan, formKey, isRefund);
      withdrawer.wake();
      // Forces a rereading; until then the previous one is shown.
      booksThen = "";
      return withdrawal;
    },
    async lookAt(address) {
      const looked = withNode(({ rpc }) => readSight(rpc, usdc, address));
      // The health page says why no node can be used.
      return (await within(looked, lookMs).catch(() => null)) ?? "unseen";
    },
    obstacleOf: withdrawer.obstacleOf,
    lookAgain: withdrawer.lookAgain,
    warnings: withdrawer.warnings,
    requests,
    async stop() {
      stopping.abort();
      await withdrawer.stop();
      await reading;
    },
  };
}
