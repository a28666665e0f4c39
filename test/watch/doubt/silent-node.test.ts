import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { hurry } from "../../support/hurry.ts";
import { until } from "../../support/till/till.ts";
import {
  aheadMs,
  becomes,
  begin,
  chain,
  createLink,
  down,
  end,
  first,
  forger,
  hasLogged,
  isAsked,
  isHeard,
  isSeen,
  logs,
  pay,
  price,
  receiver,
  second,
  skip,
  start,
  statusOf,
  till,
  warnings,
  warns,
} from "../../support/watch/opinions.ts";

hurry();
beforeEach(begin);
afterEach(end);

/** The second node has no receipts and no block above this one; what it calls the newest it is told. */
function secondKnowsUpTo(known: number, newest: () => unknown): void {
  second.answer = async ({ method, params }) => {
    if (method === "eth_getTransactionReceipt") return { result: null };
    if (method !== "eth_getBlockByNumber") return undefined;
    if (params[0] === "latest") return { result: await newest() };
    return Number(params[0]) > known ? { result: null } : undefined;
  };
}
const newestBlock = () => chain.rpc("eth_getBlockByNumber", ["latest", false]) as Promise<{ number: string }>;
/** As of now by the clock of Till. */
const nowHex = () => `0x${Math.floor((Date.now() + aheadMs) / 1000).toString(16)}`;

describe("with two nodes, of which the second is silent, lags or forgets", () => {
  test("the first one's word counts when the second has not answered for a minute, and health says so", async () => {
    await start([first, second]);
    second.answer = down;
    const link = await createLink();
    await pay(link);
    await isSeen(link, false);
    await isAsked();
    skip(50_000);
    await isHeard();
    expect(await statusOf(link)).toBe("pending");
    skip(11_000);
    await becomes(link, "confirmed", 40_000);
    await warns("1 payment counted on the word of one node, as no other one answered");
    await logs("payment.alone");
    second.answer = null;
    skip(120_000);
    await until(warnings, (all) => all === "", 40_000);
    expect(receiver.received).toHaveLength(1);
  });

  test("a second that was never there is named before the first payment, until it is", async () => {
    second.answer = down;
    await start([first, second]);
    await warns(
      /node at 127\.0\.0\.1:\d+ has not answered since Till was started: until it does, payments count/,
    );
    second.answer = null;
    await until(warnings, (all) => all === "", 10_000);
  });

  test("a second that is asked too often is not silent: what it was not asked about waits, and health says so", async () => {
    await start([first, second]);
    const links = [await createLink(), await createLink()];
    await chain.mine(1);
    second.answer = () => new Response("slow down", { status: 429 });
    for (const { to } of links) await forger.forge({ to, amount: price });
    await createLink();
    for (const link of links) await isSeen(link, false);
    for (let minutes = 0; minutes < 3; minutes++) {
      await isHeard();
      const asked = second.calls.length;
      skip(61_000);
      await until(
        () => second.calls.length,
        (count) => count > asked,
      );
    }
    expect(await Promise.all(links.map(statusOf))).toEqual(["pending", "pending"]);
    await warns(/2 payments cannot count before a second node answers, the first since 20/);
    second.answer = null;
    skip(61_000);
    await until(
      () => till.logged.filter((line) => line.includes("[payment.contradicted]")).length,
      (count) => count === 2,
      20_000,
    );
    expect(await Promise.all(links.map(statusOf))).not.toContain("confirmed");
    expect(hasLogged("payment.alone")).toBe(false);
  });

  test("one call that fails after a minute of answers is not silence", async () => {
    await start([first, second]);
    const link = await createLink();
    const old = await newestBlock();
    // It does not have the block, and does not say whether it is up to date.
    secondKnowsUpTo(Number(old.number), () => old);
    await pay(link);
    await isSeen(link, false);
    await isAsked();
    for (let seconds = 0; seconds < 55; seconds += 11) {
      skip(11_000);
      await isHeard();
    }
    second.answer = down;
    skip(6_000);
    await isHeard();
    skip(5_000);
    await isHeard();
    expect(await statusOf(link)).toBe("pending");
    expect(hasLogged("payment.alone")).toBe(false);
  });

  test("one that was down for half a minute is asked once more before it is taken for silent", async () => {
    await start([first, second]);
    const link = await createLink();
    await chain.mine(1);
    second.answer = down;
    await forger.forge({ to: link.to, amount: price });
    await createLink();
    await isSeen(link, false);
    await isAsked();
    // In vain after 1, 3, 7, 15 and 31 s: then it is left alone for 30 s.
    for (let restMs = 1_000; restMs <= 16_000; restMs *= 2) {
      const asked = second.calls.length;
      skip(restMs + 100);
      await until(
        () => second.calls.length,
        (count) => count > asked,
      );
      await isHeard();
    }
    second.answer = null;
    for (let seconds = 0; seconds < 28; seconds += 4) {
      skip(4_000);
      await isHeard();
      expect(await statusOf(link)).toBe("pending");
    }
    skip(4_000);
    await logs("payment.contradicted");
    expect(hasLogged("payment.alone")).toBe(false);
  });

  test("a second that answers before the first does not decide which chain the data is of", async () => {
    const genesis = { method: "eth_getBlockByNumber", params: ["0x0", false] };
    const other = (await chain.rpc(genesis.method, genesis.params)) as { hash: string };
    second.answer = ({ method, params }) =>
      method === genesis.method && params[0] === "0x0"
        ? { result: { ...other, hash: `0x${"9".repeat(64)}` } }
        : undefined;
    first.answer = async () => {
      await until(() => second.calls.length > 1, Boolean);
      // Time itself: all that the second answers is there by then.
      await Bun.sleep(200);
      return undefined;
    };
    await start([first, second]);
    const link = await createLink();
    await pay(link);
    await isSeen(link, false);
    second.answer = null;
    await becomes(link, "confirmed", 40_000);
    expect(hasLogged("chain.refused")).toBe(false);
  });

  test("what a second leaves out while the first is away is found with the first once it is back", async () => {
    await start([first, second], { TILL_RPC_WS_URL: "ws://127.0.0.1:1" });
    const link = await createLink();
    await until(
      () => till.db.query("SELECT 1 FROM checkpoint").get(),
      (row) => row !== null,
    );
    second.answer = ({ method }) => (method === "eth_getLogs" ? { result: [] } : undefined);
    first.answer = down;
    await pay(link);
    await chain.mine(40);
    const lookOn = async () => {
      await createLink();
      return await warnings();
    };
    await until(lookOn, (all) => /more is there than any node tells of: 25\.00 USDC/.test(all));
    await chain.mine(40);
    await createLink();
    // Also when Till is started again meanwhile.
    await till.pause();
    await till.resume();
    expect(till.db.query("SELECT 1 FROM transfer").get()).toBeNull();
    first.answer = null;
    // It is looked for every 30 s at least.
    await becomes(link, "confirmed", 40_000);
    await until(warnings, (all) => all === "");
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
    skip(31_000);
    await isHeard();
    skip(31_000);
    await becomes(link, "confirmed", 40_000);
    second.answer = null;
    skip(120_000);
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
    // In between it is asked: a node that nobody asks for a minute may have been up.
    for (let halves = 0; halves < 3; halves++) {
      skip(31_000);
      await isHeard();
    }
    expect(await statusOf(link)).toBe("pending");
    await warns("1 payment cannot count before a second node answers");
    second.answer = null;
    skip(7_200_000);
    await becomes(link, "confirmed", 40_000);
    await until(warnings, (all) => all === "");
  });

  test("a second that lags is waited for, and one that has thrown its receipts away still has the logs", async () => {
    await start([first, second]);
    const link = await createLink();
    const old = await newestBlock();
    secondKnowsUpTo(Number(old.number), () => old);
    await pay(link);
    await isSeen(link, false);
    await isAsked();
    expect(await statusOf(link)).toBe("pending");
    second.answer = ({ method }) => (method === "eth_getTransactionReceipt" ? { result: null } : undefined);
    await becomes(link, "confirmed");
    const next = await createLink();
    await pay(next);
    await becomes(next, "confirmed");
    expect(hasLogged("payment.contradicted")).toBe(false);
    expect(hasLogged("payment.alone")).toBe(false);
  });

  test("a block that is still unknown a minute later to a node that is up to date was made up", async () => {
    await start([first, second]);
    const link = await createLink();
    const old = await newestBlock();
    // As an honest node sees a liar that is a block ahead of the chain.
    secondKnowsUpTo(5, () => ({ ...old, number: "0x5", timestamp: nowHex() }));
    await pay(link);
    await isSeen(link, false);
    await isAsked();
    skip(61_000);
    await logs("payment.contradicted");
    expect(await statusOf(link)).toBe("pending");
  });

  test("a second that has thrown old blocks away is silent about them, and contradicts nothing", async () => {
    await start([first, second]);
    const link = await createLink();
    const old = await newestBlock();
    secondKnowsUpTo(Number(old.number), async () => ({ ...(await newestBlock()), timestamp: nowHex() }));
    await pay(link);
    await isSeen(link, false);
    await isAsked();
    skip(61_000);
    await becomes(link, "confirmed", 20_000);
    await logs("payment.alone");
    expect(hasLogged("payment.contradicted")).toBe(false);
  });

  test("a question that was open when Till ended is asked after the start", async () => {
    await start([first, second]);
    second.answer = down;
    const link = await createLink();
    await pay(link);
    await isSeen(link, false);
    await till.pause();
    skip(3_600_000);
    await till.resume();
    await isHeard();
    // The minute begins anew: one call in vain right after the start says little.
    expect(await statusOf(link)).toBe("pending");
    second.answer = null;
    await becomes(link, "confirmed", 20_000);
  });
});
