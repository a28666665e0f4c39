import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import * as Address from "../../../src/domain/wallet/address.ts";
import * as BalanceStore from "../../../src/store/tables/watch/balance.ts";
import * as OpinionStore from "../../../src/store/tables/watch/opinion.ts";
import * as RereadStore from "../../../src/store/tables/watch/reread.ts";
import * as TransferStore from "../../../src/store/tables/watch/transfer.ts";
import { applyVerdicts } from "../../../src/watch/doubt/second-opinion.ts";
import { startTestChain, type TestChain } from "../../support/chain/chain.ts";
import { createForger, type Forger } from "../../support/chain/forger.ts";
import { type RpcProxy, startRpcProxy } from "../../support/chain/rpc-proxy.ts";
import { type Receiver, startReceiver } from "../../support/http/receiver.ts";
import { site } from "../../support/till/records.ts";
import { linkRequest, startTestTill, type TestTill, until } from "../../support/till/till.ts";

let chain: TestChain;
let first: RpcProxy;
let second: RpcProxy;
let receiver: Receiver;
let forger: Forger;
let till: TestTill;
let aheadMs: number;

beforeEach(async () => {
  chain = await startTestChain();
  await chain.mine(20);
  first = startRpcProxy(chain.rpcUrl);
  second = startRpcProxy(chain.rpcUrl);
  forger = createForger(chain, first);
  receiver = await startReceiver();
  aheadMs = 0;
});
afterEach(async () => {
  await till.stop();
  await receiver.stop();
  await first.stop();
  await second.stop();
  await chain.stop();
});

async function start(nodes: readonly RpcProxy[], environment: Record<string, string> = {}): Promise<void> {
  const rpcUrl = nodes.map(({ url }) => url).join(",");
  const now = () => Date.now() + aheadMs;
  till = await startTestTill({ rpcUrl, wsUrl: chain.wsUrl }, environment, { now });
}

type Link = { slug: string; to: Address.Address };

async function createLink(): Promise<Link> {
  const request = { ...linkRequest, webhook_url: receiver.url };
  const { body, status } = await till.api("POST", "/api/links", request);
  expect(status).toBe(201);
  return { slug: body.slug, to: Address.checksum(body.deposit_address) };
}

const price = 25_000_000n;
const pay = (link: Link) => chain.pay(link.to, price);
const statusOf = async ({ slug }: Link): Promise<string> =>
  (await till.api("GET", `/api/payments/status/${slug}`)).body.status;
const becomes = (link: Link, status: string, timeoutMs = 10_000) =>
  until(
    () => statusOf(link),
    (value) => value === status,
    timeoutMs,
  );
const isSeen = ({ slug }: Link, confirmed: boolean) =>
  until(
    async () => (await till.api("GET", `/api/links/${slug}/payments`)).body.data,
    ([payment]) => payment?.confirmed === confirmed,
  );
const logs = (event: string) => until(() => till.logged.some((line) => line.includes(`[${event}]`)), Boolean);
const hasLogged = (event: string) => till.logged.some((line) => line.includes(`[${event}]`));
const warnings = async (): Promise<string> =>
  ((await till.api("GET", "/health/ready")).body.warnings ?? []).join("\n");
const warns = (text: string | RegExp) => until(warnings, (all) => all.match(text) !== null);
/** Some scans with everything in their overlap. */
async function scanOn(): Promise<void> {
  for (let i = 0; i < 3; i++) {
    await chain.mine(1);
    const other = await createLink();
    await pay(other);
    await becomes(other, "confirmed");
  }
}
/** Until the other node has been asked in vain: the minute begins. */
const isAsked = () =>
  until(
    () => till.db.query("SELECT 1 FROM transfer WHERE asked_at IS NOT NULL").get(),
    (row) => row !== null,
  );
/** All that is due to be asked by now was asked, and what came of it is in the books. */
const isHeard = () =>
  until(
    () => OpinionStore.nextAskAt(till.db),
    (at) => at === null || at > Date.now() + aheadMs,
  );
const down = () => new Response("no", { status: 503 });

describe("one node that tells of a payment that never was", () => {
  test("is not believed with another hash than the block has, however deep", async () => {
    await start([first]);
    const link = await createLink();
    await till.pause();
    await chain.mine(100);
    const head = Number(await chain.rpc("eth_blockNumber"));
    await forger.forge({ to: link.to, amount: price, block: head - 80, blockHash: `0x${"cd".repeat(32)}` });
    await till.resume();
    await logs("chain.unreadable");
    await Bun.sleep(500);
    expect(await statusOf(link)).toBe("pending");
    expect(await warnings()).toBe("");
    forger.repent();
    await pay(link);
    await becomes(link, "confirmed", 20_000);
    await until(
      () => receiver.received.length,
      (count) => count > 0,
    );
    expect(receiver.received).toHaveLength(1);
  });

  test("is not believed when the block is older than the address", async () => {
    await start([first]);
    await createLink();
    await until(
      async () => (await till.api("GET", "/health/ready")).status,
      (status) => status === 200,
    );
    await scanOn();
    const link = await createLink();
    const head = Number(await chain.rpc("eth_blockNumber"));
    await forger.forge({ to: link.to, amount: price, block: head - 2 });
    await scanOn();
    await logs("payment.too_old");
    expect(await statusOf(link)).toBe("pending");
    // A real one in a later block still counts.
    await pay(link);
    await becomes(link, "confirmed");
  });

  test("is believed with a true hash until the money is looked for; then the payment is taken back", async () => {
    await start([first]);
    const link = await createLink();
    await chain.mine(1);
    await forger.forge({ to: link.to, amount: price });
    await chain.mine(1);
    await scanOn();
    await becomes(link, "confirmed");
    forger.repent();
    expect(hasLogged("payment.missing")).toBe(false);
    aheadMs += 61_000;
    await logs("payment.missing");
    await becomes(link, "error", 20_000);
    await logs("payment.lost");
    expect(await warnings()).toMatch(/the confirmed payment 0xb+f\w+ left the chain/);
    // Nothing is missing any more once it does not count.
    aheadMs += 61_000;
    await until(warnings, (all) => !all.includes("less is there"));
    await pay(link);
    await becomes(link, "confirmed");
  });

  test("is told of for as long as it stands by a payment whose money is not there", async () => {
    await start([first]);
    const link = await createLink();
    await chain.mine(1);
    await forger.forge({ to: link.to, amount: price });
    await chain.mine(1);
    await scanOn();
    await becomes(link, "confirmed");
    aheadMs += 61_000;
    await warns(
      `less is there than was credited, and nothing was moved from there: 25.00 USDC at ${link.to}`,
    );
    const { body } = await till.api("GET", "/metrics");
    expect(body).toContain("\ntill_missing_usdc 25\n");
    expect(await statusOf(link)).toBe("confirmed");
  });
});

describe("with two nodes", () => {
  test("a payment counts after one call to the other one", async () => {
    await start([first, second]);
    const warmUp = await createLink();
    await pay(warmUp);
    await becomes(warmUp, "confirmed");
    second.reset();
    const link = await createLink();
    await pay(link);
    await becomes(link, "confirmed");
    expect(second.calls.map(({ method }) => method)).toEqual(["eth_getTransactionReceipt"]);
    expect(await warnings()).toBe("");
  });

  for (const mode of ["prefer", "strict"]) {
    test(`a lie of the first is seen and never counts: ${mode}`, async () => {
      await start([first, second], { TILL_SECOND_OPINION: mode });
      const link = await createLink();
      await chain.mine(1);
      const { txHash } = await forger.forge({ to: link.to, amount: price });
      await scanOn();
      await isSeen(link, false);
      await logs("payment.contradicted");
      await warns(`the nodes contradict each other about 1 payment, which Till does not count: ${txHash}`);
      expect((await till.api("GET", "/metrics")).body).toContain(
        '\ntill_payments_doubtful{state="contradicted"} 1\n',
      );
      aheadMs += 61_000;
      await scanOn();
      second.answer = down;
      aheadMs += 3_600_000;
      await isHeard();
      expect(await statusOf(link)).toBe("pending");
      expect(receiver.received.filter(({ raw }) => raw.includes(link.slug))).toEqual([]);
      // The truth comes out: nobody stands by it any more.
      forger.repent();
      second.answer = null;
      aheadMs += 7_200_000;
      await until(warnings, (all) => !all.includes("contradict"), 40_000);
      expect((await till.api("GET", `/api/links/${link.slug}/payments`)).body.data).toEqual([]);
      expect(hasLogged("payment.lost")).toBe(false);
      await pay(link);
      await becomes(link, "confirmed");
    });
  }

  test("a lie ends after a day when the node that told it is gone for good", async () => {
    await start([first, second]);
    const link = await createLink();
    await chain.mine(1);
    await forger.forge({ to: link.to, amount: price });
    await scanOn();
    await warns("the nodes contradict each other about 1 payment");
    first.answer = down;
    aheadMs += 23 * 3_600_000;
    await isHeard();
    expect(await warnings()).toContain("the nodes contradict each other about 1 payment");
    aheadMs += 2 * 3_600_000;
    await until(warnings, (all) => !all.includes("contradict"), 40_000);
    expect(hasLogged("payment.lost")).toBe(false);
    await pay(link);
    await isSeen(link, false);
  });

  test("a payment that is taken off the books is looked for from its block on", async () => {
    await start([first, second]);
    const link = await createLink();
    const { blockNumber } = await pay(link);
    await becomes(link, "confirmed");
    const [row] = TransferStore.listBetween(till.db, 0, Number(blockNumber));
    if (!row) throw new Error("no transfer is recorded");
    BalanceStore.explained(till.db, row.depositIndex, Number(blockNumber) + 500);
    const verdict = { kind: "gone" as const, reason: "nobody knows it" };
    const heard = {
      ...row,
      confirmed: true,
      seenAt: 0,
      madeAt: 0,
      address: link.to,
      toldBy: null,
      askedAt: null,
    };
    const facts = { confirmedUpTo: null, now: Date.now() };
    const one = { inquiry: { ...heard, opinion: "contradicted" as const }, verdict };
    applyVerdicts(till.db, [one], facts, { receipts: false, site });
    expect(BalanceStore.books(till.db, row.depositIndex).explainedBlock).toBe(Number(blockNumber) - 1);
  });

  test("a lie of the second never counts while it is asked in place of the first", async () => {
    forger = createForger(chain, second);
    await start([first, second]);
    const link = await createLink();
    await chain.mine(1);
    await forger.forge({ to: link.to, amount: price });
    // It fails the scans, and still says what it knows of a transaction.
    first.answer = ({ method }) => (method === "eth_getLogs" ? down() : undefined);
    await scanOn();
    await logs("payment.contradicted");
    expect(await statusOf(link)).toBe("pending");
    expect(receiver.received.filter(({ raw }) => raw.includes(link.slug))).toEqual([]);
  });

  test("a lie about a real transaction, a real block and a real log never counts", async () => {
    await start([first, second]);
    const link = await createLink();
    const other = await createLink();
    const { txHash } = await pay(other);
    await becomes(other, "confirmed");
    await forger.forge({ to: link.to, amount: price, txHash });
    await scanOn();
    await logs("payment.contradicted");
    aheadMs += 61_000;
    await scanOn();
    expect(await statusOf(link)).toBe("pending");
    expect(await statusOf(other)).toBe("confirmed");
  });

  test("a lie about another block takes nothing away from a payment that counts", async () => {
    await start([first, second]);
    const link = await createLink();
    const { txHash } = await pay(link);
    await becomes(link, "confirmed");
    await chain.mine(1);
    await forger.forge({ to: link.to, amount: price, txHash });
    await scanOn();
    await logs("payment.contradicted");
    expect(await statusOf(link)).toBe("confirmed");
    expect(receiver.received.filter(({ raw }) => raw.includes(link.slug))).toHaveLength(1);
  });

  test("the first one's word counts when the second has not answered for a minute, and health says so", async () => {
    await start([first, second]);
    second.answer = down;
    const link = await createLink();
    await pay(link);
    await isSeen(link, false);
    await isAsked();
    aheadMs += 50_000;
    await isHeard();
    expect(await statusOf(link)).toBe("pending");
    aheadMs += 11_000;
    await becomes(link, "confirmed", 40_000);
    await warns("1 payment counted on the word of one node, as no other one answered");
    await logs("payment.alone");
    second.answer = null;
    aheadMs += 120_000;
    await until(warnings, (all) => all === "", 40_000);
    expect(receiver.received).toHaveLength(1);
  });

  test("what counted on one word does not count any more when the second denies it", async () => {
    await start([first, second]);
    second.answer = down;
    const link = await createLink();
    await chain.mine(1);
    await forger.forge({ to: link.to, amount: price });
    await createLink();
    await isSeen(link, false);
    await isAsked();
    aheadMs += 61_000;
    await becomes(link, "confirmed", 40_000);
    second.answer = null;
    aheadMs += 120_000;
    await becomes(link, "error", 40_000);
    await logs("payment.contradicted");
    await logs("payment.lost");
  });

  test("it never counts on one word when that is how it is set, and at once when the second is back", async () => {
    await start([first, second], { TILL_SECOND_OPINION: "strict" });
    second.answer = down;
    const link = await createLink();
    await pay(link);
    await isSeen(link, false);
    await isAsked();
    aheadMs += 3_600_000;
    await isHeard();
    expect(await statusOf(link)).toBe("pending");
    await warns("1 payment cannot count before a second node answers");
    second.answer = null;
    aheadMs += 7_200_000;
    await becomes(link, "confirmed", 40_000);
    await until(warnings, (all) => all === "");
  });

  test("a second that lags is waited for, and is no contradiction", async () => {
    await start([first, second]);
    const link = await createLink();
    const old = await chain.rpc("eth_getBlockByNumber", ["latest", false]);
    const known = Number((old as { number: string }).number);
    second.answer = ({ method, params }) => {
      if (method === "eth_getTransactionReceipt") return { result: null };
      if (method !== "eth_getBlockByNumber") return undefined;
      if (params[0] === "latest") return { result: old };
      return Number(params[0]) > known ? { result: null } : undefined;
    };
    await pay(link);
    await isSeen(link, false);
    await isAsked();
    expect(await statusOf(link)).toBe("pending");
    second.answer = null;
    await becomes(link, "confirmed");
    expect(hasLogged("payment.contradicted")).toBe(false);
    expect(hasLogged("payment.alone")).toBe(false);
  });

  test("a block that is still unknown a minute later to a node that is up to date was made up", async () => {
    await start([first, second]);
    const link = await createLink();
    const old = (await chain.rpc("eth_getBlockByNumber", ["latest", false])) as { number: string };
    // As an honest node sees a liar that is a block ahead of the chain.
    second.answer = ({ method, params }) => {
      if (method === "eth_getTransactionReceipt") return { result: null };
      if (method !== "eth_getBlockByNumber") return undefined;
      const now = Math.floor((Date.now() + aheadMs) / 1000);
      if (params[0] === "latest")
        return { result: { ...old, number: "0x5", timestamp: `0x${now.toString(16)}` } };
      return Number(params[0]) > 5 ? { result: null } : undefined;
    };
    await pay(link);
    await isSeen(link, false);
    await isAsked();
    aheadMs += 61_000;
    await logs("payment.contradicted");
    expect(await statusOf(link)).toBe("pending");
  });

  test("a second that has thrown old blocks away is silent about them, and contradicts nothing", async () => {
    await start([first, second]);
    const link = await createLink();
    const old = Number(await chain.rpc("eth_blockNumber"));
    second.answer = async ({ method, params }) => {
      if (method === "eth_getTransactionReceipt") return { result: null };
      if (method !== "eth_getBlockByNumber" || Number(params[0]) === 0) return undefined;
      const block = (await chain.rpc("eth_getBlockByNumber", ["latest", false])) as object;
      const now = Math.floor((Date.now() + aheadMs) / 1000);
      return params[0] === "latest"
        ? { result: { ...block, timestamp: `0x${now.toString(16)}` } }
        : Number(params[0]) > old
          ? { result: null }
          : undefined;
    };
    await pay(link);
    await isSeen(link, false);
    await isAsked();
    aheadMs += 61_000;
    await becomes(link, "confirmed", 20_000);
    await logs("payment.alone");
    expect(hasLogged("payment.contradicted")).toBe(false);
  });

  test("a second that has thrown its receipts away still has the logs of the block", async () => {
    await start([first, second]);
    second.answer = ({ method }) => (method === "eth_getTransactionReceipt" ? { result: null } : undefined);
    const link = await createLink();
    await pay(link);
    await becomes(link, "confirmed");
    expect(hasLogged("payment.alone")).toBe(false);
  });

  test("a contradiction that passes is forgotten, and the payment counts", async () => {
    await start([first, second]);
    second.answer = ({ method, params }) =>
      method === "eth_getTransactionReceipt"
        ? {
            result: {
              transactionHash: params[0],
              blockNumber: "0x1",
              blockHash: `0x${"ee".repeat(32)}`,
              status: "0x1",
              gasUsed: "0x1",
              logs: [],
            },
          }
        : undefined;
    const link = await createLink();
    await pay(link);
    await logs("payment.contradicted");
    expect(await statusOf(link)).toBe("pending");
    second.answer = null;
    await becomes(link, "confirmed");
    await logs("payment.agreed");
    await until(warnings, (all) => all === "");
  });

  test("a node whose logs tell of what its receipts deny is not asked again and again", async () => {
    await start([first, second]);
    const link = await createLink();
    await scanOn();
    await forger.forge({ to: link.to, amount: price });
    const forged = first.answer;
    first.answer = (call) => (call.method === "eth_getLogs" ? forged?.(call) : undefined);
    await scanOn();
    await logs("payment.unknown");
    await Bun.sleep(1_000);
    first.reset();
    await Bun.sleep(5_000);
    expect(await statusOf(link)).toBe("pending");
    expect(first.calls.length).toBeLessThan(10);
    expect(RereadStore.listOpen(till.db)).toEqual([]);
  }, 30_000);

  test("a question that was open when Till ended is asked after the start", async () => {
    await start([first, second]);
    second.answer = down;
    const link = await createLink();
    await pay(link);
    await isSeen(link, false);
    await till.pause();
    aheadMs += 3_600_000;
    await till.resume();
    await isHeard();
    // The minute begins anew: one call in vain right after the start says little.
    expect(await statusOf(link)).toBe("pending");
    second.answer = null;
    await becomes(link, "confirmed", 20_000);
  });
});
