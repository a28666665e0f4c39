import { faceOf, type Receivable } from "../domain/receivable/receivable.ts";
import type { Locale } from "./locale.ts";

/** What people know it as: `Invoice INV-0001`, or what a link sells. */
export function whatOf(receivable: Receivable, { say }: Pick<Locale, "say">): string {
  const { number, product, name } = faceOf(receivable);
  if (number !== null) return say("invoiceNumber", { number });
  return product || say("linkNamed", { slug: name });
}

/** What a button says that leads to its page. */
export const openText = { invoice: "viewInvoice", link: "openPayment" } as const;
