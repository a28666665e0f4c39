import { counted } from "../lib/text/english.ts";
import { instant } from "../lib/time.ts";
import type { Db } from "../store/database.ts";
import * as InstallationStore from "../store/tables/installation/installation.ts";
import * as WalletStore from "../store/tables/installation/wallet.ts";
import { type Finding, inSentences, type OnFinding, reporter } from "./finding.ts";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** A backup of every night is never older, even after one night that went wrong. */
export const backupAgeMsMax = 2 * dayMs;

/** The newest backup, and how it is; null when none was ever made with `till backup`. */
export function newestBackup(db: Db, now: number) {
  const newest = InstallationStore.newestBackup(db);
  if (newest === null) return null;
  const ageMs = now - newest.madeAt;
  return {
    madeAt: newest.madeAt,
    ageMs,
    // Not fresh for ever when the clock was ahead that made it.
    isOld: Math.abs(ageMs) > backupAgeMsMax,
    lacksWallet: !newest.hasWallet && WalletStore.gasAddress(db) !== null,
  };
}

/** What is wrong with the newest backup. */
export function backupWarnings(db: Db, now: number): Finding[] {
  const newest = newestBackup(db, now);
  if (newest === null) return [];
  const findings: Finding[] = [];
  const warn = (message: string, advice: string) =>
    findings.push({ check: "backup", level: "warning", message: `the newest backup ${message}`, advice });
  const { ageMs, isOld, lacksWallet } = newest;
  const at = instant(newest.madeAt);
  if (isOld && ageMs > 0)
    warn(
      `is ${counted(Math.floor(ageMs / dayMs), "day")} old (${at})`,
      "make one with till backup FILE, and see why nothing makes one every night any more",
    );
  else if (isOld)
    warn(
      `is dated ${at}, which is in the future`,
      "set this machine's clock and make one with till backup FILE",
    );
  if (lacksWallet)
    warn(
      `(${at}) lacks the wallet`,
      "make one with till backup FILE, which says what keeps wallet.age out; until then keep a copy of that file, or its 12 words",
    );
  return findings;
}

/** What `till doctor` reports about it. */
export function checkBackup(db: Db, now: number, onFinding: OnFinding): void {
  const findings = backupWarnings(db, now);
  for (const finding of findings) onFinding(inSentences(finding));
  const newest = newestBackup(db, now);
  if (newest === null || findings.length > 0) return;
  const hours = Math.max(0, Math.floor(newest.ageMs / hourMs));
  reporter("backup", onFinding).ok(`The newest backup is ${counted(hours, "hour")} old.`);
}
