import type { Locale } from "../../../language/locale.ts";
import type { Child } from "../../../lib/jsx/jsx-runtime.ts";
import type { WithChildren } from "../../../pages/layout.tsx";
import type { DeskFrame } from "../page/desk-frame.ts";

/** A fault in one field of a form, in the reader's language. */
export type FormFault = { field: string; message: string };

/** Returns a typed text with line breaks as stored. */
export const asStored = (typed: string): string => typed.replaceAll("\r\n", "\n").trim();

/** Returns the text typed into a field. */
export const typedText = (form: URLSearchParams, name: string): string => asStored(form.get(name) ?? "");

type DeskFormProps = WithChildren<{
  frame: Pick<DeskFrame, "formToken">;
  action: string;
  className?: string;
  hasFile?: boolean;
}>;

/** A form that changes something: its token distinguishes it from another site's form. */
export function DeskForm({ frame, action, className = "form", hasFile = false, children }: DeskFormProps) {
  return (
    <form
      method="post"
      action={action}
      class={className}
      enctype={hasFile ? "multipart/form-data" : "application/x-www-form-urlencoded"}
      novalidate
    >
      <input type="hidden" name="form" value={frame.formToken} />
      {children}
    </form>
  );
}

type FieldProps = {
  locale: Locale;
  /** The field's name in the form, and its id on the page. */
  name: string;
  label: string;
  value?: string;
  hint?: string | undefined;
  faults?: readonly FormFault[];
  optional?: boolean | undefined;
};

/** Returns the fault of one field; null if there is none. */
export const faultOf = (faults: readonly FormFault[] | undefined, name: string) =>
  faults?.find(({ field }) => field === name) ?? null;

/** A label, the given field, and below it its hint and fault. */
function Field({ locale, name, label, hint, faults, optional = false, children }: WithChildren<FieldProps>) {
  const fault = faultOf(faults, name);
  return (
    <div class="field">
      <label for={name}>
        {label}
        {optional && <span class="optional">{` ${locale.say("optional")}`}</span>}
      </label>
      {children}
      {hint !== undefined && (
        <p class="hint" id={`${name}-hint`}>
          {hint}
        </p>
      )}
      {fault !== null && (
        <p class="fault" id={`${name}-fault`}>
          {fault.message}
        </p>
      )}
    </div>
  );
}

/** Attributes that describe a field to a screen reader. */
export function described({ name, hint, faults }: Pick<FieldProps, "name" | "hint" | "faults">) {
  const isFaulty = faultOf(faults, name) !== null;
  const by = [hint === undefined ? "" : `${name}-hint`, isFaulty ? `${name}-fault` : ""]
    .filter(Boolean)
    .join(" ");
  return {
    "aria-invalid": isFaulty ? "true" : false,
    "aria-describedby": by === "" ? false : by,
  } as const;
}

/** Further attributes of an input: `type`, `autocomplete`, `inputmode`, `maxlength`. */
export type Attributes = Readonly<Record<string, string | boolean | undefined>>;

export type TextFieldProps = FieldProps & { extra?: Attributes; unit?: string | undefined };

export function TextField({ extra = {}, unit, ...props }: TextFieldProps) {
  const input = (
    <input id={props.name} name={props.name} value={props.value ?? ""} {...described(props)} {...extra} />
  );
  return (
    <Field {...props}>
      {unit === undefined ? (
        input
      ) : (
        <div class="with-unit">
          {input}
          <span>{unit}</span>
        </div>
      )}
    </Field>
  );
}

export type Options = readonly { value: string; label: string }[];

type SelectFieldProps = FieldProps & { options: Options; rest?: Options };

/** `rest` is further options, below a rule. */
export function SelectField({ options, rest = [], ...props }: SelectFieldProps) {
  const option = ({ value, label }: Options[number]) => (
    <option value={value} selected={value === props.value}>
      {label}
    </option>
  );
  return (
    <Field {...props}>
      <select id={props.name} name={props.name} {...described(props)}>
        {options.map(option)}
        {rest.length > 0 && <hr />}
        {rest.map(option)}
      </select>
    </Field>
  );
}

type TextAreaProps = FieldProps & { rows?: number; extra?: Attributes };

export function TextArea({ rows = 3, extra = {}, ...props }: TextAreaProps) {
  return (
    <Field {...props}>
      <textarea id={props.name} name={props.name} rows={String(rows)} {...described(props)} {...extra}>
        {props.value ?? ""}
      </textarea>
    </Field>
  );
}

/** An error that belongs to no field. */
export const Problem = ({ text = null }: { text: string | null | undefined }) =>
  text === null ? (
    ""
  ) : (
    <p class="notice notice-late" role="alert">
      {text}
    </p>
  );

/** Shown above a refused form: the number of faults, and a link to each field. The script focuses it. */
export function FaultSummary({ locale, faults }: { locale: Locale; faults: readonly FormFault[] }) {
  if (faults.length === 0) return "";
  const title =
    faults.length === 1 ? locale.say("faultsOne") : locale.say("faultsMany", { count: faults.length });
  return (
    <div class="notice notice-late" role="alert" tabindex="-1" id="faults">
      <div>
        <strong>{title}</strong>
        <ul>
          {faults.map(({ field, message }) => (
            <li>
              <a href={`#${field}`}>{message}</a>
            </li>
          ))}
        </ul>
      </div>
    </div>
  );
}

/** One of several options; `beside` is at the end of its line. */
export type Choice = { value: string; title: Child; text?: Child; beside?: Child };

type ChoicesProps = WithChildren<{
  name: string;
  label: string;
  /** True if a heading says it already. */
  isLabelHidden?: boolean;
  choices: readonly Choice[];
  chosen: string;
  faults?: readonly FormFault[];
}>;

/** A choice of one of several options, each with an explanation; its children come below them. */
export function Choices({
  name,
  label,
  isLabelHidden = false,
  choices,
  chosen,
  faults,
  children,
}: ChoicesProps) {
  const fault = faultOf(faults, name);
  return (
    <fieldset id={name} tabindex="-1" aria-describedby={fault === null ? false : `${name}-fault`}>
      <legend class={isLabelHidden ? "visually-hidden" : ""}>{label}</legend>
      <div class="choices">
        {choices.map(({ value, title, text, beside }) => (
          <label class="choice">
            <input type="radio" name={name} value={value} checked={value === chosen} />
            <span>
              <strong>{title}</strong>
              {text !== undefined && <span class="soft">{text}</span>}
            </span>
            {beside}
          </label>
        ))}
      </div>
      {fault !== null && (
        <p class="fault" id={`${name}-fault`}>
          {fault.message}
        </p>
      )}
      {children}
    </fieldset>
  );
}
