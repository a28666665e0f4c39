import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import * as CheckpointStore from "../../../src/store/tables/watch/checkpoint.ts";
import * as RereadStore from "../../../src/store/tables/watch/reread.ts";
import { hurry } from "../../support/hurry.ts";
import { until } from "../../support/till/till.ts";
import {
  becomes,
  begin,
  chain,
  createLink,
  end,
  first,
  forger,
  hasLogged,
  type Link,
  logs,
  pay,
  price,
  receiver,
  scanOn,
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

/** A link whose payment is made up by the only node, with a true hash, and counts. */
async function believed(): Promise<Link> {
  await start([first]);
  const link = await createLink();
  await chain.mine(1);
  await forger.forge({ to: link.to, amount: price });
  await chain.mine(1);
  await scanOn();
  await becomes(link, "confirmed");
  return link;
}

describe("one node that tells of a payment that never was", () => {
  test("is not believed with another hash than the block has, however deep", async () => {
    await start([first]);
    const link = await createLink();
    await until(() => CheckpointStore.latest(till.db), Boolean);
    await till.pause();
    await chain.mine(100);
    const head = Number(await chain.rpc("eth_blockNumber"));
    await forger.forge({ to: link.to, amount: price, block: head - 80, blockHash: `0x${"cd".repeat(32)}` });
    await till.resume();
    await logs("chain.unreadable");
    first.reset();
    await until(
      () => first.calls.filter(({ method }) => method === "eth_getLogs").length,
      (count) => count >= 2,
    );
    expect(await statusOf(link)).toBe("pending");
    expect(await warnings()).toBe("");
    forger.repent();
    await pay(link);
    await becomes(link, "confirmed");
    await until(
      () => receiver.received.length,
      (count) => count > 0,
    );
    expect(receiver.received).toHaveLength(1);
  });

  test("is not believed when the block is older than the address", async () => {
    await start([first]);
    await scanOn();
    // Quarters of a minute, so that ten of them are 40 blocks.
    await chain.rpc("anvil_mine", ["0x20", "0xf"]);
    await scanOn();
    const settled = await until(() => CheckpointStore.settledNumber(till.db), Boolean);
    const link = await createLink();
    await forger.forge({ to: link.to, amount: price, block: settled - 1 });
    RereadStore.request(till.db, { from: 0, to: null }, Date.now());
    await logs("payment.too_old");
    expect(await statusOf(link)).toBe("pending");
    // A real one in a later block still counts.
    await pay(link);
    await becomes(link, "confirmed");
  });

  test("is believed with a true hash until the money is looked for; then the payment is taken back", async () => {
    const link = await believed();
    forger.repent();
    expect(hasLogged("payment.missing")).toBe(false);
    // A look sees that less is there than a moment ago, which may pass.
    await scanOn();
    let skippedSec = 0;
    await until(() => {
      if (skippedSec < 61) skip(1_000);
      skippedSec += 1;
      return hasLogged("payment.missing");
    }, Boolean);
    await becomes(link, "error");
    await logs("payment.lost");
    expect(await warnings()).toMatch(/the confirmed payment 0xb+f\w+ left the chain/);
    // Nothing is missing any more once it does not count.
    skip(61_000);
    await until(warnings, (all) => !all.includes("less is there"));
    await pay(link);
    await becomes(link, "confirmed");
  });

  test("is told of for as long as it stands by a payment whose money is not there", async () => {
    const link = await believed();
    forger.repentOfBalances();
    await scanOn();
    skip(61_000);
    await warns(
      `less is there than was credited, and nothing was moved from there: 25.00 USDC at ${link.to}`,
    );
    const { body } = await till.api("GET", "/metrics");
    expect(body).toContain("\ntill_missing_usdc 25\n");
    expect(await statusOf(link)).toBe("confirmed");
  });
});
