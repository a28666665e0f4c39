import type { Attestation } from "../../chain/transfer/attest.ts";
import type { Config } from "../../config/config.ts";
import type { Transfer } from "../../domain/payment/transfer.ts";
import { type Db, transact } from "../../store/database.ts";
import * as BalanceStore from "../../store/tables/watch/balance.ts";
import * as OpinionStore from "../../store/tables/watch/opinion.ts";
import * as RereadStore from "../../store/tables/watch/reread.ts";
import * as TransferStore from "../../store/tables/watch/transfer.ts";
import { isNew } from "../node-health.ts";
import { type ApplyResult, updateTotals } from "../payment/payment.ts";
import type { ApplyOptions } from "../payment/standing.ts";

/** A question is repeated after half of the time since it was first asked, within these bounds. */
const askAgainMs = { min: 250, max: 3_600_000 };

/** How long to keep asking about a transfer that only one node vouches for. */
const aloneForMs = 86_400_000;

/**
 * How soon to compare balances after removing a transfer that never counted: the node may report it again endlessly.
 */
const goneAgainMs = 60_000;

/** A dispute between nodes ends after this long, unless the node that reported the transfer still knows it. */
const contradictedForMs = 86_400_000;

/**
 * One node's answer. `silent`: it said nothing about this, because it does not answer, is asked too often, or is on
 * another chain; `since` and `until`: the period in which it was asked in vain, about anything, in Unix ms.
 */
export type NodeAnswer = {
  node: string;
  answer: Attestation | { kind: "silent"; reason: string; since: number; until: number };
};

type Hearing = {
  inquiry: OpinionStore.Inquiry;
  others: readonly NodeAnswer[];
  /** The node that reported it, asked only if `wantsWitness`; null if it is no longer configured. */
  witness: NodeAnswer | null;
};

export type Verdict =
  | { kind: "counts"; opinion: "none" | "attested" | "alone"; by: string | null }
  /** It does not count, as the nodes disagree. */
  | { kind: "contradicted"; by: string; reason: string }
  /** No configured node knows it. */
  | { kind: "gone"; reason: string }
  /** Nothing new is known. `until`: when one node's word may suffice, in Unix ms; null if that is not in sight. */
  | { kind: "waits"; until: number | null };

export type JudgedInquiry = { inquiry: OpinionStore.Inquiry; verdict: Verdict };

/** The latest time for which anything can be planned now. */
export function latestAskAt(now: number): number {
  return now + askAgainMs.max;
}

/**
 * Decides whether a transfer counts, from the nodes' answers. It counts if one other node knows it. Otherwise a single
 * contradiction keeps it from counting; if all others contradict it and the node that reported it does not stand by it,
 * it never existed. A node without the block lags, but contradicts if its newest block is recent even after
 * `silenceMsMax`. One node's word suffices only if every other one was asked in vain for `silenceMsMax`, about
 * anything, including at the end: a node that is asked too often, or misses a call, is waited for. A dispute ends after
 * a day: if the payment is real, its money shows in the balance.
 */
export function judge(
  { inquiry, witness, others }: Hearing,
  mode: Config["secondOpinion"],
  now: number,
): Verdict {
  const knows = others.find(({ answer }) => answer.kind === "known");
  if (knows) return { kind: "counts", opinion: "attested", by: knows.node };
  if (inquiry.opinion === "doubted") return judgeDoubted({ inquiry, witness, others });
  if (others.length === 0) return { kind: "counts", opinion: "none", by: null };
  const contradictions = contradictionsOf(inquiry, others, now);
  const [first] = contradictions;
  if (isPast(inquiry, now) && witness?.answer.kind !== "known" && isAnswered([...others, witness]))
    return { kind: "gone", reason: first?.reason ?? "the node that told of it does not know it any more" };
  if (first) {
    const standsByIt = witness !== null && witness.answer.kind !== "contradicted";
    return standsByIt || contradictions.length < others.length
      ? { kind: "contradicted", by: first.node, reason: first.reason }
      : { kind: "gone", reason: first.reason };
  }
  if (inquiry.opinion === "contradicted" || mode === "strict") return { kind: "waits", until: null };
  const until = Math.max(...others.map(({ answer }) => silentUntil(answer, inquiry, now)));
  return until > now ? { kind: "waits", until } : { kind: "counts", opinion: "alone", by: null };
}

/** When a node has been silent about a transfer for long enough that another one's word suffices, in Unix ms. */
function silentUntil(answer: NodeAnswer["answer"], inquiry: OpinionStore.Inquiry, now: number): number {
  // A node that lags, or has pruned blocks, does answer, but can say nothing about this.
  if (answer.kind !== "silent") return (inquiry.askedAt ?? now) + OpinionStore.silenceMsMax;
  const enough = Math.min(Math.max(answer.since, inquiry.seenAt), now) + OpinionStore.silenceMsMax;
  // It may be back since it was last asked.
  return answer.until < enough ? Math.max(enough, now + 1) : enough;
}

/** Returns whether it matters, after the others' answers, if the node that reported a transfer stands by it. */
export function wantsWitness({ inquiry, others }: Omit<Hearing, "witness">, now: number): boolean {
  if (others.some(({ answer }) => answer.kind === "known")) return false;
  return (
    inquiry.opinion === "doubted" || isPast(inquiry, now) || contradictionsOf(inquiry, others, now).length > 0
  );
}

/** Returns whether the dispute has expired. */
function isPast({ opinion, seenAt }: OpinionStore.Inquiry, now: number): boolean {
  return opinion === "contradicted" && now - seenAt > contradictedForMs;
}

function isAnswered(said: readonly (NodeAnswer | null)[]): boolean {
  return said.some((one) => one !== null && one.answer.kind !== "silent");
}

function contradictionsOf(
  inquiry: OpinionStore.Inquiry,
  others: readonly NodeAnswer[],
  now: number,
): { node: string; reason: string }[] {
  const wasSilent = now - (inquiry.askedAt ?? now) >= OpinionStore.silenceMsMax;
  return others.flatMap(({ node, answer }) => {
    if (answer.kind === "contradicted") return [{ node, reason: answer.reason }];
    return wasSilent && answer.kind === "behind" && answer.head !== null && isNew(answer.head, now)
      ? [{ node, reason: "it is up to date and has no such block" }]
      : [];
  });
}

/** Judges a transfer that counted but whose money is missing: it is removed if all nodes contradict it. */
function judgeDoubted({ witness, others }: Hearing): Verdict {
  const all = [...others, ...(witness ? [witness] : [])];
  if (all.some(({ answer }) => answer.kind === "known")) return { kind: "counts", opinion: "none", by: null };
  const reasons = all.flatMap(({ answer }) => (answer.kind === "contradicted" ? [answer.reason] : []));
  return reasons.length === all.length
    ? { kind: "gone", reason: reasons[0] ?? "no node knows it" }
    : { kind: "waits", until: null };
}

/** The outcome for a transfer, for the log. */
type OpinionResult = {
  transfer: Transfer;
  kind: "contradicted" | "agreed" | "alone" | "gone";
  node: string;
  reason: string;
};

/**
 * Stores verdicts in one transaction with all consequences: transfers that now count are confirmed if their block is
 * deep enough (`confirmedUpTo`; null if unknown), and those that counted and no longer do are lost.
 */
export function applyVerdicts(
  db: Db,
  heard: readonly JudgedInquiry[],
  { confirmedUpTo, now }: { confirmedUpTo: number | null; now: number },
  options: ApplyOptions,
): { applied: ApplyResult; results: OpinionResult[] } {
  return transact(db, () => {
    const confirmed: Transfer[] = [];
    const lost: TransferStore.RecordedTransfer[] = [];
    const touched: Transfer[] = [];
    const results: OpinionResult[] = [];
    for (const { inquiry, verdict } of heard) {
      const tell = (kind: OpinionResult["kind"], node: string | null, reason: string) =>
        results.push({ transfer: inquiry, kind, node: node ?? "", reason });
      if (verdict.kind === "gone") {
        const removed = TransferStore.remove(db, inquiry);
        if (!removed) continue;
        const { blockNumber, depositIndex } = removed;
        const hasCounted = removed.countedAt !== null;
        BalanceStore.unexplain(db, depositIndex, blockNumber, hasCounted ? now : now + goneAgainMs);
        // If the nodes were wrong the money is there, so the block is read once more. Not for transfers that never
        // counted: a node whose logs and receipts differ would report them again endlessly.
        if (hasCounted) RereadStore.addLate(db, [depositIndex], { from: blockNumber, to: blockNumber }, now);
        (hasCounted ? lost : touched).push(removed);
        tell("gone", inquiry.toldBy, verdict.reason);
        continue;
      }
      const change = changeOf(db, inquiry, verdict, now);
      const row = OpinionStore.save(db, inquiry, change);
      if (!row) continue;
      const { opinion, by } = change;
      if (opinion === "contradicted") {
        if (row.confirmed) {
          OpinionStore.setConfirmed(db, inquiry, null);
          lost.push(inquiry);
        }
        touched.push(inquiry);
        if (inquiry.opinion !== "contradicted" && verdict.kind === "contradicted")
          tell("contradicted", by, verdict.reason);
      }
      if (opinion === "open" || opinion === "contradicted" || opinion === "doubted") continue;
      if (inquiry.opinion === "contradicted") {
        touched.push(inquiry);
        tell("agreed", by, "");
      }
      if (opinion === "alone" && inquiry.opinion !== "alone") tell("alone", inquiry.toldBy, "");
      touched.push(...TransferStore.removeElsewhere(db, inquiry));
      if (row.confirmed || confirmedUpTo === null || inquiry.blockNumber > confirmedUpTo) continue;
      OpinionStore.setConfirmed(db, inquiry, now);
      confirmed.push(inquiry);
    }
    return { applied: updateTotals(db, { confirmed, lost, touched }, now, options), results };
  });
}

function changeOf(
  db: Db,
  inquiry: OpinionStore.Inquiry,
  verdict: Exclude<Verdict, { kind: "gone" }>,
  now: number,
): OpinionStore.OpinionChange {
  const askedAt = Math.min(inquiry.askedAt ?? now, now);
  const pauseMs = Math.min(askAgainMs.max, Math.max(askAgainMs.min, (now - askedAt) / 2));
  const enough = askedAt + OpinionStore.silenceMsMax;
  const soon = now < enough ? enough : Number.POSITIVE_INFINITY;
  const until = verdict.kind === "waits" && verdict.until !== null ? verdict.until : soon;
  const askAt = Math.min(soon, Math.max(until, now + askAgainMs.min), Math.ceil(now + pauseMs));
  const again = { askedAt, askAt };
  const stays = { opinion: inquiry.opinion, by: null, ...again };
  if (verdict.kind === "waits") return stays;
  if (verdict.kind === "contradicted") return { opinion: "contradicted", by: verdict.by, ...again };
  const { opinion, by } = verdict;
  // A transaction is in one block only, and where it was attested it already counts.
  if (opinion === "alone" && OpinionStore.isAttestedElsewhere(db, inquiry)) return stays;
  const isFinal = opinion !== "alone" || now - inquiry.seenAt > aloneForMs;
  return { opinion, by, ...(isFinal ? { askedAt: null, askAt: null } : again) };
}
