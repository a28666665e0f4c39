import { beforeAll } from "bun:test";
import type { Browser } from "playwright-core";
import { startTestChain, type TestChain } from "../chain/chain.ts";
import { shared } from "../per-file.ts";
import { startTestTill, type TestTill } from "../till/till.ts";
import { startBrowser } from "./browser.ts";

/** What all tests of a file share after `useTill` or `useTillOnChain` at its top. */
export let browser: Browser;
export let till: TestTill;
export let chain: TestChain;

/** A browser, and a Till: without a node, in development, unless `start` makes another. */
export function useTill(start = () => startTestTill({ rpcUrl: "http://127.0.0.1:9" })): void {
  const started = shared(start);
  const opened = shared(startBrowser);
  beforeAll(() => {
    [browser, till] = [opened, started];
  });
}

/** A browser, a chain, and the Till that `start` makes on it. */
export function useTillOnChain(
  start: (chain: TestChain) => Promise<TestTill>,
  options: Parameters<typeof startTestChain>[0] = {},
): void {
  const made = shared(() => startTestChain(options));
  const started = shared(() => start(made));
  const opened = shared(startBrowser);
  beforeAll(() => {
    [browser, chain, till] = [opened, made, started];
  });
}
