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
let asked: number;
let server: ReturnType<typeof Bun.serve>;
let feed: Feed | null;

beforeEach(() => {
  subscriptions = new Map();
  delayMs = 0;
  nonsense = null;
  asked = 0;
  let lastId = 0;
  server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: (request, self) =>
      self.upgrade(request, { data: undefined }) ? undefined : new Response("no", { status: 400 }),
    websocket: {
      async message(socket, text) {
        const { id, method, params } = JSON.parse(String(text));
        if (params[0] === "logs") await Bun.sleep(delayMs);
        asked += 1;
        if (params[0] === nonsense?.kind)
          return void socket.send(JSON.stringify({ jsonrpc: "2.0", id, result: nonsense?.answer }));
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
    const parts = () => [{ key: BigInt(Bun.hash(topics.join())), topics: () => topics }];
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
    feed.listen(true);
    await Bun.sleep(50);
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
    await Bun.sleep(3_000);
    // At half of 0.25, 0.5, 1 and 2 s at the soonest.
    expect(asked).toBeLessThanOrEqual(5);
  });
});
