import type { IssuedFields } from "../../domain/bill/invoice.ts";
import type { Brand } from "../../domain/brand.ts";
import type { BillLine, CurrencyText, SumRow } from "../../language/bill.ts";
import type { Parties } from "../../language/parties.ts";
import type { PaymentProps } from "../payment/payment-props.ts";

export type InvoicePageProps = IssuedFields &
  Parties & {
    /** `INV-0001` */
    number: string;
    /** The IANA time zone in which the due date ends. */
    timeZone: string;
    lineItems: readonly BillLine[];
    /** How the total comes about, where it is not the sum of the lines alone. */
    sums: readonly SumRow[];
    /** USDC with two decimals. */
    total: string;
    /** What credit notes took off it, with their PDFs; empty without one. */
    credits: readonly (SumRow & { href: string })[];
    /** What is to be paid with them, in USDC with two decimals. */
    due: string;
    /** When it is in another currency. */
    billed?: CurrencyText;
    pdfUrl: string;
    /** Where the script fetches the payment section. */
    paymentUrl: string;
    /** Who runs this Till. */
    brand: Brand;
    payment: PaymentProps;
  };
