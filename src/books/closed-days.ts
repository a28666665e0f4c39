import * as Calendar from "../domain/calendar.ts";
import { type Db, transact } from "../store/database.ts";
import { counts } from "../store/reports/export/counted.ts";
import * as ExportStore from "../store/reports/export/export.ts";
import * as PreferenceStore from "../store/tables/desk/preference.ts";
import type { InvoiceHead } from "../store/tables/invoicing/invoice.ts";
import * as EventStore from "../store/tables/outbox/event.ts";

/** Closing the books: on closed days nothing is issued, voided or dated any more. */

/** `drafts` by number: they would count on their day once a customer opens the page. */
export type ClosedDaysRefusal = { kind: "day" } | { kind: "owner" } | { kind: "drafts"; numbers: string[] };

type ClosingRequest = {
  /** The last closed day; null opens all. */
  through: string | null;
  /** In the merchant's time zone. */
  today: string;
  /** Whether the person may reopen days. */
  mayOpen: boolean;
  /** Unix milliseconds. */
  now: number;
};

/** Closes or opens days in one transaction; returns what prevents it, or null once it is done. */
export function closeDays(
  db: Db,
  { through, today, mayOpen, now }: ClosingRequest,
): ClosedDaysRefusal | null {
  return transact(db, () => {
    const closed = PreferenceStore.closedThrough(db);
    if (through !== null && !(Calendar.isDay(through) && through < today)) return { kind: "day" };
    if (closed !== null && (through === null || through < closed) && !mayOpen) return { kind: "owner" };
    const numbers = through === null ? [] : draftsThrough(db, through);
    if (numbers.length > 0) return { kind: "drafts", numbers };
    PreferenceStore.setClosedThrough(db, through, now);
    return null;
  });
}

/** Returns whether a draft counts for another reason than a mail that may still fail. */
const isSeen = (db: Db, invoice: InvoiceHead) =>
  counts(db, invoice) &&
  (invoice.sentAt !== null ||
    invoice.credited > 0n ||
    EventStore.count(db, invoice.deposit.index, "invoice.opened") > 0);

function draftsThrough(db: Db, to: string): string[] {
  const numbers: string[] = [];
  for (const invoice of ExportStore.eachDraft(db, to)) if (!isSeen(db, invoice)) numbers.push(invoice.number);
  return numbers;
}
