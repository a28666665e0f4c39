import type { Wallet } from "../chain/account/wallet.ts";
import type { Rpc } from "../chain/node/rpc.ts";
import { findTraces } from "../chain/transfer/trace-finder.ts";
import type { Config } from "../config/config.ts";
import type { Log } from "../config/log-events.ts";
import * as Usdc from "../domain/usdc.ts";
import type { Address } from "../domain/wallet/address.ts";
import * as DepositAddress from "../domain/wallet/deposit-address.ts";
import { messageOf } from "../lib/error.ts";
import { startLooking } from "../lib/loop.ts";
import { type Db, transact } from "../store/database.ts";
import { beginEpoch } from "../store/files/restore-facts.ts";
import * as DepositStore from "../store/tables/invoicing/deposit.ts";
import * as InvoiceStore from "../store/tables/invoicing/invoice.ts";
import * as PartyStore from "../store/tables/invoicing/party.ts";
import * as UnknownDepositStore from "../store/tables/settle/unknown-deposit.ts";
import * as UnsettledStore from "../store/tables/settle/unsettled.ts";
import { createGasNodes } from "./gas-account.ts";
import { type PayoutWallet, walletAt, withBalances } from "./recover.ts";

const everyMs = 86_400_000;
const againMs = 60_000;

/**
 * Deposits that were issued and forgotten are at the start of a gap in the indexes: this much of the gaps is checked
 * each time.
 */
const holes = { max: 10, indices: 200 };
/** Number of upcoming indexes that are checked: as many as fit the first step of an epoch's search. */
const nextLooked = 30;
/** Payout wallets that are tried, latest first, and how many further merchant accounts that may be forgotten too. */
const walletsMax = 20;
const merchantsForgotten = 2;

type Looking = { config: Config; db: Db; log: Log; now: () => number; wallet: Promise<Wallet> };

/**
 * Asks the chain daily whether money came to an address that is unused here. Then the data is older than what was done
 * with it, as after the machine's snapshot was restored. Money that is still there is recorded as recovered, and new
 * addresses continue in an epoch of their own.
 */
export function startUnknownDeposits({ config, db, log, now, wallet }: Looking) {
  const stopping = new AbortController();
  const { withNode, requests } = createGasNodes({ config, db, now, wallet, signal: stopping.signal });
  /** Whether a failure was already logged, so that a lasting one is logged once. */
  let isAway = false;
  const looking = startLooking({
    async look() {
      if ((await wallet.catch(() => null)) === null || !DepositStore.any(db)) return everyMs;
      const found = await withNode((gas) => find(db, gas, config.network.usdc));
      isAway = false;
      const added = transact(db, () => note(db, found, now()));
      for (const { address, balance } of added) {
        const facts = { deposit: address, amount: Usdc.formatExact(balance) };
        log.error("data.older", "money came to an address that this data does not know", facts);
      }
      return everyMs;
    },
    failed(thrown) {
      if (stopping.signal.aborted || isAway) return;
      isAway = true;
      const reason = messageOf(thrown);
      log.warn("data.unchecked", "the chain could not be asked about other addresses", { reason });
    },
    againMs,
  });
  return {
    requests,
    async stop() {
      stopping.abort();
      await looking.stop();
    },
  };
}

/** Finds unused addresses around those in the database that have a trace on the chain, with their balances. */
async function find(db: Db, { wallet, rpc }: { wallet: Wallet; rpc: Rpc }, usdc: Address) {
  const runs = [
    { first: DepositStore.nextIndex(db), count: nextLooked },
    ...DepositStore.listHoles(db, holes),
  ];
  const next = PartyStore.lastAccount(db) + 1;
  const forgotten = Array.from({ length: merchantsForgotten }, (_, nth) => next + nth);
  const accounts = [...PartyStore.newestAccounts(db, walletsMax), ...forgotten];
  const managed = accounts.map((account) => walletAt(wallet.merchantAddress(account), account));
  const known = new Set(managed.map(({ address }) => address));
  const byo = DepositStore.newestPayoutWallets(db, walletsMax).filter((address) => !known.has(address));
  const wallets: PayoutWallet[] = [...managed, ...byo.map((address) => walletAt(address, null))];
  const salts = runs.flatMap(({ first, count }) =>
    Array.from({ length: count }, (_, nth) => ({
      index: first + nth,
      salt: DepositAddress.saltFor(wallet.addressSecret, first + nth),
    })),
  );
  const traces = await findTraces(rpc, usdc, [{ wallets, salts }]);
  const deposits = traces.map(({ wallet: { address: payoutWallet }, salt }) => ({
    ...salt,
    address: DepositAddress.derive({ ...DepositAddress, payoutWallet, salt: salt.salt }),
    payoutWallet,
  }));
  return await withBalances({ rpc, usdc }, deposits);
}

/** Records what was found. Call it in a transaction. Returns what was unknown before. */
function note(db: Db, found: Awaited<ReturnType<typeof find>>, now: number) {
  const unknown = found.filter(({ address }) => DepositStore.byAddress(db, address) === null);
  for (const { address, payoutWallet, balance: amount } of unknown)
    if (amount > 0n) UnsettledStore.noteRecovered(db, { address, payoutWallet, amount });
  if (unknown.some(({ index }) => index > DepositStore.lastIndex(db))) beginEpoch(db, now);
  const lastSequence = InvoiceStore.nextSequence(db) - 1;
  return unknown.filter(({ address }) =>
    UnknownDepositStore.insert(db, { address, lastSequence, foundAt: now }),
  );
}
