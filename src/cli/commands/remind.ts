import { randomUUID } from "node:crypto";
import { findInvoice, targetHelp } from "../api/target.ts";
import { command, json, UsageError } from "../command.ts";
import { say, sayJson } from "../terminal/output.ts";

export const remind = command({
  calls: ["INVOICE [FLAGS]"],
  words: [["INVOICE", targetHelp]],
  flags: {
    "idempotency-key": {
      value: "KEY",
      text: "when no answer came, repeat with the same key: no second mail is sent",
    },
    json,
  },
  about:
    "Reminds the customer of what is left to pay, every time it is called. TILL_REMINDERS does so by itself; it sends each of its reminders all the same.",
  examples: ["till remind INV-0001"],

  async run(values, [word, ...more]) {
    if (word === undefined || more.length > 0)
      throw new UsageError("say of which invoice: till remind INV-0001");
    const { client, invoice } = await findInvoice(word);
    const key = values["idempotency-key"] ?? randomUUID();
    const answer = await client.post<{ ok: boolean; detail?: string }>(
      `/api/invoices/${invoice.id}/remind`,
      undefined,
      key,
    );
    if (values.json) sayJson(answer);
    else if (answer.ok) say(`${invoice.vendor_email} is reminded of ${invoice.invoice_number}.`);
    else throw new Error(answer.detail ?? "the mail was not sent.");
    return answer.ok ? 0 : 1;
  },
});
