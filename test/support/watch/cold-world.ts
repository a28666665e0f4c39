import usdcArtifact from "../../../assets/contracts/artifacts/DevUsdc.json";
import type { Invoice } from "../../../src/domain/bill/invoice.ts";
import type { Address } from "../../../src/domain/wallet/address.ts";
import { closeDatabase, type Db } from "../../../src/store/database.ts";
import * as InvoiceStore from "../../../src/store/tables/invoicing/invoice.ts";
import * as BalanceStore from "../../../src/store/tables/watch/balance.ts";
import * as CheckpointStore from "../../../src/store/tables/watch/checkpoint.ts";
import * as RereadStore from "../../../src/store/tables/watch/reread.ts";
import { startTestChain } from "../chain/chain.ts";
import { encode, send } from "../chain/evm.ts";
import { startRpcProxy } from "../chain/rpc-proxy.ts";
import { makeDataDir, openNewDatabase } from "../till/data-dir.ts";
import { storeInvoice } from "../till/records.ts";
import { until } from "../till/till.ts";
import { usdc } from "../usdc.ts";
import { startTestWatcher, type TestWatcher } from "./watcher.ts";

export const hourMs = 3_600_000;
export const dayMs = 24 * hourMs;

/** From its next start on, Till watches this address no more: nothing came for a month, and its balance was seen lately. */
export function forgetAddress(db: Db, address: Address): void {
  const [monthAgo, later] = [Date.now() - 31 * dayMs, Date.now() + 6 * hourMs];
  const sql = "UPDATE receivable SET created_at = ?1, changed_at = ?1, compare_at = ?2 WHERE address = ?3";
  if (db.run(sql, [monthAgo, later, address]).changes !== 1) throw new Error(`Nothing is at ${address}`);
}

export type ColdWorld = Awaited<ReturnType<typeof startColdWorld>>;

/** A chain, a database and a watcher whose clock goes as fast as a test wants: addresses turn cold in a moment. */
export async function startColdWorld() {
  const chain = await startTestChain();
  const proxy = startRpcProxy(chain.rpcUrl);
  const data = makeDataDir();
  const db = openNewDatabase(data.path);
  let watcher: TestWatcher | null = null;
  let aheadMs = 0;
  const now = () => Date.now() + aheadMs;
  const pass = (ms: number) => {
    aheadMs += ms;
  };
  const halt = () => watcher?.stop();

  /** Stops the watcher and starts it again so much later. */
  async function later(ms: number, environment: Record<string, string> = {}): Promise<void> {
    await halt();
    pass(ms);
    proxy.reset();
    watcher = startTestWatcher(db, { TILL_RPC_URL: proxy.url, ...environment }, now);
  }
  const scanned = () => until(() => CheckpointStore.latest(db), Boolean);
  /** Every balance was compared that is due. */
  const compared = () =>
    until(
      () => BalanceStore.nextAt(db),
      (at) => at !== null && at > now(),
    );

  /** Lets the time pass after which nothing is watched any more; checks see the balances meanwhile. */
  async function turnCold(): Promise<void> {
    for (const ms of [28 * dayMs, 22 * hourMs, 3 * dayMs]) {
      await later(ms);
      await compared();
    }
  }

  const late = () => RereadStore.listOpen(db).find(({ reason }) => reason === "late");
  const status = ({ id }: Invoice) => InvoiceStore.byId(db, id)?.status;
  return {
    chain,
    proxy,
    db,
    now,
    /** Lets time pass for the running watcher. */
    pass,
    halt,
    later,
    scanned,
    compared,
    turnCold,
    status,
    isStatus: (invoice: Invoice, wanted: string) =>
      until(
        () => status(invoice),
        (found) => found === wanted,
      ),
    /** What is to be read again for late money. */
    late,
    /** All of it is done. */
    noLate: () => until(late, (row) => row === undefined),
    logged: () => watcher?.logged ?? [],
    watchAgain: (deposits: readonly number[]) => watcher?.watchAgain(deposits),
    readNow: () => watcher?.readNow(),

    /** An invoice that has been watched, and has turned cold after a check has seen its balance. */
    async coldInvoice(): Promise<Invoice> {
      const invoice = storeInvoice(db, { total: "100.00" });
      await later(0);
      await scanned();
      await turnCold();
      return invoice;
    },

    /** Moves money to the payout wallet, as anybody may. */
    async takeAway({ deposit: { address, payoutWallet } }: Invoice, amount: string): Promise<void> {
      await chain.giveEth(address);
      await chain.rpc("anvil_impersonateAccount", [address]);
      const data = encode(usdcArtifact.abi, "transfer", [payoutWallet, usdc(amount)]);
      await send(chain, { to: chain.usdc, data, from: address });
    },

    async stop(): Promise<void> {
      await halt();
      closeDatabase(db);
      data.remove();
      await proxy.stop();
      await chain.stop();
    },
  };
}
