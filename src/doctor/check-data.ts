import { existsSync, statSync } from "node:fs";
import { openWallet, type Wallet } from "../chain/account/wallet.ts";
import type { Config } from "../config/config.ts";
import * as InvoiceNumber from "../domain/bill/invoice-number.ts";
import { messageOf } from "../lib/error.ts";
import { accessFailure, writeFailure } from "../lib/file.ts";
import type { Db } from "../store/database.ts";
import { damageIn } from "../store/files/copy.ts";
import { databaseFile, databaseFiles, lockFile, walletFile } from "../store/files/data-dir.ts";
import { knownSchemaOf, newestSchema, SchemaUnusable, schemaOf } from "../store/migrations.ts";
import { diskProblems } from "../store/reports/health.ts";
import { numberedOtherwise } from "../store/reports/numbering.ts";
import * as WalletStore from "../store/tables/installation/wallet.ts";
import { type OnFinding, reporter } from "./finding.ts";

/** Checks that only its owner can use the data directory. Returns false if this user cannot know its contents. */
export function checkDataDir(dataDir: string, onFinding: OnFinding): boolean {
  const report = reporter("data directory", onFinding);
  const mayEnter = mayUse(dataDir);
  if (mayEnter && !existsSync(dataDir)) {
    report.warning(
      `${dataDir} is not there.`,
      "The first till serve makes it. If you have data already, TILL_DATA_DIR points to the wrong place.",
    );
    return true;
  }
  const inside = [...databaseFiles(dataDir), walletFile(dataDir)];
  // The contents of a directory that cannot be entered are unknown.
  const forbidden = mayEnter ? inside.filter((path) => !mayUse(path)) : [dataDir];
  for (const path of forbidden) {
    report.wrong(
      `${path} may not be read and written by this user.`,
      "Run till doctor as the user that Till runs as. If this is that user: the directory and all files in it must be " +
        "theirs (chown), on a disk that can be written.",
    );
  }
  if (forbidden.length > 0) return false;
  const failure = writeFailure(dataDir);
  if (failure !== null) {
    report.wrong(
      `Nothing can be written to ${dataDir}: ${failure}.`,
      "Check whether its disk is full, or became read-only after an error (mount, dmesg).",
    );
  }
  // Must precede opening the database, for which SQLite creates another log.
  const [, log = "", shared = ""] = inside;
  if (existsSync(shared) && !existsSync(log))
    report.wrong(`${log}, which holds the last changes, is missing.`, lostAdvice);
  const files = [...inside, lockFile(dataDir)].filter(existsSync);
  const open = [dataDir, ...files].filter((path) => (statSync(path).mode & 0o077) !== 0);
  for (const path of open) {
    const mode = path === dataDir ? 700 : 600;
    report.wrong(
      `${path} can be used by other accounts of this machine (mode ${(statSync(path).mode & 0o777).toString(8)}).`,
      `chmod ${mode} ${path}`,
    );
  }
  if (open.length === 0) report.ok(`${dataDir} can be read by its owner alone.`);
  return true;
}

/** Returns whether this user may read and write it, or it does not exist. */
function mayUse(path: string): boolean {
  return [null, "ENOENT"].includes(accessFailure(path, { write: true }));
}

const lostAdvice =
  "If you moved it, put it back with its till.db-wal. Otherwise bring your latest backup back, with till restore FILE; " +
  "without any, till recover finds the addresses again. Till does not start before.";

/** Checks that the database exists and is intact. Returns false if this Till cannot read it, or not yet. */
export function checkDatabase(db: Db | null, dataDir: string, onFinding: OnFinding): db is Db {
  const report = reporter("database", onFinding);
  const restore = "Keep the file, and put your latest backup in its place: till restore FILE --force";
  try {
    const [file, log = ""] = databaseFiles(dataDir);
    const schema = db && schemaOf(db);
    if (db === null || !schema) {
      const others = [log, walletFile(dataDir)].filter(existsSync).join(" and ");
      const what = db === null ? `not there, but ${others} is` : `empty, but ${others} is there`;
      if (others !== "") report.wrong(`${file} is ${what}: the database was moved or lost.`, lostAdvice);
      else if (existsSync(dataDir)) report.ok("There is no database yet; the first till serve makes it.");
      return false;
    }
    if (schema > newestSchema) {
      report.wrong(
        `The database has schema ${schema}; this Till knows ${newestSchema}.`,
        "Use the version of Till that wrote it, or restore a backup made before the upgrade.",
      );
      return false;
    }
    knownSchemaOf(db);
    const damage = damageIn(db);
    for (const each of damage) report.wrong(each, restore);
    if (schema < newestSchema) {
      report.warning(
        `The database has schema ${schema}; this Till brings it to ${newestSchema}.`,
        "The next till serve does that, after a copy beside it. There is nothing else to do.",
      );
    }
    for (const problem of diskProblems(dataDir)) report.wrong(`${problem}.`, "Free some space on that disk.");
    if (damage.length === 0) report.ok(`${databaseFile(dataDir)} is whole (schema ${schema}).`);
    return schema === newestSchema;
  } catch (thrown) {
    if (thrown instanceof SchemaUnusable) report.wrong(thrown.what, thrown.advice);
    else report.wrong(`The database cannot be read: ${messageOf(thrown)}`, restore);
    return false;
  }
}

/** Checks that the number patterns match this installation's numbers: otherwise Till does not start. */
export function checkNumbers(config: Config, db: Db, onFinding: OnFinding): void {
  const report = reporter("configuration", onFinding);
  for (const [setting, other] of numberedOtherwise(db, config))
    report.wrong(InvoiceNumber.changed(setting, other), InvoiceNumber.unchange(setting));
}

/** Checks that the wallet opens and is the one in the database. Returns it if so; otherwise null. */
export async function checkWallet(
  config: Config,
  db: Db | null,
  onFinding: OnFinding,
): Promise<Wallet | null> {
  const report = reporter("wallet", onFinding);
  const file = walletFile(config.dataDir);
  const expected = db && WalletStore.gasAddress(db);
  if (!existsSync(file)) {
    if (expected) report.wrong(`${file} is missing.`, "Put it back from your backup before you start Till.");
    else report.ok("There is no wallet yet; the first till serve makes it.");
    return null;
  }
  try {
    const wallet = await openWallet({ file, passphrase: config.walletPassphrase });
    if (expected && expected !== wallet.gasAddress) {
      report.wrong(
        `${file} is another wallet than the one of the database, which begins with account ${expected}.`,
        "Put the wallet that belongs to the database back from your backup.",
      );
      return null;
    }
    if (db && !expected)
      report.wrong(
        "The database knows nothing of this wallet: it was made after another was lost.",
        lostAdvice,
      );
    else report.ok(`It opens with the passphrase${db ? " and belongs to the database" : ""}.`);
    return wallet;
  } catch (thrown) {
    report.wrong(
      `${messageOf(thrown)}.`,
      "Check TILL_WALLET_PASSPHRASE or TILL_WALLET_PASSPHRASE_FILE, else put the file back from your backup.",
    );
    return null;
  }
}
