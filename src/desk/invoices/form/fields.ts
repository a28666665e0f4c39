import * as Usdc from "../../../domain/usdc.ts";
import type { Locale } from "../../../language/locale.ts";
import { area, choice, choices, day, line, own } from "../../parts/form/controls.tsx";
import { currencyRows } from "../../parts/form/currencies.ts";
import { languagesAfter } from "../../parts/form/languages.ts";
import { type Found, formOf, type Row } from "../../parts/form/rows.ts";
import { walletRow } from "../../shop/payout.tsx";

/** The fields of an invoice's form, and those of each of its lines, by their names in the API. */

/** `isWanted`: sent even if empty, so that the API reports it as missing instead of filling it in. */
type BillRow = Row & { isWanted?: true };

const words = { autocomplete: "off", maxlength: "100", dir: "auto" };
const figure = { inputmode: "decimal", autocomplete: "off", dir: "ltr" };

const rows = {
  vendor_name: {
    label: "customer",
    isWanted: true,
    control: line({ list: "known", autocomplete: "off", dir: "auto" }),
    fault: "faultCustomerName",
  },
  vendor_email: {
    label: "email",
    isWanted: true,
    control: line({ type: "email", inputmode: "email", autocomplete: "off" }),
    fault: "faultCustomerEmail",
  },
  /** On the total: `10 %`, or an amount. */
  discount: {
    label: "wholeDiscount",
    control: own,
    fault: "faultDiscount",
    of: ["discount_percent", "discount_amount"],
  },
  prices_include_tax: { label: "pricesIncludeTax", control: own, fault: "faultIncludesTax" },
  due_date: { label: "due", isWanted: true, control: day, fault: "faultDue" },
  notes: { label: "wordsToCustomer", optional: true, control: area(2, { dir: "auto" }), fault: "faultNotes" },
  /** Three letters; empty for USDC. */
  currency: currencyRows.currency,
  /** Empty to have Till look it up. */
  rate: { ...currencyRows.rate, fault: "faultRate" },
  /** The price of 1 unit of it in the currency of the seller's country; empty to have Till fetch it. */
  tax_exchange_rate: {
    label: "rateOfTax",
    hint: "rateOfTaxHint",
    optional: true,
    control: line(figure),
  },
  delivery_from: {
    label: "partyDeliveryFrom",
    optional: true,
    control: day,
    fault: "faultDelivery",
    of: ["delivery_date"],
  },
  delivery_to: {
    label: "partyDeliveryTo",
    optional: true,
    control: day,
    fault: "faultDelivery",
  },
  purchase_order: {
    label: "purchaseOrder",
    optional: true,
    control: line(words),
    fault: "faultReference",
  },
  buyer_reference: {
    label: "buyerReference",
    optional: true,
    control: line(words),
    fault: "faultReference",
  },
  reference: {
    label: "theirReference",
    optional: true,
    control: line({ autocomplete: "off", dir: "auto" }),
    fault: "faultReference",
  },
  vendor_address: {
    label: "customerAddress",
    optional: true,
    control: area(2, { dir: "auto" }),
    fault: "faultCustomerAddress",
  },
  payment_terms: {
    label: "paymentTerms",
    optional: true,
    control: area(2, { maxlength: "500", dir: "auto" }),
    fault: "faultTerms",
  },
  /** A code; empty for the customer's language, or the installation's. */
  language: {
    label: "languageOfTheirs",
    control: choice(({ say }) => languagesAfter(say("languageOfCustomer"))),
    fault: "settingFaultChoice",
  },
  merchant_name: {
    label: "shopName",
    isWanted: true,
    control: line({ autocomplete: "organization", dir: "auto" }),
    fault: "faultShopName",
  },
  merchant_email: {
    label: "email",
    hint: "shopEmailHint",
    isWanted: true,
    control: line({ type: "email", autocomplete: "email" }),
    fault: "faultShopEmail",
  },
  merchant_address: {
    label: "shopAddress",
    isWanted: true,
    control: area(2, { autocomplete: "street-address", dir: "auto" }),
    fault: "faultShopAddress",
  },
  wallet_type: {
    label: "paidInto",
    control: choices([
      ["managed", "tillsWallet", "tillsWalletText"],
      ["byo", "ownWalletTitle", "ownWalletText"],
    ]),
  },
  wallet_address: { label: "walletAddress", ...walletRow },
} as const satisfies Record<string, BillRow>;

export const billForm = formOf(rows);
export type BillName = keyof typeof rows;

export const isWanted = (name: string): boolean => (rows as Record<string, BillRow>)[name]?.isWanted ?? false;

/** The fields behind each chip; `business` has the customer's details. */
export const chipFields = {
  currency: ["currency", "rate", "tax_exchange_rate"],
  delivery: ["delivery_from", "delivery_to"],
  order: ["purchase_order", "buyer_reference"],
  reference: ["reference"],
  address: ["vendor_address"],
  terms: ["payment_terms"],
  language: ["language"],
} as const satisfies Record<string, readonly BillName[]>;

const example = (decimal: string, { decimalMark }: Locale) => ({
  example: decimal.replace(".", decimalMark),
});
export const wrongQuantity = (locale: Locale) => locale.say("faultQuantity", example("1.5", locale));
export const wrongPrice = (locale: Locale) => locale.say("faultPrice", example("40.00", locale));
export const wrongSum = ({ say, figure }: Locale) =>
  say("faultLines", { least: figure("0.00"), most: figure(Usdc.format(Usdc.max)) });

/** `input`: its name in the form, if a field of the whole invoice already has this name. */
type LineRow = Row & { input?: string };

const lineRows = {
  description: { label: "description", control: own, fault: "faultDescription" },
  quantity: { label: "quantity", control: own, fault: wrongQuantity },
  unit_price: {
    label: "linePrice",
    control: own,
    fault: (locale: Locale, { code }: Found) => (code === "pieces" ? wrongSum : wrongPrice)(locale),
  },
  unit: { label: "lineUnit", input: "line_unit", control: own, fault: "faultUnit" },
  /** `10 %`, or an amount. */
  discount: {
    label: "lineDiscountField",
    input: "line_discount",
    control: own,
    fault: "faultDiscount",
    of: ["discount_percent", "discount_amount"],
  },
  tax_rate: { label: "taxRate", input: "line_tax_rate", control: own, fault: "faultTaxRate" },
  tax_category: { label: "taxKind", control: own, fault: "faultTaxKind" },
  tax_reason: { label: "taxReason", input: "line_tax_reason", control: own, fault: "faultTaxReason" },
} as const satisfies Record<string, LineRow>;

export const lineForm = formOf(lineRows);
export type LineName = keyof typeof lineRows;

export const labelOf = (name: LineName) => lineRows[name].label;
export const inputOf = (name: LineName): string => (lineRows[name] as LineRow).input ?? name;
