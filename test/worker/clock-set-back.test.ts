import { expect, test } from "bun:test";
import { overlapBlocks } from "../../src/chain/scan.ts";
import { parseConfig } from "../../src/config.ts";
import { closeDatabase, openDatabase } from "../../src/store/database.ts";
import { createChores } from "../../src/worker/chores.ts";
import { createDeepRescan } from "../../src/worker/deep-rescan.ts";
import { createProviders } from "../../src/worker/providers.ts";
import { createRecheck } from "../../src/worker/recheck.ts";
import { makeDataDir } from "../support/data-dir.ts";

const now = 1_800_000_000_000;
const dayMs = 86_400_000;
const setBackMs = 30 * dayMs;
const { signal } = new AbortController();
const config = parseConfig({
  TILL_RPC_URL: "http://first.example,http://second.example",
  TILL_WALLET_PASSPHRASE: "correct horse battery staple",
});

test("deep rescans go on after the clock was set back", () => {
  const rescan = createDeepRescan(now);
  const overlap = (at: number) => rescan.overlap(10_000, 1_000, at);
  expect(overlap(now)).toBe(overlapBlocks);
  expect(overlap(now - setBackMs)).toBeGreaterThan(overlapBlocks);
  rescan.done(10_000, now - setBackMs);
  expect(overlap(now - setBackMs)).toBe(overlapBlocks);
});

test("the first node is asked again after the clock was set back", () => {
  const providers = createProviders(config, signal, () => {});
  const host = (at: number) => providers.current(at).rpc.host;
  providers.failed(now);
  expect(host(now)).toBe("second.example");
  expect(host(now - setBackMs)).toBe("first.example");
});

test("older blocks are read again in their passes after the clock was set back in the midst of one", () => {
  const data = makeDataDir();
  const db = openDatabase(data.path);
  const recheck = createRecheck(db, now);
  /** The slices of a time in which the clock is so far ahead. */
  function slices(fromMs: number, toMs: number, aheadMs: number): number {
    let count = 0;
    for (let ms = fromMs; ms < toMs; ms += 1_000) {
      const at = now + ms + aheadMs;
      if (recheck.dueInMs(at) > 0) continue;
      const blocks = recheck.next(1_000_000 + Math.floor(ms / 2_000), 2_000, at);
      if (!blocks) continue;
      count += 1;
      recheck.done({ from: blocks.from, to: Math.min(blocks.to, blocks.from + 1_999) }, 2_000, at);
    }
    return count;
  }
  const wrongFromMs = 300_000;
  const wrongToMs = 900_000;
  slices(0, wrongFromMs, 0);
  slices(wrongFromMs, wrongToMs, setBackMs);
  // About a hundred a day, as without that.
  expect(slices(wrongToMs, wrongToMs + dayMs, 0)).toBeGreaterThan(60);
  expect(slices(wrongToMs + dayMs, wrongToMs + 2 * dayMs, 0)).toBeGreaterThan(60);
  closeDatabase(db);
  data.remove();
});

test("a chore that rests after a failure is tried again after the clock was set back", async () => {
  const providers = createProviders(config, signal, () => {});
  const log = { debug() {}, info() {}, warn() {}, error() {} };
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
