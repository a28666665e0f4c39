import { Type } from "@sinclair/typebox";
import * as Bill from "../../../domain/link/bill.ts";
import { quantityLimit } from "../../../domain/link/reusable-link.ts";
import { lineItems } from "../bill.ts";
import { currencyFields } from "../currency.ts";
import * as Field from "../fields.ts";
import { lineTaxFields, pricesIncludeTax } from "../tax.ts";
import { oneOf } from "../validation.ts";

/** The tax of a link's single price, with the fields of a line's. */
const { tax_rate, tax_category, tax_reason } = lineTaxFields;
const linkTaxFields = {
  tax_rate: Type.Optional({ ...tax_rate, means: "in percent, of the price; not with line_items" }),
  tax_category,
  tax_reason,
};

export const urlLengthMax = 2048;
const embedOriginsMax = 20;
/** Scheme, a host name of 253 characters (RFC 1035), and port. */
export const originLengthMax = 270;

export const timeWanted = "a time with its time zone, such as 2026-12-31T18:00:00+01:00";

const origin = Type.String({ wants: "an origin such as https://shop.example" });

/** The body of POST /api/links (SPEC section 4.8). Rules that a schema cannot express are checked below. */
export const LinkRequest = Type.Object(
  {
    business_name: Field.meaning("at the top of the checkout", Field.text(1, 200)),
    expected_amount: Type.Optional(
      Field.meaning(
        "of one piece if reusable; required without amount, or amount_min and amount_max",
        Field.amount,
      ),
    ),
    ...currencyFields,
    amount: Type.Optional(
      Field.meaning(
        "in the currency, in the place of expected_amount",
        Type.String({ wants: 'an amount as a string with up to two decimals, such as "20.00"' }),
      ),
    ),
    merchant_email: Field.billingEmail,
    wallet_type: Field.walletType,
    wallet_address: Type.Optional(Field.walletAddress),
    product_description: Type.Optional(Field.text(0, 500)),
    reference: Type.Optional(Field.reference),
    language: Type.Optional(Field.language),
    metadata: Type.Optional(Field.metadata),
    webhook_url: Type.Optional(Field.webhookUrl),
    webhook_events: Type.Optional(Field.webhookEvents),
    success_url: Type.Optional(
      Type.String({
        wants: "an http or https URL",
        means: "a button on the paid page leads there",
        openapi: { format: "uri" },
      }),
    ),
    expires_at: Type.Optional(
      Type.String({
        wants: timeWanted,
        means: "from then on the checkout asks for no money; what is paid all the same counts",
        openapi: { format: "date-time" },
      }),
    ),
    embed_origins: Type.Optional(
      Type.Array(origin, {
        minItems: 1,
        maxItems: embedOriginsMax,
        wants: `a list of 1 to ${embedOriginsMax} origins`,
        means: "the only sites that may frame the checkout; any site when left out",
      }),
    ),
    reusable: Type.Optional(
      Type.Boolean({
        wants: "true or false",
        means: "whether it can be paid many times; false when left out",
      }),
    ),
    line_items: Type.Optional({
      ...lineItems,
      means: "what is sold, as on an invoice, in the place of an amount; not with reusable",
    }),
    prices_include_tax: Type.Optional({
      ...pricesIncludeTax,
      means: "whether prices have the tax in them already: true when left out; false adds it",
    }),
    ...linkTaxFields,
    collect: Type.Optional(
      Type.Array(oneOf(Bill.askable, `one of ${Bill.askable.map((name) => `"${name}"`).join(", ")}`), {
        minItems: 1,
        uniqueItems: true,
        wants: 'a list of what to ask for, such as ["name", "address"], each once',
        means: "what a payer can fill in to have the receipt in their name",
      }),
    ),
    questions: Type.Optional(
      Type.Array(Field.text(1, 100), {
        minItems: 1,
        maxItems: Bill.questionsMax,
        wants: `a list of 1 to ${Bill.questionsMax} questions of 1 to 100 characters`,
        means: "your own questions to the payer, who need not answer",
      }),
    ),
    amount_min: Type.Optional(
      Field.meaning(
        "the payer chooses from this; with reusable, in the place of expected_amount",
        Field.amount,
      ),
    ),
    amount_max: Type.Optional(Field.meaning("the payer chooses up to this", Field.amount)),
    quantity_max: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: quantityLimit,
        wants: `a whole number from 1 to ${quantityLimit}`,
        means: "the most pieces in one payment, with reusable and one price; 1 when left out",
      }),
    ),
  },
  { additionalProperties: false, wants: "a JSON object", noun: "LinkRequest" },
);

/** A one-time link needs an amount, unless it has lines. */
export const PaidOnceRequest = Type.Object(
  { ...LinkRequest.properties, expected_amount: Field.amount },
  { additionalProperties: false, wants: "a JSON object" },
);
