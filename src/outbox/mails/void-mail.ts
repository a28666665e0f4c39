import * as Invoice from "../../domain/bill/invoice.ts";
import * as Usdc from "../../domain/usdc.ts";
import { voidMessage } from "../../mail/messages/void-message.tsx";
import * as CreditNoteStore from "../../store/tables/invoicing/credit-note.ts";
import { invoiceOf, type MailTemplate } from "./mail-kind.ts";
import { creditNoteAttachmentsOf, isPdf } from "./pdf.ts";

/** Tells the customer that an invoice is no longer owed. */
export const voidMail: MailTemplate = {
  // A void invoice stays void.
  holds: () => true,

  async write(deps, owner, { withPdf }) {
    const { baseUrl, brand, language } = deps;
    const invoice = invoiceOf(owner);
    const { merchantName, merchantEmail, vendorName, vendorEmail, number, voidReason } = invoice;
    // With tax there is a credit note for the rest, which this mail includes.
    const note = CreditNoteStore.listByInvoice(deps.db, invoice.sequence).findLast(
      ({ createdAt }) => createdAt === invoice.voidedAt,
    );
    const attachments = withPdf && note ? await creditNoteAttachmentsOf(deps, owner, note) : [];
    const written = voidMessage({
      merchantName,
      merchantEmail,
      vendorName,
      invoiceNumber: number,
      total: Usdc.format(Invoice.billedTotal(invoice)),
      ...(invoice.currency && { currency: invoice.currency.code }),
      reference: invoice.reference,
      reason: voidReason ?? "",
      ...(note && { creditNote: note.number }),
      invoiceUrl: Invoice.pageUrl(baseUrl, invoice),
      hasPdf: attachments.some(isPdf),
      brand,
      language,
    });
    return { ...written, to: vendorEmail, replyTo: merchantEmail, fromName: merchantName, attachments };
  },
};
