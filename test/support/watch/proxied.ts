import { closeDatabase, type Db } from "../../../src/store/database.ts";
import { startTestChain, type TestChain } from "../chain/chain.ts";
import { type RpcProxy, startRpcProxy } from "../chain/rpc-proxy.ts";
import { makeDataDir, openNewDatabase } from "../till/data-dir.ts";
import { startTestWatcher, type TestWatcher } from "./watcher.ts";

export let chain: TestChain;
/** The node that the watcher asks, unless told otherwise. */
export let proxy: RpcProxy;
export let db: Db;
let data: ReturnType<typeof makeDataDir>;
let watcher: TestWatcher | null = null;

/** For `beforeEach`: a chain, a node of it that can fail, and an empty database. */
export async function begin(): Promise<void> {
  chain = await startTestChain();
  proxy = startRpcProxy(chain.rpcUrl);
  data = makeDataDir();
  db = openNewDatabase(data.path);
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
  closeDatabase(db);
  data.remove();
  await proxy.stop();
  await chain.stop();
}
