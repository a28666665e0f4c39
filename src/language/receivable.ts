import { faceOf, type Receivable } from "../domain/receivable/receivable.ts";
import type { Locale } from "./locale.ts";

/** Returns the name that people know it by: `Invoice INV-0001`, or the product of a link. */
export function whatOf(receivable: Receivable, { say }: Pick<Locale, "say">): string {
  const { number, product, name } = faceOf(receivable);
  if (number !== null) return say("invoiceNumber", { number });
  return product || say("linkNamed", { slug: name });
}

/** Labels of the buttons that lead to its page. */
export const openText = { invoice: "viewInvoice", link: "openPayment" } as const;
