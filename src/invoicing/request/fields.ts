import { type TSchema, Type } from "@sinclair/typebox";
import * as Currency from "../../domain/bill/currency.ts";
import * as Invoice from "../../domain/bill/invoice.ts";
import * as Quantity from "../../domain/bill/quantity.ts";
import * as Calendar from "../../domain/calendar.ts";
import { checkWebhookUrl } from "../../domain/event/webhook-url.ts";
import { languageCodes } from "../../domain/language.ts";
import { isTheirs } from "../../domain/party/api-key.ts";
import * as Email from "../../domain/party/email.ts";
import * as Common from "../../domain/receivable/common.ts";
import * as Usdc from "../../domain/usdc.ts";
import * as Address from "../../domain/wallet/address.ts";
import * as PayoutWallet from "../../domain/wallet/payout-wallet.ts";
import { type Fault, why } from "../../language/faults.ts";
import * as Text from "../../lib/text/text.ts";
import { type FieldReader, fieldName, oneOf, type Reading, reading } from "./validation.ts";

/** Fields shared by several requests: their schemas, and how to parse them. */

/**
 * Adds a field's purpose or default to a schema, for /docs and /openapi.json. The latter also shows `openapi`, which is
 * not validated, and writes a schema with a `noun` once, under that name.
 */
export const meaning = <S extends TSchema>(means: string, schema: S): S => ({ ...schema, means });

const textWanted = (max: number) => `text of at most ${max} characters`;
export const text = (min: number, max: number) =>
  Type.String({
    minLength: min,
    maxLength: max,
    wants: min > 0 ? `text of ${min} to ${max} characters` : textWanted(max),
  });
/** The word for an amount in messages; requests in another currency get messages without USDC. */
export const anAmount = "an amount of USDC";
export const amount = Type.String({
  wants: `${anAmount} as a string with up to two decimals, such as "1500.00"`,
});
export const day = Type.String({ wants: "a date, YYYY-MM-DD", openapi: { format: "date" } });
export const email = Type.String({ wants: "an e-mail address", openapi: { format: "email" } });

export const billingEmail = meaning("who bills; a managed wallet belongs to it", email);
export const walletType = meaning(
  "a wallet that Till creates for the merchant, or wallet_address",
  oneOf(["managed", "byo"], '"managed" or "byo"'),
);
export const walletAddress = Type.String({
  wants: "an address as text, 0x and 40 hex digits",
  means: 'in checksum form; required with "byo", omitted with "managed"',
});
export const reason = meaning("shown to the one who pays", text(1, 500));
export const reference = meaning(
  "your order number or the like; the payer sees it",
  text(1, Invoice.referenceLengthMax),
);
export const language = meaning(
  "of its mails, PDF and page, unless the reader chooses another; as for the customer, or as Till is set up, when left out",
  oneOf(languageCodes, `one of ${languageCodes.join(", ")}`),
);
const { entries, keyLength, valueLength } = Common.metadataMax;
export const metadata = Type.Record(Type.String(), Type.Unknown(), {
  maxProperties: entries,
  wants: `an object of at most ${entries} texts of at most ${valueLength} characters, each with a name of 1 to ${keyLength}`,
  means: "your own; webhooks and answers to you have it, payers never see it",
});
export const webhookUrl = Type.String({
  wants: "an http or https URL",
  openapi: { format: "uri" },
  means: "receives a signed POST when a payment arrives",
});

export const webhookEvents = meaning(
  "contract when left out: one body for money; standard: one for each event, with its type and the whole record",
  oneOf(Common.webhookForms, '"contract" or "standard"'),
);

export type RequestRules = {
  usdc: Address.Address;
  factory: Address.Address;
  /** Null until known. */
  gasAccount: Address.Address | null;
  /** Returns whether this installation counts payments at an address. */
  isDeposit: (address: Address.Address) => boolean;
  /** Whether webhooks may only go to the public Internet. */
  publicWebhooksOnly: boolean;
  /** Till's clock, in Unix milliseconds; null where only Till knows it. */
  now: () => number | null;
  /** The only merchant who may bill, as a normalised mail address; null or absent for any. */
  merchant?: string | null;
  /** The last day of the closed books; null or absent if none are closed. */
  closedThrough?: string | null;
};

/** The caller's wallet; null for `managed`, or after a fault. */
export function readWallet(
  reader: FieldReader,
  fields: { wallet_type?: unknown; wallet_address?: string | undefined },
  rules: RequestRules,
): Address.Address | null {
  if (fields.wallet_type === "byo" && fields.wallet_address === undefined) {
    reader.add("wallet_address", why("wallet_missing"));
  }
  if (fields.wallet_type === "managed" && fields.wallet_address !== undefined) {
    reader.add("wallet_address", why("wallet_managed"));
  }
  const wallet = reader.read("wallet_address", fields.wallet_address, (address) => {
    const parsed = Address.parse(address);
    if (!parsed.ok) return parsed;
    const fault = rules.isDeposit(parsed.address)
      ? why("wallet_deposit")
      : PayoutWallet.fault(parsed.address, rules);
    return fault === null ? { ok: true, value: parsed.address } : { ok: false, why: fault };
  });
  return wallet ?? null;
}

/** The URL to send events to; null if there is none, or after a fault. */
export function readWebhookUrl(
  reader: FieldReader,
  value: string | undefined,
  rules: Pick<RequestRules, "publicWebhooksOnly">,
  field = "webhook_url",
): string | null {
  const url = reader.read(field, value, (text): Reading<string> => {
    const checked = checkWebhookUrl(text, { publicOnly: rules.publicWebhooksOnly });
    return checked.ok ? { ok: true, value: checked.url } : checked;
  });
  return url ?? null;
}

/** The form of the events that go to `webhook_url`. */
export function readWebhookEvents(
  reader: FieldReader,
  fields: { webhook_url?: unknown; webhook_events?: Common.WebhookForm },
): Common.WebhookForm {
  if (fields.webhook_events !== undefined && fields.webhook_url === undefined)
    reader.add("webhook_events", why("unhooked"));
  return fields.webhook_events ?? Common.defaults.webhookEvents;
}

/** The merchant's own data; null if there is none, or after a fault. */
export function readMetadata(reader: FieldReader, value: unknown): Common.Metadata | null {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return null;
  const read = Object.entries(value).map((entry: [string, unknown]) => {
    const key = entry[0].replaceAll("~", "~0").replaceAll("/", "~1");
    return reader.read(fieldName(`/metadata/${key}`), entry, metadataEntry) ?? ["", ""];
  });
  // Unlike an assignment, this treats `__proto__` like any other name.
  return read.length === 0 ? null : Object.fromEntries(read);
}

function metadataEntry([key, value]: [string, unknown]): Reading<[key: string, value: string]> {
  if (!plainLine(key).ok || key.length > keyLength)
    return { ok: false, why: why("metadata_name", { max: keyLength }) };
  if (typeof value !== "string" || value.length > valueLength)
    return { ok: false, why: why("shape", { wants: textWanted(valueLength) }) };
  const lines = plainLines(value);
  return lines.ok || value === "" ? { ok: true, value: [key, value] } : lines;
}

export function emailAddress(value: string): Reading<string> {
  const parsed = Email.parse(value);
  return parsed.ok ? { ok: true, value: parsed.email } : parsed;
}

/** The mail address of a merchant; if `merchant` is not null, it must be theirs. */
export const merchantEmail =
  (merchant: string | null = null) =>
  (value: string): Reading<string> => {
    const email = emailAddress(value);
    if (!email.ok || merchant === null || isTheirs(merchant, value)) return email;
    return { ok: false, why: why("other_merchant", { merchant }) };
  };

function plain(value: string, lineBreaks: boolean): Reading<string> {
  const fault = Text.fault(value, { lineBreaks });
  return fault === null ? { ok: true, value } : { ok: false, why: why(fault) };
}
export const plainLine = (value: string) => plain(value, false);
export const plainLines = (value: string) => plain(value, true);

export function calendarDay(value: string): Reading<string> {
  const { isDay, yearMin: min, yearMax: max } = Calendar;
  return reading(isDay(value) ? value : null, why("day", { min, max }));
}

export function quantity(value: number): Reading<Quantity.Quantity> {
  const { fromNumber, max, decimalsMax: decimals } = Quantity;
  return reading(fromNumber(value), why("quantity", { max, decimals }));
}

/** The quantity of a line, negative if it takes something back. */
export function lineQuantity(value: number): Reading<Quantity.Quantity> {
  const quantity = Quantity.fromNumber(value, { mayTakeBack: true });
  return reading(quantity, why("quantity", { max: Quantity.max, decimals: Quantity.decimalsMax }));
}

/** Rewords a fault for amounts in a currency that the request names. */
export function ofAnyCurrency(fault: Fault): Fault {
  const amount = "an amount";
  if (fault.code === "amount") return { ...fault, values: { ...fault.values, amount } };
  if (fault.code !== "shape") return fault;
  return { ...fault, values: { wants: String(fault.values.wants).replace(anAmount, amount) } };
}

const digitsText: Record<number, string> = {
  0: "no decimals",
  2: "up to two decimals",
  3: "up to three decimals",
  6: "up to six decimals",
};

const amountIn =
  (code: Currency.Code, isPrice: boolean) =>
  (value: string): Reading<Usdc.Billed> => {
    const parsed = Currency.parse(value, code, { isPrice });
    const digits = digitsText[isPrice ? Currency.priceDecimalsMax : Currency.decimalsOf(code)] ?? "";
    const [min, max] = [0n, Usdc.max].map((end) => Currency.format(end, code)) as [string, string];
    const wrong = why("amount", { amount: anAmount, digits, min, max });
    return reading(parsed !== null && parsed <= Usdc.max ? parsed : null, wrong);
  };

/** An amount in a currency. */
export const price = (code: Currency.Code) => amountIn(code, false);

/** The price of one item, which may have more decimals than an amount. */
export const unitPrice = (code: Currency.Code) => amountIn(code, true);
