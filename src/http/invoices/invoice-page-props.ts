import * as CreditNote from "../../domain/bill/credit-note.ts";
import * as Invoice from "../../domain/bill/invoice.ts";
import * as Usdc from "../../domain/usdc.ts";
import { billedOf, billLines, creditRow, sumRows } from "../../language/bill.ts";
import type { Locale } from "../../language/locale.ts";
import { partiesOf } from "../../language/parties.ts";
import type { InvoicePageProps } from "../../pages/invoice/invoice-page.tsx";
import * as CreditNoteStore from "../../store/tables/invoicing/credit-note.ts";
import type { HttpDeps } from "../deps.ts";
import { invoicePaymentProps } from "./payment-props.ts";

/** The properties of the hosted invoice page. */
export function invoicePageProps(deps: HttpDeps, invoice: Invoice.Invoice, locale: Locale): InvoicePageProps {
  return {
    number: invoice.number,
    ...Invoice.issued(invoice),
    ...partiesOf(invoice, locale),
    timeZone: deps.config.timeZone,
    lineItems: billLines(invoice, locale),
    sums: sumRows(invoice, locale),
    credits: creditsOf(deps, invoice, locale),
    total: Usdc.format(invoice.total),
    due: Usdc.formatExact(invoice.deposit.net),
    ...billedOf(invoice, locale),
    pdfUrl: Invoice.pdfUrl(deps.baseUrl, invoice),
    paymentUrl: `/i/${invoice.slug}/payment?lang=${locale.code}`,
    brand: deps.config.brand,
    payment: invoicePaymentProps(deps, invoice, locale),
  };
}

/** What each credit note took off, with its PDF. Most invoices have none, which costs no query. */
function creditsOf(
  { db, baseUrl }: HttpDeps,
  invoice: Invoice.Invoice,
  locale: Locale,
): InvoicePageProps["credits"] {
  if (invoice.credited === 0n) return [];
  return CreditNoteStore.listByInvoice(db, invoice.sequence).map((note) => ({
    ...creditRow(locale.say("creditHeading", { number: note.number }), note.totals.total, invoice, locale),
    href: CreditNote.pdfUrl(baseUrl, note),
  }));
}
