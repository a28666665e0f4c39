import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import * as BalanceStore from "../../../src/store/tables/watch/balance.ts";
import * as TransferStore from "../../../src/store/tables/watch/transfer.ts";
import { applyVerdicts } from "../../../src/watch/doubt/second-opinion.ts";
import { holdersIn } from "../../support/chain/holdings.ts";

import { hurry } from "../../support/hurry.ts";
import { recordSettings } from "../../support/till/records.ts";

import { until } from "../../support/till/till.ts";
import {
  becomes,
  begin,
  chain,
  createLink,
  down,
  end,
  first,
  forger,
  hasLogged,
  isHeard,
  isSeen,
  lieAsSecond,
  logs,
  pay,
  price,
  receiver,
  scanOn,
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

describe("with two nodes", () => {
  hurry();

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

  test("a lie of the first is seen and never counts", async () => {
    await start([first, second]);
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
    skip(61_000);
    await scanOn();
    second.answer = down;
    skip(3_600_000);
    await isHeard();
    expect(await statusOf(link)).toBe("pending");
    expect(receiver.received.filter(({ raw }) => raw.includes(link.slug))).toEqual([]);
    // The truth comes out: nobody stands by it any more.
    forger.repent();
    second.answer = null;
    skip(7_200_000);
    await until(warnings, (all) => !all.includes("contradict"), 40_000);
    expect((await till.api("GET", `/api/links/${link.slug}/payments`)).body.data).toEqual([]);
    expect(hasLogged("payment.lost")).toBe(false);
    await pay(link);
    await becomes(link, "confirmed");
  });

  test("a lie ends after a day when the node that told it is gone for good", async () => {
    await start([first, second]);
    const link = await createLink();
    await chain.mine(1);
    await forger.forge({ to: link.to, amount: price });
    await scanOn();
    await warns("the nodes contradict each other about 1 payment");
    first.answer = down;
    skip(23 * 3_600_000);
    await isHeard();
    expect(await warnings()).toContain("the nodes contradict each other about 1 payment");
    skip(2 * 3_600_000);
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
    BalanceStore.markExplained(till.db, row.depositIndex, Number(blockNumber) + 500);
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
    applyVerdicts(till.db, [one], facts, { receipts: false, recordSettings });
    expect(BalanceStore.books(till.db, row.depositIndex).explainedBlock).toBe(Number(blockNumber) - 1);
  });

  test("a lie of the second never counts while it is asked in place of the first", async () => {
    lieAsSecond();
    await start([first, second]);
    const link = await createLink();
    // It fails the looks, and still says what it knows of a transaction.
    first.answer = (call) => (holdersIn(call) ? down() : undefined);
    await scanOn();
    await forger.forge({ to: link.to, amount: price });
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
    skip(61_000);
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
});

test("a node whose logs tell of what its receipts deny is not asked again and again", async () => {
  await start([first, second]);
  const link = await createLink();
  await scanOn();
  await forger.forge({ to: link.to, amount: price });
  const forged = first.answer;
  first.answer = (call) => (call.method === "eth_getLogs" || holdersIn(call) ? forged?.(call) : undefined);
  await scanOn();
  await logs("payment.unknown");
  // Time itself: what was under way when it was found is asked by then.
  await Bun.sleep(1_000);
  first.reset();
  const begunAt = performance.now();
  // Time itself: how often it is asked meanwhile is what is tried.
  await Bun.sleep(5_000);
  const seconds = (performance.now() - begunAt) / 1_000;
  expect(await statusOf(link)).toBe("pending");
  // Its balances say that the money is there: once a second at most, six calls find since when, and eight look for it.
  expect(first.calls.length / seconds).toBeLessThan(18);
});
