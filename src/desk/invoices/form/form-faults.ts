import type { Fault } from "../../../language/faults.ts";
import type { Locale } from "../../../language/locale.ts";
import type { FormFault } from "../../parts/form/form.tsx";
import { partyFault } from "../../parts/form/party-fields.tsx";
import { otherFault } from "../../parts/form/rows.ts";
import { billForm, lineForm, wrongSum } from "./fields.ts";

const lineForms = /^line_items(?:\[(\d+)\](?:\.(\w+))?)?$/;

/** The fields in the form's order; the lines come after the customer. */
const order: readonly string[] = billForm.names.flatMap((name) => {
  if (name === "vendor_email") return [name, "lines"];
  return name === "vendor_address" ? [name, "vendor_details"] : [name];
});

const placeOf = ({ field }: FormFault) => {
  const place = order.indexOf(field.split(".")[0] ?? "");
  return place < 0 ? order.indexOf("lines") : place;
};

/**
 * Returns the API's faults in the form's order, for the form's fields; `lineOf` maps each line sent to its line in the
 * form.
 */
export function formFaults(faults: readonly Fault[], lineOf: readonly number[], locale: Locale): FormFault[] {
  const ofLine = (fault: Fault): FormFault[] => {
    const [isOfLines, at, part = "description"] = lineForms.exec(fault.field) ?? [];
    if (isOfLines === undefined) return [];
    if (at === undefined) return [{ field: "lines", message: wrongSum(locale) }];
    return lineForm
      .faults([{ ...fault, field: part }], locale)
      .map(({ field, message }) => ({ field: `${field}-${lineOf[Number(at)] ?? at}`, message }));
  };
  const ofWhole = faults.filter(({ field }) => !lineForms.test(field));
  const beside = billForm.faults(
    ofWhole,
    locale,
    (fault) => partyFault(fault, locale) ?? otherFault(fault.field, locale),
  );
  return [...faults.flatMap(ofLine), ...beside].sort((a, b) => placeOf(a) - placeOf(b));
}
