import { type Face, faceOf, type Receivable } from "../domain/receivable/receivable.ts";
import type { Locale } from "./locale.ts";

/** Returns the name that people know it by: `Invoice INV-0001`, or the product of a link. */
export const whatOf = (receivable: Receivable, locale: Pick<Locale, "say">): string =>
  namedBy(faceOf(receivable), locale);

/** The same from what names it. */
export function namedBy(
  { number, product, name }: Pick<Face, "number" | "product" | "name">,
  { say }: Pick<Locale, "say">,
): string {
  if (number !== null) return say("invoiceNumber", { number });
  return product || say("linkNamed", { slug: name });
}

/** Labels of the buttons that lead to its page. */
export const openText = { invoice: "viewInvoice", link: "openPayment" } as const;
