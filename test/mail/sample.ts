import type { CreditNote } from "../../src/domain/bill/credit-note.ts";
import * as Invoice from "../../src/domain/bill/invoice.ts";
import type { Brand } from "../../src/domain/brand.ts";
import type { Link } from "../../src/domain/link/link.ts";
import type { Deposit } from "../../src/domain/payment/deposit.ts";
import * as Common from "../../src/domain/receivable/common.ts";
import { ofInvoice, ofLink } from "../../src/domain/receivable/receivable.ts";
import * as Usdc from "../../src/domain/usdc.ts";
import { type Network, networks } from "../../src/domain/wallet/network.ts";
import type { LanguageCode } from "../../src/language/languages.ts";
import * as InvoiceMessage from "../../src/mail/messages/invoice-message.tsx";
import * as PaymentMessage from "../../src/mail/messages/payment-message.tsx";
import * as VoidMessage from "../../src/mail/messages/void-message.tsx";

/** Mails by what they say, as a test names it: the invoices and links of which they are true. */

type Said = Readonly<{
  merchantName: string;
  merchantEmail: string;
  vendorName: string;
  invoiceNumber: string;
  /** Amounts are decimals: `"1500.00"`. */
  total: string;
  reference: string | null;
  /** `…/i/SLUG` */
  invoiceUrl: string;
  hasPdf: boolean;
  brand: Brand;
  language: LanguageCode;
}>;

export type InvoiceMessageProps = Said &
  Readonly<{
    purpose: InvoiceMessage.InvoicePurpose;
    /** How the total comes about. */
    bill: Partial<Invoice.Invoice> | null;
    dueDate: string;
    overdue: boolean;
    payment: { readonly received: string; readonly remaining: string | null } | null;
    /** `…/api/invoices/ID/pdf` */
    pdfUrl: string;
    notes: string | null;
    network: Network;
  }>;

export type VoidMessageProps = Said &
  Readonly<{
    currency?: string;
    reason: string;
    creditNote?: string;
    credit?: { number: string; due: null; toReturn: string | null };
  }>;

export type PaymentMessageProps = Readonly<{
  kind: "receipt" | "notice";
  occasion: PaymentMessage.PaymentOccasion;
  about:
    | { kind: "invoice"; number: string; vendorName: string; vendorEmail: string }
    | { kind: "link"; slug: string; productDescription: string | null; payerEmail: string | null };
  merchantName: string;
  merchantEmail: string;
  reference: string | null;
  total: string;
  received: string;
  /** As `total` and `received` have it. */
  remaining?: string;
  excess?: string | null;
  payments: readonly { amount: string; madeAt: number; txHash: string; url?: string | null }[];
  otherPayments: number;
  network: Network;
  /** `…/i/SLUG` or `…/pay/SLUG` */
  url: string;
  hasPdf?: boolean;
  brand: Brand;
  language: LanguageCode;
}>;

const usdc = (text: string): Usdc.Usdc => Usdc.parseExact(text) ?? Usdc.zero;

const depositOf = (net: string, received: string) =>
  ({
    net: usdc(net),
    expected: usdc(net),
    received: usdc(received),
    elsewhere: Usdc.zero,
    refunded: Usdc.zero,
    refunding: Usdc.zero,
    refundedElsewhere: Usdc.zero,
    tolerance: Usdc.zero,
    pending: Usdc.zero,
  }) as unknown as Deposit;

const plainInvoice = { ...Invoice.plain, ...Common.open, status: "sent" } as unknown as Invoice.Invoice;

/** What stands before its path, and what in it; of another form, all of it before. */
function split(url: string, path: RegExp): [baseUrl: string, name: string] {
  const [, baseUrl = url, name = ""] = path.exec(url) ?? [];
  return [baseUrl, name];
}

const ofPage = (url: string) => split(url, /^(.*)\/(?:i|pay)\/([^/]*)$/);
const ofPdf = (url: string) => split(url, /^(.*)\/api\/invoices\/([^/]*)\/pdf$/);

export function invoiceMessage(props: InvoiceMessageProps) {
  const { purpose, overdue: isOverdue, hasPdf, payment, bill, invoiceNumber: number, ...said } = props;
  const [pageBase, slug] = ofPage(props.invoiceUrl);
  const [pdfBase, id] = ofPdf(props.pdfUrl);
  const baseUrl = URL.canParse(pdfBase) && /^http/.test(pdfBase) ? pageBase : pdfBase;
  const received = payment?.received ?? "0.00";
  const invoice: Invoice.Invoice = {
    ...plainInvoice,
    ...said,
    ...(bill ?? {}),
    number,
    slug,
    id,
    total: usdc(props.total),
    status: payment?.remaining === null ? "paid" : "sent",
    deposit: depositOf(props.total, received),
  };
  return InvoiceMessage.invoiceMessage({ ...props, baseUrl }, { purpose, invoice, isOverdue, hasPdf });
}

export function voidMessage(props: VoidMessageProps) {
  const { currency, credit, creditNote, reason: voidReason, invoiceNumber: number, hasPdf, ...said } = props;
  const [baseUrl, slug] = ofPage(props.invoiceUrl);
  const total = Usdc.asBilled(usdc(props.total));
  const invoice: Invoice.Invoice = {
    ...plainInvoice,
    ...said,
    number,
    slug,
    voidReason,
    total: usdc(props.total),
    currency: currency ? ({ code: currency, total } as Invoice.Invoice["currency"]) : null,
    // Nothing is left to pay.
    deposit: depositOf(props.total, props.total),
  };
  const noteOf = (number: string, toReturn: string | null) =>
    ({ number, reason: voidReason, totals: { total }, toReturn: usdc(toReturn ?? "0.00") }) as CreditNote;
  return VoidMessage.voidMessage(
    { baseUrl, network: networks.base, brand: props.brand, language: props.language },
    credit
      ? { kind: "credit", note: noteOf(credit.number, credit.toReturn), invoice, hasPdf }
      : { kind: "void", note: creditNote ? noteOf(creditNote, null) : null, invoice, hasPdf },
  );
}

export function paymentMessage({ about, url, total, received, ...props }: PaymentMessageProps) {
  const [baseUrl, slug] = ofPage(url);
  const { merchantName, merchantEmail, reference, kind, occasion, hasPdf = false, otherPayments } = props;
  const shared = { merchantEmail, reference, slug, ...Common.open, deposit: depositOf(total, received) };
  const invoice = { ...plainInvoice, ...about, ...shared, merchantName } as Invoice.Invoice;
  const link = { ...shared, ...about, currency: null, businessName: merchantName } as unknown as Link;
  const payments = props.payments.map((payment) => ({ ...payment, amount: usdc(payment.amount) }));
  return PaymentMessage.paymentMessage(
    { baseUrl, ...props },
    {
      kind,
      occasion,
      about: about.kind === "invoice" ? ofInvoice(invoice) : ofLink(link),
      payments: payments as never,
      otherPayments,
      hasPdf,
    },
  );
}
