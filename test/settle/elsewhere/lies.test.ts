import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createRpc } from "../../../src/chain/node/rpc.ts";
import * as Usdc from "../../../src/domain/usdc.ts";
import * as Address from "../../../src/domain/wallet/address.ts";
import { enter, world } from "../../../src/lib/world.ts";
import { planRescue, rescue } from "../../../src/settle/elsewhere/rescue.ts";
import { createGasAccount } from "../../../src/settle/gas-account.ts";
import { transact } from "../../../src/store/database.ts";
import { receivableAt } from "../../../src/store/reports/receivable.ts";
import * as WalletStore from "../../../src/store/tables/installation/wallet.ts";
import * as ElsewhereStore from "../../../src/store/tables/settle/elsewhere.ts";
import { openKnownWallet } from "../../../src/till/installation.ts";
import { startTestChain, type TestChain } from "../../support/chain/chain.ts";
import { balanceOf } from "../../support/chain/evm.ts";
import { type OtherTestChain, startOtherChain } from "../../support/chain/other-chain.ts";
import { type RpcProxy, startRpcProxy } from "../../support/chain/rpc-proxy.ts";
import { startTestTill, type TestTill, until } from "../../support/till/till.ts";

const wallet = Address.checksum(`0x${"e2".repeat(20)}`);

let home: TestChain;
let ethereum: OtherTestChain;
/** Two nodes of one chain. */
let proxy: RpcProxy;
let twin: RpcProxy;
let till: TestTill;
/** How far Till's clock is ahead: it looks at one address every 15 seconds at most. */
let aheadMs = 0;
const system = { ...world };

beforeAll(async () => {
  // Whoever waits for a silent node waits for a moment.
  enter({
    ...system,
    setTimeout: (run, ms) => system.setTimeout(run, ms < 60_000 ? ms / 20 : ms),
    timeout: (ms) => system.timeout(ms / 10),
  });
  [home, ethereum] = await Promise.all([startTestChain(), startOtherChain(0)]);
  [proxy, twin] = [startRpcProxy(ethereum.rpcUrl), startRpcProxy(ethereum.rpcUrl)];
  till = await startTestTill(
    home,
    { TILL_ELSEWHERE_RPC_URL: [proxy.url, twin.url, home.rpcUrl].join() },
    { now: () => Date.now() + aheadMs },
  );
});
afterAll(async () => {
  await till.stop();
  enter(system);
  await Promise.all([proxy.stop(), twin.stop()]);
  await Promise.all([home.stop(), ethereum.stop()]);
});

async function invoiced(payoutWallet: string = wallet) {
  const invoice = await till.createInvoice({ wallet_type: "byo", wallet_address: payoutWallet });
  const address = Address.checksum(invoice["deposit_address"] ?? "");
  const row = till.db
    .query<{ deposit_index: bigint }, [string]>("SELECT deposit_index FROM receivable WHERE address = ?")
    .get(address);
  return { address, slug: invoice["invoice_url"]?.split("/").at(-1), index: Number(row?.deposit_index) };
}

async function look({ slug }: { slug: string | undefined }): Promise<string> {
  aheadMs += 16_000;
  const answer = await fetch(`${till.localUrl}/look/${slug}`, {
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded" },
  });
  return await answer.text();
}
const warnings = async () => JSON.stringify((await till.api("GET", "/health/ready")).body);
/** Has it moved, as the desk does. */
async function move(at: { index: number }): Promise<Response> {
  const path = `/desk/money/elsewhere/${found(at)[0]?.id}`;
  const form =
    /name="form" value="([^"]*)"/.exec(await (await fetch(till.localUrl + path)).text())?.[1] ?? "";
  return await fetch(till.localUrl + path, {
    method: "POST",
    redirect: "manual",
    headers: { origin: till.localUrl, "sec-fetch-site": "same-origin" },
    body: new URLSearchParams({ form }),
  });
}
const found = ({ index }: { index: number }) => ElsewhereStore.listOf(till.db, index);

test("nodes of Till's own chain, second ones of a chain, and those of a strange one are named and not used", async () => {
  const at = await invoiced();
  const lookAndTell = async () => {
    await look(at);
    return await warnings();
  };
  const text = await until(lookAndTell, (all) => all.includes("both nodes of Ethereum (Anvil)"));
  expect(text).toContain("belongs in TILL_RPC_URL");
  twin.answer = ({ method }) => (method === "eth_chainId" ? { result: "0x89" } : undefined);
  await until(lookAndTell, (all) => all.includes("is a node of chain 137, which is none of those"));
});

describe("a node that lies", () => {
  const lies: [string, Parameters<typeof startLying>[0], string][] = [
    ["is of another chain all at once", { method: "eth_chainId", answer: { result: "0x89" } }, "chain 137"],
    ["says more than there is", { method: "eth_call", answer: "huge" }, "an amount of"],
    ["says nonsense", { method: "eth_call", answer: { result: "0x" } }, "no balances"],
    [
      "refuses",
      { method: "eth_call", answer: { error: { code: -32000, message: "no" } } },
      "refused eth_call",
    ],
    ["is silent", { method: "eth_call", answer: "silence" }, ""],
  ];

  function startLying({ method, answer }: { method: string; answer: object | "huge" | "silence" }) {
    proxy.answer = async (call) => {
      if (call.method !== method) return undefined;
      if (answer === "silence") return await new Promise<never>(() => {});
      if (answer !== "huge") return answer as { result: unknown };
      const real = String(await ethereum.rpc(call.method, call.params));
      return { result: `${real.slice(0, -16)}${"7".padEnd(16, "f")}` };
    };
  }

  for (const [what, lie, reason] of lies)
    test(`and ${what}, finds nothing, loses nothing, and is told of`, async () => {
      // Only the node in question is there to be asked.
      const [known, unknown] = [await invoiced(), await invoiced()];
      await ethereum.send(known.address, 5_000_000n);
      await until(
        () => look(known),
        () => found(known).length === 1,
      );
      await ethereum.send(unknown.address, 6_000_000n);
      startLying(lie);
      const page = await look(unknown);
      expect(page).toContain("Nothing has arrived");
      expect(page).toContain("Not every network could be asked");
      expect(found(unknown)).toEqual([]);
      expect(found(known)).toMatchObject([{ amount: 5_000_000n }]);
      await until(warnings, (all) => all.includes(reason));
      proxy.answer = null;
      await until(
        () => look(unknown),
        () => found(unknown).length === 1,
      );
      expect(found(unknown)).toMatchObject([{ amount: 6_000_000n }]);
    });
});

describe("what is to be moved", () => {
  test("goes on by itself when the node was silent half-way and Till was stopped", async () => {
    const at = await invoiced();
    await ethereum.send(at.address, 9_000_000n);
    await until(
      () => look(at),
      () => found(at).length === 1,
    );
    await ethereum.giveEth(WalletStore.gasAddress(till.db) ?? Address.zero);
    const sent = Promise.withResolvers<void>();
    proxy.answer = async ({ method, params }) => {
      if (method !== "eth_sendRawTransaction") return undefined;
      // The node takes it, and Till never hears of it.
      await ethereum.rpc(method, params);
      sent.resolve();
      return new Response(null, { status: 500 });
    };
    expect((await move(at)).status).toBe(303);
    await sent.promise;
    await till.pause();
    proxy.answer = null;
    await till.resume();
    await until(
      () => found(at),
      ([one]) => one?.movedAt !== null,
      60_000,
    );
    expect(await balanceOf(ethereum, ethereum.usdc, wallet)).toBe(9_000_000n);
    const gas = WalletStore.gasAddress(till.db);
    expect(await ethereum.rpc("eth_getTransactionCount", [gas, "latest"])).toBe("0x2");
  });

  test("is concluded when `till rescue` began it and was stopped", async () => {
    const before = await balanceOf(ethereum, ethereum.usdc, wallet);
    const at = await invoiced();
    await ethereum.send(at.address, 6_000_000n);
    await until(
      () => look(at),
      () => found(at).length === 1,
    );
    await ethereum.giveEth(WalletStore.gasAddress(till.db) ?? Address.zero);
    const { db, config } = till;
    const { chainId, usdc } = ethereum.chain;
    const opened = { config, db, wallet: await openKnownWallet(db, config) };
    const gas = createGasAccount(opened, createRpc({ url: ethereum.rpcUrl }), chainId);
    const plan = await planRescue(gas, receivableAt(db, at.index).deposit, usdc, null);
    proxy.answer = ({ method }) =>
      method === "eth_getTransactionReceipt" ? new Response(null, { status: 500 }) : undefined;
    // The factory may have to come first.
    await until(
      () => rescue(gas, plan, AbortSignal.abort()),
      () => found(at)[0]?.transactionId !== null,
    );
    const [{ id, transactionId } = { id: 0, transactionId: 0 }] = found(at);
    transact(db, () => {
      // An owner who asks for it meanwhile has nothing else begun.
      ElsewhereStore.want(db, id, Date.now());
      expect(found(at)).toMatchObject([{ transactionId, movedAt: null }]);
      db.run("UPDATE elsewhere SET wanted_at = NULL WHERE id = ?", [id]);
    });
    proxy.answer = null;
    const ended = await until(
      () => found(at),
      ([one]) => one?.movedAt !== null,
      60_000,
    );
    expect(ended).toMatchObject([{ wantedAt: null, txHash: expect.any(String) }]);
    expect(await balanceOf(ethereum, ethereum.usdc, wallet)).toBe(before + 6_000_000n);
  });

  test("is moved although somebody sends dust after it, which is neither a refusal nor what was moved", async () => {
    const before = await balanceOf(ethereum, ethereum.usdc, wallet);
    const at = await invoiced();
    await ethereum.send(at.address, 8_000_000n);
    await until(
      () => look(at),
      () => found(at).length === 1,
    );
    await ethereum.giveEth(WalletStore.gasAddress(till.db) ?? Address.zero);
    proxy.answer = async ({ method, params }) => {
      if (method !== "eth_sendRawTransaction") return undefined;
      const result = await ethereum.rpc(method, params);
      await ethereum.send(at.address, 5_000n);
      await look(at);
      return { result };
    };
    const id = found(at)[0]?.id ?? 0;
    expect((await move(at)).status).toBe(303);
    const ended = await until(
      () => ElsewhereStore.byId(till.db, id),
      (one) => one?.movedAt !== null || one.wantedAt === null,
      40_000,
    );
    proxy.answer = null;
    // Dust that came before, after the factory, goes with it.
    const moved = (await balanceOf(ethereum, ethereum.usdc, wallet)) - before;
    expect(moved).toBeGreaterThanOrEqual(8_000_000n);
    expect(ended).toMatchObject({ movedAt: expect.any(Number), amount: Usdc.fromMicro(moved) });
  });

  test("is refused where the payout wallet is a contract here and nothing there, and is warned of where it is one", async () => {
    const contract = Address.checksum(`0x${"c0".repeat(20)}`);
    await home.rpc("anvil_setCode", [contract, "0x6001"]);
    const at = await invoiced(contract);
    await ethereum.send(at.address, 2_000_000n);
    await until(
      () => look(at),
      () => found(at).length === 1,
    );
    const page = async () =>
      (await fetch(`${till.localUrl}/desk/money/elsewhere/${found(at)[0]?.id}`)).text();
    const refused = await page();
    expect(refused).toContain("what goes there may be lost");
    expect(refused).not.toContain("Move it to my wallet");
    expect(refused).not.toContain("somebody else’s");
    await ethereum.rpc("anvil_setCode", [contract, "0x6001"]);
    const warned = await page();
    expect(warned).toContain("On Ethereum (Anvil), somebody else’s may have the same address");
    expect(warned).toContain("Move it to my wallet");
  });
});

test("a node that invents money everywhere makes Till mail of some of it, and the desk shows all", async () => {
  const mailed = () =>
    Number(
      till.db
        .query<{ count: bigint }, []>("SELECT count(*) AS count FROM mail WHERE occasion LIKE 'elsewhere.%'")
        .get()?.count,
    );
  const before = mailed();
  const places = await Promise.all(Array.from({ length: 22 }, () => invoiced()));
  for (const at of places) await ethereum.send(at.address, 2_000_000n);
  for (const at of places) await look(at);
  expect(places.map((at) => found(at).length)).toEqual(places.map(() => 1));
  expect(mailed()).toBeGreaterThan(before);
  expect(mailed() - before).toBeLessThanOrEqual(20);
});
