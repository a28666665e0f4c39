import { faulty } from "../../lib/text/text.ts";
import type { LanguageCode } from "../language.ts";
import * as Country from "./country.ts";
import * as TaxId from "./tax-id.ts";

/**
 * What is known of a seller or a buyer besides the name, the mail address and the free text of the address: what the
 * law and EN 16931 want of an invoice to a business.
 */

/** Each with the most characters it may have. */
export const lengths = {
  street: 200,
  /** A second line: a floor, a building, "c/o". */
  addition: 200,
  postalCode: 20,
  city: 100,
  /** A state, a province. */
  region: 100,
  /** ISO 3166-1, two capital letters. */
  country: 2,
  /** With the country before it, as in the EU: `DE136695976`. */
  vatId: 20,
  /** Of the tax office, where it is not the VAT id: a Steuernummer, an EIN, a GSTIN. */
  taxId: 50,
  /** In the register of companies: `HRB 12345`, a SIREN. */
  registration: 100,
  contactName: 100,
  phone: 50,
  /** Where it receives electronic invoices, as scheme and id of Peppol: `9930:DE136695976`. */
  electronicAddress: 100,
} as const;

export type Field = keyof typeof lengths;
export const fields = Object.keys(lengths) as Field[];

/** A part by its name in the API: `postalCode` → `postal_code`. */
export const apiName = (field: string) => field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** One line of text each; what is not known is left out. */
export type Party = Readonly<Partial<Record<Field, string>>>;

export const countryWanted = "a country of ISO 3166-1 in two capital letters, such as DE";
/** `scheme:id`, the scheme as in the list EAS of CEF: four digits, or two letters. */
const electronicForm = /^(?:\d{4}|[A-Z]{2}):\S+$/;
const phoneForm = /^[+(]?\d[\d ()./-]{2,}$/;

/** A part as it is stored, or why it cannot be. `country` is that of the same party. */
export function check(field: Field, value: string, country: string | undefined) {
  const taken = { ok: true, value } as const;
  switch (field) {
    case "country":
      return Country.isCode(value) ? taken : faulty("shape", { wants: countryWanted });
    case "vatId":
      return TaxId.vatId(value);
    case "taxId":
      return TaxId.taxId(value, country);
    case "phone":
      return phoneForm.test(value) ? taken : faulty("phone");
    case "electronicAddress":
      return electronicForm.test(value) ? taken : faulty("electronic_address");
    default:
      return taken;
  }
}

/** Seller and buyer of an invoice; an invoice calls them merchant and vendor. */
export const roles = ["merchant", "vendor"] as const;

export type PartyRole = (typeof roles)[number];

/** What is kept of a party for the invoices that follow; null where nothing is. */
export type SavedParty = {
  name: string | null;
  /** Free text, in lines. */
  address: string | null;
  details: Party | null;
  /** Of a merchant, as are those below: what its invoices say when they say nothing of it. */
  paymentTerms: string | null;
  /** Whether 1 USDC counts as 1 USD. */
  usdParity: boolean;
  /** Of a customer: that of new invoices that say nothing of it. */
  language: LanguageCode | null;
};

export const nothingSaved: SavedParty = {
  name: null,
  address: null,
  details: null,
  paymentTerms: null,
  usdParity: false,
  language: null,
};

/** Whether a seller has said what a receipt with tax needs: an address, and a number for tax. */
export function isKnownSeller(saved: SavedParty | null): boolean {
  const { street, city, vatId, taxId } = saved?.details ?? {};
  return Boolean(saved?.address || street || city) && Boolean(vatId || taxId);
}
