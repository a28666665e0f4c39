import { afterEach, beforeEach, describe, expect, test } from "bun:test";
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

beforeEach(begin);
afterEach(end);

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

  test("what counted on one word does not count any more when the second denies it", async () => {
    await start([first, second]);
    second.answer = down;
    const link = await createLink();
    await chain.mine(1);
    await forger.forge({ to: link.to, amount: price });
    await createLink();
    await isSeen(link, false);
    await isAsked();
    skip(61_000);
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
    skip(3_600_000);
    await isHeard();
    expect(await statusOf(link)).toBe("pending");
    await warns("1 payment cannot count before a second node answers");
    second.answer = null;
    skip(7_200_000);
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
    skip(61_000);
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
    skip(61_000);
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
