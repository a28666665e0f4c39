import * as Usdc from "../../../domain/usdc.ts";
import type { Locale, TextKey } from "../../../language/locale.ts";
import type { Fault } from "../../../pages/desk/parts/form.tsx";
import type { Fault as ApiFault } from "../../problem.ts";

/** How to write each field right, in the words of the desk. */
const texts = {
  vendor_name: "faultCustomerName",
  vendor_email: "faultCustomerEmail",
  vendor_address: "faultCustomerAddress",
  due_date: "faultDue",
  reference: "faultReference",
  notes: "faultNotes",
  merchant_name: "faultShopName",
  merchant_email: "faultShopEmail",
  merchant_address: "faultShopAddress",
} as const satisfies Record<string, TextKey>;

const lineForm = /^line_items\[(\d+)\](?:\.(description|quantity|unit_price))?$/;
const exampleQuantity = "1.5";
const examplePrice = "40.00";
const leastTotal = "0.00";

/** What the API finds wrong with a form, beside the fields of the form; `lineOf` says which line was sent as which. */
export function formFaults(faults: readonly ApiFault[], lineOf: readonly number[], locale: Locale): Fault[] {
  const plain = (decimal: string) => decimal.replace(".", locale.decimalMark);
  return faults.map(({ field, message }) => {
    const [, at, part = "description"] = lineForm.exec(field) ?? [];
    if (at !== undefined) {
      const id = `${part}-${lineOf[Number(at)] ?? at}`;
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
    if (field === "wallet_address") return { field, message: locale.say("faultWallet", { why: message }) };
    if (Object.hasOwn(texts, field))
      return { field, message: locale.say(texts[field as keyof typeof texts]) };
    return { field, message: locale.say("faultOther", { field, why: message }) };
  });
}
