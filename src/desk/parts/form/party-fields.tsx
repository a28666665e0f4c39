import * as Country from "../../../domain/party/country.ts";
import * as Party from "../../../domain/party/party.ts";
import type { Fault } from "../../../language/faults.ts";
import { fromTheLeft, type Locale, type TextKey } from "../../../language/locale.ts";
import { countryName } from "../../../language/parties.ts";
import { type FormFault, TextField } from "./form.tsx";

const labels = {
  street: "partyStreet",
  addition: "partyAddition",
  postalCode: "partyPostalCode",
  city: "partyCity",
  region: "partyRegion",
  country: "partyCountry",
  vatId: "vatId",
  taxId: "taxId",
  registration: "registration",
  contactName: "contactPerson",
  phone: "phone",
  electronicAddress: "partyElectronic",
} as const satisfies Record<Party.Field, TextKey>;

const pairs = [
  ["street", "addition"],
  ["postalCode", "city"],
  ["region", "country"],
  ["vatId", "taxId"],
  ["registration", "electronicAddress"],
  ["contactName", "phone"],
] as const satisfies Party.Field[][];

const exampleElectronic = "9930:DE136695976";

type Props = {
  locale: Locale;
  /** Prefix of the fields' names, as in the API: `vendor_details`. */
  prefix: string;
  typed: Party.Party;
  faults: readonly FormFault[];
};

/** The details of a seller or a buyer, all optional. */
export function PartyFields({ locale, prefix, typed, faults }: Props) {
  return (
    <>
      {pairs.map((fields) => (
        <div class="two">
          {fields.map((field) => {
            const name = `${prefix}.${Party.apiName(field)}`;
            const label = locale.say(labels[field]);
            if (field === "country")
              return <CountryField locale={locale} name={name} label={label} chosen={typed.country} />;
            const hint = locale.say("partyElectronicHint", {
              example: fromTheLeft(exampleElectronic, locale),
            });
            return (
              <TextField
                locale={locale}
                name={name}
                label={label}
                value={typed[field] ?? ""}
                faults={faults}
                extra={{ maxlength: String(Party.lengths[field]), autocomplete: "off", dir: "auto" }}
                {...(field === "electronicAddress" ? { hint } : {})}
              />
            );
          })}
        </div>
      ))}
    </>
  );
}

type CountryFieldProps = { locale: Locale; name: string; label: string; chosen: string | undefined };

function CountryField({ locale, name, label, chosen }: CountryFieldProps) {
  const order = new Intl.Collator(locale.tag);
  const countries = Country.codes
    .map((code) => ({ code, country: countryName(code, locale) }))
    .toSorted((a, b) => order.compare(a.country, b.country));
  return (
    <div class="field">
      <label for={name}>{label}</label>
      <select id={name} name={name}>
        <option value="">{locale.say("partyNoCountry")}</option>
        {countries.map(({ code, country }) => (
          <option value={code} selected={code === chosen}>
            {country}
          </option>
        ))}
      </select>
    </div>
  );
}

const examples = { vat: "DE136695976", phone: "+49 30 1234567" };

/** Reads the fields whose names begin with `prefix`. */
export function typedParty(form: URLSearchParams, prefix: string): Party.Party {
  const typed = Party.fields.map(
    (field) => [field, (form.get(`${prefix}.${Party.apiName(field)}`) ?? "").trim()] as const,
  );
  return Object.fromEntries(typed.filter(([, text]) => text !== ""));
}

/** Returns the desk's advice for a fault in a detail; null for other faults. */
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
