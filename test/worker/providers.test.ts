import { expect, test } from "bun:test";
import { parseConfig } from "../../src/config.ts";
import { createProviders } from "../../src/worker/providers.ts";
import { passphrase } from "../support/data-dir.ts";

const config = parseConfig({
  TILL_RPC_URL: "http://one.example,http://two.example",
  TILL_WALLET_PASSPHRASE: passphrase,
});

test("goes on to the next node at once, waits when all have failed, and returns to the first", () => {
  const providers = createProviders(config, new AbortController().signal, () => {});
  const host = (now: number) => providers.current(now).rpc.host;
  expect(host(0)).toBe("one.example");
  expect(providers.failed(0)).toBe(true);
  expect(host(1)).toBe("two.example");
  expect(host(59_999)).toBe("two.example");
  expect(providers.failed(2)).toBe(false);
  expect(host(3)).toBe("one.example");
  providers.failed(4);
  expect(host(60_004)).toBe("one.example");
});

test("asks the first node again after the clock was set back", () => {
  const now = 1_800_000_000_000;
  const setBackMs = 30 * 86_400_000;
  const providers = createProviders(config, new AbortController().signal, () => {});
  const host = (at: number) => providers.current(at).rpc.host;
  providers.failed(now);
  expect(host(now)).toBe("two.example");
  expect(host(now - setBackMs)).toBe("one.example");
});

test("turns to a node that is wanted and returns to the first, each time to be identified anew", () => {
  const providers = createProviders(config, new AbortController().signal, () => {});
  const first = providers.current(0);
  first.identified = true;
  const second = providers.after(first);
  expect(second.rpc.host).toBe("two.example");
  expect(providers.after(second)).toBe(first);
  expect(providers.turnTo(first, 0)).toBe(false);
  expect(providers.turnTo(second, 0)).toBe(true);
  expect(first.identified).toBe(false);
  expect(providers.current(59_999)).toBe(second);
  second.identified = true;
  expect(providers.current(60_000)).toBe(first);
  expect(second.identified).toBe(false);
});
