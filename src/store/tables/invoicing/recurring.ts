import type * as Recurring from "../../../domain/bill/recurring.ts";
import * as Email from "../../../domain/party/email.ts";
import { boolean, columns, integer, json, orNull, selectAll, selectOne, text } from "../../columns.ts";
import { type Db, textOf } from "../../database.ts";
import { type Page, page } from "../../page.ts";

const stored = columns("recurring", {
  number: integer(),
  id: text(),
  merchantEmail: text(),
  confinedTo: orNull(text()),
  invoice: json<Recurring.Recurring["invoice"]>(),
  dueDays: integer(),
  schedule: json<Recurring.Schedule>(),
  sendNow: boolean(),
  missed: text<Recurring.Missed>(),
  status: text<Recurring.Status>(),
  pauseCause: orNull(text<Recurring.PauseCause>()),
  reason: orNull(json<Recurring.Reason>()),
  handledTo: text(),
  leftOutTo: text(),
  nextDate: orNull(text()),
  made: integer(),
  createdAt: integer(),
});

/** `number` is its position in the list; `confinedTo` the merchant of the key that made it. */
export type Series = Recurring.Recurring & { number: number; confinedTo: string | null };

const merchantOf = ({ merchantEmail }: Pick<Series, "merchantEmail">) => Email.normalize(merchantEmail);

export function insert(db: Db, series: Omit<Series, "number">): void {
  const isNew = stored.omit("number");
  db.query(isNew.insert({ merchant: "$merchant" })).run({
    ...isNew.values(series),
    merchant: merchantOf(series),
  });
}

export function update(db: Db, series: Series): void {
  db.query(
    `UPDATE recurring SET merchant_email = $merchantEmail, merchant = $merchant, confined_to = $confinedTo,
       invoice = $invoice, due_days = $dueDays, schedule = $schedule, send_now = $sendNow, missed = $missed,
       status = $status, pause_cause = $pauseCause, reason = $reason, handled_to = $handledTo,
       left_out_to = $leftOutTo, next_date = $nextDate, made = $made
     WHERE id = $id`,
  ).run({ ...stored.omit("number", "createdAt").values(series), merchant: merchantOf(series) });
}

export const byId = (db: Db, id: string): Series | null => selectOne(db, stored, "WHERE id = ?", id);

type Filter = { limit: number; before?: number | undefined; merchant?: string | null };

/** Newest first. */
export const list = (db: Db, { limit, before, merchant }: Filter): Page<Series> =>
  page(db, { from: stored, equal: { merchant }, order: ["number"], after: before, limit });

/** Series due on or before a day, after a position in the list, oldest first. */
export const listDue = (db: Db, day: string, after: number, limit: number): Series[] =>
  selectAll(
    db,
    stored,
    "WHERE status = 'active' AND number > ? AND next_date <= ? ORDER BY number LIMIT ?",
    after,
    day,
    limit,
  );

/** Series that Till has paused, or that are waiting. */
export const listTroubled = (db: Db, limit: number): Series[] =>
  selectAll(db, stored, "WHERE status <> 'ended' AND reason IS NOT NULL ORDER BY number LIMIT ?", limit);

const made = columns("recurring_made", { recurringId: text(), day: text(), sequence: integer() });
export type Made = ReturnType<typeof made.fromRow>;

/** Throws if an invoice for this date was already made. */
export function insertMade(db: Db, row: Made): void {
  db.query(made.insert()).run(made.values(row));
}

export const isMade = (db: Db, id: string, day: string): boolean =>
  selectOne(db, made, "WHERE recurring_id = ? AND day = ?", id, day) !== null;

/** The newest date up to a day for which an invoice was made. */
export const newestMade = (db: Db, id: string, to: string): string | null =>
  textOf(db, "SELECT max(day) FROM recurring_made WHERE recurring_id = ? AND day <= ?", id, to);

/** Series whose dates are handled up to a day still to come, also those that ended with their last one. */
export const listAhead = (db: Db, day: string): Series[] =>
  selectAll(db, stored, "WHERE status <> 'paused' AND handled_to > ?", day);

/** The newest first. */
export const listMade = (db: Db, id: string, limit: number): Made[] =>
  selectAll(db, made, "WHERE recurring_id = ? ORDER BY day DESC LIMIT ?", id, limit);

/**
 * Invoices that a backup lacks may have been made and mailed: pausing avoids billing anybody twice, and the merchant is
 * told.
 */
export function pauseRestored(db: Db): void {
  db.run(
    `UPDATE recurring SET status = 'paused', pause_cause = 'restored',
       reason = json_object('kind', 'restored',
         'said', 'a backup was restored, which may lack what was made since')
     WHERE status = 'active'`,
  );
}
