import type * as Invoice from "../../../domain/bill/invoice.ts";
import * as Party from "../../../domain/party/party.ts";
import { partyRecord } from "../../../domain/record.ts";
import type { Fault } from "../../../invoicing/outcome.ts";
import type { Locale } from "../../../language/locale.ts";
import type { Db } from "../../../store/database.ts";
import * as PartyStore from "../../../store/tables/invoicing/party.ts";
import { partyFault, typedParty } from "../../customers/party-form.ts";
import type { FormFault } from "../../parts/form/form.tsx";
import type { TypedInvoice, TypedTrade } from "./props.ts";

/** What the invoice's form says about a business, as typed. */

const noTexts = {
  payment_terms: "",
  delivery_from: "",
  delivery_to: "",
  buyer_reference: "",
  purchase_order: "",
};

export const noTrade: TypedTrade = { ...noTexts, vendor_details: {}, was_filled: false, had_terms: false };

export function readTypedTrade(form: URLSearchParams): TypedTrade {
  const text = (name: string) => (form.get(name) ?? "").replaceAll("\r\n", "\n").trim();
  const typed = Object.fromEntries(Object.keys(noTexts).map((name) => [name, text(name)]));
  return {
    ...noTrade,
    ...typed,
    vendor_details: typedParty(form, "vendor_details"),
    was_filled: form.has("was_filled"),
    had_terms: form.has("had_terms"),
  };
}

const isTyped = (details: Party.Party) => Object.keys(details).length > 0;

/** For the API. Saved details and terms apply where none were typed, unless they were cleared. */
export function tradeBody(typed: TypedTrade) {
  const { vendor_details, was_filled, payment_terms, had_terms, delivery_from, delivery_to, ...texts } =
    typed;
  const isDay = delivery_from !== "" && delivery_to === "";
  const fields = {
    ...(isDay ? { delivery_date: delivery_from } : { delivery_from, delivery_to }),
    ...texts,
  };
  return {
    ...(isTyped(vendor_details) || was_filled ? { vendor_details: partyRecord(vendor_details) } : {}),
    ...(payment_terms !== "" || had_terms ? { payment_terms } : {}),
    ...Object.fromEntries(Object.entries(fields).filter(([, text]) => text !== "")),
  };
}

/** A new form's defaults: the saved seller, and the saved buyer if known. */
export function tradeOf(
  db: Db,
  { merchant_email, vendor_email }: Pick<TypedInvoice, "merchant_email" | "vendor_email">,
): TypedTrade {
  const saved = (role: Party.PartyRole, email: string) =>
    (email === "" ? null : PartyStore.find(db, role, email)) ?? Party.nothingSaved;
  return {
    ...noTrade,
    vendor_details: saved("vendor", vendor_email).details ?? {},
    payment_terms: saved("merchant", merchant_email).paymentTerms ?? "",
  };
}

/** As on an old invoice, without what was only for that one. */
export const tradeLike = (invoice: Invoice.Invoice): TypedTrade => ({
  ...noTrade,
  vendor_details: invoice.vendorDetails ?? {},
  payment_terms: invoice.paymentTerms ?? "",
  buyer_reference: invoice.buyerReference ?? "",
});

/** Saves what was typed about an invoice's customer for future invoices. */
export function rememberCustomer(
  db: Db,
  { vendor_details }: TypedTrade,
  invoice: Invoice.Invoice,
  now: number,
) {
  if (!isTyped(vendor_details)) return;
  const saved = PartyStore.find(db, "vendor", invoice.vendorEmail) ?? Party.nothingSaved;
  const party = { ...saved, details: invoice.vendorDetails };
  PartyStore.save(db, "vendor", invoice.vendorEmail, party, now);
}

/** The desk's advice for a fault; null for a fault of anything else. */
export function tradeFault(fault: Fault, locale: Locale): FormFault | null {
  const { field } = fault;
  if (field.startsWith("delivery_"))
    return { field: field === "delivery_to" ? field : "delivery_from", message: locale.say("faultDelivery") };
  if (field === "payment_terms") return { field, message: locale.say("faultTerms") };
  if (field in noTexts) return { field, message: locale.say("faultReference") };
  return partyFault(fault, locale);
}
