import { afterAll, beforeAll } from "bun:test";
import type { Environment } from "../../../src/config/config.ts";
import { startTestChain, type TestChain } from "../chain/chain.ts";
import type { TestTill } from "../till/till.ts";
import { addPerson, startDesk, type Visitor, visitor } from "./desk.ts";

/** What all tests of a file share after `useDesk` or `useDeskOnChain` at its top. */
export let till: TestTill;
export let chain: TestChain;
/** Mara, who is signed in. */
export let owner: Visitor;

async function open(start: () => Promise<TestTill>): Promise<void> {
  till = await start();
  owner = visitor(till, await addPerson(till, "Mara", "owner"));
}

/** A Till whose desk asks people to sign in: without a node, unless `start` makes another. */
export function useDesk(start: () => Promise<TestTill> = startDesk): void {
  beforeAll(() => open(start));
  afterAll(() => till.stop());
}

/** The same on a chain. */
export function useDeskOnChain(
  changes: Environment = {},
  options: Parameters<typeof startDesk>[1] = {},
): void {
  beforeAll(async () => {
    chain = await startTestChain();
    const node = { TILL_RPC_URL: chain.rpcUrl, TILL_RPC_WS_URL: chain.wsUrl };
    await open(() => startDesk({ ...node, ...changes }, options));
  });
  afterAll(async () => {
    await till.stop();
    await chain.stop();
  });
}
