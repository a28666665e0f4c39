import { type Brand, hostName } from "../domain/brand.ts";
import type { Words } from "./language/words.ts";

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
  /** "Due 1 December 2026"; null when nothing is left to pay. */
  due: string | null;
  state: "open" | "overdue" | "paid";
  action: string;
  invoiceUrl: string;
  pdfUrl: string;
  origin: string;
  /** Which USDC: that of one network. */
  onlyOn: string;
  /** Where USDC is no money: that this is a test. */
  testNetwork: string | null;
  notes: readonly string[];
  /** Whether the PDF is attached. */
  hasPdf: boolean;
  brand: Brand;
  words: Words;
}>;

/** A forged mail can bring a forged PDF. */
export function safety({ brand, hasPdf, words }: Pick<InvoiceContent, "brand" | "hasPdf" | "words">): string {
  return words.say(hasPdf ? "noAddressWithPdf" : "noAddress", { brand: hostName(brand) });
}
