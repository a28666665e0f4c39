import { DeskIcon, type IconName } from "./icon.tsx";

/** `kind` is how it looks, such as `quiet small`; without it, it is the main button. */
type ButtonProps = { text: string; kind?: string; icon?: IconName };

const classOf = (kind = "") => ["button", ...kind.split(" ")].join(" button-").replace(/ button-$/, "");

/** A link that looks like a button. */
export function ButtonLink({ href, text, kind, icon }: ButtonProps & { href: string }) {
  return (
    <a class={classOf(kind)} href={href}>
      {icon !== undefined && <DeskIcon name={icon} />}
      {text}
    </a>
  );
}

/** Sends the form that it stands in. */
export function SubmitButton({ text, kind, icon }: ButtonProps) {
  return (
    <button class={classOf(kind)} type="submit">
      {icon !== undefined && <DeskIcon name={icon} />}
      {text}
    </button>
  );
}
