import { marks } from "../../domain/receivable/closing.ts";
import { apiPath, creditNoteHelp, findOf, findTarget, nameOf, targetHelp } from "../api/target.ts";
import { command, json, onlyWord, UsageError } from "../command.ts";
import { answer } from "../terminal/output.ts";
import { agreed, refuseUnasked } from "../terminal/prompt.ts";
import { unfoldLines } from "./issue/line-item.ts";

/** Commands that do one thing to an invoice or a link, with one call to the API. */

export const comment = command({
  calls: ["INVOICE|LINK TEXT [--json]"],
  words: [
    ["INVOICE, LINK", targetHelp],
    ["TEXT", "the comment; \\n starts a new line"],
  ],
  flags: { json },
  about: "Adds a comment to the timeline of the invoice or link (see till show). Only you can read it.",
  examples: ['till comment INV-0001 "Called them, they pay on Monday"'],

  async run(values, [word, text, ...more]) {
    if (word === undefined || text === undefined || more.length > 0)
      throw new UsageError('say on what, and what in quotes: till comment INV-0001 "They pay on Monday"');
    const { client, target } = await findTarget(word);
    const noted = await client.post(`${apiPath(target)}/comments`, { text: unfoldLines(text) });
    return answer(values.json, noted, "Noted.");
  },
});

export const mark = command({
  calls: ["INVOICE|LINK paid|unpaid [FLAGS]"],
  words: [
    ["INVOICE, LINK", targetHelp],
    ["paid", "it was paid in another way, such as by bank or in cash"],
    ["unpaid", "undo that mark"],
  ],
  flags: {
    note: { value: "TEXT", text: "a note for you alone, kept with the event; customers never see it" },
    json,
  },
  about: `What you mark as paid asks for no more money until you mark it as unpaid. You cannot mark what is void, or what Till has seen paid in full.`,
  examples: ['till mark INV-0001 paid --note "By bank on 3 November"', "till mark INV-0001 unpaid"],

  async run({ note, json }, [word, as, ...more]) {
    if (word === undefined || !marks.some((mark) => mark === as) || more.length > 0)
      throw new UsageError("say what to mark, and as what: till mark INV-0001 paid, or unpaid.");
    const { client, target } = await findTarget(word);
    const body = { as, note: note && unfoldLines(note) };
    const record = await client.post(`${apiPath(target)}/mark`, body);
    return answer(json, record, `${nameOf(target)} is marked as ${as}.`);
  },
});

export const voidCommand = command({
  calls: ["INVOICE|LINK --reason TEXT [FLAGS]"],
  words: [["INVOICE, LINK", targetHelp]],
  flags: {
    reason: { value: "TEXT", text: "why; the customer reads it; \\n starts a new line" },
    yes: { text: "do not ask, for scripts" },
    json,
  },
  about: `You cannot undo this. The page and PDF say that it is void and ask for no money. If you mailed the invoice, Till mails the customer. You cannot void what has received money or is marked as paid.

A void reusable link starts no new payments; customers can still pay those already started.

If money comes anyway, Till credits and settles it as usual, and tells you.`,
  examples: ['till void INV-0001 --reason "Billed twice: please see INV-0002."'],

  async run({ reason, yes, json }, words) {
    const word = onlyWord(words, 'say what to void: till void INV-0001 --reason "Billed twice"');
    if (reason === undefined) throw new UsageError('say why, for the one who pays: --reason "Billed twice"');
    refuseUnasked(yes, "void");
    const { client, target } = await findOf(word, ["invoice", "link", "reusable"]);
    const name = nameOf(target);
    if (!(await agreed(yes, `Void ${name} for good?`, "Nothing was voided."))) return 1;
    const record = await client.post(`${apiPath(target)}/void`, { reason: unfoldLines(reason) });
    return answer(json, record, `${name} is void.`);
  },
});

type MailCall = {
  /** The API's call, and the command's name. */
  name: "send" | "remind";
  about: string;
  /** True if it also mails credit notes. */
  knowsCreditNotes: boolean;
  /** The message printed once the mail server has accepted it. */
  done: (number: string, email: string) => string;
};

/** Returns a command that mails an invoice's customer each time it is called. */
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

    async run(values, words) {
      const what = `which invoice${knowsCreditNotes ? " or credit note" : ""}`;
      const word = onlyWord(words, `say ${what}: till ${name} INV-0001`);
      const { client, target } = await findOf(word, [
        "invoice",
        ...(knowsCreditNotes ? ["credit_note" as const] : []),
      ]);
      const path = `${apiPath(target)}/${name}`;
      const mailed = await client.post<Mailed>(path, undefined, values["idempotency-key"]);
      if (!mailed.ok && !values.json) throw new Error(mailed.detail ?? "the mail was not sent.");
      answer(values.json, mailed, done(nameOf(target), target.record.vendor_email));
      return mailed.ok ? 0 : 1;
    },
  });

type Mailed = { ok: boolean; detail?: string };

export const send = mailCommand({
  name: "send",
  about: "Mails the invoice or the credit note to the customer each time you run it.",
  knowsCreditNotes: true,
  done: (number, email) => `${number} is on its way to ${email}.`,
});

export const remind = mailCommand({
  name: "remind",
  about:
    "Mails the customer what is left to pay each time you run it. TILL_REMINDERS sends its own reminders regardless.",
  knowsCreditNotes: false,
  done: (number, email) => `${email} is reminded of ${number}.`,
});
