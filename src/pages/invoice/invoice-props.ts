import type { Brand } from "../../domain/brand.ts";
import type { Issued } from "../../domain/invoice.ts";
import type { PaymentProps } from "../payment/payment-props.ts";

export type InvoicePageProps = Issued & {
  /** `INV-0001` */
  number: string;
  /** The IANA time zone in which the due date ends. */
  timeZone: string;
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
