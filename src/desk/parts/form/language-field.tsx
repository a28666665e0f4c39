import { languageCodes, languages } from "../../../language/languages.ts";
import type { Locale } from "../../../language/locale.ts";
import { type FormFault, SelectField } from "./form.tsx";

type LanguageFieldProps = {
  locale: Locale;
  label: string;
  otherwise: string;
  /** A code; empty for no choice. */
  value: string;
  faults?: readonly FormFault[];
};

/** One of Till's languages, or what holds without a choice. */
export const LanguageField = ({ locale, label, otherwise, value, faults }: LanguageFieldProps) => (
  <SelectField
    {...{ locale, label, value, faults: faults ?? [] }}
    name="language"
    options={[
      { value: "", label: otherwise },
      ...languageCodes.map((code) => ({ value: code, label: languages[code].name })),
    ]}
  />
);
