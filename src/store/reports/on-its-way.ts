import type { Invoice } from "../../domain/bill/invoice.ts";
import * as Reminder from "../../domain/bill/reminder.ts";
import type { Crossing } from "../../domain/payment/crossing.ts";
import * as Usdc from "../../domain/usdc.ts";
import * as Address from "../../domain/wallet/address.ts";
import type { Db } from "../database.ts";
import * as RelayStore from "../tables/settle/relay.ts";
import * as CrossingStore from "../tables/watch/crossing.ts";
import * as DepositTransferStore from "../tables/watch/deposit-transfer.ts";

/** Returns whether money comes that the chain does not show yet: a payer has signed it, or Circle has. */
export const isOnItsWay = (db: Db, index: number): boolean =>
  RelayStore.onItsWay(db, index) !== null || Usdc.shows(CrossingStore.attested(db, index));

/** Returns why nobody may be reminded of an invoice now; null if they may. */
export const reminderRefusal = (db: Db, invoice: Invoice): Reminder.ReminderRefusal | null =>
  Reminder.refusal(invoice) ?? (isOnItsWay(db, invoice.deposit.index) ? "in_flight" : null);

/** `isDelayed`: whether payments are seen late. */
type Reading = { db: Db; now: () => number; isDelayed: () => boolean };

/** The crossing of which a payer is told; null if there is none, or what it brought is in the books. */
export function crossingShown({ db, now, isDelayed }: Reading, depositIndex: number): Crossing | null {
  const newest = CrossingStore.foremost(db, depositIndex);
  if (newest === null || isBooked(db, newest)) return null;
  return isOver(newest, now()) && !isDelayed() ? null : newest;
}

/** What comes for certain of the crossing that is shown: no payer is asked for as much again. */
export function crossingAmount(reading: Reading, depositIndex: number): Usdc.Usdc {
  const shown = crossingShown(reading, depositIndex);
  return (shown?.state === "unknown" ? null : shown?.amount) ?? Usdc.zero;
}

/**
 * The watcher may see it after the contract was asked: nobody is to pay it once more meanwhile. A chain that was last read
 * longer ago is delayed.
 */
const bookedWithinMs = 60_000;

/** Returns whether it was minted, and what arrived is in the books unless the chain is delayed, or was never known. */
const isOver = ({ state, amount, endedAt }: Crossing, now: number): boolean =>
  state === "arrived" && (amount === null || Math.abs(now - (endedAt ?? now)) > bookedWithinMs);

/**
 * True if it is among the transfers: the watcher may see it before the contract is asked again, and what is counted
 * already must not stand for what is still due.
 */
function isBooked(db: Db, { depositIndex, amount, createdAt }: Crossing): boolean {
  if (amount === null) return false;
  const minted = { depositIndex, payer: Address.zero, amount };
  const [last] = DepositTransferStore.listEqual(db, minted, 1);
  return last !== undefined && last.seenAt >= createdAt;
}
