import { afterAll, beforeAll } from "bun:test";
import type { Browser } from "playwright-core";
import { startTestChain, type TestChain } from "../chain/chain.ts";
import { startTestTill, type TestTill } from "../till/till.ts";
import { startBrowser } from "./browser.ts";

/** What all tests of a file share after `useTill` or `useTillOnChain` at its top. */
export let browser: Browser;
export let till: TestTill;
export let chain: TestChain;

/** A browser, and a Till: without a node, in development, unless `start` makes another. */
export function useTill(start = () => startTestTill({ rpcUrl: "http://127.0.0.1:9" })): void {
  beforeAll(async () => {
    [browser, till] = await Promise.all([startBrowser(), start()]);
  });
  afterAll(async () => {
    await browser.close();
    await till.stop();
  });
}

/** A browser, a chain, and the Till that `start` makes on it. */
export function useTillOnChain(
  start: (chain: TestChain) => Promise<TestTill>,
  options: Parameters<typeof startTestChain>[0] = {},
): void {
  beforeAll(async () => {
    [browser, chain] = await Promise.all([startBrowser(), startTestChain(options)]);
    till = await start(chain);
  });
  afterAll(async () => {
    await browser.close();
    await till.stop();
    await chain.stop();
  });
}
