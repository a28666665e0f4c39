import { existsSync } from "node:fs";
import type { KeystoreInput } from "../chain/account/keystore.ts";
import { openWallet, type Wallet } from "../chain/account/wallet.ts";
import { type Config, ConfigError } from "../config/config.ts";
import type { Log } from "../config/log-events.ts";
import * as InvoiceNumber from "../domain/bill/invoice-number.ts";
import type { Address } from "../domain/wallet/address.ts";
import { closeDatabase, type Db, openDatabase, transact, waitAsServer } from "../store/database.ts";
import { databaseFiles, walletFile } from "../store/files/data-dir.ts";
import { DatabaseReplaced, keepInPlace } from "../store/files/in-place.ts";
import { finishRestore } from "../store/files/restore.ts";
import { leaveOutUnknown } from "../store/files/restore-facts.ts";
import { startDatabaseThread } from "../store/files/thread.ts";
import { numberedOtherwise } from "../store/reports/numbering.ts";
import * as WalletStore from "../store/tables/installation/wallet.ts";

type InstallationOptions = {
  config: Config;
  log: Log;
  now: () => number;
  /** Number patterns of documents, including settings made at the desk. */
  numbers: () => Pick<Config, "invoiceNumber" | "creditNoteNumber" | "receiptNumber">;
  /** See `openInstallationWallet`. */
  words: Promise<string> | undefined;
  /** Called when a check after `whole` found the database damaged, or failed: nothing is stored any more. */
  onUnsound: (failure: Error) => void;
};

/** Opens the data of this installation and begins its check. Throws if the database cannot be opened. */
export function openInstallation({ config, log, now, numbers, words, onUnsound }: InstallationOptions) {
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
    keepNumbers(db, numbers());
    const walletReplaced = finishRestore(db, dataDir, now()) !== null;
    transact(db, () => leaveOutUnknown(db, now()));
    return { walletReplaced };
  });
  const whole = restored.then(() => waitAsServer(db));
  // Reading them may fail before the database check has ended: `wallet` rejects with that error then.
  words?.catch(() => {});
  const wallet = restored.then(({ walletReplaced }) =>
    openInstallationWallet(db, config, walletReplaced ? undefined : words),
  );
  return {
    /** May be read at once, and written once `whole` has resolved. */
    db,
    /** Resolves once the database may be written. Rejects with a DatabaseDamaged, or a ConfigError. */
    whole,
    /**
     * Resolves some time after `whole`, as deriving its key takes long on purpose. Rejects as `openInstallationWallet`
     * does.
     */
    wallet,
    /**
     * Aborts the check if it has not ended, so that `whole` and `wallet` reject. Closes the database once both have
     * settled.
     */
    async close() {
      thread.stop();
      await Promise.allSettled([whole, wallet, thread.ended]);
      closeDatabase(db);
      place.stop();
    },
  };
}

/** Throws a ConfigError if another pattern made the numbers that customers have. */
function keepNumbers(db: Db, config: ReturnType<InstallationOptions["numbers"]>): void {
  for (const [setting, other] of numberedOtherwise(db, config))
    throw new ConfigError([`${InvoiceNumber.changed(setting, other)} ${InvoiceNumber.unchange(setting)}`]);
}

/**
 * Opens the wallet, or creates it for a new installation. Throws a WalletMismatch if the database has seen another one:
 * deposit addresses and managed wallets would come from words that nobody has a copy of. Throws a RecoveryNeeded if
 * there is a wallet and the database has seen none. `opened` is as in openWallet.
 */
async function openInstallationWallet(db: Db, config: Config, opened?: Promise<string>): Promise<Wallet> {
  const expected = WalletStore.gasAddress(db);
  if (expected !== null) return await openKnownWallet(db, config, opened);
  const wallet = await openWallet(keystoreOf(config), opened);
  if (!wallet.created) throw new RecoveryNeeded(config.dataDir);
  WalletStore.setGasAddress(db, wallet.gasAddress);
  return wallet;
}

/** Opens the existing wallet without creating one. Throws a WalletMismatch as above, or a NoWallet. */
export async function openKnownWallet(db: Db, config: Config, opened?: Promise<string>): Promise<Wallet> {
  const { file } = keystoreOf(config);
  const expected = WalletStore.gasAddress(db);
  if (!existsSync(file))
    throw expected === null ? new NoWallet(file) : new WalletMismatch(`${file} is missing`, expected);
  const wallet = await openWallet(keystoreOf(config), opened);
  if (expected !== null && expected !== wallet.gasAddress)
    throw new WalletMismatch(`${file} is another wallet`, expected);
  return wallet;
}

function keystoreOf({ dataDir, walletPassphrase }: Config): KeystoreInput {
  return { file: walletFile(dataDir), passphrase: walletPassphrase };
}

class WalletMismatch extends Error {
  override readonly name = "WalletMismatch";
  readonly isLasting = true;
  constructor(what: string, expected: Address) {
    super(
      `${what}. This installation's wallet begins with account ${expected}; put its file back from your backup, or ` +
        "make it again from its words with: till wallet restore",
    );
  }
}

export class NoWallet extends Error {
  override readonly name = "NoWallet";
  constructor(file: string) {
    super(
      `There is no wallet at ${file}. till serve makes one at its first start, till wallet restore makes one from ` +
        "its words. TILL_DATA_DIR says where Till keeps its data.",
    );
  }
}

/** A wallet that has been in use, with a database that knows nothing of it: addresses would be issued again. */
class RecoveryNeeded extends Error {
  override readonly name = "RecoveryNeeded";
  readonly isLasting = true;
  constructor(dataDir: string) {
    super(
      `${dataDir} has a wallet, and its database knows no deposit address of it. If you have a backup of the ` +
        "database, bring it back with: till restore FILE. If not, run till recover: it finds the addresses again and " +
        "makes sure that none is given out twice.",
    );
  }
}
