import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import type { ServerWebSocket } from "bun";
import { createRecipients } from "../../src/chain/transfer/recipients.ts";
import type { Address } from "../../src/domain/wallet/address.ts";
import { createLog } from "../../src/lib/log.ts";
import { type Arriving, createArriving } from "../../src/watch/arriving.ts";
import type { Watching } from "../../src/watch/deposits.ts";
import { pendingLog } from "../support/chain/flashblocks-node.ts";
import { until } from "../support/till/till.ts";

const usdc = "0x5fbdb2315678afecb367f032d93f642f64180aa3" as Address;
const addressOf = (deposit: number) => `0x${String(deposit).padStart(8, "0")}${"ab".repeat(16)}` as Address;
const recipients = createRecipients();
for (let deposit = 0; deposit < 10; deposit++) recipients.add(addressOf(deposit), deposit);

/** A node that takes every subscription, and tells what a test says. */
let node: Bun.Server<undefined>;
let socket: ServerWebSocket<undefined>;
let arriving: Arriving;
let now = 0;
const stop = new AbortController();

beforeAll(async () => {
  node = Bun.serve<undefined>({
    hostname: "127.0.0.1",
    port: 0,
    fetch: (request, self) =>
      self.upgrade(request, { data: undefined }) ? undefined : new Response("no", { status: 400 }),
    websocket: {
      message(from, text) {
        socket = from;
        from.send(JSON.stringify({ jsonrpc: "2.0", id: JSON.parse(String(text)).id, result: "0x1" }));
      },
    },
  });
  arriving = createArriving({
    config: { rpcWsUrl: `ws://127.0.0.1:${node.port}`, network: { usdc } } as unknown as Watching["config"],
    log: createLog({ format: "text", level: "error", write: () => {} }),
    clock: () => now,
    deposits: { recipients } as unknown as Watching["deposits"],
    onRequest: () => {},
    signal: stop.signal,
  });
  arriving.listen(true);
  await until(() => arriving.amountOf(0), Boolean);
});
afterAll(async () => {
  stop.abort();
  await arriving.stop();
  await node.stop(true);
});

let next = 0;
/** Far apart, so that no test is without a pause after the one before. */
beforeEach(() => {
  next += 1_000;
  now += 1_000_000;
});

const log = (deposit: number, amount: bigint, changes = {}) => ({
  ...pendingLog({ usdc }, addressOf(deposit), amount, next),
  ...changes,
});

function tell(...results: unknown[]): void {
  for (const result of results)
    socket.send(
      JSON.stringify({
        jsonrpc: "2.0",
        method: "eth_subscription",
        params: { subscription: "0x1", result },
      }),
    );
}

const shows = (deposit: number, amount: string) =>
  until(
    () => arriving.amountOf(deposit),
    (shown) => shown === amount,
  );

test("who waits is woken for their own deposit alone, and seldom however much is told", async () => {
  const logs = 300;
  const over = new AbortController();
  let looks = 0;
  /** Whoever waits looks whether it is over each time that they were woken. */
  const signal = () => {
    const own = AbortSignal.any([over.signal]);
    Object.defineProperty(own, "aborted", {
      get() {
        looks += 1;
        return over.signal.aborted;
      },
    });
    return own;
  };
  const startedAt = performance.now();
  const waits = Array.from({ length: 100 }, () => arriving.change(1, "0.00", signal()));
  looks = 0;
  const before = arriving.version();
  for (let i = 0; i < logs; i++) tell(log(0, 1n));
  await shows(0, "0.000300");
  const seconds = Math.ceil((performance.now() - startedAt) / 1_000);
  // Everybody looks by themselves each second.
  expect(looks).toBeLessThanOrEqual(100 * 3 * seconds);
  const changes = Number(arriving.version().split(" ")[0]) - Number(before.split(" ")[0]);
  expect(changes).toBeLessThanOrEqual(11 * seconds);
  tell(log(1, 1n));
  await Promise.all(waits);
});

test("who waits is woken however long nothing was told", async () => {
  const over = new AbortController();
  const waiting = arriving.change(6, "0.00", over.signal);
  await Bun.sleep(2_500);
  tell(log(6, 1n));
  await until(
    () => Bun.peek.status(waiting),
    (status) => status === "fulfilled",
    5_000,
  );
});

test("a transaction that is told for another block is in that one alone", async () => {
  const first = log(2, 12_500_000n);
  const second = { ...first, blockNumber: `0x${(next + 1).toString(16)}`, logIndex: "0x3" };
  tell(first);
  await shows(2, "12.50");
  tell(second, log(2, 1_000_000n));
  await shows(2, "13.50");
  // From the first block, where it is no more.
  tell({ ...first, removed: true }, log(2, 1_000_000n));
  await shows(2, "14.50");
  tell({ ...second, removed: true });
  await shows(2, "2.00");
});

test("what is told without a block ends by time alone", async () => {
  tell(log(3, 25_000_000n, { blockNumber: null }), log(3, 1_000_000n));
  await shows(3, "26.00");
  arriving.read(next + 10);
  await shows(3, "25.00");
  now += 8_000;
  await shows(3, "0.00");
});

test("what is told again and again has been arriving for long after 15 seconds, until there was a pause", async () => {
  const endless = log(4, 25_000_000n, { blockNumber: "0xffffffff" });
  for (let seconds = 0; seconds < 15; seconds += 5) {
    tell(endless, log(5, 1n));
    await shows(4, "25.00");
    expect(arriving.isLong(4)).toBe(false);
    now += 5_000;
    // It is over in the time of the second and third.
    if (seconds > 0) await shows(4, seconds === 5 ? "0.00" : "25.00");
  }
  expect([arriving.isLong(4), arriving.isLong(9)]).toEqual([true, false]);
  now += 16_000;
  await shows(4, "0.00");
  tell(endless);
  await shows(4, "25.00");
  expect(arriving.isLong(4)).toBe(false);
});
