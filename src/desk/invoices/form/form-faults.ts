import * as Usdc from "../../../domain/usdc.ts";
import type { Fault } from "../../../language/faults.ts";
import type { Locale, TextKey } from "../../../language/locale.ts";
import type { FormFault } from "../../parts/form/form.tsx";
import { partyFault } from "../../parts/form/party-fields.tsx";
import { examplePrice, exampleQuantity } from "./typed.ts";

/** Advice for each field, in the desk's words. */
const texts: Readonly<Record<string, TextKey>> = {
  vendor_name: "faultCustomerName",
  vendor_email: "faultCustomerEmail",
  vendor_address: "faultCustomerAddress",
  due_date: "faultDue",
  currency: "faultCurrency",
  rate: "faultRate",
  reference: "faultReference",
  language: "settingFaultChoice",
  notes: "faultNotes",
  merchant_name: "faultShopName",
  merchant_email: "faultShopEmail",
  merchant_address: "faultShopAddress",
  wallet_address: "faultWallet",
  discount: "faultDiscount",
  prices_include_tax: "faultIncludesTax",
  payment_terms: "faultTerms",
  delivery_from: "faultDelivery",
  delivery_to: "faultDelivery",
  buyer_reference: "faultReference",
  purchase_order: "faultReference",
};

/** The same for a line's fields. */
const lineTexts: Readonly<Record<string, TextKey>> = {
  description: "faultDescription",
  unit: "faultUnit",
  discount: "faultDiscount",
  tax_rate: "faultTaxRate",
  tax_category: "faultTaxKind",
  tax_reason: "faultTaxReason",
};

const lineForm = /^line_items\[(\d+)\](?:\.(\w+))?$/;

/** The form's name for a field of the API: percentage and amount share one field. */
function inForm(field: string): string {
  if (field.startsWith("discount_")) return "discount";
  return field.startsWith("delivery_") && field !== "delivery_to" ? "delivery_from" : field;
}

const leastTotal = "0.00";

/** The form's fields in its order; "" stands for the lines and all others. */
const order = [
  ...[
    "vendor_name",
    "vendor_email",
    "",
    "due_date",
    "notes",
    "currency",
    "rate",
    "tax_exchange_rate",
    "delivery_from",
  ],
  ...["delivery_to", "purchase_order", "buyer_reference", "reference", "vendor_address"],
  ...["vendor_details", "payment_terms", "language"],
  ...["merchant_name", "merchant_email", "merchant_address", "wallet_type", "wallet_address"],
];

function placeOf({ field }: FormFault): number {
  const place = order.indexOf(field.startsWith("vendor_details.") ? "vendor_details" : field);
  return place < 0 ? order.indexOf("") : place;
}

/**
 * The API's faults in the form's order, beside the form's fields; `lineOf` maps each line sent to its line of the form.
 */
export function formFaults(faults: readonly Fault[], lineOf: readonly number[], locale: Locale): FormFault[] {
  const { say, texts: said } = locale;
  const example = (decimal: string) => ({ example: decimal.replace(".", locale.decimalMark) });

  function lineFault(part: string): string {
    if (part === "quantity") return say("faultQuantity", example(exampleQuantity));
    if (part === "unit_price") return say("faultPrice", example(examplePrice));
    return said[lineTexts[part] ?? "faultDescription"];
  }

  const beside = faults.map((fault): FormFault => {
    const [, at, part = "description"] = lineForm.exec(fault.field) ?? [];
    if (at !== undefined) {
      const name = inForm(part);
      return { field: `${name}-${lineOf[Number(at)] ?? at}`, message: lineFault(name) };
    }
    if (fault.field === "line_items") {
      const [least, most] = [leastTotal, Usdc.format(Usdc.max)].map(locale.figure) as [string, string];
      return { field: "lines", message: say("faultLines", { least, most }) };
    }
    const field = inForm(fault.field);
    if (fault.code === "wallet_missing") return { field, message: said.faultWalletMissing };
    const text = Object.hasOwn(texts, field) ? texts[field] : undefined;
    if (text !== undefined) return { field, message: said[text] };
    return partyFault(fault, locale) ?? { field, message: say("faultOther", { field }) };
  });
  return beside.sort((a, b) => placeOf(a) - placeOf(b));
}
