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

/** How old a reading may be for somebody who looks at it, and for a glance. */
const freshMs = 10_000;
const glanceMs = 60_000;
/** Somebody waits for the answer before a form. */
const lookMs = 4_000;

/** The balances of more wallets than this are a matter for `till wallet show`. */
const walletsMax = 1_000;

/** To derive an address takes a millisecond; after so many, others get their turn. */
const derivedAtOnce = 20;

/** Stuck deposits for which to ask the token why. */
const stuckMax = 10;

/** What is in Till's wallet, as read from a node. */
export type Holdings = {
  /** Unix time in milliseconds. */
  readAt: number;
  gasAddress: Address;
  /** In wei. */
  gasBalance: bigint;
  /** The most it takes to settle one deposit at the current fees, in wei. */
  settlementCost: bigint;
  /** Of the first merchants' wallets, in micro-USDC. */
  balances: ReadonlyMap<Address, Usdc.Usdc>;
  stuck: readonly StuckDeposit[];
};

/** A merchant's account in Till's wallet. */
export type ManagedWallet = { account: number; email: string; address: Address };

/** Finds the wallets of all merchants, by address. The words alone tell: no node is asked. */
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

/** A deposit whose money could not be moved; `reason` as the token words it, null when it would move now. */
type StuckDeposit = {
  address: Address;
  payoutWallet: Address;
  amount: Usdc.Usdc;
  retryAt: number | null;
  reason: string | null;
};

/** Till's wallet, for a server: its contents, and the way out. */
export type Treasury = {
  /** The latest reading; rereads in the background once it is a minute old. Null before the first. */
  glance(): Holdings | null;
  /** Reads, unless just read and unchanged. Resolves with what is known; `problem` says why no node answered. */
  read(): Promise<Holdings | null>;
  /** Whether the latest reading still holds: no reading failed and nothing was moved since. */
  isCurrent(): boolean;
  /** Whether anything was moved since the latest reading, as far as the books know. */
  hasMoved(): boolean;
  /** A sentence that says why the latest reading failed; null when it did not. */
  problem(): string | null;
  /** When the chain's newest block was made, in Unix ms, as a node tells just now. Throws when none does. */
  headAt(): Promise<number>;
  /** Checks a withdrawal. Throws a WithdrawalRefused, or when the node fails or answers nonsense. */
  plan(request: Omit<WithdrawalRequest, "token">): Promise<WithdrawalPlan>;
  /** Stores a withdrawal once per form and starts it. Throws a WithdrawalRefused. `isRefund` as in `beginWithdrawal`. */
  begin(plan: WithdrawalPlan, formKey: string, isRefund?: boolean): Withdrawal;
  /** Runs `work` with the first node that gives usable answers. Throws whatever the last one failed with. */
  withNode: GasNodes["withNode"];
  /** What a node says of an address that money is to go to; `unseen` when none gives a usable answer in time. */
  lookAt(address: Address): Promise<Sight | "unseen">;
  /** A sentence that says what holds up a withdrawal; null when nothing does. */
  obstacleOf(id: number): string | null;
  /** Blocks left the chain: looks whether withdrawals that ended were in them. */
  lookAgain(): void;
  /** What holds up withdrawals. */
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
  /** Somebody looks: the chain is to be read too. */
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
  /** What was settled, withdrawn, recovered and stuck at the time of the reading. */
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
      // Read again, and until then known as of the time before.
      booksThen = "";
      return withdrawal;
    },
    async lookAt(address) {
      const looked = withNode(({ rpc }) => readSight(rpc, usdc, address));
      // Why no node can be used is said by the health page.
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
