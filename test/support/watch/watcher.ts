import { parseConfig } from "../../../src/config/config.ts";
import { createLog } from "../../../src/lib/log.ts";
import type { Db } from "../../../src/store/database.ts";
import { startWatcher, type Watcher } from "../../../src/watch/watcher.ts";
import { passphrase } from "../till/data-dir.ts";
import { recordSettings } from "../till/records.ts";

export type TestWatcher = Watcher & { readonly logged: readonly string[] };

/** The watcher alone on a database, with clocks of the test's own; `clock` only goes forward. */
export function startTestWatcher(
  db: Db,
  environment: Record<string, string>,
  now: () => number = Date.now,
  clock: () => number = now,
): TestWatcher {
  const logged: string[] = [];
  const watcher = startWatcher({
    config: parseConfig({
      TILL_CHAIN: "anvil",
      TILL_WALLET_PASSPHRASE: passphrase,
      ...environment,
    }),
    recordSettings,
    db,
    log: createLog({ format: "text", level: "debug", write: (line) => logged.push(line) }),
    now,
    clock,
    onApplied: () => {},
    onReorg: () => {},
    onSettlementLeft: () => {},
    onWrongChain: () => {},
  });
  return { ...watcher, logged };
}
