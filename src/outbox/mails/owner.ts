import * as Invoice from "../../domain/bill/invoice.ts";
import * as Link from "../../domain/link/link.ts";
import { owedBack } from "../../language/bill.ts";
import type { LanguageCode } from "../../language/languages.ts";
import { speak } from "../../language/locale.ts";
import { isolate, nameLengthMax, singleLine } from "../../mail/smtp/message.ts";
import type { Db } from "../../store/database.ts";
import type * as DepositStore from "../../store/tables/invoicing/deposit.ts";
import * as InvoiceStore from "../../store/tables/invoicing/invoice.ts";
import * as LinkStore from "../../store/tables/invoicing/link.ts";

/** The current state of a mail's subject. */
export type Owner = { kind: "invoice"; invoice: Invoice.Invoice } | { kind: "link"; link: Link.Link };

/** Throws when the deposit belongs to nothing: mails are written together with their subjects. */
export function ownerOf(db: Db, depositIndex: number): Owner {
  const invoice = InvoiceStore.byDeposit(db, depositIndex);
  if (invoice) return { kind: "invoice", invoice };
  const link = LinkStore.byDeposit(db, depositIndex);
  if (link) return { kind: "link", link };
  throw new Error(`A mail belongs to nothing: deposit ${depositIndex}`);
}

/** What invoices and links share: deposit, reference, and what the merchant declared. */
export const shared = (
  owner: Owner,
): Pick<Invoice.Invoice, "deposit" | "reference" | keyof Invoice.Closure> =>
  owner.kind === "invoice" ? owner.invoice : owner.link;

/** What the merchant owes the customer of a credited invoice, for a mail; null when that is nothing. */
export const owedBackTo = (invoice: Invoice.Invoice, language: LanguageCode): string | null =>
  owedBack(invoice, isolate(singleLine(invoice.merchantName, nameLengthMax)), speak(language));

/** Its name for people, for the log. */
export const nameOf = (owner: Owner): DepositStore.DepositName =>
  owner.kind === "invoice" ? { invoice: owner.invoice.number } : { link: owner.link.slug };

/** Its unique name. */
export const idOf = (owner: Owner): string => (owner.kind === "invoice" ? owner.invoice.id : owner.link.slug);

/** The page that people open. */
export function pageOf(baseUrl: string, owner: Owner): string {
  return owner.kind === "invoice"
    ? Invoice.pageUrl(baseUrl, owner.invoice)
    : Link.checkoutUrl(baseUrl, owner.link.slug);
}
