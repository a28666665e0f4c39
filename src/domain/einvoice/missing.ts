import { buyerReferences } from "../bill/buyer-references.ts";
import * as Currency from "../bill/currency.ts";
import type { Category } from "../bill/tax.ts";
import * as TaxCurrency from "../bill/tax-currency.ts";
import * as Country from "../party/country.ts";
import type * as Party from "../party/party.ts";
import * as Usdc from "../usdc.ts";
import type { EInvoiceSource, Format } from "./einvoice.ts";

/** Data that an e-invoice requires beyond an invoice. */

/** Why it cannot be an e-invoice yet. */
export type EInvoiceLack =
  | "no_currency"
  | "no_tax"
  | "no_seller_country"
  | "no_buyer_country"
  | "no_seller_tax_id"
  | "no_seller_vat_id"
  | "no_seller_registration"
  | "no_buyer_vat_id"
  | "no_seller_vat_id_eu"
  | "no_buyer_vat_id_eu"
  | "no_delivery"
  | "too_fine"
  | "no_vat_id_country"
  | "no_electronic_address"
  | "no_address_scheme"
  | "no_buyer_reference"
  | "no_vat_currency"
  | "no_peppol_means";

/** `field` is named as in requests, `term` as in EN 16931. */
export type EInvoiceFault = { field: string; code: EInvoiceLack; values: { term: string } };

/** Greece and Northern Ireland have their own VAT id prefixes. */
const isPrefix = (code: string) => code === "EL" || code === "XI" || Country.isCode(code);

/** The EAS list: electronic address schemes that Peppol delivers to. */
const peppolSchemes = new Set(
  (
    "0002 0007 0009 0037 0060 0088 0096 0097 0106 0130 0135 0142 0147 0151 0154 0158 0170 0177 0183 0184 0188 0190 " +
    "0191 0192 0193 0194 0195 0196 0198 0199 0200 0201 0202 0203 0204 0205 0208 0209 0210 0211 0212 0213 0215 0216 " +
    "0217 0218 0221 0225 0230 0235 0240 9910 9913 9914 9915 9918 9919 9920 9922 9923 9924 9925 9926 9927 9928 9929 " +
    "9930 9931 9932 9933 9934 9935 9936 9937 9938 9939 9940 9941 9942 9943 9944 9945 9946 9947 9948 9949 9950 9951 " +
    "9952 9953 9957 9959"
  ).split(" "),
);

const charged: readonly (Category | undefined)[] = ["standard", "zero", "exempt", "reverse_charge"];

/** Lists everything that is missing; empty when the e-invoice can be written. */
export function missing(subject: EInvoiceSource, format: Format, usdParity: boolean): EInvoiceFault[] {
  const faults: EInvoiceFault[] = [];
  const add = (code: EInvoiceLack, field: string, term: string) =>
    faults.push({ field, code, values: { term } });
  const { merchantDetails: seller, vendorDetails: buyer, totals } = subject;
  const writtenAs = (category?: Category) =>
    category === "outside_scope" && subject.isMixed ? "exempt" : category;
  const categories = new Set(subject.lineItems.map(({ tax }) => writtenAs(tax?.category)));
  const is = (category: Category) => categories.has(category);

  const isOutside = is("outside_scope");
  const code = Currency.stateCodeOf(subject, usdParity);
  if (code === null) add("no_currency", "currency", "BT-5");
  if (totals === null || totals.rows.length === 0) add("no_tax", "line_items", "BT-151");
  if (!Country.isCode(seller?.country ?? "")) add("no_seller_country", "merchant_details.country", "BT-40");
  if (!Country.isCode(buyer?.country ?? "")) add("no_buyer_country", "vendor_details.country", "BT-55");
  for (const [role, party, term] of [
    ["merchant", seller, "BT-31"],
    ["vendor", buyer, "BT-48"],
  ] as const) {
    if (party?.vatId && !isOutside && !isPrefix(party.vatId.slice(0, 2)))
      add("no_vat_id_country", `${role}_details.vat_id`, term);
  }
  if (isOutside && !seller?.registration && !seller?.taxId)
    add("no_seller_registration", "merchant_details.registration", "BT-30");
  if (is("export") && !seller?.vatId) add("no_seller_vat_id", "merchant_details.vat_id", "BT-31");
  else if ([...categories].some((category) => charged.includes(category)) && !seller?.vatId && !seller?.taxId)
    add("no_seller_tax_id", "merchant_details.vat_id", "BT-31");
  if (is("reverse_charge") && !buyer?.vatId && !buyer?.registration)
    add("no_buyer_vat_id", "vendor_details.vat_id", "BT-48");
  if (is("intra_community")) {
    if (!seller?.vatId) add("no_seller_vat_id_eu", "merchant_details.vat_id", "BT-31");
    if (!buyer?.vatId) add("no_buyer_vat_id_eu", "vendor_details.vat_id", "BT-48");
    if (subject.delivery === null) add("no_delivery", "delivery_date", "BT-72");
  }
  if (isFine(subject)) add("too_fine", "currency", "BT-5");
  addAddresses(add, subject, format);
  const isDutch = seller?.country === "NL" && buyer?.country === "NL";
  if (format === "ubl" && (seller?.country === "GR" || isDutch))
    add("no_peppol_means", "merchant_details.country", isDutch ? "BT-81" : "BT-124");
  if (code !== null && subject.taxInCurrency === null && TaxCurrency.neededBy(subject) !== null)
    add("no_vat_currency", "tax_exchange_rate", "BT-111");
  return faults;
}

/** Returns whether any amount has a third decimal, as Kuwaiti ones may. */
function isFine({ lineItems, totals, discount }: EInvoiceSource): boolean {
  const amounts = [
    ...lineItems.map(({ lineTotal }) => lineTotal),
    ...(discount?.kind === "amount" ? [discount.amount] : []),
    ...(totals === null ? [] : totals.rows.flatMap(({ taxable, tax }) => [taxable, tax])),
  ];
  return amounts.some((amount) => amount % Usdc.microPerCent !== 0n);
}

/**
 * Reports missing electronic addresses of both parties, which Peppol delivers by, and for Peppol a missing reference to
 * the recipient at the buyer.
 */
function addAddresses(
  add: (code: EInvoiceLack, field: string, term: string) => void,
  subject: EInvoiceSource,
  format: Format,
): void {
  for (const [role, party, term] of [
    ["merchant", subject.merchantDetails, "BT-34"],
    ["vendor", subject.vendorDetails, "BT-49"],
  ] as const) {
    const address = electronicAddressOf(party);
    const field = `${role}_details.electronic_address`;
    if (address === null) {
      if (format === "ubl") add("no_electronic_address", field, term);
    } else if (!peppolSchemes.has(address.scheme) || address.id === "") add("no_address_scheme", field, term);
  }
  if (format === "ubl" && buyerReferences.every(({ field }) => subject[field] === null))
    add("no_buyer_reference", "buyer_reference", "BT-10");
}

/** Splits `"9930:DE123456789"` into scheme and id; null when there is no address. */
export function electronicAddressOf(party: Party.Party | null): { scheme: string; id: string } | null {
  const text = party?.electronicAddress;
  if (text === undefined) return null;
  const colon = text.indexOf(":");
  return { scheme: text.slice(0, Math.max(colon, 0)).trim(), id: text.slice(colon + 1).trim() };
}
