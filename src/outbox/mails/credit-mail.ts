import * as Currency from "../../domain/bill/currency.ts";
import * as Invoice from "../../domain/bill/invoice.ts";
import * as Standing from "../../domain/payment/standing.ts";
import * as Usdc from "../../domain/usdc.ts";
import { voidMessage } from "../../mail/messages/void-message.tsx";
import * as CreditNoteStore from "../../store/tables/invoicing/credit-note.ts";
import { invoiceOf, type MailTemplate } from "./mail-kind.ts";
import { creditNoteAttachmentsOf, isPdf } from "./pdf.ts";

/** Sends a credit note to the customer; its number is the occasion. */
export const creditMail: MailTemplate = {
  // A credit note never changes.
  holds: () => true,

  async write(deps, owner, { occasion, withPdf }) {
    const { baseUrl, brand, language } = deps;
    const invoice = invoiceOf(owner);
    const { merchantName, merchantEmail, vendorName, vendorEmail, number } = invoice;
    const note = CreditNoteStore.byNumber(deps.db, occasion);
    if (!note) throw new Error(`There is no credit note ${occasion}`);
    const { due } = Standing.of(invoice);
    const attachments = withPdf ? await creditNoteAttachmentsOf(deps, owner, note) : [];
    const written = voidMessage({
      merchantName,
      merchantEmail,
      vendorName,
      invoiceNumber: number,
      total: Usdc.format(note.totals.total),
      currency: Currency.codeOf(invoice),
      reference: invoice.reference,
      reason: note.reason,
      invoiceUrl: Invoice.pageUrl(baseUrl, invoice),
      credit: {
        number: note.number,
        due: due === 0n ? null : Usdc.formatExact(due),
        toReturn: note.toReturn === 0n ? null : Usdc.formatExact(note.toReturn),
      },
      hasPdf: attachments.some(isPdf),
      brand,
      language,
    });
    return { ...written, to: vendorEmail, replyTo: merchantEmail, fromName: merchantName, attachments };
  },
};
