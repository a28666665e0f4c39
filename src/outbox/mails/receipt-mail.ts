import { toCustomer } from "./invoice-mail.ts";
import type { MailTemplate } from "./mail-kind.ts";
import type { Owner } from "./owner.ts";
import { isTrue, occasionOf, paidMessage } from "./paid.ts";
import { receiptAttachmentsOf } from "./pdf.ts";

/** Tells the payer that everything is paid, or what is left. */
export const receiptMail: MailTemplate = {
  holds: (owner, occasion, db) => isTrue(owner, occasionOf(occasion), db) && addressOf(owner) !== null,

  async write(deps, owner, { occasion, withPdf }) {
    if (owner.kind === "invoice" && occasionOf(occasion) === "partial")
      return toCustomer(deps, owner.invoice, "part");
    const to = addressOf(owner);
    if (to === null) throw new Error("Nobody wants a receipt of this link");
    const attachments = withPdf ? await receiptAttachmentsOf(deps, owner) : [];
    const hasPdf = attachments.length > 0;
    const written = paidMessage(deps, owner, { kind: "receipt", occasion: "paid", hasPdf });
    // A link does not reveal the merchant's address.
    const sender =
      owner.kind === "invoice"
        ? { replyTo: owner.invoice.merchantEmail, fromName: owner.invoice.merchantName }
        : { replyTo: null, fromName: owner.link.businessName };
    return { ...written, ...sender, to, attachments };
  },
};

/** Tells the merchant what has been paid. */
export const noticeMail: MailTemplate = {
  holds: (owner, occasion, db) => isTrue(owner, occasionOf(occasion), db),

  write(deps, owner, { occasion }) {
    const written = paidMessage(deps, owner, { kind: "notice", occasion: occasionOf(occasion) });
    const [to, replyTo] =
      owner.kind === "invoice"
        ? [owner.invoice.merchantEmail, owner.invoice.vendorEmail]
        : [owner.link.merchantEmail, owner.link.payerEmail];
    return { ...written, to, replyTo, fromName: null };
  },
};

const addressOf = (owner: Owner) =>
  owner.kind === "invoice" ? owner.invoice.vendorEmail : owner.link.payerEmail;
