import { expect, test } from "bun:test";
import { overlapBlocks } from "../../src/chain/scan.ts";
import { parseConfig } from "../../src/config.ts";
import { createDeepRescan } from "../../src/worker/deep-rescan.ts";
import { createProviders } from "../../src/worker/providers.ts";

const now = 1_800_000_000_000;
const setBackMs = 30 * 86_400_000;

test("deep rescans go on after the clock was set back", () => {
  const rescan = createDeepRescan(now);
  const overlap = (at: number) => rescan.overlap(10_000, 1_000, at);
  expect(overlap(now)).toBe(overlapBlocks);
  expect(overlap(now - setBackMs)).toBeGreaterThan(overlapBlocks);
  rescan.done(10_000, now - setBackMs);
  expect(overlap(now - setBackMs)).toBe(overlapBlocks);
});

test("the first node is asked again after the clock was set back", () => {
  const config = parseConfig({
    TILL_RPC_URL: "http://first.example,http://second.example",
    TILL_WALLET_PASSPHRASE: "correct horse battery staple",
  });
  const providers = createProviders(config, new AbortController().signal, () => {});
  const host = (at: number) => providers.current(at).rpc.host;
  providers.failed(now);
  expect(host(now)).toBe("second.example");
  expect(host(now - setBackMs)).toBe("first.example");
});
