import { beforeAll } from "bun:test";
import type { Environment } from "../../../src/config/config.ts";
import { startTestChain, type TestChain } from "../chain/chain.ts";
import { shared } from "../per-file.ts";
import type { TestTill } from "../till/till.ts";
import { addPerson, startDesk, type Visitor, visitor } from "./desk.ts";

/** What all tests of a file share after `useDesk` or `useDeskOnChain` at its top. */
export let till: TestTill;
export let chain: TestChain;
/** Mara, who is signed in. */
export let owner: Visitor;

async function enter(started: TestTill): Promise<void> {
  till = started;
  owner = visitor(till, await addPerson(till, "Mara", "owner"));
}

/** A Till whose desk asks people to sign in: without a node, unless `start` makes another. */
export function useDesk(start: () => Promise<TestTill> = startDesk): void {
  const started = shared(start);
  beforeAll(() => enter(started));
}

/** The same on a chain. */
export function useDeskOnChain(
  changes: Environment = {},
  options: Parameters<typeof startDesk>[1] = {},
): void {
  const made = shared(startTestChain);
  const started = shared(() => {
    const node = { TILL_RPC_URL: made.rpcUrl, TILL_RPC_WS_URL: made.wsUrl };
    return startDesk({ ...node, ...changes }, options);
  });
  beforeAll(() => {
    chain = made;
    return enter(started);
  });
}
