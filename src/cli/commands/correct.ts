import * as Reminder from "../../domain/bill/reminder.ts";
import { InvoiceCorrection } from "../../invoicing/request/correction.ts";
import { FieldsRefused } from "../api/client.ts";
import { apiPath, findOf, type InvoiceRecord, nameOf, targetHelp } from "../api/target.ts";
import { command, json, onlyWord, UsageError } from "../command.ts";
import { answer } from "../terminal/output.ts";
import { draftOf, flagOf, flagsOf, type Rows } from "./issue/fields.ts";

/** An empty text clears the field. */
const clearable = (typed: string) => typed || null;

/** Anything but a list of days stays text, so that the API states what it must be. */
function daysOf(typed: string) {
  if (typed === "") return null;
  return typed === "none" ? [] : (Reminder.parseDays(typed) ?? typed);
}

const rows: Rows<Record<string, unknown>> = {
  vendor_email: { value: "EMAIL", text: "who pays; mails go there from now on" },
  customer_email: null,
  due_date: { value: "DATE", text: "YYYY-MM-DD" },
  reminders: {
    value: "DAYS",
    text: 'days from the due date, as in --reminders=-3,0,7; "none", or "" for those of TILL_REMINDERS',
    read: daysOf,
  },
  reference: { value: "TEXT", text: 'yours, for your own books; "" for none', read: clearable },
  language: { value: "CODE", text: 'of mails, PDF and page; "" for that of the settings', read: clearable },
};

const fields = { schema: { properties: InvoiceCorrection.properties }, rows };

export const correct = command({
  calls: ["INVOICE [FLAGS]"],
  words: [["INVOICE", targetHelp]],
  flags: {
    ...flagsOf(fields),
    "idempotency-key": {
      value: "KEY",
      text: "if you get no answer, repeat with the same key: Till changes nothing twice",
    },
    json,
  },
  about: `Changes what is not the bill itself, also after it was sent. Till mails nobody; till send does. What is void stays as it is, and what is paid keeps its due date.

Lines, amounts and names never change: void or credit the invoice, and make it anew.`,
  examples: ["till correct INV-0001 --customer-email billing@globex.example"],

  async run(values, words) {
    const example = "till correct INV-0001 --due-date 2030-02-28";
    const word = onlyWord(words, `say which invoice, and what is to change: ${example}`);
    const change = draftOf(fields, values);
    if (Object.keys(change).length === 0) throw new UsageError(`say what is to change: ${example}`);
    const { client, target } = await findOf(word, ["invoice"]);
    const name = nameOf(target);
    try {
      const key = values["idempotency-key"];
      const record = await client.patch<InvoiceRecord>(apiPath(target), change, key);
      return answer(values.json, record, `${name} is corrected. till send ${name} mails it.`);
    } catch (thrown) {
      if (!(thrown instanceof FieldsRefused)) throw thrown;
      throw new FieldsRefused(thrown.faults.map((fault) => ({ ...fault, field: flagOf(rows, fault.field) })));
    }
  },
});
