import * as Usdc from "../domain/usdc.ts";
import { counted } from "../lib/text/english.ts";
import type { Db } from "../store/database.ts";
import * as DepositStore from "../store/tables/invoicing/deposit.ts";
import * as EventStore from "../store/tables/outbox/event.ts";
import * as BalanceStore from "../store/tables/watch/balance.ts";
import * as OpinionStore from "../store/tables/watch/opinion.ts";
import * as RereadStore from "../store/tables/watch/reread.ts";
import * as TransferStore from "../store/tables/watch/transfer.ts";
import { type Finding, inSentences, type OnFinding, reporter } from "./finding.ts";
import { ownerName } from "./replay.ts";

const lostPaymentsNamedMax = 10;
const lostPaymentsNamedForMs = 86_400_000;

const namedMax = 5;

/** By then somebody has dealt with it; the events keep it. */
const unexpectedNamedForMs = 30 * 86_400_000;

const moreAdvice =
  "Till keeps reading the blocks: give TILL_RPC_URL another node, or compare with a block explorer";

/**
 * What somebody has to look at: confirmed payments lost in a reorg, for a day; money for what nobody owes, for 30; what
 * nodes disagree about; and addresses whose balance differs from the books.
 */
export function paymentWarnings(db: Db, now: number): Finding[] {
  const lost = TransferStore.listUncoveredLost(db, now - lostPaymentsNamedForMs, lostPaymentsNamedMax);
  const { contradicted, alone, waiting } = OpinionStore.tally(db, now);
  const unread = RereadStore.lateProblem(db);
  const findings: Finding[] = [];
  const warn = (level: Finding["level"], message: string, advice: string) =>
    findings.push({ check: "payments", level, message, advice });
  for (const hash of lost)
    warn(
      "warning",
      `the confirmed payment ${hash} left the chain and has not come back`,
      "check whether you have shipped for it; Till credits it again if it comes back",
    );
  const unexpected = EventStore.listUnexpected(db, now - unexpectedNamedForMs, namedMax);
  if (unexpected.deposits.length > 0) {
    const named = unexpected.deposits.map((index) => ownerName(DepositStore.nameOf(db, index), index));
    warn(
      "warning",
      `money came to what is void or marked as paid: ${named.join(", ")}${unexpected.hasMore ? ", …" : ""}`,
      "it is credited and settled as any other: ask the payer, and refund it yourself if nobody owed it",
    );
  }
  if (contradicted > 0)
    warn(
      "wrong",
      `the nodes contradict each other about ${counted(contradicted, "payment")}, which Till does not count: ${OpinionStore.listContradicted(db, namedMax).join(", ")}`,
      "one of the nodes is wrong or lies: look the transaction up in a block explorer, and take that node out of TILL_RPC_URL",
    );
  const unexplained = (
    cause: BalanceStore.Cause,
    level: Finding["level"],
    what: (plural: boolean) => string,
    advice: string,
  ) => {
    const { count, deposits } = BalanceStore.listUnexplained(db, cause, namedMax);
    if (count === 0) return;
    const named = deposits.map(({ address, amount }) => `${Usdc.formatExact(amount)} USDC at ${address}`);
    const others = count > named.length ? `, and ${count - named.length} more` : "";
    warn(level, `${what(count > 1)}: ${named.join(", ")}${others}`, advice);
  };
  unexplained(
    "missing",
    "wrong",
    () => "less is there than was credited, and nothing was moved from there",
    "a node told of a payment that was none, or tells of balances that are none: compare with a block explorer before you ship",
  );
  unexplained(
    "left",
    "warning",
    (plural) =>
      plural
        ? "settlements left the chain after they were final, and are made again"
        : "a settlement left the chain after it was final, and is made again",
    "Till makes its own again by itself, and somebody else's unless TILL_SETTLE is manual: then run till settle",
  );
  unexplained("untold", "wrong", () => "more is there than any node tells of", moreAdvice);
  if (unread) warn("warning", `late payments are not found: ${unread}`, moreAdvice);
  if (alone > 0)
    warn(
      "warning",
      `${counted(alone, "payment")} counted on the word of one node, as no other one answered`,
      "look after the other nodes in TILL_RPC_URL; Till asks them again",
    );
  if (waiting > 0)
    warn(
      "warning",
      `${counted(waiting, "payment")} cannot count before a second node answers, the first since ${new Date(OpinionStore.waitingSince(db) ?? now).toISOString()}`,
      "look after the nodes in TILL_RPC_URL: one is silent, asked too often or behind",
    );
  return findings;
}

/** What `till doctor` reports about them. */
export function checkPayments(db: Db, now: number, onFinding: OnFinding): void {
  const findings = paymentWarnings(db, now);
  for (const finding of findings) onFinding(inSentences(finding));
  if (findings.length === 0)
    reporter("payments", onFinding).ok(
      "No node is known to contradict a payment, and no balance to differ from the books.",
    );
}
