import { Html } from "@elysiajs/html";
import type { WithChildren } from "../../layout.tsx";
import { attr } from "../../text.ts";
import type { DeskFrame } from "../frame.tsx";
import { DeskIcon } from "./icon.tsx";

/** One thing that can be set or looked at: what it is called and what that means, and beside it how it stands. */
export function Setting({
  id,
  title,
  text,
  more,
  isLive = false,
  children: safeChildren,
}: WithChildren<{
  id?: string;
  title: string;
  text: string;
  more?: string;
  /** The script keeps it up to date. */
  isLive?: boolean;
}>) {
  return (
    <section class="setting" id={id === undefined ? undefined : attr(id)} data-live={isLive}>
      <div>
        <h2 safe>{title}</h2>
        <p safe>{text}</p>
        {more !== undefined && <p safe>{more}</p>}
      </div>
      {safeChildren}
    </section>
  );
}

/** What is in force, and the variable of the environment that says so, if one does. */
export function Rule({
  frame: { locale },
  label,
  value,
  variable,
}: {
  frame: DeskFrame;
  label: string;
  value: string;
  variable?: string;
}) {
  return (
    <div>
      <dt safe>{label}</dt>
      <dd>
        <span dir="auto" safe>
          {value}
        </span>
        {variable !== undefined && (
          <span class="env">
            <DeskIcon name="lock" />
            {Html.escapeHtml(locale.say("fromVariable"))} <code safe>{variable}</code>
          </span>
        )}
      </dd>
    </div>
  );
}
