import * as Usdc from "../../../domain/usdc.ts";
import type { Fault } from "../../../invoicing/outcome.ts";
import type { Locale, TextKey } from "../../../language/locale.ts";
import type { FormFault } from "../../parts/form/form.tsx";
import { examplePrice, exampleQuantity } from "./lines.tsx";
import { tradeFault } from "./trade-form.ts";

/** Advice for each field, in the desk's words. */
const texts = {
  vendor_name: "faultCustomerName",
  vendor_email: "faultCustomerEmail",
  vendor_address: "faultCustomerAddress",
  due_date: "faultDue",
  currency: "faultCurrency",
  rate: "faultRate",
  reference: "faultReference",
  notes: "faultNotes",
  merchant_name: "faultShopName",
  merchant_email: "faultShopEmail",
  merchant_address: "faultShopAddress",
  wallet_address: "faultWallet",
} as const satisfies Record<string, TextKey>;

const lineForm =
  /^line_items\[(\d+)\](?:\.(description|quantity|unit_price|unit|discount_percent|discount_amount|tax_rate|tax_category|tax_reason))?$/;

/** Advice for terms; percentage and amount share one field of the form. */
const termTexts = {
  unit: "faultUnit",
  discount: "faultDiscount",
  tax_rate: "faultTaxRate",
  tax_category: "faultTaxKind",
  tax_reason: "faultTaxReason",
} as const satisfies Record<string, TextKey>;

const nameOf = (part: string) => (part.startsWith("discount_") ? "discount" : part);

const leastTotal = "0.00";

/** The fields before the lines, and those after, in the form's order. */
const first = ["vendor_name", "vendor_email", "due_date", "reference", "vendor_address", "currency", "rate"];
const last = [
  "notes",
  "wallet_type",
  "wallet_address",
  "merchant_name",
  "merchant_email",
  "merchant_address",
];

function placeOf({ field }: FormFault): number {
  if (field.startsWith("vendor_details.")) return -0.5;
  if (first.includes(field)) return first.indexOf(field) - first.length;
  return last.indexOf(field) + 1;
}

/**
 * The API's faults in the form's order, beside the form's fields; `lineOf` maps each line sent to its line of the form.
 */
export function formFaults(faults: readonly Fault[], lineOf: readonly number[], locale: Locale): FormFault[] {
  const plain = (decimal: string) => decimal.replace(".", locale.decimalMark);
  const beside = faults.map(({ field, message }): FormFault => {
    const [, at, part = "description"] = lineForm.exec(field) ?? [];
    if (at !== undefined) {
      const name = nameOf(part);
      const id = `${name}-${lineOf[Number(at)] ?? at}`;
      if (Object.hasOwn(termTexts, name))
        return { field: id, message: locale.say(termTexts[name as keyof typeof termTexts]) };
      if (part === "quantity")
        return { field: id, message: locale.say("faultQuantity", { example: plain(exampleQuantity) }) };
      if (part === "unit_price")
        return { field: id, message: locale.say("faultPrice", { example: plain(examplePrice) }) };
      return { field: id, message: locale.say("faultDescription") };
    }
    if (field === "line_items") {
      const [least, most] = [leastTotal, Usdc.format(Usdc.max)].map(locale.figure) as [string, string];
      return { field: "lines", message: locale.say("faultLines", { least, most }) };
    }
    if (nameOf(field) === "discount") return { field: "discount", message: locale.say("faultDiscount") };
    if (field === "prices_include_tax") return { field, message: locale.say("faultIncludesTax") };
    if (Object.hasOwn(texts, field))
      return { field, message: locale.say(texts[field as keyof typeof texts]) };
    const ofTrade = tradeFault({ field, message }, locale);
    if (ofTrade) return ofTrade;
    return { field, message: locale.say("faultOther", { field }) };
  });
  return beside.sort((a, b) => placeOf(a) - placeOf(b));
}
