import type { WithChildren } from "../../pages/layout.tsx";
import { DeskIcon } from "./icon.tsx";
import type { DeskFrame } from "./page/desk-frame.ts";

type SettingProps = WithChildren<{
  id?: string;
  title: string;
  text: string;
  more?: string;
  /** True if the script keeps it up to date. */
  isLive?: boolean;
}>;

/** A setting: its name and explanation, and beside it its current value. */
export function Setting({ id, title, text, more, isLive = false, children }: SettingProps) {
  return (
    <section class="setting" id={id === undefined ? undefined : id} data-live={isLive}>
      <div>
        <h2>{title}</h2>
        <p>{text}</p>
        {more !== undefined && <p>{more}</p>}
      </div>
      {children}
    </section>
  );
}

/** Rarely used settings: folded under their title and current value. */
export function Fold({
  title,
  line,
  isOpen = false,
  children,
}: WithChildren<{ title: string; line?: string | undefined; isOpen?: boolean }>) {
  return (
    <details class="fold" open={isOpen}>
      <summary>
        <span class="name-of">{title}</span>
        {line !== undefined && <span class="soft">{line}</span>}
      </summary>
      <div>{children}</div>
    </details>
  );
}

type RuleProps = {
  frame: DeskFrame;
  label: string;
  value: string;
  variable?: string | undefined;
  /** Why it cannot be changed. */
  why?: string | undefined;
};

/** The value in force, and the environment variable that sets it, if one does. */
export function Rule({ frame: { locale }, label, value, variable, why }: RuleProps) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>
        <span dir="auto">{value}</span>
        {why !== undefined && (
          <span class="env">
            <DeskIcon name="lock" />
            {why}
          </span>
        )}
        {variable !== undefined && (
          <span class="env">
            <DeskIcon name="lock" />
            {locale.say("fromVariable")} <code>{variable}</code>
          </span>
        )}
      </dd>
    </div>
  );
}
