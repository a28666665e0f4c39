import { expect, test } from "bun:test";
import { createNodes, type Node } from "../../../src/chain/node/nodes.ts";
import * as Address from "../../../src/domain/wallet/address.ts";

let clockMs = 0;
/** Nobody looks for the first node in between, by another clock. */
const ended = AbortSignal.abort();
const checked: string[] = [];
const host = ({ rpc }: Node) => rpc.host;

function start(hosts: readonly string[], signal = ended) {
  clockMs = 0;
  checked.length = 0;
  return createNodes({
    rpcUrls: hosts.map((name) => `http://${name}.example`),
    usdc: Address.checksum("0x1111111111111111111111111111111111111111"),
    logRange: 10,
    signal,
    onRequest: () => {},
    check: async (node) => void checked.push(host(node)),
    clock: () => clockMs,
  });
}

test("goes on to the next node at once, waits when all have failed, and returns to the first", async () => {
  const nodes = start(["one", "two"]);
  const current = async (at: number) => {
    clockMs = at;
    return host(await nodes.current());
  };
  expect(await current(0)).toBe("one.example");
  expect(nodes.failed()).toBe(true);
  expect(await current(1)).toBe("two.example");
  expect(await current(59_999)).toBe("two.example");
  expect(nodes.failed()).toBe(false);
  expect(await current(60_000)).toBe("one.example");
  nodes.failed();
  expect(await current(119_999)).toBe("two.example");
  expect(await current(120_000)).toBe("one.example");
});

test("checks a node before it is used, and again when its turn comes back", async () => {
  const nodes = start(["one", "two"]);
  for (let i = 0; i < 3; i++) await nodes.current();
  expect(checked).toEqual(["one.example"]);
  nodes.failed();
  await nodes.current();
  nodes.failed();
  await nodes.current();
  expect(checked).toEqual(["one.example", "two.example", "one.example"]);
});

test("asks the nth node after the current one when something failed so often", () => {
  const nodes = start(["one", "two", "three"]);
  expect([0, 1, 2, 3, 7].map((failures) => host(nodes.for(failures)).slice(0, 3))).toEqual([
    "one",
    "two",
    "thr",
    "one",
    "two",
  ]);
  nodes.failed();
  expect(host(nodes.for(0))).toBe("two.example");
});

test("leaves a node that stays behind, if there is another one", () => {
  const nodes = start(["one", "two"]);
  for (let i = 0; i < 4; i++) nodes.behind(5, 9);
  expect(() => nodes.behind(5, 9)).toThrow(
    "The node at one.example is at block 5, and block 9 was seen before",
  );
  const hole = start(["one", "two"]);
  for (let i = 0; i < 4; i++) hole.behind(9, 5);
  expect(() => hole.behind(9, 5)).toThrow("The node at one.example is at block 9, but has no block 5");
  const only = start(["one"]);
  for (let i = 0; i < 9; i++) only.behind(5, 9);
});

test("answers all who ask at the same time with the next node when the first fails", async () => {
  const nodes = start(["one", "two"], new AbortController().signal);
  const ask = () =>
    nodes.ask(async (node) => {
      await new Promise(setImmediate);
      if (host(node) === "one.example") throw new Error("down");
      return host(node);
    });
  expect(new Set(await Promise.all([ask(), ask(), ask()]))).toEqual(new Set(["two.example"]));
});

test("takes no node for checked because another one was", async () => {
  const nodes = start(["one", "two"]);
  const first = nodes.current();
  nodes.failed();
  await first;
  expect(host(await nodes.current())).toBe("two.example");
  expect(checked).toEqual(["one.example", "two.example"]);
});
