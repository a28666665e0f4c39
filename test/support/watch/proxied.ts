import { startTestChain, type TestChain } from "../chain/chain.ts";
import { type RpcProxy, startRpcProxy } from "../chain/rpc-proxy.ts";
import { db, makeDatabase, removeDatabase } from "../till/database.ts";
import { startTestWatcher, type TestWatcher } from "./watcher.ts";

export let chain: TestChain;
/** The node that the watcher asks, unless told otherwise. */
export let proxy: RpcProxy;
let watcher: TestWatcher | null = null;

/** For `beforeEach`: a chain, a node of it that can fail, and an empty database. */
export async function begin(): Promise<void> {
  chain = await startTestChain();
  proxy = startRpcProxy(chain.rpcUrl);
  makeDatabase();
}

/** Starts the watcher on them. */
export function start(environment: Record<string, string> = {}, ...rest: Rest): TestWatcher {
  watcher = startTestWatcher(db, { TILL_RPC_URL: proxy.url, ...environment }, ...rest);
  return watcher;
}

type Rest = Parameters<typeof startTestWatcher> extends [unknown, unknown, ...infer R] ? R : never;

export async function halt(): Promise<void> {
  await watcher?.stop();
  watcher = null;
}

/** For `afterEach`. */
export async function end(): Promise<void> {
  await halt();
  removeDatabase();
  await proxy.stop();
  await chain.stop();
}
