import * as Usdc from "../../domain/usdc.ts";
import type * as Answer from "../../http/fields/answer-schemas.ts";
import type * as EventAnswer from "../../http/fields/event-schemas.ts";
import { type InvoiceRecord, type Payable, standingOf } from "../api/target.ts";
import type { Columns, Facts, TextCell } from "../terminal/table.ts";
import { amountText, timeText, usdc } from "./format.ts";

/** Rows common to invoices and links. */

const sumText = (sum: Usdc.Usdc = Usdc.zero) => (sum === 0n ? null : usdc(Usdc.formatExact(sum)));

export const owed = [
  ["Left to pay", (record: Payable) => sumText(standingOf(record)?.due)],
  ["To return", (record: Payable) => sumText(standingOf(record)?.toReturn)],
] as const;

type Closed = Pick<InvoiceRecord, "marked_paid_at" | "voided_at" | "void_reason">;

/** How the merchant closed it. */
export const closing: Facts<Closed> = [
  ["Marked paid", "marked_paid_at", timeText],
  ["Voided", "voided_at", timeText],
  ["Reason", "void_reason"],
];

export type Transfer = (typeof Answer.TransferRecord)["static"];
export type EventRecord = (typeof Answer.EventRecord)["static"];
export type TimelineEntry = (typeof EventAnswer.TimelineEntry)["static"];

const depthCell = ({ confirmed, confirmations }: Transfer): TextCell =>
  confirmed ? { text: "confirmed", color: "green" } : { text: `${confirmations} deep`, color: "yellow" };

export const payments: Columns<Transfer> = [
  [{ right: "AMOUNT" }, "amount", amountText],
  ["STATE", depthCell],
  ["SEEN", "seen_at", timeText],
  [{ right: "BLOCK" }, "block_number"],
  [{ below: "TX" }, "tx_hash"],
  [{ below: "FROM" }, "from"],
];

function stateCell(state: string): TextCell {
  if (state === "delivered") return { text: state, color: "green" };
  return state === "failed" ? { text: state, color: "red" } : state;
}

function lastResult({ attempts }: EventRecord): string {
  const last = attempts.at(-1);
  return last?.reason ?? String(last?.http_status ?? "");
}

/** Events with their state, and the result of the last attempt. */
export const events: Columns<EventRecord> = [
  ["STATUS", "status"],
  ["TO", ({ endpoint_id, url }) => endpoint_id ?? new URL(url).host],
  ["STATE", "state", stateCell],
  [{ right: "ATTEMPTS" }, ({ attempts }) => String(attempts.length)],
  ["NEXT", "next_attempt_at", timeText],
  [{ below: "ID" }, "id"],
  ["LAST", lastResult],
];

export const timeline: Columns<TimelineEntry> = [
  ["TIME", "at", timeText],
  ["WHAT HAPPENED", "summary"],
];
