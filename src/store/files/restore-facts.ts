import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import * as Epoch from "../../domain/wallet/epoch.ts";
import { ownerOnlyFile, syncToDisk } from "../../lib/file.ts";
import { type Db, numberOf, textOf } from "../database.ts";
import { schemaOf } from "../migrations.ts";
import * as AccountStore from "../tables/desk/account.ts";
import * as PersonStore from "../tables/desk/person.ts";
import * as DepositStore from "../tables/invoicing/deposit.ts";
import * as PartyStore from "../tables/invoicing/party.ts";
import { isBackup } from "./backup.ts";
import { databaseFile } from "./data-dir.ts";
import { columnsOf } from "./left-behind.ts";

export type RestoreFacts = ReturnType<typeof readFacts>;

const newestOfMerchant = [
  ["created_at", "event"],
  ["created_at", "reusable_link"],
  ["created_at", "webhook_endpoint"],
  ["voided_at", "reusable_link"],
] as const;

/**
 * The facts that decide whether, and how, one database may replace another, which may be a later Till's with another
 * layout: `isReadable` if all numbers given out, and their owners, could be read.
 */
export function readFacts(db: Db) {
  const isThere = columnsOf(db);
  let isReadable = true;
  const highest = (column: string, table: string) =>
    isThere(table, column) ? numberOf(db, `SELECT max(${column}) FROM ${table}`) : null;
  const needed = (column: string, table: string) => {
    isReadable &&= isThere(table, column);
    return highest(column, table);
  };
  const next = (column: string) => needed(column, "next_numbers");
  const latest = (parts: (number | null)[]) => Math.max(0, ...parts.map((part) => part ?? 0));
  const hasWallet = isThere("wallet", "gas_address");
  isReadable &&= hasWallet;
  const hasPeople = isThere("person", "handle", "removed_at", "brought_back");
  const hasAccounts = hasPeople && isThere("account", "issuer", "subject", "person_id");
  const doubts = "SELECT count(*) FROM person WHERE removed_at IS NULL AND brought_back = 'unknown'";
  const facts = {
    schema: schemaOf(db),
    gasAddress: hasWallet ? textOf(db, "SELECT gas_address FROM wallet") : null,
    /** When the backup was made, in Unix milliseconds; null for a database that is none. */
    madeAt: isBackup(db) ? highest("made_at", "backup") : null,
    /** The highest number given out, or possibly given out. */
    lastInvoice: latest([needed("sequence", "invoice"), (next("sequence") ?? 1) - 1]),
    lastCreditNote: latest([needed("sequence", "credit_note"), (next("credit_note") ?? 1) - 1]),
    lastReceipt: latest([needed("sequence", "receipt"), (next("receipt") ?? 1) - 1]),
    /** The newest epoch of deposit indexes and accounts. */
    epoch: Math.max(
      Epoch.ofIndex(latest([needed("deposit_index", "receivable"), next("deposit_index")])),
      Epoch.ofAccount(latest([needed("account_index", "merchant"), next("account_index")])),
    ),
    /** When anything was last created, paid, voided or recorded, in Unix milliseconds, as far as can be read. */
    newestMs: latest([
      highest("changed_at", "receivable"),
      highest("seen_at", "transfer"),
      highest("created_at", "webhook_event"),
      highest("created_at", "credit_note"),
      highest("created_at", "receipt"),
      ...newestOfMerchant.map(([column, table]) => highest(column, table)),
    ]),
    /** The block up to which the chain was read. */
    block: highest("block_number", "checkpoint"),
    /** The handles of who was removed from the desk, and whether an earlier restore, or a later Till, leaves that in doubt. */
    removedPeople: hasPeople ? PersonStore.listRemoved(db) : [],
    /** Who was removed from the desk and had an account elsewhere. */
    keptOut: hasAccounts ? AccountStore.listKeptOut(db) : [],
    doubtsPeople: !hasPeople || numberOf(db, doubts) !== 0,
  };
  return { ...facts, isReadable };
}

/** Returns whether two databases belong to one installation, whose wallet gives all deposit addresses. */
export function sameWallet(a: RestoreFacts, b: RestoreFacts): boolean {
  return a.gasAddress === b.gasAddress;
}

/** Returns whether one database knows at least as much as the other: an old copy lacks what came after it. */
export function isAsRecent(one: RestoreFacts, other: RestoreFacts): boolean {
  return (
    one.newestMs >= other.newestMs &&
    one.lastInvoice >= other.lastInvoice &&
    one.lastCreditNote >= other.lastCreditNote &&
    one.lastReceipt >= other.lastReceipt &&
    (one.block ?? -1) >= (other.block ?? -1)
  );
}

/**
 * The first invoice's number after a restore. Numbers may have no gaps: they continue after the replaced database
 * (`replaced`, null unless of the same wallet) if that is as recent as the backup, else where the operator says.
 * Returns null when nobody knows. Throws a NextInvoiceTaken.
 */
export function nextInvoiceAfter(
  backup: RestoreFacts,
  replaced: RestoreFacts | null,
  chosenNumber: number | null,
): number | null {
  const least = Math.max(backup.lastInvoice, replaced?.lastInvoice ?? 0) + 1;
  if (chosenNumber === null) return replaced !== null && isAsRecent(replaced, backup) ? least : null;
  if (chosenNumber < least) throw new NextInvoiceTaken(chosenNumber, least);
  return chosenNumber;
}

/** Numbers to skip when nobody knows which were given out since the backup. */
export const numbersLeftOut = 1_000;

/**
 * The first credit note's or receipt's number after a restore, as `nextInvoiceAfter`; where nobody knows, it skips enough
 * numbers to give none out twice. Throws a NextInvoiceTaken.
 */
export function nextNumberAfter(
  what: "credit note" | "receipt",
  backup: RestoreFacts,
  replaced: RestoreFacts | null,
  chosenNumber: number | null,
): number {
  const last = what === "receipt" ? "lastReceipt" : "lastCreditNote";
  const least = Math.max(backup[last], replaced?.[last] ?? 0) + 1;
  if (chosenNumber === null)
    return replaced !== null && isAsRecent(replaced, backup) ? least : least + numbersLeftOut;
  if (chosenNumber < least) throw new NextInvoiceTaken(chosenNumber, least, what);
  return chosenNumber;
}

const clockSkewMsMax = 60_000;

/**
 * The epoch in which deposits continue after a restore. Deposits made since the backup may be unknown, and reusing an
 * index would reuse its address: a late payment for an old invoice would be credited to a new one. Throws a
 * ClockBehind, but not with `trustClock`: then this clock is right, and an earlier one was ahead.
 */
export function epochAfter(
  backup: RestoreFacts,
  newestKnown: number,
  { now, trustClock = false }: { now: number; trustClock?: boolean },
): number {
  const backupMs = Math.max(backup.madeAt ?? 0, backup.newestMs);
  if (now + clockSkewMsMax < backupMs && !trustClock) throw new ClockBehind(now, "the backup", backupMs);
  const epoch = Epoch.afterRestore(newestKnown, now);
  if (epoch !== null) return epoch;
  if (trustClock) return Epoch.beyond(newestKnown, now);
  const began = "the newest range of deposit addresses began";
  throw new ClockBehind(now, began, Epoch.startMs(newestKnown));
}

/**
 * Records where new deposits, merchants' accounts, invoices, credit notes and receipts may begin, and never lowers it: nothing
 * that a lost database gave out may be given out again.
 */
export function raiseNumbers(
  db: Db,
  next: { epoch: number; sequence: number; creditNote: number; receipt: number },
): void {
  db.query(
    `UPDATE next_numbers SET deposit_index = max(deposit_index, $depositIndex),
       account_index = max(account_index, $accountIndex), sequence = max(sequence, $sequence),
       credit_note = max(credit_note, $creditNote), receipt = max(receipt, $receipt)`,
  ).run({
    depositIndex: Epoch.firstIndex(next.epoch),
    accountIndex: Epoch.firstAccount(next.epoch),
    sequence: next.sequence,
    creditNote: next.creditNote,
    receipt: next.receipt,
  });
}

/** The next deposits and merchants' accounts are those of the next epoch. */
export function beginEpoch(db: Db, now: number): void {
  const known = readFacts(db).epoch;
  const epoch = Epoch.after(known, now) ?? Epoch.beyond(known, now);
  raiseNumbers(db, { epoch, sequence: 1, creditNote: 1, receipt: 1 });
}

const secondMs = 1_000;
const hourMs = 3_600_000;
/**
 * One for each second of the first ten minutes, and for each ten minutes or a tenth of the usual time from then on. `most`
 * is far less than a search from the words alone goes on for without a trace.
 */
const leftOut = { least: 20, seconds: 600, perHour: 6, timesUsual: 10, most: 3_000, accounts: 5 };

/**
 * Leaves out as many deposit indexes as can have been given out since the last one here: the data may be a copy that was
 * put back, as with a snapshot of the machine, and whoever got an address since would pay for somebody else. Later means
 * more, so that a copy put back twice goes on in two places. Call it at each start, in a transaction.
 */
export function leaveOutUnknown(db: Db, now: number): void {
  const firstRunAt = numberOf(db, "SELECT first_run_at FROM next_numbers");
  if (firstRunAt === null) {
    db.query("UPDATE next_numbers SET first_run_at = ?").run(now);
    return;
  }
  const last = DepositStore.lastIndex(db);
  const begun = Epoch.ofIndex(DepositStore.nextIndex(db));
  const pace = begun === Epoch.ofIndex(last) ? DepositStore.pace(db) : null;
  const count = pace === null ? Number.POSITIVE_INFINITY : countSince(pace, now);
  if (count <= leftOut.most)
    db.query(
      "UPDATE next_numbers SET deposit_index = max(deposit_index, ?), account_index = max(account_index, ?)",
    ).run(last + 1 + count, PartyStore.lastAccount(db) + 1 + leftOut.accounts);
  // The search looks at the first indexes of each epoch: none of these is left out.
  else if (Math.max(begun, Epoch.at(firstRunAt)) < Epoch.at(now)) beginEpoch(db, now);
}

/** Returns how many can have been given out since the last one. */
function countSince({ lastMs, perHour }: DepositStore.Pace, now: number): number {
  const ms = Math.max(0, now - lastMs);
  const seconds = Math.min(leftOut.seconds, ms / secondMs);
  return Math.ceil(
    leftOut.least + seconds + (Math.max(leftOut.perHour, leftOut.timesUsual * perHour) * ms) / hourMs,
  );
}

/** The newest epoch begun in a data directory, whatever became of its database; 0 when there was none. */
export function markedEpoch(dataDir: string): number {
  const file = markFile(dataDir);
  if (!existsSync(file)) return 0;
  const epoch = Number(readFileSync(file, "utf8"));
  return Number.isSafeInteger(epoch) ? epoch : 0;
}

/** The newest epoch that a database, or its data directory, knows. */
export function knownEpoch(db: Db, dataDir: string): number {
  return Math.max(readFacts(db).epoch, markedEpoch(dataDir));
}

/** Records an epoch beside the database before anything is given out in it: a damaged database says nothing. */
export function markEpoch(dataDir: string, epoch: number): void {
  const unfinished = `${markFile(dataDir)}.tmp`;
  writeFileSync(unfinished, `${epoch}\n`, { mode: ownerOnlyFile });
  syncToDisk(unfinished);
  renameSync(unfinished, markFile(dataDir));
  syncToDisk(dataDir);
}

function markFile(dataDir: string): string {
  return `${databaseFile(dataDir)}.epoch`;
}

class NextInvoiceTaken extends Error {
  override readonly name = "NextInvoiceTaken";
  constructor(number: number, least: number, what: "invoice" | "credit note" | "receipt" = "invoice") {
    super(
      `Nothing was changed: ${what} number ${number} was given out already; the next can be ${least} at least.`,
    );
  }
}

/** Deposit indexes after a restore come from the clock: a wrong one could repeat some. */
class ClockBehind extends Error {
  override readonly name = "ClockBehind";
  constructor(now: number, what: string, whatMs: number) {
    super(
      `Nothing was changed: this machine's clock says ${new Date(now).toISOString()}, which is before ${what} ` +
        `(${new Date(whatMs).toISOString()}). Set the clock and try again. If it is right, one was ahead before: ` +
        "--trust-clock goes on after all that is known.",
    );
  }
}
