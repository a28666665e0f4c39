import { type Static, Type } from "@sinclair/typebox";
import * as Invoice from "../domain/invoice.ts";
import * as Quantity from "../domain/quantity.ts";
import * as Usdc from "../domain/usdc.ts";
import type { NewInvoice } from "../service/create-invoice.ts";
import { withCustomerNames, withVendorNames } from "./customer-fields.ts";
import type { Fault } from "./problem.ts";
import {
  amount,
  billingEmail,
  calendarDay,
  day,
  email,
  emailAddress,
  meaning,
  plainLine,
  plainLines,
  price,
  type RequestRules,
  readWallet,
  readWebhookUrl,
  text,
  walletAddress,
  walletType,
  webhookUrl,
} from "./request-fields.ts";
import {
  createFieldReader,
  type FieldReader,
  type Reading,
  shapeFaults,
  withoutNulls,
} from "./validation.ts";

const LineItemRequest = Type.Object(
  {
    description: text(1, 500),
    quantity: Type.Number({ wants: "a number (not a string)", means: "with up to six decimals" }),
    unit_price: amount,
  },
  { additionalProperties: false, wants: "an object with description, quantity and unit_price" },
);

/** The body of POST /api/invoices (SPEC section 4.1). What a schema cannot say is checked below. */
export const InvoiceRequest = Type.Object(
  {
    merchant_email: billingEmail,
    merchant_name: text(1, 200),
    merchant_address: text(1, 500),
    vendor_email: meaning("who pays; the invoice is mailed there", email),
    vendor_name: text(1, 200),
    vendor_address: Type.Optional(text(0, 500)),
    line_items: Type.Array(LineItemRequest, {
      minItems: 1,
      maxItems: Invoice.lineItemsMax,
      wants: `a list of 1 to ${Invoice.lineItemsMax} line items`,
    }),
    issue_date: Type.Optional(meaning("default: today", day)),
    due_date: meaning("an invoice not paid by then is overdue", day),
    wallet_type: walletType,
    wallet_address: Type.Optional(walletAddress),
    notes: Type.Optional(meaning("at the bottom of the invoice", text(0, 2000))),
    webhook_url: Type.Optional(webhookUrl),
    send_now: Type.Optional(
      Type.Boolean({
        wants: "true or false",
        means: "true when left out; false makes a draft without a mail",
      }),
    ),
  },
  { additionalProperties: false, wants: "a JSON object" },
);

/** The body as it is described to callers, who may name the one who pays in two ways. */
export const InvoiceBody = withCustomerNames(InvoiceRequest);

export type ParsedRequest = { ok: true; request: NewInvoice } | { ok: false; faults: Fault[] };

/** Reads a creation request and names every fault in it at once. */
export function parseInvoiceRequest(body: unknown, rules: RequestRules): ParsedRequest {
  const named = withVendorNames(body);
  const present = withoutNulls(InvoiceRequest, named.body);
  const reader = createFieldReader([...named.faults, ...shapeFaults(InvoiceRequest, present)]);
  // Where the shape is wrong the reader does not look, so the rest has the schema's type.
  const given = (typeof present === "object" && present !== null ? present : {}) as Partial<
    Static<typeof InvoiceRequest>
  >;
  const line = (field: keyof typeof given & string, value: string | undefined) =>
    reader.read(field, value, plainLine);
  const lines = (field: keyof typeof given & string, value: string | undefined) =>
    reader.read(field, value, plainLines);

  const merchantEmail = reader.read("merchant_email", given.merchant_email, emailAddress);
  const merchantName = line("merchant_name", given.merchant_name);
  const merchantAddress = lines("merchant_address", given.merchant_address);
  const vendorEmail = reader.read("vendor_email", given.vendor_email, emailAddress);
  const vendorName = line("vendor_name", given.vendor_name);
  const vendorAddress = lines("vendor_address", given.vendor_address || undefined);
  const lineItems = readLineItems(reader, given.line_items);
  const issueDate = reader.read("issue_date", given.issue_date, calendarDay);
  const dueDate = reader.read("due_date", given.due_date, calendarDay);
  if (issueDate !== undefined && dueDate !== undefined && dueDate < issueDate) {
    reader.add("due_date", `must not be before issue_date, ${issueDate}`);
  }
  const wallet = readWallet(reader, given, rules);
  const notes = lines("notes", given.notes || undefined);
  const webhook = readWebhookUrl(reader, given.webhook_url, rules);
  if (
    reader.faults.length > 0 ||
    merchantEmail === undefined ||
    merchantName === undefined ||
    merchantAddress === undefined ||
    vendorEmail === undefined ||
    vendorName === undefined ||
    dueDate === undefined
  ) {
    const faults = reader.faults.map(({ field, message }) => ({ field: named.sentAs(field), message }));
    return { ok: false, faults };
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
      lineItems,
      issueDate: issueDate ?? null,
      dueDate,
      wallet,
      notes: notes ?? null,
      webhookUrl: webhook,
      sendNow: given.send_now ?? true,
    },
  };
}

type LineItems = NewInvoice["lineItems"];

function readLineItems(reader: FieldReader, given: unknown): LineItems {
  if (!Array.isArray(given)) return [];
  const items: LineItems = given
    .slice(0, Invoice.lineItemsMax)
    .flatMap((item: Static<typeof LineItemRequest>, i) => {
      const field = `line_items[${i}]`;
      const description = reader.read(`${field}.description`, item?.description, plainLines);
      const quantity = reader.read(`${field}.quantity`, item?.quantity, wholeOrDecimal);
      const unitPrice = reader.read(`${field}.unit_price`, item?.unit_price, price);
      if (description === undefined || quantity === undefined || unitPrice === undefined) return [];
      return [{ description, quantity, unitPrice }];
    });
  if (items.length === given.length) {
    const total = Usdc.sum(items.map((item) => Invoice.lineTotal(item.quantity, item.unitPrice)));
    if (total === 0n) reader.add("line_items", "must add up to more than 0.00 USDC");
    if (total > Usdc.max) reader.add("line_items", `must add up to at most ${Usdc.format(Usdc.max)} USDC`);
  }
  return items;
}

function wholeOrDecimal(value: number): Reading<Quantity.Quantity> {
  const quantity = Quantity.fromNumber(value);
  if (quantity !== null) return { ok: true, value: quantity };
  const { max, decimalsMax } = Quantity;
  return { ok: false, message: `must be above 0, at most ${max}, with at most ${decimalsMax} decimals` };
}
