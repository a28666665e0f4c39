import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { english, generateMnemonic } from "viem/accounts";
import { createKeystore, type KeystoreInput, openKeystore } from "../../../src/chain/account/keystore.ts";
import { openWallet, type Wallet } from "../../../src/chain/account/wallet.ts";
import { closeDatabase, type Db, openDatabase } from "../../../src/store/database.ts";
import { databaseFile, prepareDataDir, walletFile } from "../../../src/store/files/data-dir.ts";
import * as WalletStore from "../../../src/store/tables/installation/wallet.ts";

/** What opens the wallet of a test. */
export const passphrase = "correct horse battery staple";

/** The wallet's file says what its passphrase costs to try: next to nothing, not 0.4 s of processor each time. */
export const cheap = 1;

/** A fresh directory that is removed with everything in it. */
export function makeDataDir(): { path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), "till-test-"));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/** Makes the file of a new wallet that opens at once. */
export async function makeWallet(input: KeystoreInput): Promise<Wallet> {
  await createKeystore({ ...input, secret: generateMnemonic(english), cost: cheap });
  return await openWallet(input);
}

/** Has a wallet that Till made or restored open at once from now on. */
export async function cheapen(input: KeystoreInput): Promise<void> {
  const secret = await openKeystore(input);
  rmSync(input.file);
  await createKeystore({ ...input, secret, cost: cheap });
}

/** A database with nothing in it, as it is on the disk. */
let empty: Buffer | null = null;

function emptyDatabase(): Buffer {
  const dir = makeDataDir();
  closeDatabase(openDatabase(dir.path));
  const bytes = readFileSync(databaseFile(dir.path));
  dir.remove();
  return bytes;
}

/** A new database in a directory that has none: making all the tables takes as long as all else that a start does. */
export function openNewDatabase(dataDir: string): Db {
  prepareDataDir(dataDir);
  empty ??= emptyDatabase();
  writeFileSync(databaseFile(dataDir), empty, { flag: "wx" });
  return openDatabase(dataDir);
}

/** What the first start of Till leaves in a new `dataDir`, with a wallet that opens at once. */
export async function install(dataDir: string, ownPassphrase = passphrase): Promise<void> {
  if (existsSync(dataDir)) return;
  const db = openNewDatabase(dataDir);
  const { gasAddress } = await makeWallet({ file: walletFile(dataDir), passphrase: ownPassphrase });
  WalletStore.setGasAddress(db, gasAddress);
  closeDatabase(db);
}
