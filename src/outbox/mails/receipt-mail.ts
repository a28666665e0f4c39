import { paymentMessage } from "../../mail/messages/payment-message.ts";
import { invoiceOf, type MailKind } from "./mail-kind.ts";
import { isPaidInFull, paidProps } from "./paid.ts";

/** Tells the one who paid that it is paid. */
export const receiptMail: MailKind = {
  holds: isPaidInFull,

  write(deps, owner) {
    const invoice = invoiceOf(owner);
    const { merchantName, merchantEmail, vendorEmail } = invoice;
    const written = paymentMessage({ kind: "receipt", ...paidProps(deps, invoice) });
    return { ...written, to: vendorEmail, replyTo: merchantEmail, fromName: merchantName };
  },
};
