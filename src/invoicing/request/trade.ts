import { type Static, Type } from "@sinclair/typebox";
import { byField, byName } from "../../domain/bill/buyer-references.ts";
import type { Delivery, Trade } from "../../domain/bill/invoice.ts";
import * as Party from "../../domain/party/party.ts";
import { why } from "../../language/faults.ts";
import type { NewInvoice } from "../create-invoice.ts";
import * as Field from "./fields.ts";
import type { FieldReader } from "./validation.ts";

/** Request fields for seller, buyer and terms. */

const meanings: Record<Party.Field, string> = {
  street: "with the number",
  addition: "a second line",
  postalCode: "as the post wants it",
  city: "the town",
  region: "a state or a province",
  country: "ISO 3166-1, two capital letters",
  vatId: "with the country before it, such as DE136695976",
  taxId: "of the tax office, where it is no VAT id: an EIN, a GSTIN, a Steuernummer",
  registration: "in the register of companies",
  contactName: "whom to ask",
  phone: "whom to call",
  electronicAddress: "where it receives electronic invoices: scheme and id of Peppol, 9930:DE136695976",
};

const textOf = (field: Party.Field) => ({
  ...Field.text(1, Party.lengths[field]),
  ...(field === "country" && { wants: Party.countryWanted }),
});

export const PartyRequest = Type.Object(
  Object.fromEntries(
    Party.fields.map((field) => [
      Party.apiName(field),
      Type.Optional(Field.meaning(meanings[field], textOf(field))),
    ]),
  ),
  {
    additionalProperties: false,
    wants: "an object with an address, tax ids and the like",
    noun: "PartyDetails",
  },
);

export const paymentTerms = Field.text(0, 500);

export const tradeFields = {
  merchant_details: Type.Optional(
    Field.meaning(
      "the seller, in parts; as saved for merchant_email when left out, {} for none",
      PartyRequest,
    ),
  ),
  vendor_details: Type.Optional(
    Field.meaning("the buyer, in parts; as saved for vendor_email when left out, {} for none", PartyRequest),
  ),
  payment_terms: Type.Optional(
    Field.meaning("in words, besides due_date; as saved for the merchant when left out", paymentTerms),
  ),
  delivery_date: Type.Optional(Field.meaning("when it was delivered or done", Field.day)),
  delivery_from: Type.Optional(Field.meaning("the first day of a period, with delivery_to", Field.day)),
  delivery_to: Type.Optional(Field.meaning("the last day of the period", Field.day)),
  ...byName(({ meaning, example }) =>
    Type.Optional(Field.meaning(`${meaning}${example}`, Field.text(1, 100))),
  ),
};

const OfTrade = Type.Object(tradeFields);
type OfParty = Record<string, string | null | undefined>;

type ReadTrade = Pick<NewInvoice, keyof Trade>;

/** A request's seller, buyer and terms. */
export function readTrade(reader: FieldReader, fields: Static<typeof OfTrade>): ReadTrade {
  const party = (name: "merchant_details" | "vendor_details") =>
    fields[name] === undefined ? undefined : readParty(reader, name, fields[name]);
  return {
    merchantDetails: party("merchant_details"),
    vendorDetails: party("vendor_details"),
    paymentTerms: fields.payment_terms === undefined ? undefined : readTerms(reader, fields.payment_terms),
    delivery: readDelivery(reader, fields),
    ...byField(({ name }) => reader.read(name, fields[name], Field.plainLine) ?? null),
  };
}

/** Null when absent, or entirely faulty. */
export function readParty(
  reader: FieldReader,
  field: string,
  party: OfParty | undefined,
): Party.Party | null {
  const read = Party.fields.flatMap((name) => {
    const value = reader.read(
      `${field}.${Party.apiName(name)}`,
      party?.[Party.apiName(name)],
      (text: string) => {
        const line = Field.plainLine(text);
        return line.ok ? Party.check(name, text, party?.["country"] ?? undefined) : line;
      },
    );
    return value === undefined ? [] : [[name, value]];
  });
  return read.length === 0 ? null : Object.fromEntries(read);
}

/** Null when empty. */
export const readTerms = (reader: FieldReader, text: string | undefined): string | null =>
  reader.read("payment_terms", text || undefined, Field.plainLines) ?? null;

function readDelivery(reader: FieldReader, fields: Static<typeof OfTrade>): Delivery | null {
  const day = reader.read("delivery_date", fields.delivery_date, Field.calendarDay);
  const from = reader.read("delivery_from", fields.delivery_from, Field.calendarDay);
  const to = reader.read("delivery_to", fields.delivery_to, Field.calendarDay);
  const isPeriod = fields.delivery_from !== undefined || fields.delivery_to !== undefined;
  if (fields.delivery_date !== undefined && isPeriod)
    reader.add("delivery_date", why("left_out_with", { other: "delivery_from and delivery_to" }));
  if (fields.delivery_from === undefined && fields.delivery_to !== undefined)
    reader.add("delivery_from", why("required_with", { other: "delivery_to" }));
  if (fields.delivery_to === undefined && fields.delivery_from !== undefined)
    reader.add("delivery_to", why("required_with", { other: "delivery_from" }));
  if (from !== undefined && to !== undefined) {
    if (to < from) reader.add("delivery_to", why("day_before", { other: "delivery_from", day: from }));
    return { kind: "period", from, to };
  }
  return day === undefined ? null : { kind: "day", day };
}
