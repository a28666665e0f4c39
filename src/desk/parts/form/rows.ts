import type { Locale, TextKey } from "../../../language/locale.ts";
import type { Child } from "../../../lib/jsx/jsx-runtime.ts";
import type { DeskFrame } from "../page/desk-frame.ts";
import type { Control, More } from "./controls.tsx";
import type { FormFault } from "./form.tsx";

/** The desk's advice on a refused value. */
type Advice = TextKey | ((locale: Locale, fault: Found) => string);

/** A fault: its field and its code; `unit` is the currency of the form's amounts, where one is chosen. */
export type Found = { field: string; code?: string; unit?: string };

/** A field of a form: its label, how to render and read it, and what to say if it is refused. */
export type Row = {
  label: TextKey;
  hint?: TextKey;
  optional?: true;
  control: Control;
  fault?: Advice;
  /** Its names in the API, if different. */
  of?: readonly string[];
};

/** The message for a field that no form has. */
export const otherFault = (field: string, { say }: Locale): FormFault => ({
  field,
  message: say("faultOther", { field }),
});

/** A form to show: its values, and its faults. */
export type Shown<Typed> = { frame: Pick<DeskFrame, "locale">; typed: Typed; faults: readonly FormFault[] };

export type Form<Name extends string> = ReturnType<typeof formOf<Name>>;

/** The fields of a form, in order. All values are texts; unticked and missing ones are empty. */
export function formOf<Name extends string>(rows: Readonly<Record<Name, Row>>) {
  const names = Object.keys(rows) as Name[];
  type Typed = Record<Name, string>;
  const empty = Object.fromEntries(names.map((name) => [name, ""])) as Typed;
  const nameOf = (field: string) =>
    names.find((name) => name === field) ?? names.find((name) => rows[name].of?.includes(field));

  return {
    names,
    empty,

    /** Reads the values; for fields that the form lacks, those of `begun`. */
    read: (form: URLSearchParams, locale: Locale, begun: Typed = empty): Typed =>
      Object.fromEntries(
        names.map((name) => [
          name,
          rows[name].control.read(form, name, begun[name], locale) ?? form.get(name) ?? "",
        ]),
      ) as Typed,

    /** Returns the API's faults for the form's fields, one each, in the form's order; `other` words the other ones. */
    faults<F extends Found>(
      faults: readonly F[],
      locale: Locale,
      other: (fault: F) => FormFault | null = ({ field }) => otherFault(field, locale),
    ): FormFault[] {
      const found = new Map<string, FormFault>();
      for (const fault of faults) {
        const name = nameOf(fault.field.replace(/\[.*/s, ""));
        const advice = name && rows[name].fault;
        const formFault = advice
          ? {
              field: name,
              message: typeof advice === "string" ? locale.texts[advice] : advice(locale, fault),
            }
          : other(fault);
        if (formFault !== null && !found.has(formFault.field)) found.set(formFault.field, formFault);
      }
      const places: readonly string[] = names;
      const placeOf = ({ field }: FormFault) => places.indexOf(field);
      return [...found.values()].sort((a, b) => placeOf(a) - placeOf(b));
    },

    /** Returns a function that renders one field. */
    fields:
      ({ frame: { locale }, typed, faults }: Shown<Record<Name, string>>) =>
      (name: Name, more: More = {}): Child => {
        const { label, hint, optional, control } = rows[name];
        const field = {
          locale,
          name,
          label: more.label ?? locale.texts[label],
          hint: more.hint ?? (hint && locale.texts[hint]),
          optional,
          text: typed[name],
          faults,
        };
        return control.show(field, more);
      },
  };
}
