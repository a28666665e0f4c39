import { randomUUID } from "node:crypto";
import { parseArgs } from "node:util";
import { type Command, UsageError } from "./command.ts";
import { say, sayJson } from "./output.ts";
import { findInvoice, targetHelp } from "./target.ts";

export const send: Command = {
  help: `Usage: till send INVOICE [--json]

  INVOICE                ${targetHelp}
  --json                 answer as JSON
  --idempotency-key KEY  when no answer came, repeat with the same key: no second mail is sent

Mails the invoice to the vendor, every time it is called.

Example:
  till send INV-0001`,

  async run(args) {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: { json: { type: "boolean", default: false }, "idempotency-key": { type: "string" } },
    });
    const [word, ...more] = positionals;
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
};
