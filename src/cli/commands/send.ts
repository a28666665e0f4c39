import { randomUUID } from "node:crypto";
import type { Client } from "../api/client.ts";
import { creditNoteHelp, findInvoice, findNamed, targetHelp } from "../api/target.ts";
import { command, json, UsageError } from "../command.ts";
import { say, sayJson } from "../terminal/output.ts";

type MailCall = {
  /** The API's call, and the command's name. */
  name: "send" | "remind";
  about: string;
  /** Whether it also mails credit notes. */
  knowsCreditNotes: boolean;
  /** The message once the mail server has it. */
  done: (mailed: Pick<Mailed, "number" | "email">) => string;
};

/** What was mailed, and to whom. */
type Mailed = { client: Client; path: string; number: string; email: string };

async function findMailed(word: string, knowsCreditNotes: boolean): Promise<Mailed> {
  if (knowsCreditNotes) {
    const { client, target } = await findNamed(word);
    if (target.kind === "credit_note") {
      const { id, credit_note_number: number, vendor_email: email } = target.record;
      return { client, path: `/api/credit-notes/${id}`, number, email };
    }
  }
  const { client, invoice } = await findInvoice(word);
  const { id, invoice_number: number, vendor_email: email } = invoice;
  return { client, path: `/api/invoices/${id}`, number, email };
}

/** A command that mails an invoice's customer each time it is called. */
const mailCommand = ({ name, about, knowsCreditNotes, done }: MailCall) =>
  command({
    calls: [knowsCreditNotes ? "INVOICE|CREDIT-NOTE [FLAGS]" : "INVOICE [FLAGS]"],
    words: [["INVOICE", targetHelp], ...(knowsCreditNotes ? [["CREDIT-NOTE", creditNoteHelp] as const] : [])],
    flags: {
      "idempotency-key": {
        value: "KEY",
        text: "if you get no answer, repeat with the same key: Till sends no second mail",
      },
      json,
    },
    about,
    examples: [`till ${name} INV-0001`],

    async run(values, [word, ...more]) {
      if (word === undefined || more.length > 0)
        throw new UsageError(
          `say which invoice${knowsCreditNotes ? " or credit note" : ""}: till ${name} INV-0001`,
        );
      const { client, path, ...mailed } = await findMailed(word, knowsCreditNotes);
      const key = values["idempotency-key"] ?? randomUUID();
      const answer = await client.post<{ ok: boolean; detail?: string }>(`${path}/${name}`, undefined, key);
      if (values.json) sayJson(answer);
      else if (answer.ok) say(done(mailed));
      else throw new Error(answer.detail ?? "the mail was not sent.");
      return answer.ok ? 0 : 1;
    },
  });

export const send = mailCommand({
  name: "send",
  about: "Mails the invoice or the credit note to the customer each time you run it.",
  knowsCreditNotes: true,
  done: ({ number, email }) => `${number} is on its way to ${email}.`,
});

export const remind = mailCommand({
  name: "remind",
  about:
    "Mails the customer what is left to pay each time you run it. TILL_REMINDERS sends its own reminders regardless.",
  knowsCreditNotes: false,
  done: ({ number, email }) => `${email} is reminded of ${number}.`,
});
