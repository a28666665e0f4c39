import type { Message } from "../../mail/smtp/message.ts";
import type { Db } from "../../store/database.ts";
import type * as MailStore from "../../store/tables/outbox/mail.ts";
import { creditMail } from "./credit-mail.ts";
import { invoiceMail, reminderMail } from "./invoice-mail.ts";
import type { MailDeps, MailTemplate } from "./mail-kind.ts";
import type { Owner } from "./owner.ts";
import { noticeMail, receiptMail } from "./receipt-mail.ts";
import { voidMail } from "./void-mail.ts";

const kinds: Record<MailStore.MailKind, MailTemplate> = {
  invoice: invoiceMail,
  reminder: reminderMail,
  receipt: receiptMail,
  notice: noticeMail,
  void: voidMail,
  credit: creditMail,
};

type MailKey = Pick<MailStore.DueMail, "kind" | "occasion">;

/** Whether a mail is still true of its owner. */
export const holds = (mail: MailKey, owner: Owner, db: Db): boolean =>
  kinds[mail.kind].holds(owner, mail.occasion, db);

/** Writes a mail about its owner's current state. */
export async function writeMail(
  deps: MailDeps,
  mail: MailKey,
  owner: Owner,
  { withPdf } = { withPdf: true },
): Promise<Message> {
  return await kinds[mail.kind].write(deps, owner, { occasion: mail.occasion, withPdf });
}
