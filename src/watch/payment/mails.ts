import type * as Event from "../../domain/event/event.ts";
import type { Db } from "../../store/database.ts";
import * as MailStore from "../../store/tables/outbox/mail.ts";

/** `payer`: who hears of it beside the merchant; of a link only who asked for a receipt, and only when all is paid. */
type PaymentNotice = {
  depositIndex: number;
  event: Event.AnnouncedType;
  payer: "customer" | "asked" | null;
  now: number;
};

/**
 * Writes the mails that tell of what money has made of an invoice or a link, in the transaction of the change. Each goes
 * out once, whatever comes and goes, so that small payments cannot cause many. Returns whether one waits to be sent.
 */
export function writePaymentMails(
  db: Db,
  { depositIndex, event, payer, now: createdAt }: PaymentNotice,
): boolean {
  const write = (kind: "receipt" | "notice", occasion = "") =>
    MailStore.insertOnce(db, { depositIndex, kind, occasion, createdAt });
  switch (event) {
    case "partially_paid": {
      const receipt = payer === "customer" && write("receipt", "partial");
      return write("notice", "partial") || receipt;
    }
    case "paid":
    case "overpaid": {
      const receipt = payer !== null && write("receipt");
      if (write("notice")) return true;
      // A notice that still waits will tell of the excess itself.
      if (event === "paid" || MailStore.isQueued(db, depositIndex, "notice")) return receipt;
      return write("notice", "excess") || receipt;
    }
    case "unexpected_payment":
      return write("notice", "unexpected");
    case "payment_reversed": {
      // Who was not told that it came need not hear that it went.
      const isTold = ["", "partial", "excess", "unexpected"].some((occasion) =>
        MailStore.mayHaveGone(db, depositIndex, "notice", occasion),
      );
      return isTold && write("notice", "reversed");
    }
    default:
      return false;
  }
}
