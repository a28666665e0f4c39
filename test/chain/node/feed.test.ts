import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { createFeed, type Feed } from "../../../src/chain/node/feed.ts";
import * as Address from "../../../src/domain/wallet/address.ts";
import { until } from "../../support/till/till.ts";

/** A node that takes subscriptions and says nothing. */
let subscriptions: Map<string, string[] | "heads">;
/** How long the node takes to subscribe to transfers, at least. */
let delayMs: number;
/** What it answers to a subscription of that kind, in place of a name. */
let nonsense: { kind: string; answer: unknown } | null;
/** When it was asked for what it has no name for. */
let refusedAt: number[];
let server: ReturnType<typeof Bun.serve>;
let feed: Feed | null;

beforeEach(() => {
  subscriptions = new Map();
  delayMs = 0;
  nonsense = null;
  refusedAt = [];
  let lastId = 0;
  server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: (request, self) =>
      self.upgrade(request, { data: undefined }) ? undefined : new Response("no", { status: 400 }),
    websocket: {
      async message(socket, text) {
        const { id, method, params } = JSON.parse(String(text));
        // Time itself: so slow is the node.
        if (params[0] === "logs") await Bun.sleep(delayMs);
        if (params[0] === nonsense?.kind) {
          refusedAt.push(performance.now());
          return void socket.send(JSON.stringify({ jsonrpc: "2.0", id, result: nonsense?.answer }));
        }
        lastId += 1;
        const result = method === "eth_subscribe" ? `0x${lastId}` : true;
        if (method === "eth_subscribe") subscriptions.set(`0x${lastId}`, params[1]?.topics[2] ?? "heads");
        if (method === "eth_unsubscribe") subscriptions.delete(params[0]);
        socket.send(JSON.stringify({ jsonrpc: "2.0", id, result }));
      },
    },
  });
  feed = null;
});
afterEach(async () => {
  await feed?.stop();
  await server.stop(true);
});

describe("createFeed", () => {
  test("listens for an address that took the place of another one in the middle of the list", async () => {
    let topics = ["0xa", "0xb", "0xc"];
    let looks = 0;
    const parts = () => {
      looks += 1;
      return [{ key: BigInt(Bun.hash(topics.join())), topics: () => topics }];
    };
    let hints = 0;
    feed = createFeed({
      wsUrl: `ws://127.0.0.1:${server.port}`,
      usdc: Address.zero,
      parts,
      onHint: () => {
        hints += 1;
      },
      onUp: () => {},
      onDown: () => {},
    });
    const listened = () => [...subscriptions.values()];
    feed.listen(true);
    await until(
      () => hints,
      (count) => count === 1,
    );
    expect(listened()).toEqual([["0xa", "0xb", "0xc"]]);
    topics = ["0xa", "0xx", "0xc"];
    feed.listen(true);
    await until(
      () => hints,
      (count) => count === 2,
    );
    expect(listened()).toEqual([["0xa", "0xx", "0xc"]]);
    // Nothing has changed: what stands is kept, and nothing has to be looked for.
    const ids = [...subscriptions.keys()];
    const before = looks;
    // The second look begins after all that came of the first.
    for (const more of [1, 2]) {
      feed.listen(true);
      await until(
        () => looks,
        (count) => count >= before + more,
      );
    }
    expect([...subscriptions.keys()]).toEqual(ids);
    expect(hints).toBe(2);
  });

  test("joins addresses that are made one after the other, and listens for the last one, too", async () => {
    delayMs = 5;
    const topics = ["0x0"];
    const parts = () => [{ key: BigInt(topics.length), topics: () => [...topics] }];
    let hints = 0;
    feed = createFeed({
      wsUrl: `ws://127.0.0.1:${server.port}`,
      usdc: Address.zero,
      parts,
      onHint: () => {
        hints += 1;
      },
      onUp: () => {},
      onDown: () => {},
    });
    const made = 200;
    const startedAt = performance.now();
    for (let i = 1; i < made; i++) {
      topics.push(`0x${i}`);
      feed.listen(true);
      // Time itself: they are made during all of what is measured below.
      await Bun.sleep(1);
    }
    await until(
      () => [...subscriptions.values()],
      (listened) => listened.length === 1 && listened[0]?.length === made,
    );
    // After each time it rests for ten times as long as the node took.
    expect((hints - 1) * 11 * delayMs).toBeLessThan(performance.now() - startedAt);
  });

  test.each([
    ["logs", null],
    ["logs", {}],
    ["logs", ""],
    ["logs", false],
    ["logs", 7],
    ["logs", "no such subscription"],
    ["logs", `0x${"1".repeat(65)}`],
  ])("is not up where a node answers %s with %p for a name", async (kind, answer) => {
    nonsense = { kind, answer };
    const reasons: string[] = [];
    let ups = 0;
    feed = createFeed({
      wsUrl: `ws://127.0.0.1:${server.port}`,
      usdc: Address.zero,
      parts: () => [{ key: 1n, topics: () => ["0xa"] }],
      onHint: () => {},
      onUp: () => {
        ups += 1;
      },
      onDown: (reason) => reasons.push(reason),
    });
    feed.listen(true);
    await until(
      () => reasons.length,
      (count) => count > 0,
    );
    expect(reasons[0]).toContain("the node refused: ");
    expect([feed.isUp, ups]).toEqual([false, 0]);
  });

  test("asks a node that gives no name ever more rarely", async () => {
    nonsense = { kind: "logs", answer: null };
    feed = createFeed({
      wsUrl: `ws://127.0.0.1:${server.port}`,
      usdc: Address.zero,
      parts: () => [{ key: 1n, topics: () => ["0xa"] }],
      onHint: () => {},
      onUp: () => {},
      onDown: () => {},
    });
    feed.listen(true);
    await until(
      () => refusedAt.length,
      (count) => count >= 5,
    );
    const pauses = refusedAt.slice(1).map((at, before) => at - (refusedAt[before] ?? 0));
    // Half of 0.25, 0.5, 1 and 2 s at the soonest; a timer may be a little early.
    for (const [index, soonest] of [125, 250, 500, 1_000].entries())
      expect(pauses[index]).toBeGreaterThan(soonest - 5);
  });
});
