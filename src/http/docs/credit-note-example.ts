import * as CreditNote from "../../domain/bill/credit-note.ts";
import * as Quantity from "../../domain/bill/quantity.ts";
import { creditNoteRecord } from "../../domain/record.ts";
import * as Usdc from "../../domain/usdc.ts";
import { instant } from "../../lib/time.ts";
import { invoice, paidAt } from "./exemplary.ts";

/** The sample invoice, partly credited, for /docs and /openapi.json. */

const wanted = [{ position: 0, quantity: Quantity.fromMillionths(2_000_000n) }];
const worked = CreditNote.work(invoice, [], { kind: "lines", lines: wanted });
if (!worked.ok) throw new Error("The exemplary invoice has a line with two pieces");

const note: CreditNote.CreditNote = {
  id: "9d2c7e15-40b8-4f6e-8a31-5c0be7d4f962",
  sequence: 7,
  number: "CN-0007",
  invoice: invoice.sequence,
  issueDate: "2026-11-06",
  reason: "Two hours were billed twice.",
  ...worked,
  usdc: worked.totals.total,
  toReturn: Usdc.zero,
  createdAt: paidAt + 86_400_000,
};

export const creditNoteAnswer = (baseUrl: string) => ({
  ...creditNoteRecord(baseUrl, invoice, note),
  sent_at: instant(note.createdAt + 1_204),
});

export const creditRequests = {
  "Smallest request": { reason: "The order was cancelled." },
  "Some of the lines": { reason: note.reason, lines: [{ line: 1, quantity: 2 }] },
  "Request with all fields": {
    reason: "A discount for the delay.",
    amounts: [{ amount: "25.00" }],
    send_now: true,
  },
};
