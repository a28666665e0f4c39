import { existsSync } from "node:fs";
import type { KeystoreInput } from "../chain/account/keystore.ts";
import { openWallet, type Wallet } from "../chain/account/wallet.ts";
import type { Config } from "../config/config.ts";
import type { Address } from "../domain/wallet/address.ts";
import { type Db, walletFile } from "../store/database.ts";
import * as WalletStore from "../store/tables/installation/wallet.ts";

/**
 * Opens the wallet, or makes it for a new installation. Throws a WalletMismatch when the database has seen
 * another one: deposit addresses and managed wallets would come from words that nobody has a copy of. Throws a
 * RecoveryNeeded when there is a wallet and the database has seen none. `opened` is as in openWallet.
 */
export async function openInstallationWallet(
  db: Db,
  config: Config,
  opened?: Promise<string>,
): Promise<Wallet> {
  const expected = WalletStore.gasAddress(db);
  if (expected !== null) return await openKnownWallet(db, config, opened);
  const wallet = await openWallet(keystoreOf(config), opened);
  if (!wallet.created) throw new RecoveryNeeded(config.dataDir);
  WalletStore.setGasAddress(db, wallet.gasAddress);
  return wallet;
}

/** Opens the wallet that is there and makes none. Throws a WalletMismatch as above, or a NoWallet. */
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

/** A wallet that has been in use, and a database that knows nothing of it: addresses would be given out again. */
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
