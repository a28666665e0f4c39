import { Html } from "@elysiajs/html";
import { attr } from "../../text.ts";
import { DeskIcon, type IconName } from "./icon.tsx";

/** `kind` is how it looks, such as `quiet small`; without it, it is the main button. */
type ButtonProps = { text: string; kind?: string; icon?: IconName };

const classOf = (kind = "") => ["button", ...kind.split(" ")].join(" button-").replace(/ button-$/, "");

/** A link that looks like a button. */
export function ButtonLink({ href, text, kind, icon }: ButtonProps & { href: string }) {
  return (
    <a class={attr(classOf(kind))} href={attr(href)}>
      {icon !== undefined && <DeskIcon name={icon} />}
      {Html.escapeHtml(text)}
    </a>
  );
}

/** Sends the form that it stands in. */
export function SubmitButton({ text, kind, icon }: ButtonProps) {
  return (
    <button class={attr(classOf(kind))} type="submit">
      {icon !== undefined && <DeskIcon name={icon} />}
      {Html.escapeHtml(text)}
    </button>
  );
}
