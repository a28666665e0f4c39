import { parseConfig } from "../../src/config.ts";
import { createLog } from "../../src/lib/log.ts";
import type { Db } from "../../src/store/database.ts";
import { type ChainWatcher, startChainWatcher } from "../../src/worker/chain-watcher.ts";
import { passphrase } from "./data-dir.ts";

export type TestWatcher = ChainWatcher & { readonly logged: readonly string[] };

/** The watcher alone on a database, with a clock of the test's own. */
export function startTestWatcher(
  db: Db,
  environment: Record<string, string>,
  now: () => number = Date.now,
): TestWatcher {
  const logged: string[] = [];
  const watcher = startChainWatcher({
    config: parseConfig({
      TILL_CHAIN: "anvil",
      TILL_WALLET_PASSPHRASE: passphrase,
      ...environment,
    }),
    db,
    log: createLog({ format: "text", level: "debug", write: (line) => logged.push(line) }),
    now,
    onApplied: () => {},
    onWrongChain: () => {},
  });
  return { ...watcher, logged };
}
