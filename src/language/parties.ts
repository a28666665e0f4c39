import { buyerReferences } from "../domain/bill/buyer-references.ts";
import type { Delivery, Invoice, Trade } from "../domain/bill/invoice.ts";
import type { Party } from "../domain/party/party.ts";
import { taxIdName } from "../domain/party/tax-id.ts";
import { fromTheLeft, type Locale } from "./locale.ts";

/** The parties and the terms, as shown on an invoice's page and PDF. */

export type Fact = { label: string; value: string };

export type Parties = {
  /** Separated by line breaks. */
  merchantAddress: string;
  vendorAddress: string | null;
  /** Tax and company registration numbers. */
  merchantNumbers: readonly Fact[];
  vendorNumbers: readonly Fact[];
  /** Contact details. */
  merchantContact: readonly Fact[];
  vendorContact: readonly Fact[];
  /** Other facts for the buyer, shown beside the dates. */
  tradeFacts: readonly Fact[];
};

export function partiesOf(
  invoice: Pick<Invoice, "merchantAddress" | "vendorAddress"> & Trade,
  locale: Locale,
): Parties {
  const { merchantDetails, vendorDetails, delivery } = invoice;
  return {
    merchantAddress: addressOf(merchantDetails, locale) ?? invoice.merchantAddress,
    vendorAddress: addressOf(vendorDetails, locale) ?? invoice.vendorAddress,
    merchantNumbers: numbersOf(merchantDetails, locale),
    vendorNumbers: numbersOf(vendorDetails, locale),
    merchantContact: contactOf(merchantDetails, locale),
    vendorContact: contactOf(vendorDetails, locale),
    tradeFacts: facts([
      [
        locale.say(delivery?.kind === "period" ? "deliveryPeriod" : "deliveryDate"),
        deliveryText(delivery, locale),
      ],
      ...buyerReferences.map(({ field }) => [locale.say(field), invoice[field]] as const),
    ]),
  };
}

const facts = (all: readonly (readonly [label: string, value: string | null | undefined])[]): Fact[] =>
  all.flatMap(([label, value]) => (value ? [{ label, value }] : []));

function deliveryText(delivery: Delivery | null, { day, days }: Locale): string | null {
  if (delivery === null) return null;
  return delivery.kind === "day" ? day(delivery.day) : days(delivery.from, delivery.to);
}

function numbersOf(party: Party | null, { say }: Locale): Fact[] {
  return facts([
    [say("vatId"), party?.vatId],
    [taxIdName(party?.country) ?? say("taxId"), party?.taxId],
    [say("registration"), party?.registration],
  ]);
}

function contactOf(party: Party | null, locale: Locale): Fact[] {
  const { say } = locale;
  return facts([
    [say("contactPerson"), party?.contactName],
    [say("phone"), party?.phone && fromTheLeft(party.phone, locale)],
  ]);
}

/** Countries where the postal code follows the city on its line, or is on the line below; elsewhere it comes first. */
const codeAfterCity = new Set("AE AU BR CA CN HK ID IN KR MX MY NG NZ PH SA SG TH TW US VN ZA JP".split(" "));
const codeBelow = new Set("GB IE GG IM JE".split(" "));

/**
 * Returns the address in lines, in the postal format of its country; null unless a street or a city is known, because
 * then the free text is the address. The country comes last, in the reader's language; in Chinese characters the
 * largest part comes first.
 */
export function addressOf(party: Party | null, locale: Locale): string | null {
  if (party === null || !(party.street || party.city)) return null;
  const { street, addition, postalCode, city, region, country } = party;
  const isHan = /\p{Script=Han}/u.test(joined("", city, street));
  const sign = country === "JP" && postalCode ? "〒" : undefined;
  const lines = isHan
    ? [joined("", sign, postalCode), joined("", region, city, street), addition]
    : [street, addition, ...townLines(party)];
  return joined("\n", ...lines, country && countryName(country, locale));
}

function townLines({ postalCode, city, region, country = "" }: Party) {
  if (codeBelow.has(country)) return [city, region, postalCode];
  return codeAfterCity.has(country)
    ? [joined(", ", city, joined(" ", region, postalCode))]
    : [joined(", ", joined(" ", postalCode, city), region)];
}

const joined = (gap: string, ...parts: (string | undefined)[]) => parts.filter(Boolean).join(gap);

const names = new Map<string, Intl.DisplayNames>();

/** `DE` → `Germany`. */
export function countryName(code: string, { tag }: Pick<Locale, "tag">): string {
  const known = names.get(tag) ?? new Intl.DisplayNames(tag, { type: "region" });
  names.set(tag, known);
  return known.of(code) ?? code;
}
