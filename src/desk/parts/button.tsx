import { DeskForm } from "./form/form.tsx";
import { DeskIcon, type IconName } from "./icon.tsx";
import type { DeskFrame } from "./page/desk-frame.ts";

/** `kind` is the appearance, such as `quiet small`; by default the main button. `label` is for screen readers. */
type ButtonProps = { text: string; kind?: string; icon?: IconName; label?: string };

const classOf = (kind = "") => ["button", ...kind.split(" ")].join(" button-").replace(/ button-$/, "");

/** Targets of a link that does not replace the page: a new window, or a dialog over the page. */
export const opening = {
  window: { target: "_blank", rel: "noopener" },
  dialog: { "data-dialog": true },
} as const;

type ButtonLinkProps = ButtonProps & { href: string; as?: keyof typeof opening };

/** A link styled as a button. */
export function ButtonLink({ href, text, kind, icon, label, as }: ButtonLinkProps) {
  return (
    <a class={classOf(kind)} href={href} aria-label={label} {...(as && opening[as])}>
      {icon !== undefined && <DeskIcon name={icon} />}
      {text}
    </a>
  );
}

type SubmitButtonProps = ButtonProps & { sent?: readonly [name: string, value: string]; to?: string };

/** Submits its form. `sent` is an additional name and value; `to` overrides the form's target. */
export function SubmitButton({ text, kind, icon, label, sent, to }: SubmitButtonProps) {
  const more = { name: sent?.[0], value: sent?.[1], formaction: to, "aria-label": label };
  return (
    <button class={classOf(kind)} type="submit" {...more}>
      {icon !== undefined && <DeskIcon name={icon} />}
      {text}
    </button>
  );
}

type ActionButtonProps = ButtonProps & {
  frame: Pick<DeskFrame, "formToken">;
  action: string;
  className?: string;
  field?: readonly [name: string, value: string];
};

/** A form consisting of its button. `field` is an additional name and value. */
export function ActionButton({ frame, action, className = "inline", field, ...button }: ActionButtonProps) {
  return (
    <DeskForm frame={frame} action={action} className={className}>
      {field !== undefined && <input type="hidden" name={field[0]} value={field[1]} />}
      <SubmitButton {...button} />
    </DeskForm>
  );
}
