import type { WithChildren } from "../../pages/layout.tsx";
import { DeskIcon } from "./icon.tsx";
import type { DeskFrame } from "./page/desk-frame.ts";

type SettingProps = WithChildren<{
  id?: string;
  title: string;
  text: string;
  more?: string;
  /** The script keeps it up to date. */
  isLive?: boolean;
}>;

/** One thing that can be set or looked at: what it is called and what that means, and beside it how it stands. */
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

/** What few people look for: folded, under what it is and how it stands. */
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
  /** Why it stays as it is. */
  why?: string | undefined;
};

/** What is in force, and the variable of the environment that says so, if one does. */
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
