import type { Brand } from "../domain/brand.ts";
import type { PaymentProps } from "./payment-props.ts";

export type InvoicePageProps = {
  /** `INV-0001` */
  number: string;
  merchantName: string;
  merchantAddress: string;
  merchantEmail: string;
  vendorName: string;
  vendorAddress: string | null;
  /** `YYYY-MM-DD`, as is `dueDate`. */
  issueDate: string;
  dueDate: string;
  /** The IANA time zone in which the due date ends. */
  timeZone: string;
  notes: string | null;
  lineItems: readonly InvoiceLine[];
  /** USDC with two decimals. */
  total: string;
  pdfUrl: string;
  /** Where the script fetches the payment section. */
  paymentUrl: string;
  /** Who runs this Till. */
  brand: Brand;
  payment: PaymentProps;
};

/** `quantity` is a decimal; the amounts are USDC with two decimals. */
export type InvoiceLine = { description: string; quantity: string; unitPrice: string; lineTotal: string };
