import type { MailTemplate } from "./mail-kind.ts";
import { isTrue, occasionOf, paidMessage } from "./paid.ts";

/** Tells the merchant what has come. */
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
