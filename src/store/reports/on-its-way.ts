import type { Invoice } from "../../domain/bill/invoice.ts";
import * as Reminder from "../../domain/bill/reminder.ts";
import type { Crossing } from "../../domain/payment/crossing.ts";
import * as Usdc from "../../domain/usdc.ts";
import type { Db } from "../database.ts";
import * as RelayStore from "../tables/settle/relay.ts";
import * as CrossingStore from "../tables/watch/crossing.ts";

/** Returns whether money comes that the chain does not show yet: a payer has signed it, or Circle has. */
export const isOnItsWay = (db: Db, index: number): boolean =>
  RelayStore.onItsWay(db, index) !== null || Usdc.shows(CrossingStore.attested(db, index));

/** Returns why nobody may be reminded of an invoice now; null if they may. */
export const reminderRefusal = (db: Db, invoice: Invoice): Reminder.ReminderRefusal | null =>
  Reminder.refusal(invoice) ?? (isOnItsWay(db, invoice.deposit.index) ? "in_flight" : null);

/** `isDelayed`: whether payments are seen late. */
type Reading = { db: Db; now: () => number; isDelayed: () => boolean };

/** The crossing of which a payer is told; null if there is none, or what it brought is in the books. */
export const crossingShown = ({ db, now, isDelayed }: Reading, depositIndex: number): Crossing | null =>
  CrossingStore.foremost(db, depositIndex, (minted) => !isDelayed() && isOver(minted, now()));

/** What comes for certain of the crossing that is shown: nobody is asked to pay it again. */
export function crossingAmount(reading: Reading, depositIndex: number): Usdc.Usdc {
  const shown = crossingShown(reading, depositIndex);
  return (shown?.state === "unknown" ? null : shown?.amount) ?? Usdc.zero;
}

/**
 * The watcher may see it after the contract was asked: nobody is to pay it once more meanwhile. A chain that was last read
 * longer ago is delayed.
 */
const bookedWithinMs = 60_000;

/** Returns whether what was minted would be in the books by now, unless the chain is delayed. */
const isOver = ({ endedAt }: Crossing, now: number): boolean =>
  Math.abs(now - (endedAt ?? now)) > bookedWithinMs;
