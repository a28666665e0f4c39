import { type Static, Type } from "@sinclair/typebox";
import * as Address from "../domain/address.ts";
import * as Calendar from "../domain/calendar.ts";
import * as Email from "../domain/email.ts";
import * as Invoice from "../domain/invoice.ts";
import * as PayoutWallet from "../domain/payout-wallet.ts";
import * as Quantity from "../domain/quantity.ts";
import * as Usdc from "../domain/usdc.ts";
import { checkWebhookUrl } from "../domain/webhook-url.ts";
import * as Text from "../lib/text.ts";
import type { NewInvoice } from "../service/create-invoice.ts";
import { newSecret } from "../webhook/signature.ts";
import type { Fault } from "./problem.ts";
import { createFieldReader, type FieldReader, type Reading, shapeFaults } from "./validation.ts";

const text = (min: number, max: number) =>
  Type.String({
    minLength: min,
    maxLength: max,
    wants: min > 0 ? `text of ${min} to ${max} characters` : `text of at most ${max} characters`,
  });
const amount = Type.String({
  wants: 'an amount of USDC as a string with up to two decimals, such as "1500.00"',
});
const day = Type.String({ wants: "a date, YYYY-MM-DD" });
const email = Type.String({ wants: "an e-mail address" });

const LineItemRequest = Type.Object(
  {
    description: text(1, 500),
    quantity: Type.Number({ wants: "a number (not a string)" }),
    unit_price: amount,
  },
  { additionalProperties: false, wants: "an object with description, quantity and unit_price" },
);

/** The body of POST /api/invoices (SPEC section 4.1). What a schema cannot say is checked below. */
export const InvoiceRequest = Type.Object(
  {
    merchant_email: email,
    merchant_name: text(1, 200),
    merchant_address: text(1, 500),
    vendor_email: email,
    vendor_name: text(1, 200),
    vendor_address: Type.Optional(text(0, 500)),
    line_items: Type.Array(LineItemRequest, {
      minItems: 1,
      maxItems: Invoice.lineItemsMax,
      wants: `a list of 1 to ${Invoice.lineItemsMax} line items`,
    }),
    issue_date: Type.Optional(day),
    due_date: day,
    wallet_type: Type.Union([Type.Literal("managed"), Type.Literal("byo")], { wants: '"managed" or "byo"' }),
    wallet_address: Type.Optional(Type.String({ wants: "an address as text, 0x and 40 hex digits" })),
    notes: Type.Optional(text(0, 2000)),
    webhook_url: Type.Optional(Type.String({ wants: "an http or https URL" })),
    send_now: Type.Optional(Type.Boolean({ wants: "true or false" })),
  },
  { additionalProperties: false, wants: "a JSON object" },
);

export type RequestRules = {
  usdc: Address.Address;
  factory: Address.Address;
  /** Whether a webhook may only go to the public internet. */
  publicWebhooksOnly: boolean;
};

export type ParsedRequest = { ok: true; request: NewInvoice } | { ok: false; faults: Fault[] };

/** Reads a creation request and names every fault in it at once. */
export function parseInvoiceRequest(body: unknown, rules: RequestRules): ParsedRequest {
  const reader = createFieldReader(shapeFaults(InvoiceRequest, body));
  // Where the shape is wrong the reader does not look, so the rest has the schema's type.
  const given = (typeof body === "object" && body !== null ? body : {}) as Partial<
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
  const wallet = readWallet(reader, given, rules);
  const notes = lines("notes", given.notes || undefined);
  const webhookUrl = reader.read("webhook_url", given.webhook_url, (url) => {
    const checked = checkWebhookUrl(url, { publicOnly: rules.publicWebhooksOnly });
    return checked.ok ? { ok: true, value: checked.url } : { ok: false, message: checked.reason };
  });
  if (
    reader.faults.length > 0 ||
    merchantEmail === undefined ||
    merchantName === undefined ||
    merchantAddress === undefined ||
    vendorEmail === undefined ||
    vendorName === undefined ||
    dueDate === undefined
  ) {
    return { ok: false, faults: [...reader.faults] };
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
      webhook: webhookUrl === undefined ? null : { url: webhookUrl, secret: newSecret() },
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

/** The caller's wallet; null for `managed`, or when there is a fault. */
function readWallet(
  reader: FieldReader,
  given: { wallet_type?: unknown; wallet_address?: string | undefined },
  rules: RequestRules,
): Address.Address | null {
  if (given.wallet_type === "byo" && given.wallet_address === undefined) {
    reader.add("wallet_address", 'is required when wallet_type is "byo"');
  }
  if (given.wallet_type === "managed" && given.wallet_address !== undefined) {
    reader.add("wallet_address", 'must be left out when wallet_type is "managed": Till makes the wallet');
  }
  const wallet = reader.read("wallet_address", given.wallet_address, (address) => {
    const parsed = Address.parse(address);
    if (parsed.ok) {
      const refusal = PayoutWallet.refusal(parsed.address, rules);
      return refusal === null ? { ok: true, value: parsed.address } : { ok: false, message: refusal };
    }
    const message =
      parsed.reason === "form"
        ? "must be an address: 0x and 40 hex digits"
        : `does not have its checksum; if the address is right, write it as ${parsed.expected}`;
    return { ok: false, message };
  });
  return wallet ?? null;
}

function emailAddress(value: string): Reading<string> {
  const parsed = Email.parse(value);
  return parsed.ok ? { ok: true, value: parsed.email } : { ok: false, message: parsed.reason };
}

function plainLine(value: string): Reading<string> {
  const reason = Text.refusal(value, { lineBreaks: false });
  return reason === null ? { ok: true, value } : { ok: false, message: reason };
}

function plainLines(value: string): Reading<string> {
  const reason = Text.refusal(value, { lineBreaks: true });
  return reason === null ? { ok: true, value } : { ok: false, message: reason };
}

function calendarDay(value: string): Reading<string> {
  return Calendar.isDay(value)
    ? { ok: true, value }
    : { ok: false, message: "must be a date that exists, YYYY-MM-DD" };
}

function wholeOrDecimal(value: number): Reading<Quantity.Quantity> {
  const quantity = Quantity.fromNumber(value);
  if (quantity !== null) return { ok: true, value: quantity };
  const { max, decimalsMax } = Quantity;
  return { ok: false, message: `must be above 0, at most ${max}, with at most ${decimalsMax} decimals` };
}

function price(value: string): Reading<Usdc.Usdc> {
  const parsed = Usdc.parse(value);
  if (parsed !== null && parsed <= Usdc.max) return { ok: true, value: parsed };
  const range = `from "0.00" to "${Usdc.format(Usdc.max)}"`;
  return {
    ok: false,
    message: `must be an amount of USDC ${range}, with up to two decimals and no other signs`,
  };
}
