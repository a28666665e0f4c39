import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import * as Address from "../../../src/domain/wallet/address.ts";
import { closeDatabase, type Db } from "../../../src/store/database.ts";
import { openShared } from "../../../src/store/files/lock.ts";
import * as WalletStore from "../../../src/store/tables/installation/wallet.ts";
import * as ElsewhereStore from "../../../src/store/tables/settle/elsewhere.ts";
import { startTestChain, type TestChain } from "../../support/chain/chain.ts";
import { balanceOf } from "../../support/chain/evm.ts";
import { type OtherTestChain, startOtherChain } from "../../support/chain/other-chain.ts";
import { type RpcProxy, startRpcProxy } from "../../support/chain/rpc-proxy.ts";
import { addPerson, password, type Visitor, visitor } from "../../support/desk/desk.ts";
import { endProcesses, type ServedTill, startServedTill } from "../../support/till/process.ts";
import { invoiceRequest, type TestTill, until } from "../../support/till/till.ts";

const wallet = Address.checksum(`0x${"e3".repeat(20)}`);
let home: TestChain;
let ethereum: OtherTestChain;
let proxy: RpcProxy;
let till: ServedTill;
let db: Db;
let owner: Visitor;
let baseUrl: string;

beforeAll(async () => {
  [home, ethereum] = await Promise.all([startTestChain(), startOtherChain(0)]);
  proxy = startRpcProxy(ethereum.rpcUrl);
  till = await startServedTill(home, { TILL_SETTLE: "manual", TILL_ELSEWHERE_RPC_URL: proxy.url });
  db = openShared(till.dataDir);
  baseUrl = new URL((await invoiced())["invoice_url"] ?? "").origin;
  const desk = { db, baseUrl, localUrl: baseUrl } as TestTill;
  owner = visitor(desk, await addPerson(desk, "Mara", "owner"));
  await ethereum.giveEth(WalletStore.gasAddress(db) ?? Address.zero);
});
afterAll(async () => {
  if (db) closeDatabase(db);
  await till?.stop();
  await endProcesses();
  await proxy.stop();
  await Promise.all([home.stop(), ethereum.stop()]);
});

async function invoiced(): Promise<Record<string, string>> {
  const byo = { wallet_type: "byo", wallet_address: wallet, send_now: false };
  return (await till.api("POST", "/api/invoices", { ...invoiceRequest, ...byo })).body;
}

/** What came for a new invoice on the other chain, once Till knows of it: it looks at each address of its own accord. */
async function found(): Promise<ElsewhereStore.Found> {
  const invoice = await invoiced();
  await ethereum.send(Address.checksum(invoice["deposit_address"] ?? ""), 10_000_000n);
  const slug = invoice["invoice_url"]?.split("/").at(-1);
  const known = db
    .query<{ deposit_index: bigint }, [string]>("SELECT deposit_index FROM receivable WHERE address = ?")
    .get(invoice["deposit_address"] ?? "");
  const [one] = await until(
    async () => {
      await fetch(`${baseUrl}/look/${slug}`, {
        method: "POST",
        headers: { "content-type": "application/x-www-form-urlencoded" },
      });
      return ElsewhereStore.listOf(db, Number(known?.deposit_index));
    },
    (all) => all.length === 1,
    60_000,
  );
  if (!one) throw new Error("Nothing was found");
  return one;
}

describe("what an owner has moved from another chain is moved once, whenever Till is killed", () => {
  test.each(["before the node hears of it", "after the node took it", "before the receipt"])(
    "%s",
    async (moment) => {
      const before = await balanceOf(ethereum, ethereum.usdc, wallet);
      const { id } = await found();
      const path = `/desk/money/elsewhere/${id}`;
      const killed = Promise.withResolvers<void>();
      const kill = async () => {
        await till.pause("SIGKILL");
        killed.resolve();
        return new Response(null, { status: 500 });
      };
      let isSent = false;
      proxy.answer = async ({ method, params }) => {
        if (method === "eth_sendRawTransaction") {
          isSent = true;
          if (moment === "before the node hears of it") return kill();
          if (moment === "after the node took it") {
            await ethereum.rpc(method, params).catch(() => {});
            return kill();
          }
        }
        return isSent && method === "eth_getTransactionReceipt" ? kill() : undefined;
      };
      // Its answer may be lost with the process.
      await owner.post(path, { proof: password }).catch(() => null);
      await killed.promise;
      proxy.answer = null;
      expect(ElsewhereStore.byId(db, id)).toMatchObject({ movedAt: null, wantedAt: expect.any(Number) });

      await till.resume();
      expect((await owner.post(path, { proof: password })).status).toBe(303);
      await until(
        () => ElsewhereStore.byId(db, id)?.movedAt ?? null,
        (at) => at !== null,
        60_000,
      );
      expect(await balanceOf(ethereum, ethereum.usdc, wallet)).toBe(before + 10_000_000n);
      const sent = db
        .query<{ n: bigint }, []>("SELECT count(*) AS n FROM gas_transaction WHERE purpose = 'rescue'")
        .get();
      const moved = db
        .query<{ n: bigint }, []>("SELECT count(*) AS n FROM elsewhere WHERE moved_at IS NOT NULL")
        .get();
      expect(sent).toEqual(moved);
    },
  );
});
