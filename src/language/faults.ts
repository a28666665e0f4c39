import { fill, type ValuesOf } from "../lib/text/english.ts";

/**
 * Everything that can be wrong with a field of a request, by code: the end of a sentence that begins with the field's
 * name. The API and the command line say it in English; the desk has its own advice for each field.
 */
const sentences = {
  required: "is required",
  lasting: "can be changed, but not taken back with null",
  required_with: "is required with {other}",
  required_without: "is required without {other}",
  left_out_with: "must be left out with {other}",
  left_out_without: "must be left out without {other}",
  unknown_field: "is not a known field",
  of_the_bill:
    "is part of the bill, which stays as it was issued: credit or void the invoice, and make it anew",
  repeated: "may appear only once",
  shape: "must be {wants}",
  same: "must be the same as {other}; send only one of them",
  other_email: "must be the one in the path",
  key_name: "must have {wants}",
  key_of_all: "must be omitted with {scope}: only read and shop are for one merchant",
  key_end: "must be {end} at the latest, when the key that makes it ends",
  other_merchant: "must be {merchant}: the API key is for this merchant alone",
  other_nonce: "must be the one that POST …/authorization gives, so that two signatures are one payment",

  surrogate: "must not contain half of a character (a lone surrogate)",
  controls: "must not contain control characters",
  several_lines: "must be a single line",
  reversing: "must not contain characters that reverse the text around them",
  blank: "must not be blank",
  metadata_name: "must have a name of 1 to {max} plain characters",
  too_long: "must have at most {max} characters",
  too_long_local: "must have at most {max} characters before the @",
  too_long_encoded: "must have at most {max} characters when encoded",
  email_form: "must be one address such as name@example.com",
  email_local: "must have only letters, digits, single dots and signs such as + - _ before the @",
  email_dotless: "must have a domain with a dot after the @",
  email_domain: "must have a valid domain after the @",
  email_number: "must have a domain name after the @, not a number",

  web_url: "must be an http or https URL of at most {max} characters",
  origin: "must be an origin such as https://shop.example, without a path",
  url_long: "is longer than {max} characters",
  url_long_encoded: "is longer than {max} characters once it is percent-encoded",
  url_blank: "contains a space, a line break or a control character",
  url_start: "must start with https:// or http:// and a host",
  url_form: "is not a valid URL",
  url_user: "must not contain a user name or password",
  url_port: "has port 0, where nothing can listen",
  url_chat: "must be the whole address that the chat gives, such as {example}",
  url_private: "must be publicly reachable, and {host} is not a public address",
  unhooked: "must be omitted without webhook_url: nothing is sent",

  vat_id_greek: "must begin with EL for Greece, such as {example}",
  vat_id_country: "must begin with two letters for the country, such as DE136695976",
  id_form: "must have the form of {what}, such as {example}",
  id_digits: "must be {what} as it was issued: its check digits do not fit",
  phone: "must be a number to call, such as +49 30 1234567",
  electronic_address: "must be a scheme of the list EAS, a colon and the id, such as 9930:DE136695976",

  wallet_missing: 'is required when wallet_type is "byo"',
  wallet_managed: 'must be omitted when wallet_type is "managed": Till creates the wallet',
  address_mistyped: "fails its checksum: a character may be wrong. Copy it again from your wallet",
  address_unchecked: "has no checksum; compare it with your wallet, then write it as {expected}",
  wallet_deposit:
    "is a deposit address of this Till; payouts to it would be counted as payments. Use your own wallet",
  wallet_stuck: "is {what}, from which nothing can ever be moved",
  wallet_gas: "is the gas account, from which Till moves no USDC",
  wallet_new:
    "is new to this Till, and this API key was made at the desk: it may name new wallets from {when} on, and until then those that payments go to already",
  wallet_lost: "is {what}: what arrives there is lost, or anybody can take it",

  day: "must be a date that exists, YYYY-MM-DD, from {min} to {max}",
  day_before: "must not be before {other}, {day}",
  day_of_month:
    "must be left out unless starts_on is the last day of a month without it, and every has months or years",
  no_dates: "must leave a date from today, {day}, on",
  ended: "cannot be changed: the series has ended. Make a new one",
  time_past: "must be in the future; it is {now} now",
  time_far: "must be within ten years; it is {now} now",
  reminders: "must be days from {min} to {max}",
  at_most: "must be at most {max}",
  above_zero: "must be above 0",
  quantity: "must be above 0, at most {max}, with at most {decimals} decimals",
  amount: 'must be {amount} from "{min}" to "{max}", with {digits} and no other characters',
  amount_zero: "must be more than {zero} {unit}",
  amount_below: "must not be below {other}, {min}",
  pieces: "must be lower: {quantity} × {each} {unit} is more than {max} {unit}",
  currency_missing: "is required with amount; a price in USDC is expected_amount",
  computed_amount: "must be left out with currency and amount: Till computes it",
  chosen_amount: "must be omitted with amount_min and amount_max: the payer chooses the amount",
  chosen_pieces: "must be omitted with amount_min and amount_max: it is for a price per piece",
  sum_zero: "must add up to more than 0.00 {unit}",
  sum_high: "must add up to at most {max} {unit}",

  currency: "must be a currency of ISO 4217 that has cents, such as EUR",
  rate: "must be a decimal above 0 with at most {decimals} digits after the point",
  rate_missing: "is required: no source has a rate of USDC in {currency}",
  rate_high: "makes 0.00 USDC of the total",
  rate_low: "makes more than {max} USDC of the total",
  quoted_high: "1 USDC = {rate} {currency} makes 0.00 USDC of the total",
  quoted_low: "1 USDC = {rate} {currency} makes more than {max} USDC of the total",
  period_closed: "must be after {day}: the books are closed through that day",
  share: 'must be a percentage from "0" to "100", with up to two decimals',
  untaxed: "must be left out when no line has a tax_rate",
  tax_rate_missing: "is required: the invoice has lines with tax",
  tax_rate_zero: "must be above 0 with the tax_category standard",
  tax_rate_above: "must be 0 or left out with the tax_category {category}",
  row_below: "of the tax rate {rate} come to less than zero: give it back with a credit note",
  tax_reason_mixed: "must be the same on all lines of the tax_category {category}",

  credit_amount: 'must be an amount above 0, such as "25.00"',
  credit_rate: "must be a rate of the invoice's tax_breakdown",
  credit_rate_unclear:
    "is required: the invoice has more than one row of taxes; with tax_category where two have one rate",
  credit_line: "must be a line of which something is left to credit, once",
  credit_quantity: "must be at most {max}: that is left of line {line}",
  credit_row: "must be at most {max}: that is left of this rate",
  credit_taken_back:
    "come to more than what is left of their tax rate, {max}: other lines of the invoice take something back. Credit fewer, or send amounts",
  credit_lines:
    "come to more than what is left of their tax rate, {max}: amounts were credited before. Send amounts",

  refund_amount: 'must be an amount above 0 with two or six decimals, such as "25.00"',
  refund_most: "must be at most {max}: more than that is not to be returned, or has been already",
  refund_own: "is the wallet that the payment went to",
  refund_deposit: "is a deposit address of this Till: what arrives there counts as a payment",
  refund_unasked: "must be omitted: nobody can be asked without a mail address",
  refund_unknown: "is none that this key knows",

  // Usually wrong on an invoice, but allowed.
  no_tax_id:
    "or tax_id is missing: an invoice with tax names the number that the tax office knows the seller by",
  no_buyer_tax_id: "is missing: without it the buyer cannot account for the tax, and the seller may owe it",
  no_delivery_date:
    "or delivery_from is missing: the law of the seller's country wants the day of delivery if it is not the issue_date",
  delivery_far: "is more than a year from the issue_date",
  earlier_period:
    "is in books that are closed, through {day}: the tax belongs to that period, whose return needs a correction",
  issue_back: "is {days} days back",
  issue_ahead: "is {days} days ahead",
  due_past: "is over: the invoice is overdue from the beginning",
  due_far: "is more than five years after the issue_date",
  no_tax_rate_known:
    "is missing, and nobody told a rate: the law of the seller's country wants to see the tax in {currency} too",
  tax_by_line:
    "is true: the tax is {tax}, computed for each rate. Rounded line by line, as many receipts do, it would be {lines}",
  french_rules:
    "is FR, as the seller's: an e-invoice of it keeps EN 16931, but names neither the kind of business nor the terms of late payment in the codes that France's platforms ask for (BR-FR-05, BR-FR-08)",

  // Missing for an e-invoice; `term` is one of EN 16931.
  no_currency: "must be one of ISO 4217, or the merchant counts 1 USDC as 1 USD by usd_parity ({term})",
  no_tax: "each needs a tax_rate or a tax_category ({term})",
  no_seller_country: "is required, of ISO 3166-1 ({term})",
  no_buyer_country: "is required, of ISO 3166-1 ({term})",
  no_seller_tax_id: "or tax_id is required with this tax_category ({term})",
  no_seller_vat_id: "is required with the tax_category export ({term})",
  no_seller_registration: "or tax_id is required with the tax_category outside_scope ({term})",
  no_buyer_vat_id: "or registration is required with the tax_category reverse_charge ({term})",
  no_seller_vat_id_eu: "is required with the tax_category intra_community ({term})",
  no_buyer_vat_id_eu: "is required with the tax_category intra_community ({term})",
  no_delivery: "or delivery_from is required with the tax_category intra_community ({term})",
  too_fine: "has a third decimal in some amount, which EN 16931 has no place for ({term})",
  no_vat_id_country: "must begin with its country ({term})",
  no_electronic_address: "is required by Peppol ({term})",
  no_address_scheme: "must begin with a scheme of the EAS list, such as 9930: ({term})",
  no_buyer_reference: "or purchase_order is required by Peppol ({term})",
  no_peppol_means:
    "has rules of Peppol that Till cannot keep: Greece wants a MARK of its tax office, the Netherlands a bank account ({term})",
  no_vat_currency:
    "is missing: the law of the seller's country wants to see the tax in its currency ({term})",
} as const;

type Sentences = typeof sentences;
type Code = keyof Sentences;
type WhyOf<C extends Code> =
  ValuesOf<Sentences[C], string | number> extends [infer Values]
    ? { readonly code: C; readonly values: Values }
    : { readonly code: C; readonly values?: undefined };

/** The reason why a value is refused: a code, with a value for each name in its sentence. */
export type Why = { [C in Code]: WhyOf<C> }[Code];

/** A fault in a field of a request. Nested fields are named like `line_items[0].quantity`. */
export type Fault = { readonly field: string } & Why;

export const why = <C extends Code>(code: C, ...values: ValuesOf<Sentences[C], string | number>) =>
  ({ code, values: values[0] }) as Extract<Why, { code: C }>;

/** A fault as programs read it. */
export type SaidFault = { field: string; message: string };

export const sayWhy = ({ code, values }: Why): string => fill(sentences[code], values ?? {});

export const sayFault = (fault: Fault): SaidFault => ({ field: fault.field, message: sayWhy(fault) });
