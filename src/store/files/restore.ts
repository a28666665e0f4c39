import { Database, SQLiteError } from "bun:sqlite";
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import type { Address } from "../../domain/wallet/address.ts";
import { messageOf } from "../../lib/error.ts";
import { accessFailure, keepAs, makePrivateFile, ownerOnlyFile, syncToDisk } from "../../lib/file.ts";
import { type Db, openReadOnly, transact } from "../database.ts";
import { knownSchemaOf, migrate, NotOfTill, schemaSteps } from "../migrations.ts";
import * as AccountStore from "../tables/desk/account.ts";
import * as EntryLinkStore from "../tables/desk/entry-link.ts";
import * as PersonStore from "../tables/desk/person.ts";
import * as SessionStore from "../tables/desk/session.ts";
import * as BackupStore from "../tables/installation/backup.ts";
import * as RecurringStore from "../tables/invoicing/recurring.ts";
import * as RefundStore from "../tables/invoicing/refund.ts";
import * as ReminderStore from "../tables/outbox/reminder.ts";
import * as WalletChangeStore from "../tables/settle/wallet-change.ts";
import * as CheckpointStore from "../tables/watch/checkpoint.ts";
import * as RereadStore from "../tables/watch/reread.ts";
import { isBackup, waitingWallet } from "./backup.ts";
import { copyDatabase, damageIn } from "./copy.ts";
import { databaseFile, walletFile } from "./data-dir.ts";
import { countLeftBehind, type LeftBehind, sentencesOf } from "./left-behind.ts";
import { freeName, newStaged, RestoreRefused, replaceDatabase } from "./replace.ts";
import {
  epochAfter,
  isAsRecent,
  markEpoch,
  markedEpoch,
  nextInvoiceAfter,
  nextNumberAfter,
  type RestoreFacts,
  raiseNumbers,
  readFacts,
  sameWallet,
} from "./restore-facts.ts";

type RestoreRequest = {
  dataDir: string;
  file: string;
  /** Also replace a database that knows more than the backup, or cannot be compared with it. */
  force: boolean;
  /** This clock is right, whatever later time the data knows. */
  trustClock?: boolean;
  /** Account 0 of the wallet that is there, or why it does not open; without it, the files are compared. */
  wallet?: Address | Error | null;
  /** The next invoice's number, from somebody who knows which ones customers have; null to rely on the files. */
  nextInvoice: number | null;
  /**
   * The next credit note and the next receipt likewise; without it, some numbers are skipped where the files do not
   * tell.
   */
  nextCreditNote?: number | null;
  nextReceipt?: number | null;
  now: number;
  /** How long a deposit is watched after its last change. */
  hotMs: number;
  /** This Till's schema; a test passes a later Till's. */
  steps?: readonly string[];
};

/** `replaced` and `walletReplaced`: where the previous database and wallet are kept; null for what stayed or was not there. */
export type RestoreReport = Omit<ReturnType<typeof prepare>, "epoch"> &
  Record<"replaced" | "walletReplaced", string | null>;

/**
 * Replaces the database by a backup. Call it under the lock of the data directory. Everything is prepared in a file
 * beside the database, and one rename puts it into place: a process that dies at any time leaves the old state or the
 * new one. Throws a NotABackup, a SchemaTooNew, a RestoreRefused, a NextInvoiceUnknown, a NextInvoiceTaken or a
 * ClockBehind, and changes nothing then.
 */
export function restoreBackup(request: RestoreRequest): RestoreReport {
  const { dataDir, file, now, steps = schemaSteps } = request;
  const staged = newStaged(dataDir);
  try {
    stage(file, staged, steps);
    const { epoch, ...report } = migrated(staged, request);
    syncToDisk(staged);
    markEpoch(dataDir, epoch);
    const replaced = replaceDatabase(dataDir, staged, now);
    using restored = new Database(databaseFile(dataDir), { strict: true, safeIntegers: true });
    const walletReplaced = finishRestore(restored, dataDir, now)?.replaced ?? null;
    return { ...report, replaced, walletReplaced };
  } finally {
    rmSync(staged, { force: true });
  }
}

function migrated(staged: string, request: RestoreRequest) {
  using db = new Database(staged, { strict: true, safeIntegers: true });
  migrate(db, request.steps);
  return prepare(db, request);
}

/**
 * Puts a restored database's wallet into place, unless that was done before. Keeps a different existing wallet beside
 * it. Returns where that is; null if the wallet file did not change.
 */
export function finishRestore(db: Db, dataDir: string, now: number): { replaced: string | null } | null {
  if (!isBackup(db)) return null;
  const wallet = waitingWallet(db);
  const file = walletFile(dataDir);
  const there = existsSync(file) ? readFileSync(file, "utf8") : null;
  const isOther = wallet !== null && wallet !== there;
  const replaced = isOther && there !== null ? freeName(file, now) : null;
  if (isOther) {
    if (replaced !== null) keepAs(file, replaced);
    const unfinished = `${file}.restoring`;
    rmSync(unfinished, { force: true });
    makePrivateFile(unfinished);
    writeFileSync(unfinished, wallet, { mode: ownerOnlyFile });
    syncToDisk(unfinished);
    renameSync(unfinished, file);
    syncToDisk(dataDir);
  }
  db.run("DROP TABLE backup");
  return isOther ? { replaced } : null;
}

/** Checks the backup thoroughly, then copies it. */
function stage(file: string, staged: string, steps: readonly string[]): void {
  const failure = accessFailure(file);
  if (failure !== null)
    throw new NotABackup(file, failure === "ENOENT" ? "there is no such file" : "this user may not read it");
  let source: Database;
  try {
    source = new Database(file, { readonly: true, strict: true, safeIntegers: true });
  } catch (thrown) {
    throw new NotABackup(file, messageOf(thrown));
  }
  try {
    mustBeBackup(source, file, steps);
    // What fails from here on is not the backup's fault: the disk of the data directory is.
    copyDatabase(source, staged);
  } finally {
    source.close();
  }
}

function mustBeBackup(source: Database, file: string, steps: readonly string[]): void {
  try {
    if (knownSchemaOf(source, steps) === 0) throw new NotABackup(file, "it is empty");
    const damage = damageIn(source);
    if (damage.length > 0) throw new NotABackup(file, damage.join("; "));
  } catch (thrown) {
    if (thrown instanceof NotOfTill) throw new NotABackup(file, "it is not a database of Till");
    // How SQLite reports a file that is no database, or is truncated.
    if (thrown instanceof SQLiteError) throw new NotABackup(file, messageOf(thrown));
    throw thrown;
  }
}

/** Compares the backup with the current state, and prepares it to continue from. Throws when it must not. */
function prepare(db: Db, request: RestoreRequest) {
  const { dataDir, force, now, hotMs } = request;
  const backup = readFacts(db);
  const current = readCurrent(dataDir, db.filename);
  const reason = refusal(backup, current, request.steps ?? schemaSteps);
  if (reason !== null && !force) throw new RestoreRefused(dataDir, reason);
  const known = typeof current === "object" ? current : null;
  const own = known?.isReadable && sameWallet(backup, known) ? known : null;
  const newestKnown = Math.max(backup.epoch, own?.epoch ?? 0, markedEpoch(dataDir));
  const epoch = epochAfter(backup, newestKnown, request);
  const sequence = nextInvoiceAfter(backup, own, request.nextInvoice);
  if (sequence === null) throw new NextInvoiceUnknown(backup.lastInvoice);
  const creditNote = nextNumberAfter("credit note", backup, own, request.nextCreditNote ?? null);
  const receipt = nextNumberAfter("receipt", backup, own, request.nextReceipt ?? null);

  const brought = waitingWallet(db);
  const file = walletFile(dataDir);
  const there = existsSync(file);
  const { wallet } = request;
  // This installation's own wallet may have a new passphrase since: its file may differ.
  const isOwn = typeof wallet === "string" ? wallet === backup.gasAddress : own !== null;
  const keep = there && (brought === null || isOwn);
  if (!keep && there && readFileSync(file, "utf8") !== brought && !force)
    throw new RestoreRefused(dataDir, otherWallet(file, wallet));
  const madeAt = backup.madeAt;
  const block = CheckpointStore.dayEarlier(db);
  const isRemovalKnown = own !== null && isAsRecent(own, backup) && !own.doubtsPeople;
  let mailsHeld = 0;
  let refundsOwed = 0;
  transact(db, () => {
    raiseNumbers(db, { epoch, sequence, creditNote, receipt });
    mailsHeld = db
      .query(
        `UPDATE mail SET state = 'unknown', next_attempt_at = NULL,
           reason = 'it waited when the backup was made that was restored: it may have been sent since'
         WHERE state IN ('queued', 'sending')`,
      )
      .run().changes;
    // Whatever was watched at the time of the backup is watched again.
    db.query("UPDATE receivable SET changed_at = $now WHERE changed_at >= $since").run({
      now,
      since: (madeAt ?? backup.newestMs) - hotMs,
    });
    // Balances do not tell of what the Till that was lost has settled.
    if (block !== null) RereadStore.request(db, { from: block, to: null }, now);
    // Whether the other backups that it lists still exist is unknown; this one was just read.
    BackupStore.forgetAll(db);
    if (madeAt !== null) BackupStore.note(db, madeAt, brought !== null);
    ReminderStore.forgetSeen(db);
    RecurringStore.pauseRestored(db);
    refundsOwed = RefundStore.holdRestored(db);
    WalletChangeStore.stopRestored(db, madeAt ?? backup.newestMs, now);
    // Sessions ended since would be open again.
    SessionStore.removeAll(db);
    EntryLinkStore.removeAll(db);
    PersonStore.markBroughtBack(db, own?.removedPeople ?? [], isRemovalKnown);
    AccountStore.keepOut(db, own?.keptOut ?? []);
    if (isBackup(db) && keep) db.run("DROP TABLE backup");
  });
  const ofBackup = brought === null ? ("missing" as const) : ("restored" as const);
  return {
    epoch,
    /** When the backup was made; null for a database that is not from `till backup`. */
    madeAt,
    /** The rows of the replaced database that the backup lacks; null if none is left that tells. */
    leftBehind: known?.leftBehind ?? null,
    lastInvoice: backup.lastInvoice,
    lastCreditNote: backup.lastCreditNote,
    lastReceipt: backup.lastReceipt,
    nextInvoice: sequence,
    nextCreditNote: creditNote,
    nextReceipt: receipt,
    wallet: keep ? ("kept" as const) : ofBackup,
    /** The block from which the chain is read again; null when the backup has none. */
    block,
    /** Mails that waited when the backup was made. They may have gone out since, so they are not sent automatically. */
    mailsHeld,
    /** Refunds that the backup owes to customers, and that may have been paid since. */
    refundsOwed,
    /** The people who can sign in at the desk, including anybody removed since. */
    people: PersonStore.listActive(db).map(({ name }) => name),
    /** The people among them who had been removed in the database that was replaced. */
    peopleRemoved: PersonStore.listBroughtBack(db)
      .filter(({ broughtBack }) => broughtBack === "removed")
      .map(({ name }) => name),
    /** True if it is known that nobody else was removed since; false if no database is left to tell. */
    isRemovalKnown,
  };
}

/** The state of the database's place: what is known of it, nothing, or something of which nothing is known. */
type Current = (RestoreFacts & { leftBehind: LeftBehind }) | "damaged" | "foreign" | null;

/** `staged`: the backup, in the schema of this Till. */
function readCurrent(dataDir: string, staged: string): Current {
  if (!existsSync(databaseFile(dataDir))) return null;
  try {
    using db = openReadOnly(dataDir);
    return damageIn(db).length > 0
      ? "damaged"
      : { ...readFacts(db), leftBehind: countLeftBehind(db, staged) };
  } catch (thrown) {
    if (thrown instanceof SQLiteError) return "damaged";
    if (thrown instanceof NotOfTill) return "foreign";
    throw thrown;
  }
}

function refusal(backup: RestoreFacts, current: Current, steps: readonly string[]): string | null {
  if (current === null) return null;
  if (current === "foreign") return "the database there is not one of Till.";
  if (current === "damaged") return "the database there is damaged and cannot be compared with the backup.";
  const left = sentencesOf(current.leftBehind);
  if (current.schema > steps.length)
    return `the database there was written by a later version of Till. ${left}`;
  // Without a wallet nothing can have been issued.
  if (current.gasAddress === null) return null;
  if (!sameWallet(backup, current)) return "the database there belongs to another wallet.";
  if (current.newestMs > backup.newestMs || (current.block ?? -1) > (backup.block ?? -1))
    return `the database there knows more than the backup. ${left}`;
  return null;
}

const otherWallet = (file: string, wallet: RestoreRequest["wallet"]) =>
  typeof wallet === "string"
    ? `${file} is not the wallet of the backup.`
    : `${file} is not the file of the backup${wallet ? `, and whether it is the same wallet is unknown, as it does not open (${messageOf(wallet)})` : ""}.`;

class NotABackup extends Error {
  override readonly name = "NotABackup";
  constructor(file: string, why: string) {
    super(`${file} is not a backup that can be restored: ${why}. Nothing was changed.`);
  }
}

class NextInvoiceUnknown extends Error {
  override readonly name = "NextInvoiceUnknown";
  constructor(lastInvoice: number) {
    super(
      `Nothing was changed: it is not known which invoice numbers were given out after the backup, whose last is ` +
        `${lastInvoice}, and no number may be given out twice. Look at the mails and pages that customers have, and ` +
        `say which number the next invoice takes, at least ${lastInvoice + 1}: --next-invoice ${lastInvoice + 1} if ` +
        "there was none since. If this backup was restored before, on a machine that is lost, let a quarter of an " +
        "hour pass between the two: each goes on with deposit addresses of its own quarter.",
    );
  }
}
