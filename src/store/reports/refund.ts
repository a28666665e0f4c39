import * as Currency from "../../domain/bill/currency.ts";
import * as Calendar from "../../domain/calendar.ts";
import type * as Event from "../../domain/event/event.ts";
import { partOf, type RefundedPart } from "../../domain/link/bill.ts";
import * as Refund from "../../domain/payment/refund.ts";
import { refundRecord } from "../../domain/record/refund.ts";
import * as Usdc from "../../domain/usdc.ts";
import type { Vault } from "../../lib/crypto.ts";
import { announce, type RecordSettings } from "../announce.ts";
import type { Db } from "../database.ts";
import { placeOf } from "../secrets.ts";
import * as PreferenceStore from "../tables/desk/preference.ts";
import * as DepositStore from "../tables/invoicing/deposit.ts";
import * as LinkStore from "../tables/invoicing/link.ts";
import * as ReceivableStore from "../tables/invoicing/receivable.ts";
import * as RefundStore from "../tables/invoicing/refund.ts";
import * as MailStore from "../tables/outbox/mail.ts";
import { receivableAt } from "./receivable.ts";

/** The event for each new state of a refund. One that is requested again was on its way before. */
const eventOf: Record<Refund.State, Event.AnnouncedType> = {
  requested: "refund_failed",
  approved: "refund_approved",
  sent: "refund_sent",
  confirmed: "refunded",
  cancelled: "refund_cancelled",
};

/**
 * Returns the part of a receipt that a refund takes back at `at`; null if it was owed anyway, or there is no numbered
 * receipt.
 */
function takenBack(
  db: Db,
  { timeZone }: RecordSettings,
  { depositIndex, credited }: Pick<Refund.Refund, "depositIndex" | "credited">,
  at: number,
): RefundedPart | null {
  const link = LinkStore.byDeposit(db, depositIndex);
  if (credited === 0n || !link?.bill || link.receiptNumber === null) return null;
  const { bill, deposit, currency, markedPaidAt } = link;
  const { expected, tolerance } = DepositStore.asIssued(db, depositIndex);
  // A payment short by at most the tolerance counted as full.
  const isAll = markedPaidAt === null && Usdc.remaining(expected, deposit.received) <= tolerance;
  const paid = isAll ? Usdc.least(deposit.received, expected) : expected;
  const before = RefundStore.listTaking(db, depositIndex);
  const left = Usdc.remaining(paid, Usdc.sum(before.map((refund) => refund.credited)));
  const earlier = before.flatMap(({ takenBack }) => takenBack?.totals ?? []);
  return {
    issueDate: PreferenceStore.openDay(db, Calendar.dayAt(at, timeZone)),
    totals: partOf(bill, { usdc: credited, left, earlier }, Currency.minorOf(Currency.codeOf({ currency }))),
  };
}

/** The page where the customer of a refund names an address. Throws a SealBroken. */
export function claimUrlOf(
  baseUrl: string,
  { id, claimToken }: Pick<RefundStore.StoredRefund, "id" | "claimToken">,
  vault: Vault,
): string {
  if (claimToken === null) throw new Error(`Refund ${id} has no link`);
  return Refund.claimUrl(baseUrl, vault.open(claimToken, placeOf.refund(id)));
}

/** Stores a new refund and reports it. Call it in a transaction. */
export function makeRefund(
  db: Db,
  recordSettings: RecordSettings,
  refund: Omit<RefundStore.StoredRefund, "number" | "takenBack">,
): RefundStore.StoredRefund {
  const isDone = refund.state === "confirmed";
  const back = isDone ? takenBack(db, recordSettings, refund, refund.createdAt) : null;
  const made = RefundStore.insert(db, { ...refund, takenBack: back });
  tell(db, recordSettings, made, isDone ? "refunded" : "refund_requested", made.createdAt);
  return made;
}

/** Changes a refund and reports a new state, as of `at` (Unix milliseconds). Call it in a transaction. */
export function moveRefund(
  db: Db,
  recordSettings: RecordSettings,
  refund: RefundStore.StoredRefund,
  change: Parameters<typeof RefundStore.update>[2],
  at: number,
): RefundStore.StoredRefund {
  const hasEnded = change.state === "confirmed" || change.state === "cancelled";
  const before = change.state === undefined ? refund.endedAt : null;
  const endedAt = hasEnded ? at : before;
  // If its transfer left the chain and returned, the day of the first time remains.
  const isFirst = change.state === "confirmed" && refund.takenBack === null;
  const back = isFirst ? takenBack(db, recordSettings, refund, at) : refund.takenBack;
  const moved = RefundStore.update(db, refund, { ...change, endedAt, takenBack: back }, at);
  if (moved.state !== refund.state) tell(db, recordSettings, moved, eventOf[moved.state], at);
  return moved;
}

function tell(
  db: Db,
  recordSettings: RecordSettings,
  refund: RefundStore.StoredRefund,
  type: Event.AnnouncedType,
  at: number,
): void {
  const { id, depositIndex, email } = refund;
  const owner = receivableAt(db, depositIndex);
  announce(db, recordSettings, ReceivableStore.briefAt(db, depositIndex), {
    type,
    at,
    occasion: `${id} ${at}`,
    data: { refund: refundRecord(recordSettings.baseUrl, owner, refund) },
  });
  if (type === "refunded" && email !== null)
    MailStore.insertOnce(db, { depositIndex, kind: "refund", occasion: `${id}.done`, createdAt: at });
}
