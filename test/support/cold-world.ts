import usdcArtifact from "../../assets/contracts/artifacts/DevUsdc.json";
import type { Invoice } from "../../src/domain/invoice.ts";
import * as ColdBalanceStore from "../../src/store/cold-balance.ts";
import { closeDatabase, openDatabase } from "../../src/store/database.ts";
import * as InvoiceStore from "../../src/store/invoice.ts";
import * as ReadingStore from "../../src/store/reading.ts";
import { startTestChain } from "./chain.ts";
import { makeDataDir } from "./data-dir.ts";
import { encode, send } from "./evm.ts";
import { storeInvoice } from "./records.ts";
import { startRpcProxy } from "./rpc-proxy.ts";
import { until } from "./till.ts";
import { usdc } from "./usdc.ts";
import { startTestWatcher, type TestWatcher } from "./watcher.ts";

export const hourMs = 3_600_000;
export const dayMs = 24 * hourMs;

export type ColdWorld = Awaited<ReturnType<typeof startColdWorld>>;

/** A chain, a database and a watcher whose clock goes as fast as a test wants: addresses turn cold in a moment. */
export async function startColdWorld() {
  const chain = await startTestChain();
  const proxy = startRpcProxy(chain.rpcUrl);
  const data = makeDataDir();
  const db = openDatabase(data.path);
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
  const check = () => ColdBalanceStore.check(db);
  const checkDone = () =>
    until(check, (found) => found !== null && found.underWay === null && found.dueAt > now());

  /** Lets the time pass after which nothing is watched any more; checks see the balances meanwhile. */
  async function turnCold(): Promise<void> {
    for (const ms of [28 * dayMs, 22 * hourMs, 3 * dayMs]) {
      await later(ms);
      await checkDone();
    }
  }

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
    check,
    checkDone,
    turnCold,
    status,
    isStatus: (invoice: Invoice, wanted: string) =>
      until(
        () => status(invoice),
        (found) => found === wanted,
      ),
    /** Every late reading is done. */
    noLate: () =>
      until(
        () => ReadingStore.open(db, "late"),
        (reading) => reading === null,
      ),
    logged: () => watcher?.logged ?? [],

    /** An invoice that has been watched, and has turned cold after a check has seen its balance. */
    async coldInvoice(): Promise<Invoice> {
      const invoice = storeInvoice(db, { total: "100.00" });
      await later(0);
      await until(check, Boolean);
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
