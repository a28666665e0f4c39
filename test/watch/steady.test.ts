import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { world } from "../../src/lib/world.ts";
import * as CheckpointStore from "../../src/store/tables/watch/checkpoint.ts";
import { safetyLookMs } from "../../src/watch/subscription.ts";
import { startTestChain, type TestChain } from "../support/chain/chain.ts";
import { holdersIn } from "../support/chain/holdings.ts";
import type { RpcCall } from "../support/chain/rpc-proxy.ts";
import { hurry } from "../support/hurry.ts";
import { createRandom } from "../support/random.ts";
import { until } from "../support/till/till.ts";
import { lagging, startWorld, type World } from "../support/watch/world.ts";

/** A block every 200 ms, as Base makes them. */
const blockMs = 200;
let chain: TestChain;
beforeAll(async () => {
  chain = await startTestChain({ blockMs });
});
afterAll(() => chain.stop());

const head = async () => Number(await chain.rpc("eth_blockNumber"));
/** So many blocks more, at once. */
const mined = (blocks: number) => chain.rpc("anvil_mine", [`0x${blocks.toString(16)}`, "0x0"]);
const reaches = (block: number) => until(head, (number) => number >= block);

/** The payment counts, was told of once, and is in the books once, in the block in which it is. */
async function isInOrder(world: World, txHash: string, timeoutMs?: number): Promise<void> {
  await world.is("paid", timeoutMs);
  const blockOf = async () => {
    const receipt = (await chain.rpc("eth_getTransactionReceipt", [txHash])) as { blockHash: string };
    return receipt.blockHash;
  };
  await until(
    async () => [world.transfers(), await blockOf()] as const,
    ([all, blockHash]) => all.length === 1 && all[0]?.confirmed === true && all[0]?.blockHash === blockHash,
    timeoutMs,
  );
  expect(world.told()).toEqual({ paid: 1, reversed: 0 });
}

async function inWorld(
  options: Parameters<typeof startWorld>[1],
  work: (world: World) => Promise<void>,
): Promise<void> {
  const world = await startWorld(chain, options);
  try {
    await work(world);
  } finally {
    await world.stop();
  }
}

test("a look that a lagging node answered is made again at once", async () => {
  await mined(10);
  await inWorld({}, async (world) => {
    // There may be two looks in a second.
    await reaches((await head()) + 1_200 / blockMs);
    const answer = lagging(chain, (newest) => newest - 10);
    let lagged = 0;
    world.node.answer = (call) => (holdersIn(call) && lagged++ === 0 ? answer(call) : undefined);
    const begunAt = performance.now();
    expect(await world.watcher.readNow()).toBe(true);
    expect(lagged).toBeGreaterThan(1);
    expect(performance.now() - begunAt).toBeLessThan(900);
  });
});

describe("a node that tells of milliseconds", () => {
  /** All other tests have a node that tells none; `pace.test.ts` tries more. */
  const lies: Record<string, (ms: number) => unknown> = {
    right: (ms) => ms,
    "of the far future": (ms) => ms + 10 ** 12,
    "no number": () => ({}),
  };
  test("which are wrong counts a payment when it is three seconds old, and no later", async () => {
    const worlds = await Promise.all(
      Object.values(lies).map(async (lie) => {
        const world = await startWorld(chain, { environment: { TILL_CONFIRMATIONS: "3s" } });
        world.node.answer = async ({ method, params }: RpcCall) => {
          if (method !== "eth_getBlockByNumber") return undefined;
          const block = (await chain.rpc(method, params)) as { number: string; timestamp: string } | null;
          if (block === null) return { result: null };
          const ms = lie(Number(block.timestamp) * 1_000 + 200);
          const told = typeof ms === "number" ? `0x${Math.max(0, ms).toString(16)}` : ms;
          return { result: { ...block, timestampMs: told } };
        };
        return world;
      }),
    );
    try {
      await Promise.all(
        worlds.map(async (world) => {
          const { txHash, block } = await world.pay();
          await world.is("paid", 15_000);
          const depth = (await head()) - block;
          expect(depth).toBeGreaterThan(9);
          expect(depth).toBeLessThan(40);
          await isInOrder(world, txHash);
        }),
      );
    } finally {
      await Promise.all(worlds.map((world) => world.stop()));
    }
  }, 120_000);
});

describe("as time goes by more quickly", () => {
  hurry();

  describe("nodes behind one URL of which one lags", () => {
    for (const blocks of [1, 150])
      test(`by ${blocks} blocks take nothing back, and nothing counts twice`, async () => {
        await mined(blocks);
        await inWorld({}, async (world) => {
          const random = createRandom(blocks);
          const answer = lagging(chain, (newest) => newest - blocks);
          world.node.answer = (call) => (random.chance(0.3) ? answer(call) : undefined);
          const { txHash } = await world.pay();
          for (let looks = 0; looks < 10; looks++) await world.watcher.readNow();
          await isInOrder(world, txHash);
        });
      });
  });

  describe("a reorganisation of 60 blocks", () => {
    const depth = 60;
    const confirmations = 20;
    const TILL_CONFIRMATIONS = `${confirmations}`;
    /**
     * Balances stay the same. But while a payment is new each look compares the block below the look before, too, so the
     * next one finds it: seconds later, or after the wait without any announcement.
     */
    const noticedMs = safetyLookMs + 30_000;
    for (const [when, after] of Object.entries({ before: -4, at: 0, after: 4 }))
      test(
        `${when} the count loses and doubles nothing that comes back, however few blocks the node takes`,
        async () => {
          await mined(depth + 10);
          await inWorld({ environment: { TILL_CONFIRMATIONS } }, async (many) => {
            await inWorld({ environment: { TILL_CONFIRMATIONS, TILL_LOG_RANGE: "10" } }, async (few) => {
              const paid = [await many.pay(), await few.pay()] as const;
              for (const { transfers } of [many, few]) await until(transfers, ({ length }) => length === 1);
              await mined(paid[1].block + confirmations - 1 + after - (await head()));
              if (after > 0) for (const world of [many, few]) await world.is("paid");
              // So far below the newest that they count there, too.
              const again = paid.map(({ raw }) => [raw, 5]);
              await chain.rpc("anvil_reorg", [depth, again]);
              await isInOrder(many, paid[0].txHash, noticedMs);
              await isInOrder(few, paid[1].txHash, noticedMs);
            });
          });
        },
        3 * noticedMs,
      );

    test("after the count takes back what is gone, once, and counts what is paid again", async () => {
      await mined(depth + 10);
      await inWorld({ environment: { TILL_CONFIRMATIONS } }, async (world) => {
        const counts = async () => {
          await world.pay();
          await mined(confirmations);
          // When Till looks by itself goes by the pace of the chain, which is not the point here.
          await world.watcher.readNow();
          await world.is("paid");
        };
        await counts();
        await chain.rpc("anvil_reorg", [depth, []]);
        await world.watcher.readNow();
        await world.is("draft");
        expect(world.told()).toEqual({ paid: 1, reversed: 1 });
        await counts();
        expect(world.told()).toEqual({ paid: 2, reversed: 1 });
      });
    });
  });

  test("a head that jumps back and comes again changes nothing", async () => {
    await mined(60);
    await inWorld({}, async (world) => {
      const { txHash } = await world.pay();
      await world.is("paid");
      const from = (await head()) - 30;
      const answer = lagging(chain, (newest) => Math.min(newest, from));
      let looks = 0;
      world.node.answer = (call) => {
        if (holdersIn(call)) looks += 1;
        return answer(call);
      };
      void world.watcher.readNow();
      await until(
        () => looks,
        (count) => count > 3,
      );
      expect(world.status()).toBe("paid");
      world.node.answer = null;
      await isInOrder(world, txHash);
    });
  });

  test("of two nodes the one that is 30 s behind keeps no payment from counting, whichever it is", async () => {
    await mined(170);
    const pays = (behind: number) =>
      inWorld({ nodes: 2 }, async (world) => {
        const lags = world.nodes[behind];
        if (lags) lags.answer = lagging(chain, (newest) => newest - 150);
        const { txHash } = await world.pay();
        await until(world.transfers, ({ length }) => length === 1);
        // Of the 30 s, 24 pass at once: each of the two has 60 blocks made.
        await mined(60);
        await isInOrder(world, txHash, 80_000);
      });
    await Promise.all([pays(0), pays(1)]);
  }, 240_000);

  describe("a clock that is wrong by five minutes", () => {
    for (const wrongMs of [-300_000, 300_000])
      test(`${wrongMs < 0 ? "behind" : "ahead"} keeps no payment from counting, also when it is set right`, async () => {
        let nowWrongMs = wrongMs;
        const now = () => Date.now() + nowWrongMs;
        await inWorld({ now, clock: () => world.uptime() }, async (world) => {
          const { txHash } = await world.pay();
          await isInOrder(world, txHash);
          nowWrongMs = 0;
          const second = await chain.pay(world.invoice.deposit.address, "5.00");
          await until(
            () => world.transfers(),
            (all) => all.some(({ txHash, confirmed }) => confirmed && txHash === second.txHash),
          );
        });
      });
  });

  test("blocks with deposit transactions, and transactions of unknown types, are read as any", async () => {
    await inWorld({ nodes: 2 }, async (world) => {
      const strange = { type: "0x7e", depositNonce: "0x1", sourceHash: `0x${"ab".repeat(32)}`, mint: "0x0" };
      for (const [at, node] of world.nodes.entries())
        node.answer = async ({ method, params }) => {
          const isStrange = /^eth_get(TransactionReceipt|BlockReceipts|TransactionByHash|Logs)$/.test(method);
          if (!isStrange) return undefined;
          const answer = await chain.rpc(method, params);
          const types = at === 0 ? strange : { type: "0x7b", phases: [{ status: "0x1" }] };
          const changed = (one: unknown) =>
            one === null ? null : { ...(one as object), ...types, blockTimestampMs: "0x1" };
          return { result: Array.isArray(answer) ? answer.map(changed) : changed(answer) };
        };
      const { txHash } = await world.pay();
      await isInOrder(world, txHash);
      expect(CheckpointStore.latest(world.db)).not.toBeNull();
    });
  });
});
