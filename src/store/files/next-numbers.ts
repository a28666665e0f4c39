import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import * as Epoch from "../../domain/wallet/epoch.ts";
import { ownerOnlyFile, syncToDisk } from "../../lib/file.ts";
import { type Db, databaseFile } from "../database.ts";

/**
 * Records where new deposits, merchants' accounts, invoices and credit notes may begin, and never lowers it: nothing
 * that a lost database gave out may be given out again.
 */
export function raise(db: Db, next: { epoch: number; sequence: number; creditNote: number }): void {
  db.query(
    `UPDATE next_numbers SET deposit_index = max(deposit_index, $depositIndex),
       account_index = max(account_index, $accountIndex), sequence = max(sequence, $sequence),
       credit_note = max(credit_note, $creditNote)`,
  ).run({
    depositIndex: Epoch.firstIndex(next.epoch),
    accountIndex: Epoch.firstAccount(next.epoch),
    sequence: next.sequence,
    creditNote: next.creditNote,
  });
}

/** The newest epoch begun in a data directory, whatever became of its database; 0 when there was none. */
export function markedEpoch(dataDir: string): number {
  const file = markFile(dataDir);
  if (!existsSync(file)) return 0;
  const epoch = Number(readFileSync(file, "utf8"));
  return Number.isSafeInteger(epoch) ? epoch : 0;
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
