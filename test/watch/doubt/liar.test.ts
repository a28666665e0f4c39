import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { topicOf, transferTopic } from "../../../src/chain/transfer/transfer-log.ts";
import { holdersIn, holdingsAnswer } from "../../support/chain/holdings.ts";
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
  type Link,
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
} from "../../support/watch/opinions.ts";

hurry();
beforeEach(begin);
afterEach(end);

const nowSec = () => Math.floor((Date.now() + aheadMs) / 1000);
const hex = (number: number) => `0x${number.toString(16)}`;

/** The first node is 200 blocks ahead of all others, with blocks that only it has: the newest pays the link. */
async function runAhead(link: Link): Promise<void> {
  const common = Number(await chain.rpc("eth_blockNumber"));
  const head = common + 200;
  const template = (await chain.rpc("eth_getBlockByNumber", ["latest", false])) as object;
  const hashOf = (number: number) => `0x${number.toString(16).padStart(64, "a")}`;
  const txHash = `0x${"f".repeat(64)}`;
  const log = {
    address: chain.usdc,
    topics: [transferTopic, topicOf(chain.usdc), topicOf(link.to)],
    data: `0x${price.toString(16).padStart(64, "0")}`,
    blockNumber: hex(head),
    blockHash: hashOf(head),
    transactionHash: txHash,
    logIndex: "0x0",
    removed: false,
  };
  const receipt = {
    blockNumber: hex(head),
    blockHash: hashOf(head),
    transactionHash: txHash,
    status: "0x1",
    gasUsed: "0x5208",
    logs: [log],
  };
  first.answer = (call) => {
    const { method, params } = call;
    const holders = holdersIn(call);
    if (holders) {
      const at = { number: head, timestampSec: nowSec(), parentHash: hashOf(head - 1) };
      const of = holders.map((holder) => ({ balance: holder === link.to ? price : 0n }));
      return { result: holdingsAnswer(at, of) };
    }
    if (method === "eth_blockNumber") return { result: hex(head) };
    if (method === "eth_getTransactionReceipt" && params[0] === txHash) return { result: receipt };
    if (method === "eth_getLogs") {
      const { fromBlock, toBlock } = params[0] as { fromBlock: string; toBlock: string };
      return { result: Number(fromBlock) <= head && head <= Number(toBlock) ? [log] : [] };
    }
    if (method !== "eth_getBlockByNumber") return undefined;
    const number = params[0] === "latest" ? head : Number(params[0]);
    if (number <= common) return undefined;
    return {
      result:
        number > head
          ? null
          : { ...template, number: hex(number), hash: hashOf(number), timestamp: hex(nowSec()) },
    };
  };
}

/** Time passes for Till and for the chain, which has a new block. */
async function pass(seconds: number): Promise<void> {
  skip(seconds * 1000);
  await chain.rpc("evm_increaseTime", [seconds]);
  await chain.mine(1);
}

const isUncounted = async (links: readonly Link[]) => {
  expect(await Promise.all(links.map(statusOf))).not.toContain("confirmed");
  expect(hasLogged("payment.alone")).toBe(false);
  expect(links.filter(({ slug }) => receiver.received.some(({ raw }) => raw.includes(slug)))).toEqual([]);
};

describe("a liar and an honest node", () => {
  test("a log in a block that only the liar has does not count when the honest one misses the call at second 60", async () => {
    await start([first, second]);
    const link = await createLink();
    await runAhead(link);
    await createLink();
    await isSeen(link, false);
    const missAt = (await isAsked()) + 60_100;
    for (let seconds = 0; seconds < 44; seconds += 11) {
      await pass(11);
      await isHeard();
      await isUncounted([link]);
    }
    expect(second.calls.some(({ method }) => method === "eth_getTransactionReceipt")).toBe(true);
    let missed = 0;
    second.answer = ({ method }) => {
      if (method !== "eth_getTransactionReceipt") return undefined;
      missed += 1;
      return missed === 1 ? down() : undefined;
    };
    await pass(Math.max(0, Math.ceil((missAt - Date.now() - aheadMs) / 1000)));
    await until(() => missed, Boolean);
    await isHeard();
    await isUncounted([link]);
    for (let minutes = 0; minutes < 5; minutes++) {
      await pass(61);
      await isHeard();
      await isUncounted([link]);
    }
    await logs("payment.contradicted");
  });

  test("none of 60 forged payments counts while the honest one answers 4 calls a second and 429 above; a true one does", async () => {
    await start([first, second]);
    const before = await createLink();
    await pay(before);
    await becomes(before, "confirmed");
    let tick = 0;
    let calls = 0;
    const limited = () => {
      if (nowSec() !== tick) calls = 0;
      tick = nowSec();
      calls += 1;
      return calls > 4 ? new Response("slow down", { status: 429 }) : undefined;
    };
    const links: Link[] = [];
    const forged: string[] = [];
    second.reset();
    for (let batch = 0; batch < 2; batch++) {
      const some: Link[] = [];
      for (let i = 0; i < 30; i++) some.push(await createLink());
      await chain.mine(1);
      second.answer = limited;
      for (const { to } of some) forged.push((await forger.forge({ to, amount: price })).txHash);
      await createLink();
      for (const link of some) await isSeen(link, false);
      links.push(...some);
    }
    const honest = await createLink();
    await pay(honest);
    let waited = "";
    for (let step = 0; (await statusOf(honest)) !== "confirmed"; step++) {
      expect(step).toBeLessThan(150);
      const before = second.calls.length;
      skip(4_000);
      await until(
        () => second.calls.length,
        (count) => count > before,
        3_000,
      ).catch(() => {});
      await isUncounted(links);
      waited += await warnings();
    }
    expect(waited).toMatch(/\d+ payments cannot count before a second node answers, the first since 20/);
    const asked = second.calls.flatMap(({ method, params }) =>
      method === "eth_getTransactionReceipt" ? [String(params[0])] : [],
    );
    const order = [...new Set(asked)].map((txHash) => forged.indexOf(txHash));
    // Up to 16 are asked about at a time.
    for (const [place, one] of order.slice(0, 60).entries()) expect(Math.abs(one - place)).toBeLessThan(16);
    expect(order.slice(60)).toEqual([-1]);
    second.answer = null;
    await until(
      () => {
        skip(1_000);
        return till.logged.filter((line) => line.includes("[payment.contradicted]")).length;
      },
      (count) => count === 60,
      60_000,
    );
    await isUncounted(links);
  }, 120_000);
});
