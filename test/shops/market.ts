import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import * as LinkStore from "../../src/store/tables/invoicing/link.ts";
import { startBrowser } from "../support/browser/browser.ts";
import { startTestChain } from "../support/chain/chain.ts";
import { addPerson, startDesk, visitor } from "../support/desk/desk.ts";
import { startExchanges } from "../support/http/exchanges.ts";
import { endProcesses } from "../support/till/process.ts";
import { slugIn } from "../support/till/visitor.ts";
import { startMariaDb } from "./mariadb.ts";

export const viewport = { width: 1280, height: 900 };

/** What shops need to sell for USDC: a Till with its chain and exchanges, a database server and a browser. */
export async function openMarket() {
  /** How far Till, the chain and the exchanges are ahead of the shops. */
  let aheadMs = 0;
  const now = () => Date.now() + aheadMs;
  const dir = mkdtempSync(join(tmpdir(), "till-shops-"));
  const [mariaDb, chain, exchanges, browser] = await Promise.all([
    startMariaDb(dir),
    startTestChain(),
    startExchanges(now),
    // Its pictures look alike wherever they are taken.
    startBrowser({ fonts: "own" }),
  ]);
  const till = await startDesk(
    {
      TILL_RPC_URL: chain.rpcUrl,
      TILL_RPC_WS_URL: chain.wsUrl,
      TILL_CONFIRMATIONS: "1",
      TILL_RATES: exchanges.setting,
    },
    { now },
  );
  const owner = await addPerson(till, "Mara Lindqvist", "owner");
  let passed = 0;
  let failed = 0;
  return {
    dir,
    mariaDb,
    till,
    exchanges,
    now,
    newPage: async () => (await browser.newContext({ viewport })).newPage(),
    /** A page of somebody who is signed in to Till. */
    async merchantPage(): Promise<Page> {
      const context = await browser.newContext({ viewport });
      const { cookie } = visitor(till, owner);
      await context.addCookies([{ name: "till", value: cookie ?? "", url: till.baseUrl, sameSite: "Lax" }]);
      return context.newPage();
    },
    /** What is to be paid at the page of Till with this address. */
    orderAt(url: string) {
      const slug = slugIn(new URL(url).pathname);
      const link = LinkStore.bySlug(till.db, slug);
      if (!link) throw new Error(`Till has no link ${slug}`);
      const { address, expected } = link.deposit;
      return { slug, due: expected, pay: (amount: bigint) => chain.pay(address, amount) };
    },
    async pass(ms: number): Promise<void> {
      aheadMs += ms;
      await chain.rpc("evm_increaseTime", [ms / 1000]);
      await chain.mine(1);
    },
    /** What must go well for the rest to make sense is `needed`. */
    async step(name: string, does: () => Promise<void>, needed = false): Promise<void> {
      const startMs = performance.now();
      try {
        await does();
        passed += 1;
        console.log(`passed  ${name} (${((performance.now() - startMs) / 1000).toFixed(1)} s)`);
      } catch (thrown) {
        failed += 1;
        console.error(`FAILED  ${name}`, thrown);
        if (needed) throw thrown;
      }
    },
    /** Ends everything, and says how it went: on a fault also what the shops wrote down. */
    async close(shops: readonly { log(): Promise<string>; pause(): Promise<void> }[]): Promise<void> {
      if (failed > 0) for (const shop of shops) console.error((await shop.log()).slice(-20_000));
      await browser.close();
      for (const shop of shops) await shop.pause();
      await till.stop();
      await Promise.all([exchanges.stop(), chain.stop(), mariaDb.stop()]);
      await endProcesses();
      rmSync(dir, { recursive: true });
      console.log(`${passed} passed, ${failed} failed`);
      process.exitCode = failed === 0 ? 0 : 1;
    },
  };
}
