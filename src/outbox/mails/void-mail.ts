import * as Invoice from "../../domain/invoice.ts";
import * as Usdc from "../../domain/usdc.ts";
import { voidMessage } from "../../mail/messages/void-message.ts";
import { invoiceOf, type MailKind } from "./mail-kind.ts";

/** Tells the customer that nobody owes an invoice any more. */
export const voidMail: MailKind = {
  // What is void stays so.
  holds: () => true,

  write({ baseUrl, brand, language }, owner) {
    const invoice = invoiceOf(owner);
    const { merchantName, merchantEmail, vendorName, vendorEmail, number, total, voidReason } = invoice;
    const written = voidMessage({
      merchantName,
      merchantEmail,
      vendorName,
      invoiceNumber: number,
      total: Usdc.format(total),
      reference: invoice.reference,
      reason: voidReason ?? "",
      invoiceUrl: Invoice.pageUrl(baseUrl, invoice),
      brand,
      language,
    });
    return { ...written, to: vendorEmail, replyTo: merchantEmail, fromName: merchantName };
  },
};
