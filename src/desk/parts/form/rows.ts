import type { Locale, TextKey } from "../../../language/locale.ts";
import type { Child } from "../../../lib/jsx/jsx-runtime.ts";
import type { DeskFrame } from "../page/desk-frame.ts";
import type { Control, More } from "./controls.tsx";
import type { FormFault } from "./form.tsx";

/** The desk's advice on what was refused. */
type Advice = TextKey | ((locale: Locale, fault: Found) => string);

/** What is wrong, and with what. */
export type Found = { field: string; code?: string };

/** A field of a form: what it is called, how it is shown and read, and what to say when it is refused. */
export type Row = {
  label: TextKey;
  hint?: TextKey;
  optional?: true;
  control: Control;
  fault?: Advice;
  /** What the API calls it, where that is not its name here. */
  of?: readonly string[];
};

/** What is said of a field that no form has. */
export const otherFault = (field: string, { say }: Locale): FormFault => ({
  field,
  message: say("faultOther", { field }),
});

/** A form that is shown: what was typed, and what is wrong with it. */
export type Shown<Typed> = { frame: Pick<DeskFrame, "locale">; typed: Typed; faults: readonly FormFault[] };

export type Form<Name extends string> = ReturnType<typeof formOf<Name>>;

/** The fields of a form, in its order. All are texts; what is not ticked or not given is empty. */
export function formOf<Name extends string>(rows: Readonly<Record<Name, Row>>) {
  const names = Object.keys(rows) as Name[];
  type Typed = Record<Name, string>;
  const empty = Object.fromEntries(names.map((name) => [name, ""])) as Typed;
  const nameOf = (field: string) =>
    names.find((name) => name === field) ?? names.find((name) => rows[name].of?.includes(field));

  return {
    names,
    empty,

    /** What was typed; what the form does not have is as in `begun`. */
    read: (form: URLSearchParams, locale: Locale, begun: Typed = empty): Typed =>
      Object.fromEntries(
        names.map((name) => [
          name,
          rows[name].control.read(form, name, begun[name], locale) ?? form.get(name) ?? "",
        ]),
      ) as Typed,

    /** The faults of the API beside the fields, one each, in the order of the form; `other` says what is of none. */
    faults<F extends Found>(
      faults: readonly F[],
      locale: Locale,
      other: (fault: F) => FormFault | null = ({ field }) => otherFault(field, locale),
    ): FormFault[] {
      const found = new Map<string, FormFault>();
      for (const fault of faults) {
        const name = nameOf(fault.field.replace(/\[.*/s, ""));
        const advice = name && rows[name].fault;
        const said = advice
          ? {
              field: name,
              message: typeof advice === "string" ? locale.texts[advice] : advice(locale, fault),
            }
          : other(fault);
        if (said !== null && !found.has(said.field)) found.set(said.field, said);
      }
      const places: readonly string[] = names;
      const placeOf = ({ field }: FormFault) => places.indexOf(field);
      return [...found.values()].sort((a, b) => placeOf(a) - placeOf(b));
    },

    /** Shows one field after the other. */
    fields:
      ({ frame: { locale }, typed, faults }: Shown<Record<Name, string>>) =>
      (name: Name, more: More = {}): Child => {
        const { label, hint, optional, control } = rows[name];
        const asked = {
          locale,
          name,
          label: more.label ?? locale.texts[label],
          hint: more.hint ?? (hint && locale.texts[hint]),
          optional,
          text: typed[name],
          faults,
        };
        return control.show(asked, more);
      },
  };
}
