import { randomUUID } from "node:crypto";
import { findInvoice, targetHelp } from "../api/target.ts";
import { command, json, UsageError } from "../command.ts";
import { say, sayJson } from "../terminal/output.ts";

export const send = command({
  calls: ["INVOICE [FLAGS]"],
  words: [["INVOICE", targetHelp]],
  flags: {
    "idempotency-key": {
      value: "KEY",
      text: "when no answer came, repeat with the same key: no second mail is sent",
    },
    json,
  },
  about: "Mails the invoice to the customer, every time it is called.",
  examples: ["till send INV-0001"],

  async run(values, [word, ...more]) {
    if (word === undefined || more.length > 0) throw new UsageError("say which invoice: till send INV-0001");
    const { client, invoice } = await findInvoice(word);
    const key = values["idempotency-key"] ?? randomUUID();
    const answer = await client.post<{ ok: boolean; detail?: string }>(
      `/api/invoices/${invoice.id}/send`,
      undefined,
      key,
    );
    if (values.json) sayJson(answer);
    else if (answer.ok) say(`${invoice.invoice_number} is on its way to ${invoice.vendor_email}.`);
    else throw new Error(answer.detail ?? "the mail was not sent.");
    return answer.ok ? 0 : 1;
  },
});
