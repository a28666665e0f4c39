import type { Wallet } from "../chain/account/wallet.ts";
import { readBalances } from "../chain/contract/balance.ts";
import type { Rpc } from "../chain/node/rpc.ts";
import {
  addressesAtOnce,
  addressesPerCall,
  callsMax,
  findTraces,
  type Group,
} from "../chain/transfer/trace-finder.ts";
import * as Usdc from "../domain/usdc.ts";
import type { Address } from "../domain/wallet/address.ts";
import * as DepositAddress from "../domain/wallet/deposit-address.ts";
import * as Epoch from "../domain/wallet/epoch.ts";
import type { Hex } from "../lib/crypto.ts";
import { instant } from "../lib/time.ts";
import { type Db, transact } from "../store/database.ts";
import { markEpoch, markedEpoch, numbersLeftOut, raiseNumbers } from "../store/files/restore-facts.ts";
import * as WalletStore from "../store/tables/installation/wallet.ts";
import * as DepositStore from "../store/tables/invoicing/deposit.ts";
import * as PartyStore from "../store/tables/invoicing/party.ts";
import * as UnsettledStore from "../store/tables/settle/unsettled.ts";

/**
 * By default the search of an epoch ends after this many consecutive indexes without a trace on the chain. Visitors of
 * reusable links begin payments that nobody pays: thousands a day, if they mean harm. Each start of Till may also skip
 * a few thousand.
 */
export const gapDefault = 100_000;

/** By default the search for merchants ends after this many consecutive managed wallets without a trace. */
export const merchantGapDefault = 20;

/**
 * A restore or a start may have begun an epoch in any quarter of an hour. By default this many first deposits of each
 * are probed, with every wallet found so far and those of the epoch's first merchants. A single trace leads to a search
 * of the whole epoch.
 */
export const probeDefault = 30;
const probedMerchants = 2;

export type PayoutWallet = {
  address: Address;
  /** For a managed wallet; null for `byo`. */
  account: number | null;
  codeHash: Hex;
};

export type FoundDeposit = {
  index: number;
  address: Address;
  payoutWallet: Address;
  salt: Hex;
  balance: Usdc.Usdc;
};

export type DepositSearch = {
  wallet: Wallet;
  rpc: Rpc;
  usdc: Address;
  /** Payout wallets that cannot be derived from the words. */
  byo: readonly Address[];
  gap: number;
  merchantGap: number;
  /** First deposits to probe in each epoch after the first. */
  probe: number;
  /** Earliest time of a restore, in Unix ms. */
  sinceMs: number;
  now: number;
  /** The latest time that a clock of this Till can have shown, in Unix ms, if that was ahead; 0 otherwise. */
  untilMs: number;
  /** The newest epoch that the data knows. */
  knownEpoch: number;
  onProgress?: (progress: Progress) => void;
};

export type Progress = {
  /** Number of addresses checked, and of those with a trace. */
  looked: number;
  found: number;
  /** Number of epochs after the first that were probed, and in total. */
  epochs: number;
  ofEpochs: number;
};

export type SearchResult = {
  /** Every deposit address with a trace on the chain: money, or a forwarder created to pay it out. */
  deposits: FoundDeposit[];
  payoutWallets: PayoutWallet[];
  /** The last index checked in the first epoch. */
  searchedTo: number;
  /** Number of later epochs probed. */
  epochs: number;
};

/** An epoch to search in full: its bounds, and where each wallet continues. */
type Range = { first: number; end: number; next: Map<PayoutWallet, number> };

/**
 * Finds deposit addresses from the words alone: the index gives the salt, and the payout wallet is from the list or a
 * managed wallet found along the way. Searches the first epoch, and each later one with a trace, until `gap`
 * consecutive indexes have none. Throws when the node fails or answers nonsense.
 */
export async function search(request: DepositSearch): Promise<SearchResult> {
  const { wallet, rpc, usdc, gap, merchantGap, probe, now, untilMs, knownEpoch } = request;
  const payoutWallets = request.byo.map((address) => walletAt(address, null));
  const accounts = new Set<number>();
  const ranges = new Map<number, Range>();
  const deposits = new Map<Address, Omit<FoundDeposit, "balance">>();
  const firstProbed = Math.max(1, Epoch.at(request.sinceMs));
  let until = Math.max(Epoch.at(now), Epoch.at(untilMs), knownEpoch) + Epoch.aheadMax;
  let looked = 0;
  let probed = 0;
  const tell = () =>
    request.onProgress?.({
      looked,
      found: deposits.size,
      epochs: probed,
      ofEpochs: until - firstProbed + 1,
    });

  function addMerchants(epoch: number, count: number): void {
    for (let i = 0; i < count; i++) {
      const account = Epoch.firstAccount(epoch) + i;
      if (accounts.has(account)) continue;
      accounts.add(account);
      payoutWallets.push(managed(account));
    }
  }

  const managed = (account: number) => walletAt(wallet.merchantAddress(account), account);
  const saltsFrom = (first: number, count: number) =>
    Array.from({ length: count }, (_, i) => ({
      index: first + i,
      salt: DepositAddress.saltFor(wallet.addressSecret, first + i),
    }));

  async function look(groups: readonly Group<PayoutWallet, { index: number; salt: Hex }>[]) {
    const traces = await findTraces(rpc, usdc, groups);
    for (const { wallets, salts } of groups) looked += wallets.length * salts.length;
    return traces;
  }

  /** Searches the next part of a range with the wallets furthest behind; returns false once every wallet is done. */
  async function advance(range: Range): Promise<boolean> {
    for (const each of payoutWallets) if (!range.next.has(each)) range.next.set(each, range.first);
    const from = Math.min(range.end, ...range.next.values());
    if (from === range.end) return false;
    const behind = payoutWallets.filter((each) => range.next.get(each) === from);
    const ahead = [...range.next.values()].filter((next) => next > from);
    const count = Math.max(1, Math.floor(addressesAtOnce / behind.length));
    const to = Math.min(range.end, from + count, ...ahead);
    for (const trace of await look([{ wallets: behind, salts: saltsFrom(from, to - from) }])) {
      const { address: payoutWallet, account } = trace.wallet;
      const { index, salt } = trace.salt;
      const { factory, implementation } = DepositAddress;
      const address = DepositAddress.derive({ factory, implementation, payoutWallet, salt });
      deposits.set(address, { index, address, payoutWallet, salt });
      range.end = Math.max(range.end, index + 1 + gap);
      if (account === null) continue;
      const epoch = Epoch.ofAccount(account);
      addMerchants(epoch, account - Epoch.firstAccount(epoch) + 1 + merchantGap);
    }
    for (const each of behind) range.next.set(each, to);
    tell();
    return true;
  }

  async function searchWhole(epoch: number): Promise<void> {
    addMerchants(epoch, merchantGap);
    const first = Epoch.firstIndex(epoch);
    ranges.set(epoch, { first, end: first + Math.max(gap, epoch === 0 ? 0 : probe), next: new Map() });
    // A merchant found in one range may also have been paid in earlier ones.
    for (let isOpen = true; isOpen; ) {
      isOpen = false;
      for (const range of ranges.values()) while (await advance(range)) isOpen = true;
    }
  }

  /** Finds the first epoch from `from` with a trace; null if there is none. */
  async function nextTraced(from: number): Promise<number | null> {
    const perEpoch = probe * (payoutWallets.length + probedMerchants);
    // Fills every call.
    const epochsAtOnce = callsMax * Math.max(1, Math.floor(addressesPerCall / perEpoch));
    for (let first = from; first <= until; first += epochsAtOnce) {
      const groups = Array.from({ length: Math.min(epochsAtOnce, until + 1 - first) }, (_, i) => {
        const merchant = Epoch.firstAccount(first + i);
        const merchants = Array.from({ length: probedMerchants }, (_, nth) => managed(merchant + nth));
        const salts = saltsFrom(Epoch.firstIndex(first + i), probe);
        return { wallets: [...payoutWallets, ...merchants], salts };
      });
      const traced = (await look(groups)).map(({ salt }) => Epoch.ofIndex(salt.index));
      probed = Math.min(until, ...traced, first + epochsAtOnce - 1) - firstProbed + 1;
      tell();
      if (traced.length > 0) return Math.min(...traced);
    }
    return null;
  }

  await searchWhole(0);
  const searchedTo = (ranges.get(0)?.end ?? 0) - 1;
  for (let next = await nextTraced(firstProbed); next !== null; next = await nextTraced(next + 1)) {
    await searchWhole(next);
    until = Math.max(until, next + Epoch.aheadMax);
  }
  return {
    deposits: await withBalances(request, [...deposits.values()]),
    payoutWallets,
    searchedTo,
    epochs: until - firstProbed + 1,
  };
}

export function walletAt(address: Address, account: number | null): PayoutWallet {
  return { address, account, codeHash: DepositAddress.codeHashOf(address) };
}

/** Adds current balances to found deposits, in the order of their indexes. */
export async function withBalances(
  { rpc, usdc }: Pick<DepositSearch, "rpc" | "usdc">,
  deposits: readonly Omit<FoundDeposit, "balance">[],
): Promise<FoundDeposit[]> {
  const addresses = deposits.map(({ address }) => address);
  const balances = await readBalances(rpc, usdc, addresses, "latest");
  return deposits
    .map((each, at) => ({ ...each, balance: balances[at] ?? Usdc.zero }))
    .sort((a, b) => a.index - b.index);
}

/**
 * Records what was found for the desk and `till wallet show`: managed wallets that were paid, and addresses that still
 * hold money.
 */
export function noteFound(db: Db, { deposits, payoutWallets }: SearchResult): void {
  const paid = new Set(deposits.map(({ payoutWallet }) => payoutWallet));
  const lost = deposits.filter(({ address }) => DepositStore.byAddress(db, address) === null);
  transact(db, () => {
    for (const { account, address } of payoutWallets)
      if (account !== null && paid.has(address)) PartyStore.recoverAccount(db, account);
    UnsettledStore.replaceRecovered(
      db,
      lost.flatMap(({ balance: amount, ...each }) => (amount > 0n ? [{ ...each, amount }] : [])),
    );
  });
}

/**
 * Prepares a database that lost its deposits to continue in an epoch after those found, so that no address is issued
 * twice. Invoice numbers begin at `nextInvoice`, as the chain does not know which ones customers have. Leaves alone a
 * database that has deposits or was already prepared. Throws a ClockWrong, unless `untilMs` says that one was.
 */
export function continueAfter(
  db: Db,
  dataDir: string,
  { wallet, now, untilMs }: Pick<DepositSearch, "wallet" | "now" | "untilMs">,
  { deposits }: Pick<SearchResult, "deposits">,
  nextInvoice: number,
): void {
  const newestFound = Math.max(0, ...deposits.map(({ index }) => Epoch.ofIndex(index)));
  transact(db, () => {
    if (DepositStore.any(db)) return;
    if (WalletStore.gasAddress(db) === null) WalletStore.setGasAddress(db, wallet.gasAddress);
    // Whoever recovers has a copy of the words.
    WalletStore.setWordsAt(db, now);
    const begun = Epoch.ofIndex(DepositStore.nextIndex(db));
    let epoch: number | null = begun;
    if (begun <= newestFound) {
      const newest = Math.max(newestFound, markedEpoch(dataDir));
      epoch = Epoch.afterRestore(newest, now);
      if (epoch === null && Epoch.at(untilMs) < newest) throw new ClockWrong(now, newest);
      epoch ??= Epoch.beyond(newest, now);
      markEpoch(dataDir, epoch);
    }
    // It is unknown which credit notes customers have.
    const skipped = 1 + numbersLeftOut;
    raiseNumbers(db, { epoch, sequence: nextInvoice, creditNote: skipped, receipt: skipped });
  });
}

class ClockWrong extends Error {
  override readonly name = "ClockWrong";
  constructor(now: number, newest: number) {
    super(
      `This machine's clock says ${instant(now)}, which is before the newest range of deposit addresses began ` +
        `(${instant(Epoch.startMs(newest))}). Set it. If it is right, one was ahead before: say how far, with --until.`,
    );
  }
}
