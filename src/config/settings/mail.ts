import * as Reminder from "../../domain/bill/reminder.ts";
import * as Email from "../../domain/party/email.ts";
import { flagRow, oneOf, smtpUrl } from "../parse.ts";

/** The mail server, and outgoing mails. */
export const mailSettings = {
  SMTP_URL: {
    page: "mail",
    default: null,
    meaning:
      "the mail server, `smtp://…` or `smtps://…`; with `?requireTLS=true` mails never go out unencrypted; without a mail server they wait two days, then Till gives them up",
    parse: smtpUrl,
    wants:
      "a URL that starts with smtp:// or smtps://, with nothing after ? but requireTLS, ignoreTLS and tls.rejectUnauthorized, each =true or =false, and name=",
    isSecret: true,
  },
  MAIL_FROM: {
    page: "mail",
    default: "Till <till@localhost>",
    meaning: "the sender; required with `TILL_SMTP_URL`",
    parse: (text: string) => (Email.isMailbox(text) ? text : undefined),
    wants: "a mailbox such as Till <till@example.com>",
  },
  MAIL_ATTACH_PDF: {
    page: "mail",
    default: true,
    meaning: "attach the PDF to mails that bring an invoice or a receipt",
    ...flagRow,
  },
  E_INVOICE: {
    page: "mail",
    default: "off",
    meaning:
      "the e-invoice in mails that bring an invoice or a credit note: `factur-x`, inside the PDF (ZUGFeRD), or `ubl`, a separate XML file; the mail goes without it if something is missing",
    ...oneOf(["off", "factur-x", "ubl"]),
  },
  MAIL_RECEIPTS: {
    page: "mail",
    default: false,
    otherwise: "`true` with a mail server",
    meaning:
      "send mails about payments: receipts to customers who paid an invoice or asked for one at a link, and notices to the merchant",
    ...flagRow,
  },
  REMINDERS: {
    page: "documents",
    default: null,
    meaning:
      "when to remind customers of an unpaid invoice: days from its due date, such as `-3,0,7`, at 9 o'clock; an invoice can set its own",
    parse: Reminder.parseDays,
    wants: `up to ${Reminder.countMax} days from ${Reminder.daysMin} to ${Reminder.daysMax}, separated by commas, such as -3,0,7`,
  },
} as const;
