import { randomUUID } from "node:crypto";
import { findInvoice, type InvoiceRecord, targetHelp } from "../api/target.ts";
import { command, json, UsageError } from "../command.ts";
import { say, sayJson } from "../terminal/output.ts";

type MailCall = {
  /** The call of the API, and the name of the command. */
  name: "send" | "remind";
  about: string;
  /** What to say once the mail server has it. */
  done: (invoice: InvoiceRecord) => string;
};

/** A command that mails an invoice's customer, every time it is called. */
const mailCommand = ({ name, about, done }: MailCall) =>
  command({
    calls: ["INVOICE [FLAGS]"],
    words: [["INVOICE", targetHelp]],
    flags: {
      "idempotency-key": {
        value: "KEY",
        text: "when no answer came, repeat with the same key: no second mail is sent",
      },
      json,
    },
    about,
    examples: [`till ${name} INV-0001`],

    async run(values, [word, ...more]) {
      if (word === undefined || more.length > 0)
        throw new UsageError(`say which invoice: till ${name} INV-0001`);
      const { client, invoice } = await findInvoice(word);
      const key = values["idempotency-key"] ?? randomUUID();
      const answer = await client.post<{ ok: boolean; detail?: string }>(
        `/api/invoices/${invoice.id}/${name}`,
        undefined,
        key,
      );
      if (values.json) sayJson(answer);
      else if (answer.ok) say(done(invoice));
      else throw new Error(answer.detail ?? "the mail was not sent.");
      return answer.ok ? 0 : 1;
    },
  });

export const send = mailCommand({
  name: "send",
  about: "Mails the invoice to the customer, every time it is called.",
  done: (invoice) => `${invoice.invoice_number} is on its way to ${invoice.vendor_email}.`,
});

export const remind = mailCommand({
  name: "remind",
  about:
    "Reminds the customer of what is left to pay, every time it is called. TILL_REMINDERS does so by itself; it sends each of its reminders all the same.",
  done: (invoice) => `${invoice.vendor_email} is reminded of ${invoice.invoice_number}.`,
});
