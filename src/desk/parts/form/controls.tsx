import type { Locale, TextKey } from "../../../language/locale.ts";
import type { Child } from "../../../lib/jsx/jsx-runtime.ts";
import {
  type Attributes,
  Choices,
  type FormFault,
  type Options,
  SelectField,
  TextArea,
  TextField,
  typedText,
} from "./form.tsx";

/** A field as shown in its form. */
export type FieldState = {
  locale: Locale;
  name: string;
  label: string;
  hint?: string | undefined;
  optional?: boolean | undefined;
  /** The typed value, or the current one. */
  text: string;
  faults: readonly FormFault[];
};

/** Properties that depend on the day, or on the form's subject. */
export type More = {
  hint?: string | undefined;
  label?: string;
  extra?: Attributes;
  unit?: string;
  options?: Options;
  isLabelHidden?: boolean;
  /** Content shown with a choice. */
  children?: Child;
};

/**
 * A kind of field: how to render it, and how to read its value. `read` returns null for a value that the form does not
 * offer. `now` is the value if the form lacks the field.
 */
export type Control = {
  show(state: FieldState, more: More): Child;
  read(form: URLSearchParams, name: string, now: string, locale: Locale): string | null;
  options?(locale: Locale): Options;
};

export const asTyped: Control["read"] = (form, name, now) => (form.has(name) ? typedText(form, name) : now);

/** One line. */
export const line = (extra: Attributes = {}, unit?: (locale: Locale) => string): Control => ({
  show: ({ text, ...state }, more) => (
    <TextField
      {...state}
      value={text}
      unit={more.unit ?? unit?.(state.locale)}
      extra={{ ...extra, ...more.extra }}
    />
  ),
  read: asTyped,
});

export const day = line({ type: "date" });
export const email = line({ type: "email", autocomplete: "email", maxlength: "254" });

/** Several lines. */
export const area = (rows: number, extra: Attributes = {}): Control => ({
  show: ({ text, ...state }) => <TextArea {...state} value={text} rows={rows} extra={extra} />,
  read: asTyped,
});

/** One of several, in a menu. */
export const choice = (options: (locale: Locale) => Options = () => [], rest: Options = []): Control => ({
  show: ({ text, ...state }, more) => (
    <SelectField {...state} value={text} options={more.options ?? options(state.locale)} rest={rest} />
  ),
  read(form, name, now, locale) {
    const text = asTyped(form, name, now, locale);
    const isOffered = [...options(locale), ...rest].some(({ value }) => value === text);
    return isOffered || text === now ? text : null;
  },
  options,
});

/** One of a few, each with an explanation. */
export const choices = (
  all: readonly (readonly [value: string, title: TextKey, text: TextKey])[],
): Control => ({
  show: ({ locale: { texts }, name, label, text: chosen, faults }, { children, isLabelHidden }) => (
    <Choices
      name={name}
      label={label}
      chosen={chosen}
      faults={faults}
      isLabelHidden={isLabelHidden ?? false}
      choices={all.map(([value, title, text]) => ({ value, title: texts[title], text: texts[text] }))}
    >
      {children}
    </Choices>
  ),
  read: asTyped,
});

/** On or off. */
export const flag: Control = {
  show: ({ name, label, hint, text }) => (
    <label class="choice">
      <input type="checkbox" name={name} value="true" checked={text === "true"} />
      <span>
        <strong>{label}</strong>
        {hint !== undefined && <span class="soft">{hint}</span>}
      </span>
    </label>
  ),
  read: (form, name) => String(form.has(name)),
};

/** Rendered separately by its page, such as a checkbox: empty if not ticked. */
export const own: Control = { show: () => "", read: asTyped };
