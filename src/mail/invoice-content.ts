import { type Brand, hostName } from "../domain/brand.ts";

/** What both versions of the mail say. Users' texts are single lines here, and not yet escaped. */
export type InvoiceContent = Readonly<{
  subject: string;
  preview: string;
  merchantName: string;
  merchantEmail: string;
  vendorName: string;
  invoiceNumber: string;
  /** What the large number is: "Amount due". */
  amountLabel: string;
  amount: string;
  /** Under the amount: what has arrived. */
  amountNote: string | null;
  due: string;
  state: "open" | "overdue" | "paid";
  action: string;
  invoiceUrl: string;
  pdfUrl: string;
  origin: string;
  notes: readonly string[];
  /** Whether the PDF is attached. */
  hasPdf: boolean;
  brand: Brand;
}>;

export const howToPay = "The page shows the address and a QR code. You need no account.";

/** A forged mail can bring a forged PDF. */
export function safety({ brand, hasPdf }: Pick<InvoiceContent, "brand" | "hasPdf">): string {
  const whatever = hasPdf ? "a mail or a file in it" : "a mail";
  return `${hostName(brand)} never writes a payment address in a mail: take it from that page only, whatever ${whatever} says.`;
}
