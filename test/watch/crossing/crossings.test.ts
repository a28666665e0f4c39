import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import { concatHex, type Hex, keccak256, pad, slice } from "viem";
import { wouldMint } from "../../../src/chain/contract/crossing-call.ts";
import { anvilChainId } from "../../../src/chain/dev/anvil.ts";
import { payers } from "../../../src/chain/dev/dev-chain.ts";
import { createRpc } from "../../../src/chain/node/rpc.ts";
import { paymentWarnings } from "../../../src/doctor/money-findings.ts";
import * as Address from "../../../src/domain/wallet/address.ts";
import * as CrossingStore from "../../../src/store/tables/watch/crossing.ts";
import { startTestChain, type TestChain } from "../../support/chain/chain.ts";
import { send, stranger } from "../../support/chain/evm.ts";
import { type Circle, startCircle, usualPrice } from "../../support/crossing/circle.ts";
import {
  type Attested,
  attest,
  burn,
  messageIn,
  mint,
  placeCrossing,
  transmitter,
} from "../../support/crossing/crossing.ts";
import { cross } from "../../support/till/moves.ts";
import { startTestTill, type TestTill, until } from "../../support/till/till.ts";
import { forgetAddress } from "../../support/watch/cold-world.ts";

/** What a payer's wallet does on another chain, and what Till says of it until the money has arrived. */

const ethereum = 31338;
const payer = payers[1] ?? Address.zero;
let there: TestChain;
let here: TestChain;
let circle: Circle;
let till: TestTill;

beforeAll(async () => {
  [there, here] = await Promise.all([startTestChain(), startTestChain()]);
  await Promise.all([placeCrossing(there, 0), placeCrossing(here, 6)]);
  circle = startCircle();
  till = await startTestTill(here, { TILL_CCTP_URL: `${circle.url}/` });
});
afterAll(async () => {
  await till.stop();
  await circle.stop();
  await Promise.all([there.stop(), here.stop()]);
});
afterEach(() => {
  circle.price = usualPrice;
});

type Page = Awaited<ReturnType<typeof openPage>>;

async function openPage(price = "1500.00") {
  const line_items = [{ description: "Design", quantity: 1, unit_price: price }];
  const invoice = await till.createInvoice({ line_items });
  const path = `/i/${invoice["slug"]}`;
  const record = `/api/invoices/${invoice["invoice_id"]}`;
  return {
    to: Address.checksum(invoice["deposit_address"] ?? ""),
    ask: (what: string, body: object = {}) => till.api("POST", `${path}/${what}`, body),
    /** What the page says of a payment from another network. */
    async says(): Promise<string> {
      const { body } = await till.api("GET", `${path}/payment`);
      return (
        /data-part="crossing"[^>]*>(.*?)<\/p>/s
          .exec(body)?.[1]
          ?.replaceAll(/<[^>]*>/g, "")
          .replaceAll("&nbsp;", " ") ?? ""
      );
    },
    page: async () => (await till.api("GET", path)).body as string,
    invoice: async () => (await till.api("GET", record)).body,
    async happened(): Promise<string[]> {
      const { data } = (await till.api("GET", `${record}/timeline`)).body;
      return data
        .map(({ summary }: { summary: string }) => summary)
        .filter((text: string) => /network|Ethereum|Circle/.test(text));
    },
  };
}

/** Does with the payer's key what Till says, as their wallet would. */
async function pay(page: Page) {
  const terms = (await page.ask("crossing", { chain_id: ethereum })).body;
  await send(there, { ...terms.approve, from: payer });
  const burnt = await send(there, { ...terms.burn, from: payer });
  const fee = BigInt(terms.amount) - BigInt(terms.due);
  const txHash = burnt.transactionHash;
  const told = { chain_id: ethereum, tx_hash: txHash };
  return { terms, fee, txHash, told, message: messageIn(burnt) };
}

/** Has Till look at once at all that is on its way: telling it anything wakes it. */
async function lookNow(page: Page): Promise<void> {
  till.db.run("UPDATE crossing SET next_at = 0");
  await page.ask("crossed", { chain_id: 31339, tx_hash: `0x${"ee".repeat(32)}` });
}

/** Has Till ask Circle for a transaction until the first answers, for up to two pages, were judged. */
async function judged(page: Page, txHash: Hex): Promise<void> {
  const before = circle.asked.length;
  await until(
    async () => {
      await lookNow(page);
      return circle.asked.slice(before).filter((path) => path.endsWith(txHash)).length;
    },
    (count) => count >= 3,
    60_000,
  );
}

const nonceOf = (txHash: Hex) => keccak256(txHash);

test("what the page offers pays exactly, and says truly what is known until then", async () => {
  const page = await openPage();
  expect(await page.page()).toContain("Ethereum (Anvil)");
  const { terms, fee, txHash, told, message } = await pay(page);
  // 1.3 hundredths of a percent of what is burnt, and 0.205 USDC, rounded up.
  expect(terms.amount).toBe("1500400053");
  expect(terms.sentence).toContain("1,500.400053 USDC on Ethereum (Anvil)");
  expect(await page.says()).toBe("");

  expect((await page.ask("crossed", told)).status).toBe(202);
  expect(await page.says()).toContain("A payment from Ethereum (Anvil) was reported");
  expect((await page.ask("delivery")).status).toBe(404);
  circle.tell(txHash, await attest(message, nonceOf(txHash), { fee }));
  await lookNow(page);
  await until(page.says, (text) => text.includes("On its way from Ethereum (Anvil): 1,500.00 USDC"), 60_000);
  expect((await page.invoice()).status).toBe("draft");

  // Whoever likes: Circle does so by itself.
  const call = (await page.ask("delivery")).body;
  expect((await send(here, { ...call, from: stranger })).status).toBe("success");
  const paid = await until(page.invoice, ({ status }) => status === "paid", 60_000);
  expect(paid.received_amount).toBe("1500.00");
  const stored = till.db.query<{ state: string }, []>("SELECT state FROM crossing WHERE chain_id = 31338");
  await lookNow(await openPage());
  await until(
    () => stored.all(),
    (rows) => rows.every(({ state }) => state === "arrived"),
    60_000,
  );
  expect(await page.says()).toBe("");
  expect(await page.happened()).toEqual([
    "The payer says that they sent USDC from Ethereum (Anvil): it is not confirmed.",
    "1500.00 USDC from Ethereum (Anvil) is on its way: Circle confirmed it.",
  ]);
});

test("nothing counts as on its way that the contract would not mint here", async () => {
  const [mine, other] = [await openPage(), await openPage()];
  const { fee, txHash, told, message } = await pay(mine);
  const signed = await attest(message, nonceOf(txHash), { fee });
  const forged: Attested = { ...signed, attestation: `0x${"11".repeat(65)}` };
  const lies = [
    forged,
    "{",
    { messages: "all" },
    { messages: [{ message: "0x12", attestation: "PENDING" }, null] },
  ];
  await mine.ask("crossed", told);
  await other.ask("crossed", told);
  for (const lie of lies) {
    circle.tell(txHash, lie);
    await judged(mine, txHash);
    expect(await mine.says()).toContain("was reported");
  }
  circle.tell(txHash, signed);
  await lookNow(mine);
  await until(mine.says, (text) => text.includes("On its way"), 60_000);
  // It goes to the first page's address, whoever names it elsewhere.
  expect(await other.says()).toContain("was reported");
  await mint(here, signed, stranger);
  await until(mine.invoice, ({ status }) => status === "paid", 60_000);
  expect((await other.invoice()).status).toBe("draft");
});

test("what Circle signs for a contract of somebody's own says nothing of a payment, though it can be received", async () => {
  const page = await openPage("25.00");
  const { fee, txHash, message } = await pay(page);
  // The same burn, which somebody's own contract says it is for.
  const taker = pad(`0x${"7a".repeat(20)}`);
  const other = concatHex([slice(message, 0, 76), taker, slice(message, 108)]);
  const signed = await attest(other, nonceOf(txHash), { fee });
  expect(await wouldMint(createRpc({ url: here.rpcUrl }), anvilChainId, signed)).toBe(true);
  circle.tell(txHash, signed);
  await page.ask("crossed", { chain_id: ethereum, tx_hash: txHash });
  await judged(page, txHash);
  expect(await page.says()).toContain("was reported");
});

test("what has arrived stands no longer for what is still due", async () => {
  const page = await openPage("100.00");
  const amount = 60_000_000n;
  const message = await burn(there, { from: payer, to: page.to, amount, maxFee: 0n });
  const txHash = keccak256(message);
  const signed = await attest(message, nonceOf(txHash));
  circle.tell(txHash, signed);
  await page.ask("crossed", { chain_id: ethereum, tx_hash: txHash });
  await until(page.says, (text) => text.includes("On its way"), 60_000);
  till.db.run("UPDATE crossing SET next_at = ? WHERE tx_hash = ?", [Date.now() + 3_600_000, txHash]);
  await mint(here, signed, stranger);
  await until(page.invoice, ({ received_amount }) => received_amount === "60.00", 60_000);
  expect(await page.says()).toBe("");
  expect(await page.page()).toContain('data-part="how"');
});

test("one that cannot be judged keeps no other waiting", async () => {
  const [broken, page] = [await openPage("35.00"), await openPage("35.00")];
  const [first, second] = [await pay(broken), await pay(page)];
  for (const { fee, txHash, message } of [first, second])
    circle.tell(txHash, await attest(message, nonceOf(txHash), { fee }));
  await broken.ask("crossed", first.told);
  await until(broken.says, (text) => text.includes("On its way"), 60_000);
  // Its domains are no number.
  const unreadable = "'0xzzzzzzzzzzzzzzzz' || substr(message, 19)";
  till.db.run(`UPDATE crossing SET message = ${unreadable}, next_at = -1 WHERE tx_hash = ?`, [first.txHash]);
  await page.ask("crossed", second.told);
  await until(page.says, (text) => text.includes("On its way"), 60_000);
  till.db.run("DELETE FROM crossing WHERE tx_hash = ?", [first.txHash]);
});

test("what arrives is seen at once, where nothing was watched for any more, and not asked for again", async () => {
  const page = await openPage("45.00");
  forgetAddress(till.db, page.to);
  await till.pause();
  await till.resume();
  const { fee, txHash, told, message } = await pay(page);
  const signed = await attest(message, nonceOf(txHash), { fee });
  circle.tell(txHash, signed);
  await page.ask("crossed", told);
  await until(page.says, (text) => text.includes("On its way"), 60_000);
  await mint(here, signed, stranger);
  await lookNow(await openPage());
  await until(
    async () => {
      expect(await page.page()).not.toContain('data-part="how"');
      return page.invoice();
    },
    ({ status }) => status === "paid",
    60_000,
  );
});

test("what was minted before Till saw Circle's signature is not on its way, and known by its amount", async () => {
  const [page, other] = [await openPage("15.00"), await openPage()];
  const { fee, txHash, told, message } = await pay(page);
  const signed = await attest(message, nonceOf(txHash), { fee });
  await page.ask("crossed", told);
  await mint(here, signed, stranger);
  circle.tell(txHash, signed);
  const row = () =>
    till.db
      .query<{ state: string; amount: bigint }, [string]>(
        "SELECT state, amount FROM crossing WHERE tx_hash = ?",
      )
      .get(txHash);
  await until(
    async () => {
      await lookNow(other);
      return row();
    },
    (found) => found?.state === "arrived",
    60_000,
  );
  expect(row()?.amount).toBe(15_000_000n);
  expect(await page.says()).toBe("");
  expect(await page.happened()).toHaveLength(1);
});

test("what Circle has signed and nobody can have minted is given up after a week, until it is told anew", async () => {
  const [page, other] = [await openPage("55.00"), await openPage()];
  const { fee, txHash, told, message } = await pay(page);
  circle.tell(txHash, await attest(message, nonceOf(txHash), { fee, until: 1n }));
  await page.ask("crossed", told);
  const age = (ms: number) =>
    till.db.run("UPDATE crossing SET created_at = ? WHERE tx_hash = ?", [Date.now() - ms, txHash]);
  age(8 * 86_400_000);
  // Till was stopped for a week: it has been asked for anew only now.
  await judged(other, txHash);
  expect(await page.says()).toContain("was reported");
  /** Has Till look at what is due, as if the next look at this one had been planned for then. */
  const planned = async (at: number) => {
    till.db.run("UPDATE crossing SET next_at = ? WHERE tx_hash = ?", [at, txHash]);
    await other.ask("crossed", { chain_id: 31339, tx_hash: `0x${"ee".repeat(32)}` });
    return page.says();
  };
  await until(
    () => planned(Date.now() - 1),
    (text) => text.includes("Nothing was found of the payment"),
    60_000,
  );
  await page.ask("crossed", told);
  expect(await page.says()).toContain("was reported");
  circle.tell(txHash, await attest(message, nonceOf(txHash), { fee }));
  // By a clock that was ahead.
  await until(
    () => planned(Date.now() + 86_400_000),
    (text) => text.includes("On its way"),
    60_000,
  );
});

test("what nobody has minted is no longer expected after 30 days, until it is told anew, and counts when it comes", async () => {
  const [page, other] = [await openPage("65.00"), await openPage()];
  const { fee, txHash, told, message } = await pay(page);
  const signed = await attest(message, nonceOf(txHash), { fee });
  circle.tell(txHash, signed);
  await page.ask("crossed", told);
  await until(page.says, (text) => text.includes("On its way"), 60_000);
  const attestedAt = Date.now() - 31 * 86_400_000;
  till.db.run("UPDATE crossing SET attested_at = ?, next_at = ? WHERE tx_hash = ?", [
    attestedAt,
    attestedAt + 3_600_000,
    txHash,
  ]);
  const next = () =>
    till.db
      .query<{ next_at: bigint; state: string }, [string]>(
        "SELECT next_at, state FROM crossing WHERE tx_hash = ?",
      )
      .get(txHash);
  const wake = () => other.ask("crossed", { chain_id: 31339, tx_hash: `0x${"ee".repeat(32)}` });
  await wake();
  // Till was stopped for a month: it is looked for once more.
  const looked = await until(next, (row) => Number(row?.next_at) > Date.now() - 3_600_000, 60_000);
  expect(looked?.state).toBe("attested");
  expect(await page.page()).not.toContain('data-part="how"');
  till.db.run("UPDATE crossing SET next_at = ? WHERE tx_hash = ?", [Date.now() - 1, txHash]);
  await wake();
  await until(
    page.says,
    (text) => text.includes("Never delivered, from Ethereum (Anvil): 65.00 USDC"),
    60_000,
  );
  expect(await page.page()).toContain('data-part="how"');
  expect((await page.happened()).at(-1)).toBe(
    "65.00 USDC from Ethereum (Anvil) was never delivered: it is no longer expected.",
  );
  await page.ask("crossed", told);
  await until(page.says, (text) => text.includes("On its way"), 60_000);
  await mint(here, signed, stranger);
  await until(page.invoice, ({ status }) => status === "paid", 60_000);
});

test("a signature too old to be used is asked for anew", async () => {
  const page = await openPage("20.00");
  const { fee, txHash, told, message } = await pay(page);
  circle.tell(txHash, await attest(message, nonceOf(txHash), { fee, until: 1n }));
  await page.ask("crossed", told);
  const again = `POST /v2/reattest/${nonceOf(txHash)}`;
  await until(
    () => circle.asked.includes(again),
    (isAsked) => isAsked,
    60_000,
  );
  expect(await page.says()).toContain("was reported");
  circle.tell(txHash, await attest(message, nonceOf(txHash), { fee }));
  await lookNow(page);
  await until(page.says, (text) => text.includes("On its way"), 60_000);
});

test("what was told is kept when Till stops, and given up after a week if nothing is known of it", async () => {
  const page = await openPage("30.00");
  const txHash: Hex = `0x${"ab".repeat(32)}`;
  await page.ask("crossed", { chain_id: ethereum, tx_hash: txHash.toUpperCase().replace("X", "x") });
  await till.pause();
  await till.resume();
  expect(await page.says()).toContain("was reported");
  const week = 7 * 86_400_000;
  till.db.run("UPDATE crossing SET created_at = created_at - ?, next_at = 0 WHERE tx_hash = ?", [
    week,
    txHash,
  ]);
  const another = await openPage();
  // Circle's silence says nothing of it.
  circle.tell(txHash, "{");
  await judged(another, txHash);
  expect(await page.says()).toContain("was reported");
  circle.tell(txHash, { messages: [] });
  // Till may be about to write down what it was told before.
  await until(
    async () => {
      await lookNow(another);
      return page.says();
    },
    (text) => text.includes("Nothing was found of the payment"),
    60_000,
  );
  expect((await page.happened()).at(-1)).toContain("Nothing was found");
});

test("a page takes only so many claims, and none from nowhere", async () => {
  const page = await openPage();
  const hash = (n: number) => `0x${n.toString(16).padStart(64, "0")}`;
  const statuses: number[] = [];
  for (const n of [0, 1, 2, 3, 4, 5, 1])
    statuses.push((await page.ask("crossed", { chain_id: ethereum, tx_hash: hash(n) })).status);
  expect(statuses).toEqual([202, 202, 202, 202, 202, 429, 202]);
  for (const body of [{ chain_id: 1, tx_hash: hash(1) }, { chain_id: ethereum }])
    expect((await page.ask("crossed", body)).status).toBe(404);
  expect((await page.ask("crossed", { chain_id: ethereum, tx_hash: "0x12" })).status).toBe(400);
  till.db.run("UPDATE crossing SET state = 'unknown', ended_at = 1 WHERE tx_hash < ?", [hash(9)]);
});

test.each([
  ["no list", { minimumFee: 1 }],
  ["no fee for minting", [{ finalityThreshold: 1000, minimumFee: 1 }]],
  ["a fee of a tenth", [{ ...usualPrice[1], minimumFee: 1000 }]],
  ["a fee below zero", [{ ...usualPrice[1], forwardFee: { high: -1 } }]],
  ["no share", [{ ...usualPrice[1], minimumFee: null }]],
  ["a fee that is a list", [{ ...usualPrice[1], forwardFee: { high: [] } }]],
  ["a fee that is none", [{ ...usualPrice[1], forwardFee: { high: "much" } }]],
  ["another way", [{ ...usualPrice[1], finalityThreshold: 1 }]],
])("a price that cannot be believed is none: %s", async (_, price) => {
  const now = Date.now();
  await using other = await startTestTill(here, { TILL_CCTP_URL: circle.url }, { now: () => now });
  circle.price = price;
  const invoice = await other.createInvoice();
  const { status, body } = await other.api("POST", `/i/${invoice["slug"]}/crossing`, { chain_id: ethereum });
  expect(status).toBe(503);
  expect(body.message).toContain("Paying from Ethereum (Anvil) is not possible right now");
});

test("without Circle's service, no page speaks of other networks, and nothing is taken, but what it has signed can be delivered", async () => {
  await using plain = await startTestTill(here);
  const invoice = await plain.createInvoice();
  const path = `/i/${invoice["slug"]}`;
  expect((await plain.api("GET", path)).body).not.toContain('<select id="network"');
  expect((await plain.api("POST", `${path}/crossing`, { chain_id: ethereum })).status).toBe(503);
  const told = { chain_id: ethereum, tx_hash: `0x${"ad".repeat(32)}` };
  expect((await plain.api("POST", `${path}/crossed`, told)).status).toBe(404);
  expect(CrossingStore.foremost(plain.db, 0, () => true)).toBeNull();
  cross(plain.db, 0, 15_000_000n, Date.now());
  const delivery = await plain.api("POST", `${path}/delivery`, {});
  expect(delivery).toMatchObject({ status: 200, body: { to: transmitter } });
});

test("what Circle does not mint can be delivered by anybody, and the page says how", async () => {
  const page = await openPage("40.00");
  const { fee, txHash, told, message } = await pay(page);
  circle.tell(txHash, await attest(message, nonceOf(txHash), { fee }));
  await page.ask("crossed", told);
  await until(page.says, (text) => text.includes("On its way"), 60_000);
  till.db.run("UPDATE crossing SET attested_at = attested_at - 700000 WHERE tx_hash = ?", [txHash]);
  expect(await page.says()).toContain("Not delivered yet, from Ethereum (Anvil): 40.00 USDC");
  const { invoice_number } = await page.invoice();
  const warned = (at: number) =>
    paymentWarnings(till.db, at).filter(({ message }) => message.includes(invoice_number));
  expect(warned(Date.now())).toEqual([]);
  expect(warned(Date.now() + 3_600_000)).toHaveLength(1);
});
