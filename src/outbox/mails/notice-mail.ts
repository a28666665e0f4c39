import { paymentMessage } from "../../mail/messages/payment-message.ts";
import { invoiceOf, type MailKind } from "./mail-kind.ts";
import { isPaidInFull, paidProps } from "./paid.ts";

/** Tells the merchant that it is paid. */
export const noticeMail: MailKind = {
  holds: isPaidInFull,

  write(deps, owner) {
    const invoice = invoiceOf(owner);
    const written = paymentMessage({ kind: "notice", ...paidProps(deps, invoice) });
    return { ...written, to: invoice.merchantEmail, replyTo: invoice.vendorEmail, fromName: null };
  },
};
