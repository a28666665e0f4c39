import { toCustomer } from "./invoice-mail.ts";
import type { MailKind } from "./mail-kind.ts";
import type { Owner } from "./owner.ts";
import { isTrue, occasionOf, paidMessage } from "./paid.ts";

/** Tells the one who paid that it is paid, or what is left to pay. */
export const receiptMail: MailKind = {
  holds: (owner, occasion) => isTrue(owner, occasionOf(occasion)) && addressOf(owner) !== null,

  write(deps, owner, { occasion }) {
    if (owner.kind === "invoice") {
      const { invoice } = owner;
      if (occasionOf(occasion) === "partial") return toCustomer(deps, invoice, "part");
      const { merchantName, merchantEmail, vendorEmail } = invoice;
      const written = paidMessage(deps, owner, { kind: "receipt", occasion: "paid" });
      return { ...written, to: vendorEmail, replyTo: merchantEmail, fromName: merchantName };
    }
    const to = addressOf(owner);
    if (to === null) throw new Error(`Nobody wants a receipt of ${owner.link.slug}`);
    const written = paidMessage(deps, owner, { kind: "receipt", occasion: "paid" });
    // A link tells nobody the merchant's address.
    return { ...written, to, replyTo: null, fromName: owner.link.businessName };
  },
};

const addressOf = (owner: Owner) =>
  owner.kind === "invoice" ? owner.invoice.vendorEmail : owner.link.payerEmail;
