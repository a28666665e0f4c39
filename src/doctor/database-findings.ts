import type { Config } from "../config/config.ts";
import { collect, type Finding, type Topic } from "../domain/finding.ts";
import { isKnownSeller } from "../domain/party/party.ts";
import type { Network } from "../domain/wallet/network.ts";
import { counted, sentence } from "../lib/text/english.ts";
import { instant } from "../lib/time.ts";
import type { Db } from "../store/database.ts";
import { pendingLogBytes } from "../store/log.ts";
import * as ApiKeyStore from "../store/tables/installation/api-key.ts";
import * as BackupStore from "../store/tables/installation/backup.ts";
import * as WalletStore from "../store/tables/installation/wallet.ts";
import * as DepositStore from "../store/tables/invoicing/deposit.ts";
import * as PartyStore from "../store/tables/invoicing/party.ts";
import * as ReceiptStore from "../store/tables/invoicing/receipt.ts";
import * as RecurringStore from "../store/tables/invoicing/recurring.ts";
import * as EndpointStore from "../store/tables/outbox/endpoint.ts";
import { namedMax, type OnFinding, reporter } from "./finding.ts";
import { mailWarnings } from "./mail-findings.ts";
import { paymentWarnings, walletWarnings } from "./money-findings.ts";
import { relaysInWords, relayWarnings } from "./relay-state.ts";

/** Findings about the database, for both `till doctor` and a running Till. */
export function databaseFindings(db: Db, config: Config, now: number): Finding[] {
  return [
    ...logWarnings(db),
    ...paymentWarnings(db, now),
    ...walletWarnings(db, config.network.chainId, now),
    ...relayWarnings(db, config, now),
    ...mailWarnings(db, now),
    ...recurringWarnings(db),
    ...webhookWarnings(db),
    ...backupWarnings(db, now, config.network),
    ...keyWarnings(db, now),
    ...receiptWarnings(db, now),
  ];
}

/** Reports all findings except those about mails, topic by topic, or that a topic is fine. */
export function checkFindings(
  findings: readonly Finding[],
  { db, config, now }: { db: Db; config: Config; now: number },
  onFinding: OnFinding,
): void {
  const ageMs = backupAgeMs(db, now);
  const hours = counted(Math.max(0, Math.floor((ageMs ?? 0) / hourMs)), "hour");
  const well = "No node is known to contradict a payment, and no balance to differ from the books.";
  report("storage", null);
  report("backup", ageMs === null ? null : `The newest backup is ${hours} old.`);
  report("payments", well);
  report("wallet", null);
  report("signed payments", relaysInWords(db, config, now));
  report("keys", null);
  report("recurring", null);
  report("webhooks", null);
  report("receipts", null);

  function report(about: Topic, otherwise: string | null): void {
    if (!reportThose(findings, about, onFinding) && otherwise !== null)
      reporter(about, onFinding).ok(otherwise);
  }
}

/** Reports the findings about one topic, in sentences. Returns whether there were any. */
export function reportThose(findings: readonly Finding[], about: Topic, onFinding: OnFinding): boolean {
  const those = findings.filter((finding) => finding.about === about);
  for (const { message, advice, ...rest } of those)
    onFinding({ ...rest, message: sentence(message), advice: advice && sentence(advice) });
  return those.length > 0;
}

/** Twice the usual maximum of the log, in MiB. */
const logMibMax = 128;

/**
 * Warns that somebody has been reading the database for long: until they stop, its log cannot be checkpointed and grows
 * with each write.
 */
export function logWarnings(db: Db): Finding[] {
  const { findings, warning } = collect("storage");
  const mib = Math.floor(pendingLogBytes(db) / 1024 ** 2);
  if (mib > logMibMax)
    warning(
      `the log of the database, till.db-wal, has grown to ${mib} MiB, as another program has been reading the database all the time`,
      "end that program (fuser till.db names it), for example a sqlite3 shell with an open transaction: nothing is lost, but the disk may get full",
    );
  return findings;
}

/** Warns of endpoints that Till has paused, whose receivers get nothing. */
export function webhookWarnings(db: Db): Finding[] {
  const { findings, warning } = collect("webhooks");
  for (const { id, url, pausedAt, pauseCause, failure } of EndpointStore.list(db)) {
    if (pausedAt === null || pauseCause === "merchant") continue;
    // The rest of a URL may contain a secret.
    const { host } = new URL(url);
    const why = pauseCause === "gone" ? "it answered 410 Gone" : `it failed for five days: ${failure}`;
    warning(
      `the webhook endpoint ${id} at ${host} is paused since ${instant(pausedAt)}: ${why}`,
      `mend the receiver, then resume it with till endpoint resume ${id}, or delete it; GET /api/events has what it missed`,
      { code: "paused", host },
    );
  }
  return findings;
}

/** Warns of recurring invoices that Till does not make, so that nobody is billed. */
export function recurringWarnings(db: Db): Finding[] {
  const { findings, warning } = collect("recurring");
  for (const { id, status, reason } of RecurringStore.listTroubled(db, namedMax))
    if (status === "paused")
      warning(
        `the invoice ${id}, which repeats, is paused: ${reason?.said}`,
        `correct it at the desk or with PATCH /api/recurring/${id}, and resume it`,
      );
    else
      warning(
        `the invoice ${id}, which repeats, waits: ${reason?.said}`,
        "Till keeps trying; the rest goes on",
      );
  return findings;
}

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** A nightly backup is never older, even if one night failed. */
export const backupAgeMsMax = 2 * dayMs;

/** Returns the age of the newest backup; null if none was ever made with `till backup`. */
export function backupAgeMs(db: Db, now: number): number | null {
  const newest = BackupStore.newest(db);
  return newest && now - newest.madeAt;
}

/** By then somebody has set up the nightly one, if it works. */
export const unmadeMsMax = 3 * dayMs;

/** How old the first invoice or link is where a backup would be missed; null if one was made, or is not missed yet. */
export function unmadeMs(db: Db, now: number, { isLocal }: Pick<Network, "isLocal">): number | null {
  const issuedMs = now - (DepositStore.firstMs(db) ?? now);
  const isMissed = !isLocal && issuedMs > unmadeMsMax && !BackupStore.isReplicated(db);
  return isMissed && BackupStore.newest(db) === null ? issuedMs : null;
}

/** Warns of problems with the newest backup, or that there is none where it would be missed. */
export function backupWarnings(db: Db, now: number, network: Pick<Network, "isLocal">): Finding[] {
  const { findings, warning } = collect("backup");
  const newest = BackupStore.newest(db);
  if (newest === null) {
    const issuedMs = unmadeMs(db, now, network);
    if (issuedMs !== null)
      warning(
        `no backup is known, and the first invoice or link is ${counted(Math.floor(issuedMs / dayMs), "day")} old`,
        "make one with till backup FILE, and have cron make one every night; if it should do so already, its mail or log says what fails",
        { code: "unmade" },
      );
    return findings;
  }
  const { madeAt, hasWallet } = newest;
  const ageMs = now - madeAt;
  const at = instant(madeAt);
  // A backup dated by a clock that was ahead must not count as fresh for ever.
  const isOld = Math.abs(ageMs) > backupAgeMsMax;
  if (isOld && ageMs > 0)
    warning(
      `the newest backup is ${counted(Math.floor(ageMs / dayMs), "day")} old (${at})`,
      "make one with till backup FILE, and see why nothing makes one every night any more",
      { code: "old", madeAt },
    );
  else if (isOld)
    warning(
      `the newest backup is dated ${at}, which is in the future`,
      "set this machine's clock and make one with till backup FILE",
      { code: "old", madeAt },
    );
  if (!hasWallet && WalletStore.gasAddress(db) !== null)
    warning(
      `the newest backup (${at}) lacks the wallet`,
      "make one with till backup FILE, which says what keeps wallet.age out; until then keep a copy of that file, or its 12 words",
      { code: "bare" },
    );
  return findings;
}

const endsSoonMs = 7 * dayMs;
/** Anybody who still needs an expired key has noticed by then. */
const missedForMs = 30 * dayMs;

/** Warns of keys that expire within a week, and of expired ones that were in use. */
export function keyWarnings(db: Db, now: number): Finding[] {
  const { findings, warning } = collect("keys");
  const replace =
    "make another one with till key create, or at the desk, give it to the program, and revoke this one";
  for (const { name, expiresAt, lastUsedAt, revokedAt } of ApiKeyStore.list(db)) {
    if (expiresAt === null || revokedAt !== null || expiresAt - now > endsSoonMs) continue;
    const isOver = expiresAt <= now;
    if (isOver && (lastUsedAt === null || now - lastUsedAt > missedForMs)) continue;
    const verb = isOver ? "expired" : "expires";
    const used = isOver && lastUsedAt !== null ? `, and was last used at ${instant(lastUsedAt)}` : "";
    const facts = { code: "key", name, expiresAt, isOver } as const;
    warning(`the API key ${name} ${verb} at ${instant(expiresAt)}${used}`, replace, facts);
  }
  return findings;
}

/** By then somebody has dealt with it. */
const receiptNamedForMs = 30 * dayMs;

/**
 * Warns of sellers with tax who have not given their details, and of receipts without a rate; issued receipts stay as
 * they are.
 */
export function receiptWarnings(db: Db, now: number): Finding[] {
  const { findings, warning } = collect("receipts");
  const unstated = ReceiptStore.countWithoutRate(db, now - receiptNamedForMs, now);
  if (unstated > 0)
    warning(
      `${counted(unstated, "receipt")} of payment links ${unstated === 1 ? "states" : "state"} no tax in the currency of the seller's country: nobody knew a rate for a week`,
      "give your bookkeeper the rates of those days; with TILL_TAX_RATES=off nobody is asked",
    );
  for (const email of ReceiptStore.sellersSince(db, now - receiptNamedForMs)) {
    if (isKnownSeller(PartyStore.find(db, "merchant", email))) continue;
    warning(
      `no address or no tax number of ${email} is saved, and receipts with tax need both`,
      `save both: at the desk under Settings, Your shop, or with PUT /api/merchants/${email}`,
    );
  }
  return findings;
}
