import type { Wallet } from "../chain/account/wallet.ts";
import { type Config, ConfigError } from "../config/config.ts";
import type { Log } from "../config/log-events.ts";
import * as InvoiceNumber from "../domain/bill/invoice-number.ts";
import { closeDatabase, type Db, databaseFiles, openDatabase, waitAsServer } from "../store/database.ts";
import { DatabaseReplaced, keepInPlace } from "../store/files/in-place.ts";
import { finishRestore } from "../store/files/restore.ts";
import { startDatabaseThread } from "../store/files/thread.ts";
import { numberedOtherwise } from "../store/reports/numbering.ts";
import { openInstallationWallet } from "./installation-wallet.ts";

/** The data of this installation. */
type Installation = {
  /** To be read at once, and to be written when `whole` has resolved. */
  db: Db;
  /** Resolves when the database may be written. Rejects with a DatabaseDamaged, or a ConfigError. */
  whole: Promise<void>;
  /** Open some time after `whole`: deriving its key takes long on purpose. Rejects as `openInstallationWallet` does. */
  wallet: Promise<Wallet>;
  /** Ends the check when it has not ended; `whole` and `wallet` reject then. Closes the database once both have settled. */
  close(): Promise<void>;
};

type InstallationOptions = {
  config: Config;
  log: Log;
  now: () => number;
  /** As in `openInstallationWallet`. */
  words: Promise<string> | undefined;
  /** A check after `whole` found the database damaged, or failed: nothing is stored any more. */
  onUnsound: (fault: Error) => void;
};

/** Opens the database and begins its check. Throws when it cannot be opened. */
export function openInstallation({ config, log, now, words, onUnsound }: InstallationOptions): Installation {
  const { dataDir } = config;
  const db = openDatabase(dataDir);
  const place = keepInPlace(db, databaseFiles(dataDir), () =>
    log.error("database.replaced", "the database was moved, removed or overwritten", {
      reason: new DatabaseReplaced().message,
    }),
  );
  const thread = startDatabaseThread(db, dataDir, {
    begin: place.begin,
    onKept: (reason) =>
      log.warn("database.log_kept", "the disk did not take what is to go into till.db", { reason }),
    onUnsound,
  });
  const restored = thread.whole.then(() => {
    keepNumbers(db, config);
    return { walletReplaced: finishRestore(db, dataDir, now()) };
  });
  const whole = restored.then(() => waitAsServer(db));
  const wallet = restored.then(({ walletReplaced }) =>
    openInstallationWallet(db, config, walletReplaced ? undefined : words),
  );
  return {
    db,
    whole,
    wallet,
    async close() {
      thread.stop();
      await Promise.allSettled([whole, wallet, thread.ended]);
      closeDatabase(db);
      place.stop();
    },
  };
}

/** Throws a ConfigError when another pattern made the numbers that customers have. */
function keepNumbers(db: Db, config: Config): void {
  for (const [setting, other] of numberedOtherwise(db, config))
    throw new ConfigError([`${InvoiceNumber.changed(setting, other)} ${InvoiceNumber.unchange(setting)}`]);
}
