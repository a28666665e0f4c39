import type { Config } from "../config/config.ts";
import type { Log } from "../config/log-events.ts";
import { type Invoice, isPaid } from "../domain/bill/invoice.ts";
import { announce, type RecordSettings } from "../store/announce.ts";
import type { Db } from "../store/database.ts";
import { rehearse, stored } from "../store/group-commit.ts";
import * as IdempotencyStore from "../store/tables/installation/idempotency.ts";
import * as InvoiceStore from "../store/tables/invoicing/invoice.ts";
import * as ReceivableStore from "../store/tables/invoicing/receivable.ts";
import * as MailStore from "../store/tables/outbox/mail.ts";
import type { Caller, Once, Trial } from "./once.ts";
import { done, existing, invalid, type Outcome, refused } from "./outcome.ts";
import { type Correction, changedIn, parseCorrection } from "./request/correction.ts";

export type CorrectDeps = {
  db: Db;
  recordSettings: RecordSettings;
  config: Pick<Config, "timeZone">;
  now: () => number;
  log: Log;
  once: Once;
  onEventDue: () => void;
  /** Called when other reminders may be due. */
  onMailDue: () => void;
};

/** Field names for callers. */
const names = {
  vendorEmail: "vendor_email",
  dueDate: "due_date",
  reminders: "reminders",
  reference: "reference",
  language: "language",
} as const satisfies Record<keyof Correction, string>;

/** The due date and the reminders, which mean nothing once it is paid. */
const whileOwed: readonly (keyof Correction)[] = ["dueDate", "reminders"];

/**
 * Corrects anything but the amounts, even on an invoice that was sent. A void one cannot be corrected, and a paid one
 * cannot get another due date. No mail is sent; pending reminders are recalculated.
 */
export function createCorrecting({ db, recordSettings, now, log, once, ...deps }: CorrectDeps) {
  return (
    invoice: Invoice,
    input: unknown,
    { key, isTrial = false }: Caller & Trial,
  ): Promise<Outcome<Invoice>> => {
    const read = () => existing(InvoiceStore.bySequence(db, invoice.sequence));
    const make = async (claim: IdempotencyStore.Claim | null): Promise<Outcome<Invoice>> => {
      const parsed = parseCorrection(input, invoice);
      if (!parsed.ok) return invalid(parsed.faults);
      const outcome = await (isTrial ? rehearse : stored)(db, (): Outcome<Correction> => {
        const current = read();
        const change = changedIn(parsed.value, current);
        const fields = Object.keys(change) as (keyof Correction)[];
        const { number: name } = current;
        if (current.voidedAt !== null) return refused({ kind: "correction", why: "void", name });
        if (isPaid(current.status) && fields.some((field) => whileOwed.includes(field)))
          return refused({ kind: "correction", why: "settled", name });
        const at = now();
        if (claim) IdempotencyStore.insert(db, claim, String(current.sequence), at);
        if (fields.length === 0) return done(change);
        InvoiceStore.correct(db, { ...current, ...change, correctedAt: at });
        if (fields.some((field) => whileOwed.includes(field)))
          // Deleted, as one of the same day may be due again for the new date.
          MailStore.removeQueuedOf(db, current.deposit.index, "reminder");
        const corrections = fields.map((field) => ({
          field: names[field],
          from: current[field],
          to: change[field] ?? null,
        }));
        announce(db, recordSettings, ReceivableStore.briefAt(db, current.deposit.index), {
          type: "corrected",
          occasion: String(at),
          at,
          data: { corrections },
        });
        return done(change);
      });
      if (!outcome.ok) return outcome;
      if (isTrial) return done(read());
      log.info("invoice.corrected", "the merchant corrected an invoice", { invoice: invoice.number });
      deps.onEventDue();
      deps.onMailDue();
      return done(read());
    };
    return isTrial ? make(null) : once(key, ["correct", invoice.id, input], make, read);
  };
}
