import { isDeepStrictEqual } from "node:util";
import { type TObject, Type } from "@sinclair/typebox";
import * as Reminder from "../../domain/bill/reminder.ts";
import { type Fault, why } from "../../language/faults.ts";
import type { NewInvoice } from "../create-invoice.ts";
import { lineItems, readBill } from "./bill.ts";
import { currencyFields, readCurrency, readRate, taxExchangeRate } from "./currency.ts";
import * as Field from "./fields.ts";
import { discountFields, pricesIncludeTax } from "./tax.ts";
import { readTrade, tradeFields } from "./trade.ts";
import { readBody } from "./validation.ts";

/** The body of POST /api/invoices (SPEC section 4.1). Rules that a schema cannot express are checked below. */
export const InvoiceRequest = Type.Object(
  {
    merchant_email: Field.billingEmail,
    merchant_name: Field.text(1, 200),
    merchant_address: Field.text(1, 500),
    vendor_email: Field.meaning("who pays; the invoice is mailed there", Field.email),
    vendor_name: Field.text(1, 200),
    vendor_address: Type.Optional(Field.text(0, 500)),
    line_items: lineItems,
    ...discountFields,
    prices_include_tax: pricesIncludeTax,
    ...currencyFields,
    tax_exchange_rate: taxExchangeRate,
    ...tradeFields,
    issue_date: Type.Optional(Field.meaning("default: today", Field.day)),
    due_date: Field.meaning("an invoice not paid by then is overdue", Field.day),
    wallet_type: Field.walletType,
    wallet_address: Type.Optional(Field.walletAddress),
    notes: Type.Optional(Field.meaning("at the bottom of the invoice", Field.text(0, 2000))),
    reference: Type.Optional(Field.reference),
    language: Type.Optional(Field.language),
    metadata: Type.Optional(Field.metadata),
    webhook_url: Type.Optional(Field.webhookUrl),
    webhook_events: Type.Optional(Field.webhookEvents),
    reminders: Type.Optional(
      Type.Array(Type.Integer({ wants: "a whole number of days" }), {
        maxItems: Reminder.countMax,
        wants: `a list of up to ${Reminder.countMax} days from the due date, such as [-3, 0, 7]`,
        means:
          "when the customer is mailed again while it is not paid; [] is never; TILL_REMINDERS when left out",
      }),
    ),
    send_now: Type.Optional(
      Type.Boolean({
        wants: "true or false",
        means: "true when left out; false makes a draft without a mail",
      }),
    ),
  },
  { additionalProperties: false, wants: "a JSON object", noun: "InvoiceRequest" },
);

/** Invoice requests may name the customer's fields `vendor_…`, as answers do, or `customer_…`. */
const vendorNames = {
  customer_email: "vendor_email",
  customer_name: "vendor_name",
  customer_address: "vendor_address",
  customer_details: "vendor_details",
} as const;

export const customerFields = Object.keys(vendorNames);

/** The body as documented for callers, with both names of the customer's fields. */
export const InvoiceBody = withCustomerNames(InvoiceRequest);

type ParsedRequest = { ok: true; request: NewInvoice } | { ok: false; faults: Fault[] };

/** Reads a creation request and reports every fault at once. */
export function parseInvoiceRequest(body: unknown, rules: Field.RequestRules): ParsedRequest {
  const named = withVendorNames(body);
  const { reader, fields } = readBody(InvoiceRequest, named.body, named.faults);
  const line = (field: keyof typeof fields & string, value: string | undefined) =>
    reader.read(field, value, Field.plainLine);
  const lines = (field: keyof typeof fields & string, value: string | undefined) =>
    reader.read(field, value, Field.plainLines);

  const merchantEmail = reader.read(
    "merchant_email",
    fields.merchant_email,
    Field.merchantEmail(rules.merchant),
  );
  const merchantName = line("merchant_name", fields.merchant_name);
  const merchantAddress = lines("merchant_address", fields.merchant_address);
  const vendorEmail = reader.read("vendor_email", fields.vendor_email, Field.emailAddress);
  const vendorName = line("vendor_name", fields.vendor_name);
  const vendorAddress = lines("vendor_address", fields.vendor_address || undefined);
  const currency = readCurrency(reader, fields);
  const taxRate = readRate(reader, "tax_exchange_rate", fields.tax_exchange_rate);
  const bill = readBill(reader, fields, { currency, includesTax: false });
  const trade = readTrade(reader, fields);
  const issueDate = reader.read("issue_date", fields.issue_date, Field.calendarDay);
  const closed = issueDate === undefined ? null : (rules.closedThrough ?? null);
  if (closed !== null && issueDate !== undefined && issueDate <= closed)
    reader.add("issue_date", why("period_closed", { day: closed }));
  const dueDate = reader.read("due_date", fields.due_date, Field.calendarDay);
  if (issueDate !== undefined && dueDate !== undefined && dueDate < issueDate) {
    reader.add("due_date", why("day_before", { other: "issue_date", day: issueDate }));
  }
  const wallet = Field.readWallet(reader, fields, rules);
  const notes = lines("notes", fields.notes || undefined);
  const reminders = reader.read("reminders", fields.reminders, (days) =>
    days.every(Reminder.isDays)
      ? { ok: true, value: Reminder.orderedDays(days) }
      : { ok: false, why: why("reminders", { min: Reminder.daysMin, max: Reminder.daysMax }) },
  );
  const reference = line("reference", fields.reference);
  const metadata = Field.readMetadata(reader, fields.metadata);
  const webhook = Field.readWebhookUrl(reader, fields.webhook_url, rules);
  const webhookEvents = Field.readWebhookEvents(reader, fields);
  if (
    reader.faults.length > 0 ||
    merchantEmail === undefined ||
    merchantName === undefined ||
    merchantAddress === undefined ||
    vendorEmail === undefined ||
    vendorName === undefined ||
    dueDate === undefined
  ) {
    const faults = fields.currency === undefined ? reader.faults : reader.faults.map(Field.ofAnyCurrency);
    return { ok: false, faults: faults.map((fault) => ({ ...fault, field: named.sentAs(fault.field) })) };
  }
  return {
    ok: true,
    request: {
      merchantEmail,
      merchantName,
      merchantAddress,
      vendorEmail,
      vendorName,
      vendorAddress: vendorAddress ?? null,
      ...bill,
      currency,
      taxExchangeRate: taxRate ?? null,
      ...trade,
      issueDate: issueDate ?? null,
      dueDate,
      wallet,
      notes: notes ?? null,
      webhookUrl: webhook,
      webhookEvents,
      reminders: reminders ?? null,
      reference: reference ?? null,
      metadata,
      language: fields.language ?? null,
      sendNow: fields.send_now ?? true,
    },
  };
}

type Renamed = {
  /** The body with `vendor_…` names only. */
  body: unknown;
  /** Fields whose two names have different values. */
  faults: Fault[];
  /** The name under which a field, or part of one, was sent. */
  sentAs: (field: string) => string;
};

/** Reads `customer_…` as `vendor_…`. A field that is null under either name counts as absent there. */
function withVendorNames(body: unknown): Renamed {
  if (typeof body !== "object" || body === null || Array.isArray(body)) {
    return { body, faults: [], sentAs: (field) => field };
  }
  const renamed: Record<string, unknown> = { ...body };
  const faults: Fault[] = [];
  const sent = new Map<string, string>();
  for (const [customer, vendor] of Object.entries(vendorNames)) {
    const value = renamed[customer] ?? null;
    delete renamed[customer];
    if (value === null) continue;
    if ((renamed[vendor] ?? null) === null) {
      renamed[vendor] = value;
      sent.set(vendor, customer);
    } else if (!isDeepStrictEqual(renamed[vendor], value)) {
      faults.push({ field: customer, ...why("same", { other: vendor }) });
    }
  }
  return {
    body: renamed,
    faults,
    sentAs: (field) => {
      const [part = ""] = /^\w*/.exec(field) ?? [];
      return `${sent.get(part) ?? part}${field.slice(part.length)}`;
    },
  };
}

/** A request's schema for callers, with both names: a required field needs either. */
function withCustomerNames(schema: TObject): TObject {
  const { properties, required = [] } = schema;
  const customerNames = new Map(
    Object.entries(vendorNames).map(([customer, vendor]) => [vendor as string, customer]),
  );
  const both = Object.entries(properties).flatMap(([name, found]) => {
    const customer = customerNames.get(name);
    const other = { ...found, means: `another name for ${name}` };
    return customer === undefined
      ? [[name, found]]
      : [
          [name, found],
          [customer, other],
        ];
  });
  const either = required.filter((name) => customerNames.has(name));
  const always = required.filter((name) => !customerNames.has(name));
  return {
    ...schema,
    properties: Object.fromEntries(both),
    required: always,
    allOf: either.map((name) => ({ anyOf: [{ required: [name] }, { required: [customerNames.get(name)] }] })),
  };
}
