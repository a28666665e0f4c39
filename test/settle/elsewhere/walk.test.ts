import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import * as Address from "../../../src/domain/wallet/address.ts";
import { enter, world } from "../../../src/lib/world.ts";
import * as WalletStore from "../../../src/store/tables/installation/wallet.ts";
import * as ElsewhereStore from "../../../src/store/tables/settle/elsewhere.ts";
import { startTestChain, type TestChain } from "../../support/chain/chain.ts";
import { balanceOf } from "../../support/chain/evm.ts";
import { type OtherTestChain, startOtherChain } from "../../support/chain/other-chain.ts";
import { addPerson, password, type Visitor, visitor } from "../../support/desk/desk.ts";
import { ownPort } from "../../support/http/port.ts";
import { startTestTill, type TestTill, until } from "../../support/till/till.ts";

const wallet = Address.checksum(`0x${"e1".repeat(20)}`);
const hourMs = 3_600_000;

let home: TestChain;
let ethereum: OtherTestChain;
let polygon: OtherTestChain;
let till: TestTill;
let owner: Visitor;
let staff: Visitor;

/** An hour goes by whenever a test says so. */
const system = { ...world };
const hours = new Set<() => void>();
/** How far Till's clock is ahead. */
let aheadMs = 0;
const anHourLater = () => {
  for (const run of hours) run();
};

beforeAll(async () => {
  enter({
    ...system,
    setTimeout(run, ms) {
      if (ms !== hourMs) return system.setTimeout(run, Math.min(ms, 500));
      hours.add(run);
      return system.setTimeout(run, ms);
    },
  });
  [home, ethereum, polygon] = await Promise.all([startTestChain(), startOtherChain(0), startOtherChain(1)]);
  const port = String(ownPort());
  till = await startTestTill(
    home,
    {
      TILL_ELSEWHERE_RPC_URL: [ethereum.rpcUrl, polygon.rpcUrl].join(),
      TILL_PORT: port,
      TILL_BASE_URL: `http://localhost:${port}`,
    },
    { isDev: false, now: () => Date.now() + aheadMs },
  );
  owner = visitor(till, await addPerson(till, "Mara", "owner"));
  staff = visitor(till, await addPerson(till, "Jonas", "staff"));
});
afterAll(async () => {
  await till.stop();
  enter(system);
  await Promise.all([home.stop(), ethereum.stop(), polygon.stop()]);
});

const words = (html: string) =>
  html
    .replace(/<style.*?<\/style>|<script.*?<\/script>/gs, " ")
    .replace(/<[^>]+>/g, " ")
    .replace(/\s+/g, " ");
const pageOf = async (visit: Promise<Response>) => words(await (await visit).text());
const gasAddress = () => WalletStore.gasAddress(till.db) ?? Address.zero;

async function invoiced() {
  const invoice = await till.createInvoice({ wallet_type: "byo", wallet_address: wallet });
  const address = Address.checksum(invoice["deposit_address"] ?? "");
  const slug = (invoice["invoice_url"] ?? "").split("/").at(-1) ?? "";
  const row = till.db
    .query<{ deposit_index: bigint }, [string]>("SELECT deposit_index FROM receivable WHERE address = ?")
    .get(address);
  return { address, slug, number: invoice["invoice_number"] ?? "", index: Number(row?.deposit_index) };
}
const look = (slug: string, lang = "en") =>
  fetch(`${till.localUrl}/look/${slug}?lang=${lang}`, {
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded" },
  });

/** Asks Till to look until its answer says so, each time a little later: it looks every 15 seconds at most. */
const lookUntil = (slug: string, text: string) =>
  until(
    () => {
      aheadMs += 16_000;
      return pageOf(look(slug));
    },
    (page) => page.includes(text),
    60_000,
  );

describe("a payer who sent USDC on the wrong chain", () => {
  let at: Awaited<ReturnType<typeof invoiced>>;

  test("is offered to have Till look, and told where the money is; the merchant is mailed", async () => {
    at = await invoiced();
    const html = await (await fetch(`${till.localUrl}/i/${at.slug}`)).text();
    expect(html).toContain(`action="/look/${at.slug}?lang=en"`);
    expect(words(html)).toContain("I have already paid");

    const nothing = await lookUntil(at.slug, "on other networks either");
    expect(nothing).toContain("Nothing has arrived on Base (Anvil) yet");
    expect(nothing).toContain("on other networks either: Ethereum (Anvil) and Polygon (Anvil)");

    await ethereum.send(at.address, 25_000_000n);
    const found = await lookUntil(at.slug, "arrived on Ethereum");
    expect(found).toContain("25.00 USDC arrived on Ethereum (Anvil), not on Base (Anvil)");
    expect(found).toContain("It is not lost: Acme Ltd can see it");
    const mail = await until(
      () => till.mail.list().find(({ subject }) => subject.includes("arrived on")),
      (each) => each !== undefined,
    );
    expect(mail).toMatchObject({ to: ["billing@acme.example"] });
  });

  test("has not paid by that", async () => {
    const { body } = await till.api("GET", `/api/invoices?limit=1`);
    expect(JSON.stringify(body)).not.toContain('"received_amount":"25');
    const invoice = till.db
      .query("SELECT received_amount, pending_amount FROM receivable WHERE deposit_index = ?")
      .get(at.index);
    expect(invoice).toEqual({ received_amount: 0n, pending_amount: 0n });
  });

  test("is seen by the owner at Home, among the money, and on the invoice's page", async () => {
    expect(await pageOf(owner.get("/desk"))).toContain("USDC on other networks: 25.00");
    expect(await pageOf(owner.get("/desk/money"))).toContain("25.00 USDC on Ethereum (Anvil)");
    expect(await pageOf(owner.get(`/desk/invoices/${at.number}`))).toContain(
      "25.00 USDC arrived on Ethereum",
    );
  });

  test("is moved by the owner alone, with a proof, once there is gas, and once however often it is asked for", async () => {
    const [found] = ElsewhereStore.listOf(till.db, at.index);
    const path = `/desk/money/elsewhere/${found?.id}`;
    expect(await pageOf(owner.get(path))).toContain("The gas account lacks ETH on Ethereum (Anvil)");
    await ethereum.giveEth(gasAddress());
    const plan = await pageOf(owner.get(path));
    expect(plan).toContain("Never more than");
    expect(plan.replaceAll(" ", "")).toContain(wallet);
    expect((await owner.post(path)).status).toBe(422);
    expect((await staff.post(path, { proof: password })).status).toBe(403);
    expect(ElsewhereStore.listWanted(till.db)).toEqual([]);

    const sent = await Promise.all([
      owner.post(path, { proof: password }),
      owner.post(path, { proof: password }),
    ]);
    expect(sent.map(({ status }) => status)).toContain(303);
    await until(
      () => pageOf(owner.get(path)),
      (text) => text.includes("It is in your wallet on Ethereum (Anvil)"),
      60_000,
    );
    expect(await balanceOf(ethereum, ethereum.usdc, wallet)).toBe(25_000_000n);
    expect((await owner.post(path, { proof: password })).status).toBe(303);
    // The factory, and the move.
    expect(await ethereum.rpc("eth_getTransactionCount", [gasAddress(), "latest"])).toBe("0x2");
    expect(await home.rpc("eth_getTransactionCount", [gasAddress(), "latest"])).toBe("0x0");
    const audit = till.db.query("SELECT action, outcome FROM audit WHERE action = 'money.rescue'").all();
    expect(audit).toContainEqual({ action: "money.rescue", outcome: "done" });
  });

  test("counts as paid once the owner says so", async () => {
    const [found] = ElsewhereStore.listOf(till.db, at.index);
    const html = await (await owner.get(`/desk/money/elsewhere/${found?.id}`)).text();
    expect(html).toContain(`/desk/invoices/${at.number}/mark`);
    expect((await owner.post(`/desk/invoices/${at.number}/mark`, { how: "Ethereum" })).status).toBe(303);
    expect(await pageOf(owner.get("/desk"))).not.toContain("USDC on other networks");
  });
});

/** What is known of a deposit as hours go by: one that strikes while Till still looks is not noticed. */
function hourly(index: number) {
  anHourLater();
  return ElsewhereStore.listOf(till.db, index);
}

describe("every hour", () => {
  test("what came on two chains is found, whatever was paid at home, and each is moved for itself", async () => {
    const at = await invoiced();
    await home.pay(at.address, 2_000_000n);
    const came = "SELECT 1 FROM transfer WHERE deposit_index = ?";
    await until(
      () => till.db.query(came).get(at.index),
      (row) => row !== null,
      60_000,
    );
    await ethereum.send(at.address, 3_000_000n);
    await polygon.send(at.address, 4_000_000n);
    expect(ElsewhereStore.listOf(till.db, at.index)).toEqual([]);
    const found = await until(
      () => hourly(at.index),
      (all) => all.length === 2,
      60_000,
    );
    const told = await pageOf(fetch(`${till.localUrl}/look/${at.slug}`));
    expect(told).toContain("3.00 USDC arrived on Ethereum (Anvil), not on Base (Anvil)");
    const onPolygon = found.find(({ chainId }) => chainId === polygon.chain.chainId)?.id;
    const poor = await pageOf(owner.get(`/desk/money/elsewhere/${onPolygon}`));
    expect(poor).toContain("The gas account lacks POL on Polygon (Anvil)");
    await polygon.giveEth(gasAddress());
    for (const { id } of found)
      expect((await owner.post(`/desk/money/elsewhere/${id}`, { proof: password })).status).toBe(303);
    await until(
      () => ElsewhereStore.listOf(till.db, at.index),
      (all) => all.every(({ movedAt }) => movedAt !== null),
      60_000,
    );
    const page = await fetch(`${till.localUrl}/look/${at.slug}`);
    expect(new URL(page.url).pathname).toBe(`/i/${at.slug}`);
    expect(await balanceOf(polygon, polygon.usdc, wallet)).toBe(4_000_000n);
    expect(await balanceOf(ethereum, ethereum.usdc, wallet)).toBe(28_000_000n);
  });

  test("what left the chain again is forgotten, and dust is nothing", async () => {
    const [at, dusty] = [await invoiced(), await invoiced()];
    await polygon.send(dusty.address, 9_999n);
    await polygon.send(at.address, 7_000_000n);
    await until(
      () => hourly(at.index),
      (all) => all.length === 1,
      60_000,
    );
    expect(ElsewhereStore.listOf(till.db, dusty.index)).toEqual([]);
    await polygon.reorg(1);
    await until(
      () => hourly(at.index),
      (all) => all.length === 0,
      60_000,
    );
  });
});
