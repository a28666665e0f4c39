import * as Party from "../../domain/party/party.ts";
import type { Fault } from "../../invoicing/outcome.ts";
import { fromTheLeft, type Locale } from "../../language/locale.ts";
import type { FormFault } from "../parts/form/form.tsx";
import { exampleElectronic } from "../parts/form/party-fields.tsx";

/** A seller or a buyer in a form of the desk. */

const examples = { vat: "DE136695976", phone: "+49 30 1234567" };

/** The fields whose names begin with `prefix`. */
export function typedParty(form: URLSearchParams, prefix: string): Party.Party {
  const typed = Party.fields.map(
    (field) => [field, (form.get(`${prefix}.${Party.apiName(field)}`) ?? "").trim()] as const,
  );
  return Object.fromEntries(typed.filter(([, text]) => text !== ""));
}

/** The desk's advice for a faulty part; null for a fault of anything else. */
export function partyFault({ field }: Fault, locale: Locale): FormFault | null {
  const name = /details\.(\w+)$/.exec(field)?.[1];
  const part = Party.fields.find((part) => Party.apiName(part) === name);
  return part === undefined ? null : { field, message: messageOf(part, locale) };
}

function messageOf(part: Party.Field, locale: Locale): string {
  const { say } = locale;
  switch (part) {
    case "vatId":
      return say("faultVatId", { example: examples.vat });
    case "taxId":
      return say("faultTaxId");
    case "phone":
      return say("faultPhone", { example: fromTheLeft(examples.phone, locale) });
    case "electronicAddress":
      return say("faultElectronic", { example: fromTheLeft(exampleElectronic, locale) });
    default:
      return say("profileFaultLine", { max: Party.lengths[part] });
  }
}
