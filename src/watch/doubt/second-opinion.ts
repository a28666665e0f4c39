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

/** A question is asked again after half of the time since it was asked first, within these. */
const askAgainMs = { min: 250, max: 3_600_000 };

/** How long to keep asking about a transfer that only one node vouches for. */
const aloneForMs = 86_400_000;

/** When balances are compared after a transfer went that never counted: the node may tell of it again, without end. */
const goneAgainMs = 60_000;

/** What nodes contradict each other about ends after so long, unless the one that told of it knows it still. */
const contradictedForMs = 86_400_000;

/**
 * What one node says. `silent`: it said nothing about this, because it does not answer, is asked too often, or is not of
 * this chain; `since` and `until`: between these it was asked in vain, whatever it was asked, in Unix ms.
 */
export type NodeAnswer = {
  node: string;
  answer: Attestation | { kind: "silent"; reason: string; since: number; until: number };
};

type Hearing = {
  inquiry: OpinionStore.Inquiry;
  others: readonly NodeAnswer[];
  /** The node that told of it, asked only when `wantsTeller`; null when it is not configured any more. */
  teller: NodeAnswer | null;
};

export type Verdict =
  | { kind: "counts"; opinion: "none" | "attested" | "alone"; by: string | null }
  /** It does not count: the nodes disagree. */
  | { kind: "contradicted"; by: string; reason: string }
  /** No configured node knows it. */
  | { kind: "gone"; reason: string }
  /** Nothing new is known. `until`: when one node's word may be enough, in Unix ms; null when that is not in sight. */
  | { kind: "waits"; until: number | null };

export type Heard = { inquiry: OpinionStore.Inquiry; verdict: Verdict };

/** The latest time at which anything can be due that was planned now. */
export function latestAskAt(now: number): number {
  return now + askAgainMs.max;
}

/**
 * Whether a transfer counts, after what the nodes said. It counts when one other node knows it. Else one node that
 * contradicts it keeps it from counting; when all others do and the node that told of it does not stand by it, it never
 * was. A node without the block lags; one whose newest block is new all the same after `silenceMsMax` contradicts. One
 * node's word is enough only when every other one was asked in vain for `silenceMsMax`, at its end too, whatever it was
 * asked: one that is asked too often, or misses a call, is waited for. A contradiction ends after a day: if the payment
 * is real, its money shows in the balance.
 */
export function judge(
  { inquiry, teller, others }: Hearing,
  mode: Config["secondOpinion"],
  now: number,
): Verdict {
  const knows = others.find(({ answer }) => answer.kind === "known");
  if (knows) return { kind: "counts", opinion: "attested", by: knows.node };
  if (inquiry.opinion === "doubted") return judgeDoubted({ inquiry, teller, others });
  if (others.length === 0) return { kind: "counts", opinion: "none", by: null };
  const contradictions = contradictionsOf(inquiry, others, now);
  const [first] = contradictions;
  if (isPast(inquiry, now) && teller?.answer.kind !== "known" && isAnswered([...others, teller]))
    return { kind: "gone", reason: first?.reason ?? "the node that told of it does not know it any more" };
  if (first) {
    const standsByIt = teller !== null && teller.answer.kind !== "contradicted";
    return standsByIt || contradictions.length < others.length
      ? { kind: "contradicted", by: first.node, reason: first.reason }
      : { kind: "gone", reason: first.reason };
  }
  if (inquiry.opinion === "contradicted" || mode === "strict") return { kind: "waits", until: null };
  const until = Math.max(...others.map(({ answer }) => silentUntil(answer, inquiry, now)));
  return until > now ? { kind: "waits", until } : { kind: "counts", opinion: "alone", by: null };
}

/** When a node has said nothing about a transfer for so long that the word of another one is enough, in Unix ms. */
function silentUntil(answer: NodeAnswer["answer"], inquiry: OpinionStore.Inquiry, now: number): number {
  // What lags, or has thrown blocks away, answers, and can say nothing about this.
  if (answer.kind !== "silent") return (inquiry.askedAt ?? now) + OpinionStore.silenceMsMax;
  const enough = Math.min(Math.max(answer.since, inquiry.seenAt), now) + OpinionStore.silenceMsMax;
  // It may be back since it was last asked.
  return answer.until < enough ? Math.max(enough, now + 1) : enough;
}

/** Whether it matters if the node that told of a transfer stands by it, after what the others said. */
export function wantsTeller({ inquiry, others }: Omit<Hearing, "teller">, now: number): boolean {
  if (others.some(({ answer }) => answer.kind === "known")) return false;
  return (
    inquiry.opinion === "doubted" || isPast(inquiry, now) || contradictionsOf(inquiry, others, now).length > 0
  );
}

/** Whether the contradiction has expired. */
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

/** Judges what has counted while its money is not there: it goes when all nodes contradict it. */
function judgeDoubted({ teller, others }: Hearing): Verdict {
  const all = [...others, ...(teller ? [teller] : [])];
  if (all.some(({ answer }) => answer.kind === "known")) return { kind: "counts", opinion: "none", by: null };
  const reasons = all.flatMap(({ answer }) => (answer.kind === "contradicted" ? [answer.reason] : []));
  return reasons.length === all.length
    ? { kind: "gone", reason: reasons[0] ?? "no node knows it" }
    : { kind: "waits", until: null };
}

/** What became of a transfer, for the log. */
type OpinionResult = {
  transfer: Transfer;
  kind: "contradicted" | "agreed" | "alone" | "gone";
  node: string;
  reason: string;
};

/**
 * Writes verdicts down, as one transaction with all that follows from them: what counts from now on is confirmed if its
 * block is deep enough (`confirmedUpTo`; null when that is not known yet), what counted and does not any more is lost.
 */
export function applyVerdicts(
  db: Db,
  heard: readonly Heard[],
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
        BalanceStore.unexplain(db, depositIndex, blockNumber, removed.confirmed ? now : now + goneAgainMs);
        // If the nodes were wrong the money is there: the block is read once more. Not for what never counted, as a
        // node whose logs and receipts differ would tell of it again, without end.
        if (removed.confirmed)
          RereadStore.addLate(db, [depositIndex], { from: blockNumber, to: blockNumber }, now);
        (removed.confirmed ? lost : touched).push(removed);
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
  // One transaction is in one block only, and where it was attested it counts already.
  if (opinion === "alone" && OpinionStore.isAttestedElsewhere(db, inquiry)) return stays;
  const isFinal = opinion !== "alone" || now - inquiry.seenAt > aloneForMs;
  return { opinion, by, ...(isFinal ? { askedAt: null, askAt: null } : again) };
}
