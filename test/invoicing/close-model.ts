import type * as Closing from "../../src/domain/receivable/closing.ts";
import type * as Usdc from "../../src/domain/usdc.ts";

export type Kind = "invoice" | "link";

/** A transfer that is on the chain. */
export type Paid = { txHash: string; amount: Usdc.Usdc; confirmed: boolean };

const expected = 100_000_000n;

type Way = "none" | "partial" | "full" | "excess";

function compare(received: bigint): Way {
  if (received === 0n) return "none";
  if (received === expected) return "full";
  return received < expected ? "partial" : "excess";
}

const moneyEvents = { none: "", partial: "partially_paid", full: "paid", excess: "overpaid" };

/** What has to be so after each step, said once more and in another way than the code does. */
export function createModel(kind: Kind, form: "contract" | "standard") {
  let received = 0n;
  let isVoid = false;
  let isMarked = false;
  let isMailed = false;
  /** That money came to what it is now: the first is told of in any case. */
  let isTold = false;
  let isFirstMailQueued = kind === "invoice";
  const lost = new Set<string>();
  let counted = new Set<string>();
  const events: string[] = [];
  const reported = new Set<string>();
  const webhooks: string[] = [];
  const mails = new Set<string>();

  function status(): string {
    if (isVoid) return "void";
    const names =
      kind === "invoice"
        ? { none: isMailed ? "sent" : "draft", partial: "partial", full: "paid", excess: "excess" }
        : { none: "pending", partial: "partial", full: "confirmed", excess: "excess" };
    const way = compare(received);
    if (way === "excess") return names.excess;
    if (way === "full" || isMarked) return names.full;
    return kind === "link" && lost.size > 0 ? "error" : names[way];
  }

  function tell(event: string) {
    events.push(event);
    if (form === "standard") webhooks.push(status());
  }

  /** Only money is reported, and while it is marked only all of it. */
  function report() {
    const way = compare(received);
    const isTold = !isVoid && way !== "none" && !(isMarked && way === "partial") && status() !== "error";
    if (form !== "contract" || !isTold || reported.has(status())) return;
    reported.add(status());
    webhooks.push(status());
  }

  return {
    scan(paid: readonly Paid[]) {
      const before = compare(received);
      const had = received;
      const counts = paid.filter(({ confirmed }) => confirmed);
      const there = new Set(paid.map(({ txHash }) => txHash));
      for (const txHash of counted) if (!there.has(txHash)) lost.add(txHash);
      for (const { txHash } of counts) lost.delete(txHash);
      counted = new Set(counts.map(({ txHash }) => txHash));
      received = counts.reduce((sum, { amount }) => sum + amount, 0n);
      const way = compare(received);
      const isClosed = isVoid || isMarked;
      const isFirst = isClosed && !isTold && received > had;
      if (way === before && !isFirst) return;
      if (isClosed && received > had) isTold = true;
      if (received < had) tell("payment_reversed");
      else tell(isClosed ? "unexpected_payment" : moneyEvents[way]);
      report();
      if (received < had) return;
      if (isClosed) mails.add("notice unexpected");
      else if (way === "full" || way === "excess") {
        mails.add("notice");
        // Nobody asked for one of the link.
        if (kind === "invoice") mails.add("receipt");
      }
    },
    void(): Closing.ClosingRefusal | null {
      if (isVoid) return null;
      if (isMarked) return "marked";
      if (received > 0n) return "received";
      isVoid = true;
      isTold = false;
      tell("voided");
      if (isMailed) mails.add("void");
      isFirstMailQueued = false;
      return null;
    },
    mark(as: "paid" | "unpaid"): Closing.ClosingRefusal | null {
      if (isVoid) return "void";
      if (isMarked === (as === "paid")) return "unchanged";
      if (as === "paid" && received >= expected) return "paid";
      isMarked = as === "paid";
      isTold = false;
      tell(isMarked ? "marked_paid" : "marked_unpaid");
      report();
      if (isMarked) isFirstMailQueued = false;
      else if (received >= expected) {
        if (kind === "invoice") mails.add("receipt");
        // No mail about money is delivered here, so none has told the merchant.
        mails.add("notice");
      }
      return null;
    },
    mailed() {
      isMailed = true;
      isFirstMailQueued = false;
    },
    expected() {
      const unsent = isFirstMailQueued ? "queued" : "superseded";
      const first = isMailed ? "sent" : unsent;
      return {
        status: status(),
        received,
        isVoid,
        isMarked,
        events,
        webhooks,
        mails: [...(kind === "invoice" ? [`invoice  ${first}`] : []), ...mails].sort(),
      };
    },
  };
}
