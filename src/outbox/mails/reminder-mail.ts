import * as Reminder from "../../domain/bill/reminder.ts";
import { toCustomer } from "./invoice-mail.ts";
import { invoiceOf, type MailTemplate } from "./mail-kind.ts";
import { attachmentsOf } from "./pdf.ts";

/** Asks the customer for what is left of an invoice. */
export const reminderMail: MailTemplate = {
  holds: (owner) => Reminder.refusal(invoiceOf(owner)) === null,

  async write(deps, owner, { withPdf }) {
    const invoice = invoiceOf(owner);
    return toCustomer(deps, invoice, "reminder", withPdf ? await attachmentsOf(deps, invoice) : []);
  },
};
