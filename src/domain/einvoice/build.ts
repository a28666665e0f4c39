import { byField } from "../bill/buyer-references.ts";
import * as Currency from "../bill/currency.ts";
import type * as Party from "../party/party.ts";
import * as Usdc from "../usdc.ts";
import { billOf } from "./bill.ts";
import type { EInvoice, EInvoiceSource, Format, TradeParty, Words } from "./einvoice.ts";
import { type EInvoiceFault, electronicAddressOf, missing } from "./missing.ts";

export type BuildResult = { ok: true; einvoice: EInvoice } | { ok: false; faults: EInvoiceFault[] };

/**
 * Builds the e-invoice of an invoice or a credit note as issued, or lists everything it lacks. `usdParity`: the
 * merchant counts 1 USDC as 1 USD.
 */
export function build(
  subject: EInvoiceSource,
  format: Format,
  { usdParity, words }: { usdParity: boolean; words: Words },
): BuildResult {
  const faults = missing(subject, format, usdParity);
  const currency = Currency.stateCodeOf(subject, usdParity);
  const { totals, preceding } = subject;
  if (faults.length > 0 || currency === null || totals === null) return { ok: false, faults };
  const { lines, allowances, taxes } = billOf(subject, totals, words);
  const isOutside = taxes.some(({ category }) => category === "O");
  return {
    ok: true,
    einvoice: {
      type: preceding === null ? "380" : "381",
      number: subject.number,
      issueDate: subject.issueDate,
      dueDate: subject.dueDate,
      currency,
      taxInCurrency: subject.taxInCurrency?.code === currency ? null : subject.taxInCurrency,
      note: [subject.reference, subject.notes].filter((text) => text !== null).join("\n") || null,
      ...byField(({ field }) => subject[field]),
      preceding,
      seller: sellerOf(subject, isOutside),
      buyer: buyerOf(subject, isOutside),
      delivery: subject.delivery,
      deliverTo: taxes.some(({ category }) => category === "K")
        ? (subject.vendorDetails?.country ?? null)
        : null,
      payment: subject.payment,
      terms: subject.paymentTerms ?? (preceding && words.creditedAgainst(preceding.number)),
      lines,
      allowances,
      taxes,
      sums: {
        lines: Usdc.sum(lines.map(({ net }) => net)),
        allowances: Usdc.sum(allowances.map(({ amount }) => amount)),
        withoutTax: Usdc.sum(taxes.map(({ taxable }) => taxable)),
        tax: totals.tax,
        total: totals.total,
      },
    },
  };
}

/** Outside the scope of VAT neither party may have a VAT id (BR-O-2). */
function sellerOf(subject: EInvoiceSource, isOutside: boolean): TradeParty {
  const { merchantDetails: details, merchantName: name, merchantAddress, merchantEmail } = subject;
  const party = partyOf(details, { name, address: merchantAddress, email: merchantEmail, isOutside });
  // Some id must identify the seller (BR-CO-26); the tax office's number alone does not count.
  const isNamed = party.registration !== null || party.vatId !== null;
  return { ...party, id: isNamed ? null : party.taxId };
}

function buyerOf(subject: EInvoiceSource, isOutside: boolean): TradeParty {
  const { vendorDetails: details, vendorName: name, vendorAddress, vendorEmail } = subject;
  const party = partyOf(details, { name, address: vendorAddress, email: vendorEmail, isOutside });
  return { ...party, id: party.taxId, taxId: null };
}

type Plain = { name: string; address: string | null; email: string; isOutside: boolean };

function partyOf(details: Party.Party | null, { name, address, email, isOutside }: Plain): TradeParty {
  const { street, addition, city, region, postalCode, country = "" } = details ?? {};
  const hasParts = street !== undefined || city !== undefined;
  const written = (address ?? "").split("\n").filter((line) => line.trim() !== "");
  const [one, two, ...more] = hasParts ? [street, addition] : written;
  return {
    name,
    id: null,
    registration: registrationOf(details),
    vatId: isOutside ? null : (details?.vatId?.replace(/\s/g, "") ?? null),
    taxId: details?.taxId ?? null,
    contact: { name: details?.contactName ?? null, phone: details?.phone ?? null, email },
    address: {
      lines: [one ?? null, two ?? null, more.join(", ") || null],
      city: city ?? null,
      postalCode: postalCode ?? null,
      region: region ?? null,
      country,
    },
    // Fall back to the mail address, which is a valid scheme even though nobody delivers by it.
    electronicAddress: electronicAddressOf(details) ?? { scheme: "EM", id: email },
  };
}

/** Company registers (ISO 6523) that Peppol's country rules require, by country and number of digits. */
const registers: Readonly<Record<string, Readonly<Record<number, string>>>> = {
  BE: { 10: "0208" },
  DK: { 8: "0184" },
  FR: { 9: "0002", 14: "0009" },
  IS: { 10: "0196" },
  NL: { 8: "0106", 20: "0190" },
  NO: { 9: "0192" },
  SE: { 10: "0007" },
};

function registrationOf(details: Party.Party | null): TradeParty["registration"] {
  const { registration: id, country = "" } = details ?? {};
  if (id === undefined) return null;
  // As people write it: CVR 13585628, BE 0428.759.497, 995 525 828 MVA.
  const digits = id.replace(/^[A-Z]{2,3}\b|\bMVA$/gi, "").replace(/^[A-Z]{2}(?=\d)|[\s.-]/gi, "");
  const scheme = /^\d+$/.test(digits) ? (registers[country]?.[digits.length] ?? null) : null;
  return scheme === null ? { id, scheme } : { id: digits, scheme };
}
