import { describe, expect, test } from "bun:test";
import { parseConfig } from "../../src/config.ts";
import { createChores } from "../../src/worker/chores.ts";
import { createProviders, type Provider } from "../../src/worker/providers.ts";
import { passphrase } from "../support/data-dir.ts";

const { signal } = new AbortController();
const log = { debug() {}, info() {}, warn() {}, error() {} };
const config = parseConfig({
  TILL_RPC_URL: "http://a.example,http://b.example,http://c.example",
  TILL_WALLET_PASSPHRASE: passphrase,
});

/** Does the work for so long, second by second as the watcher does it, and says which node was asked when. */
async function ask(seconds: number, work: (node: string, second: number) => boolean): Promise<string[]> {
  const providers = createProviders(config, signal, () => {});
  const asked: string[] = [];
  let second = 0;
  const chore = {
    dueInMs: () => 0,
    failed() {},
    async slice({ provider }: { provider: Provider }) {
      const node = provider.rpc.host.slice(0, 1);
      asked.push(node);
      if (!work(node, second)) throw new Error("pruned history unavailable");
    },
  };
  const chores = createChores(() => [chore], providers, log, signal);
  for (; second < seconds; second++) {
    const now = second * 1_000;
    if (chores.dueInMs(now) > 0) continue;
    const provider = providers.current(now);
    await chores.slice({ provider, checkpoint: { number: 1, hash: "0x" }, now, credit() {} });
  }
  return asked;
}

describe("a chore", () => {
  test("that fails is tried with one node after the other, also when it rests for minutes between", async () => {
    const asked = await ask(3_600, () => false);
    expect(asked.length).toBeGreaterThan(12);
    expect(asked.join("")).toMatch(/^(abc)+(ab?)?$/);
  });

  test("goes on with the node that can do it, though the first one's turn has come again", async () => {
    const asked = await ask(3_600, (node, second) => node === "b" && second > 100);
    const first = asked.lastIndexOf("a");
    expect(first).toBeLessThan(20);
    expect(new Set(asked.slice(asked.indexOf("b", first)))).toEqual(new Set(["b"]));
  });

  test("that rests is tried again after the clock was set back", async () => {
    const now = 1_800_000_000_000;
    const setBackMs = 30 * 86_400_000;
    const providers = createProviders(config, signal, () => {});
    let tries = 0;
    const chore = {
      dueInMs: () => 0,
      async slice() {
        tries += 1;
        throw new Error("busy");
      },
      failed() {},
    };
    const chores = createChores(() => [chore], providers, log, signal);
    const slice = (at: number) =>
      chores.slice({
        provider: providers.current(at),
        checkpoint: { number: 1, hash: "0x" },
        now: at,
        credit() {},
      });
    await slice(now);
    expect(chores.dueInMs(now)).toBe(1_000);
    expect(chores.dueInMs(now - setBackMs)).toBe(0);
    // The first of them turns to the other node.
    await slice(now - setBackMs);
    await slice(now - setBackMs);
    expect(tries).toBe(2);
  });
});
