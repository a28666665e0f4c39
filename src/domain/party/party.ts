import { faulty } from "../../lib/text/text.ts";
import type { LanguageCode } from "../language.ts";
import * as Country from "./country.ts";
import * as TaxId from "./tax-id.ts";

/**
 * Details of a seller or a buyer besides name, mail address and free-text address: those that the law and EN 16931
 * require on invoices to businesses.
 */

/** The fields with their maximum lengths in characters. */
export const lengths = {
  street: 200,
  /** A second line: a floor, a building, "c/o". */
  addition: 200,
  postalCode: 20,
  city: 100,
  /** A state or a province. */
  region: 100,
  /** ISO 3166-1, two capital letters. */
  country: 2,
  /** Includes the country prefix, as in the EU: `DE136695976`. */
  vatId: 20,
  /** The tax office's number, where it is not the VAT id: a Steuernummer, an EIN, a GSTIN. */
  taxId: 50,
  /** The number in the company register: `HRB 12345`, a SIREN. */
  registration: 100,
  contactName: 100,
  phone: 50,
  /** Peppol address for electronic invoices, as scheme and id: `9930:DE136695976`. */
  electronicAddress: 100,
} as const;

export type Field = keyof typeof lengths;
export const fields = Object.keys(lengths) as Field[];

/** The name of a field in the API: `postalCode` → `postal_code`. */
export const apiName = (field: string) => field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** One line of text per field; unknown fields are absent. */
export type Party = Readonly<Partial<Record<Field, string>>>;

export const countryWanted = "a country of ISO 3166-1 in two capital letters, such as DE";
/** `scheme:id` with a scheme of the CEF's EAS list: four digits or two letters. */
const electronicForm = /^(?:\d{4}|[A-Z]{2}):\S+$/;
const phoneForm = /^[+(]?\d[\d ()./-]{2,}$/;

/** Returns a field as it is stored, or why it is invalid. `country` is the party's own. */
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

/** The seller and the buyer of an invoice, which calls them merchant and vendor. */
export const roles = ["merchant", "vendor"] as const;

export type PartyRole = (typeof roles)[number];

/** Saved details of a party for later invoices; null where nothing is saved. */
export type SavedParty = {
  name: string | null;
  /** Free text in lines. */
  address: string | null;
  details: Party | null;
  /** For merchants, like the two below: the default of new invoices. */
  paymentTerms: string | null;
  /** Whether 1 USDC counts as 1 USD. */
  usdParity: boolean;
  /** For customers: the default of new invoices. */
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

/** Returns whether a seller has saved what a receipt with tax needs: an address and a tax number. */
export function isKnownSeller(saved: SavedParty | null): boolean {
  const { street, city, vatId, taxId } = saved?.details ?? {};
  return Boolean(saved?.address || street || city) && Boolean(vatId || taxId);
}
