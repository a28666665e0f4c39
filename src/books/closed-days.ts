import * as Calendar from "../domain/calendar.ts";
import { type Db, transact } from "../store/database.ts";
import { counts } from "../store/reports/export/counted.ts";
import * as ExportStore from "../store/reports/export/export.ts";
import * as PreferenceStore from "../store/tables/desk/preference.ts";
import type { InvoiceHead } from "../store/tables/invoicing/invoice.ts";
import * as EventStore from "../store/tables/outbox/event.ts";

/** Closing the books: on days that are closed nothing is issued, voided or dated any more. */

/** `drafts` by number: once a customer opens the page of one, it would count on its day. */
export type ClosedDaysRefusal = { kind: "day" } | { kind: "owner" } | { kind: "drafts"; numbers: string[] };

type Wish = {
  /** The last day that is closed; null opens all. */
  through: string | null;
  /** The merchant's. */
  today: string;
  /** Whether whoever asks may open days again. */
  mayOpen: boolean;
  /** Unix milliseconds. */
  now: number;
};

/** Closes or opens days in one transaction; says what stands in the way, or null when it is done. */
export function closeDays(db: Db, { through, today, mayOpen, now }: Wish): ClosedDaysRefusal | null {
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

/** Whether a draft counts, and not because of a mail alone that may still fail. */
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
