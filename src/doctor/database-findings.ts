import type { Config } from "../config/config.ts";
import { collect, type Finding, type Topic } from "../domain/finding.ts";
import { isKnownSeller } from "../domain/party/party.ts";
import * as Usdc from "../domain/usdc.ts";
import { counted, sentence } from "../lib/text/english.ts";
import { instant } from "../lib/time.ts";
import type { Certificate } from "../mail/smtp/connection.ts";
import type { Db } from "../store/database.ts";
import { pendingLogBytes } from "../store/log.ts";
import * as MailFailures from "../store/reports/mail-failures.ts";
import * as ApiKeyStore from "../store/tables/installation/api-key.ts";
import * as InstallationStore from "../store/tables/installation/installation.ts";
import * as WalletStore from "../store/tables/installation/wallet.ts";
import * as PartyStore from "../store/tables/invoicing/party.ts";
import * as ReceiptStore from "../store/tables/invoicing/receipt.ts";
import * as ReceivableStore from "../store/tables/invoicing/receivable.ts";
import * as RecurringStore from "../store/tables/invoicing/recurring.ts";
import * as EndpointStore from "../store/tables/outbox/endpoint.ts";
import * as EventStore from "../store/tables/outbox/event.ts";
import * as GasTransactionStore from "../store/tables/settle/gas-transaction.ts";
import * as UnknownDepositStore from "../store/tables/settle/unknown-deposit.ts";
import * as UnsettledStore from "../store/tables/settle/unsettled.ts";
import * as WithdrawalStore from "../store/tables/settle/withdrawal.ts";
import * as BalanceStore from "../store/tables/watch/balance.ts";
import * as LostTransferStore from "../store/tables/watch/lost-transfer.ts";
import * as OpinionStore from "../store/tables/watch/opinion.ts";
import * as RereadStore from "../store/tables/watch/reread.ts";
import * as TransferStore from "../store/tables/watch/transfer.ts";
import { type OnFinding, reporter } from "./finding.ts";
import { relaysInWords, relayWarnings } from "./relay-state.ts";
import { ownerName } from "./replay.ts";

/** What both `till doctor` and a running Till find in the database. */
export function databaseFindings(db: Db, config: Config, now: number): Finding[] {
  return [
    ...logWarnings(db),
    ...paymentWarnings(db, now),
    ...walletWarnings(db, config.network.chainId, now),
    ...relayWarnings(db, config, now),
    ...mailWarnings(db, now),
    ...recurringWarnings(db),
    ...webhookWarnings(db),
    ...backupWarnings(db, now),
    ...keyWarnings(db, now),
    ...receiptWarnings(db, now),
  ];
}

/** Reports all but those about mails, topic by topic, or that a topic is well. */
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

/** Reports those about one topic, in sentences. Returns whether there were any. */
export function reportThose(findings: readonly Finding[], about: Topic, onFinding: OnFinding): boolean {
  const those = findings.filter((finding) => finding.about === about);
  for (const { message, advice, ...rest } of those)
    onFinding({ ...rest, message: sentence(message), advice: advice && sentence(advice) });
  return those.length > 0;
}

/** Twice of what the log gets by itself, in MiB. */
const logMibMax = 128;

/** That somebody has read the database for long: until they stop, its log is not brought in, and grows with each write. */
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

const lostPaymentsNamedMax = 10;
const lostPaymentsNamedForMs = 86_400_000;

const namedMax = 5;

/** By then somebody has dealt with it; the events keep it. */
const unexpectedNamedForMs = 30 * 86_400_000;

/** Everything counts before, `finalized` as well, unless TILL_CONFIRMATIONS is a very large number. */
const stuckMs = 2 * 3_600_000;

const moreAdvice =
  "Till keeps reading the blocks: give TILL_RPC_URL another node, or compare with a block explorer";

/**
 * What somebody has to look at: confirmed payments lost in a reorg, for a day; money for what nobody owes, for 30; what
 * nodes disagree about; and addresses whose balance differs from the books.
 */
export function paymentWarnings(db: Db, now: number): Finding[] {
  const lost = LostTransferStore.listUncovered(db, now - lostPaymentsNamedForMs, lostPaymentsNamedMax);
  const { contradicted, alone, waiting } = OpinionStore.tally(db, now);
  const unread = RereadStore.lateProblem(db);
  const { findings, warning, wrong } = collect("payments");
  for (const hash of lost)
    warning(
      `the confirmed payment ${hash} left the chain and has not come back`,
      "check whether you have shipped for it; Till credits it again if it comes back",
    );
  const unexpected = EventStore.listUnexpected(db, now - unexpectedNamedForMs, namedMax);
  if (unexpected.deposits.length > 0) {
    warning(
      `money came to what is void or marked as paid: ${namesOf(db, unexpected)}`,
      "it is credited and settled as any other: ask the payer, and refund it yourself if nobody owed it",
    );
  }
  if (contradicted > 0)
    wrong(
      `the nodes contradict each other about ${counted(contradicted, "payment")}, which Till does not count: ${OpinionStore.listContradicted(db, namedMax).join(", ")}`,
      "one of the nodes is wrong or lies: look the transaction up in a block explorer, and take that node out of TILL_RPC_URL",
    );
  const unexplained = (
    cause: BalanceStore.Cause,
    find: typeof warning,
    what: (plural: boolean) => string,
    advice: string,
  ) => {
    const { count, total, deposits } = BalanceStore.listUnexplained(db, cause, namedMax);
    if (count === 0) return;
    const named = deposits.map(({ address, amount }) => `${Usdc.formatExact(amount)} USDC at ${address}`);
    const others = count > named.length ? `, and ${count - named.length} more` : "";
    const message = `${what(count > 1)}: ${named.join(", ")}${others}`;
    find(message, advice, cause === "left" ? { code: "left", amount: total } : undefined);
  };
  unexplained(
    "missing",
    wrong,
    () => "less is there than was credited, and nothing was moved from there",
    "a node told of a payment that was none, or tells of balances that are none: compare with a block explorer before you ship",
  );
  unexplained(
    "left",
    warning,
    (plural) =>
      plural
        ? "settlements left the chain after they were final, and are made again"
        : "a settlement left the chain after it was final, and is made again",
    "Till makes its own again by itself, and somebody else's unless TILL_SETTLE is manual: then run till settle",
  );
  unexplained("untold", wrong, () => "more is there than any node tells of", moreAdvice);
  const unknown = UnknownDepositStore.list(db, now - unexpectedNamedForMs);
  if (unknown[0] !== undefined) {
    const named = unknown.slice(0, namedMax).map(({ address }) => address);
    wrong(
      `the data is older than the chain, as after a snapshot was put back: money came to ${counted(unknown.length, "deposit")} that it does not know (${named.join(", ")}), and numbers above ${unknown[0].lastSequence} may be on bills already`,
      "restore the newest backup; without one, till recover --settle moves what is there, and till backup and till restore --next-invoice go on above the numbers that customers have",
    );
  }
  const stuck = TransferStore.listStuck(db, stuckMs);
  if (stuck.length > 0)
    warning(
      `${counted(stuck.length, "payment")} of more than two hours ago ${stuck.length === 1 ? "does" : "do"} not count yet: ${stuck.slice(0, namedMax).join(", ")}`,
      "unless TILL_CONFIRMATIONS asks for as much, the node has forgotten the block: give TILL_RPC_URL another one",
    );
  if (unread) warning(`late payments are not found: ${unread}`, moreAdvice);
  if (alone > 0)
    warning(
      `${counted(alone, "payment")} counted on the word of one node, as no other one answered`,
      "look after the other nodes in TILL_RPC_URL; Till asks them again",
    );
  if (waiting > 0)
    warning(
      `${counted(waiting, "payment")} cannot count before a second node answers, the first since ${instant(OpinionStore.waitingSince(db) ?? now)}`,
      "look after the nodes in TILL_RPC_URL: one is silent, asked too often or behind",
    );
  return findings;
}

/** A withdrawal has ended an hour after it was begun; blocks take some time to become final. */
const overdueMs = 1_800_000;

/**
 * What somebody has to look at about Till's wallet. That somebody else has its words is said for as long as the wallet is
 * used: nothing makes them secret again.
 */
export function walletWarnings(db: Db, chainId: number, now: number): Finding[] {
  const { findings, warning, wrong } = collect("wallet");
  const exposures = WithdrawalStore.listExposures(db, chainId);
  const [exposure] = exposures;
  if (exposure) {
    const { amount, from, failure, txHash } = exposure;
    const how = failure === "cancelled" ? "cancelled" : "used the nonce of";
    const others = exposures.length === 1 ? "" : `, the latest of ${exposures.length}`;
    wrong(
      `somebody else has the wallet's 12 words: they ${how} the withdrawal of ${Usdc.formatExact(amount)} USDC from ${from} in ${txHash}${others}`,
      WithdrawalStore.exposureAdvice,
      { code: "exposed", withdrawal: exposure.id },
    );
  }
  for (const withdrawal of WithdrawalStore.listPending(db, chainId)) {
    const { amount, from, transactionId, validBeforeSec } = withdrawal;
    const which = `the withdrawal of ${Usdc.formatExact(amount)} USDC from ${from}`;
    const isReverted =
      transactionId !== null && GasTransactionStore.byId(db, transactionId)?.state === "reverted";
    const ends = instant(validBeforeSec * 1_000);
    if (now > validBeforeSec * 1_000 + overdueMs)
      warning(
        `${which} was over at ${ends}, and no node has shown how it ended`,
        "give TILL_RPC_URL a node that keeps all logs, and look at the wallet in a block explorer",
      );
    else if (isReverted)
      warning(
        `the transaction of ${which} reverted; it is not sent again, and the withdrawal ends at ${ends}`,
        "till wallet withdraw sends it again now; the page of the withdrawal at the desk says what the token has against it",
      );
  }
  const recovered = Usdc.sum(UnsettledStore.listRecovered(db).map(({ amount }) => amount));
  if (recovered > 0n)
    warning(
      `recovered money is still at deposit addresses: ${Usdc.formatExact(recovered)} USDC`,
      "till recover --settle moves it",
      { code: "recovered", amount: recovered },
    );
  for (const { nonce, reason, createdAt } of GasTransactionStore.listLate(db, chainId))
    warning(
      `the chain has not taken transaction ${nonce} of the gas account (${reason}) since ${instant(createdAt)}`,
      `look the gas account up in a block explorer: if its next nonce is not ${nonce}, take the node that says so out of TILL_RPC_URL; if it is, Till sends it again by itself once fees and ETH allow`,
    );
  return findings;
}

/** Older ones need no warning: what was not mailed is a draft in the list of invoices. */
const namedForMs = 7 * 86_400_000;

/** Certificates are renewed with a third of their time to go: with less than this left, that has failed for a while. */
const renewedBefore = 1 / 6;
const renewedBeforeMsMax = 14 * 86_400_000;

/** That the mail server's certificate ends soon. Till hands no mail to a server whose certificate has ended. */
export function certificateWarnings(certificate: Certificate | null, now: number): Finding[] {
  if (certificate === null) return [];
  const { from, to } = certificate;
  if (to - now > Math.min(renewedBeforeMsMax, (to - from) * renewedBefore)) return [];
  const { findings, warning } = collect("certificate");
  warning(
    `the mail server's certificate ends at ${instant(to)}`,
    "renew it, or tell whoever runs the mail server: afterwards no mail goes out",
  );
  return findings;
}

/**
 * The last week's mails that somebody has to look at: failing and retried, given up, or with an unknown outcome. They
 * name hosts and people, so they are not public.
 */
export function mailWarnings(db: Db, now: number): Finding[] {
  const scope = { createdAfter: now - namedForMs, namedMax };
  const { findings, warning } = collect("mail");
  const warn = (code: "failing" | "failed" | "unknown", is: string, advice: string) => {
    const failures = MailFailures.find(db, code, scope);
    if (!failures) return;
    const { count, since, reason } = failures;
    const atLeast = count === MailFailures.countMax ? "at least " : "";
    const mails = `${atLeast}${counted(count, "mail")} ${is} since ${instant(since)}`;
    const message = `${mails} (${namesOf(db, failures)}): ${reason.replace(/\.$/, "")}`;
    warning(message, advice, { code, count, reason });
  };
  warn(
    "failing",
    "could not be sent",
    "Till keeps trying for two days; check TILL_SMTP_URL and the mail server",
  );
  warn(
    "failed",
    "given up",
    "correct the cause and send it again, with till send or at the desk, or give the customer its link yourself",
  );
  warn(
    "unknown",
    "may or may not have arrived",
    "ask the customer or look at the mail server, then use till send or the desk: Till does not repeat them by itself",
  );
  return findings;
}

/** The endpoints that Till has paused: their receivers hear of nothing. */
export function webhookWarnings(db: Db): Finding[] {
  const { findings, warning } = collect("webhooks");
  for (const { id, url, pausedAt, pauseCause, failure } of EndpointStore.list(db)) {
    if (pausedAt === null || pauseCause === "merchant") continue;
    // The rest of a URL may hold a secret.
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

/** The invoices that repeat and that Till does not make: nobody is billed meanwhile. */
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

function namesOf(db: Db, { deposits, hasMore }: { deposits: readonly number[]; hasMore: boolean }): string {
  const names = deposits.map((index) => ownerName(ReceivableStore.nameOf(db, index), index));
  return `${names.join(", ")}${hasMore ? ", …" : ""}`;
}

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** A nightly backup is never older, even if one night failed. */
export const backupAgeMsMax = 2 * dayMs;

/** How old the newest backup is; null when none was ever made with `till backup`. */
export function backupAgeMs(db: Db, now: number): number | null {
  const newest = InstallationStore.newestBackup(db);
  return newest && now - newest.madeAt;
}

/** What is wrong with the newest backup. */
export function backupWarnings(db: Db, now: number): Finding[] {
  const newest = InstallationStore.newestBackup(db);
  if (newest === null) return [];
  const { madeAt, hasWallet } = newest;
  const ageMs = now - madeAt;
  const at = instant(madeAt);
  const { findings, warning } = collect("backup");
  // A backup from a clock that was ahead must not count as fresh for ever.
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
/** Whoever still needs a key that is over has noticed by then. */
const missedForMs = 30 * dayMs;

/** The keys that end within a week, and those that have ended and were in use. */
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

/** Whoever sells with tax has to say who they are; a receipt that was issued without it stays as it is. */
export function receiptWarnings(db: Db, now: number): Finding[] {
  const { findings, warning } = collect("receipts");
  const unstated = ReceiptStore.countWithoutRate(db, now - unexpectedNamedForMs, now);
  if (unstated > 0)
    warning(
      `${counted(unstated, "receipt")} of payment links ${unstated === 1 ? "states" : "state"} no tax in the currency of the seller's country: nobody knew a rate for a week`,
      "give your bookkeeper the rates of those days; with TILL_TAX_RATES=off nobody is asked",
    );
  for (const email of ReceiptStore.sellersSince(db, now - unexpectedNamedForMs)) {
    if (isKnownSeller(PartyStore.find(db, "merchant", email))) continue;
    warning(
      `no address or no tax number of ${email} is saved, and receipts with tax need both`,
      `save both: at the desk under Settings, Your shop, or with PUT /api/merchants/${email}`,
    );
  }
  return findings;
}
