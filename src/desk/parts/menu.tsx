import type { Locale } from "../../language/locale.ts";
import type { Child } from "../../lib/jsx/jsx-runtime.ts";
import type { WithChildren } from "../../pages/layout.tsx";
import { webHref } from "../../pages/text.ts";
import { opening } from "./button.tsx";
import { DeskForm } from "./form/form.tsx";
import { DeskIcon } from "./icon.tsx";
import type { DeskFrame } from "./page/desk-frame.ts";

/** A possible action: `post` does it at once, `dialog` asks first, `window` opens a page beside the desk. */
export type MenuEntry = {
  text: string;
  href: string;
  as?: "post" | "dialog" | "window";
  /** Draws a line above the first one offered of the group. */
  group?: "closing";
  isDanger?: boolean;
};

/** Further actions in a menu. False entries are not offered. */
export function Menu({ frame, entries }: { frame: DeskFrame; entries: readonly (MenuEntry | false)[] }) {
  const offered = entries.filter((entry) => entry !== false);
  const apart = offered.findIndex(({ group }) => group === "closing");
  return (
    <MoreMenu locale={frame.locale}>
      {offered.map((entry, at) => (
        <li class={at === apart ? "apart" : undefined}>
          <Entry frame={frame} entry={entry} />
        </li>
      ))}
    </MoreMenu>
  );
}

/** A list behind a button with three dots. */
export const MoreMenu = ({ locale, children }: WithChildren<{ locale: Locale }>) => (
  <details class="menu">
    <summary class="button button-quiet button-icon" aria-label={locale.say("moreActions")}>
      <DeskIcon name="more" />
    </summary>
    <div class="menu-list">
      <ul>{children}</ul>
    </div>
  </details>
);

type EntryProps = { frame: DeskFrame; entry: MenuEntry };

function Entry({ frame, entry: { text, href, as, isDanger = false } }: EntryProps) {
  if (as === "post")
    return (
      <DeskForm frame={frame} action={href} className="">
        <button type="submit">{text}</button>
      </DeskForm>
    );
  const leadsTo = as === "window" ? (webHref(href) ?? "#") : href;
  return (
    <a class={isDanger ? "late" : undefined} href={leadsTo} {...(as && opening[as])}>
      {text}
    </a>
  );
}

type FactProps = WithChildren<{ label: Child; kind?: string }>;

/** An entry in a list of facts. `kind`: an additional class. */
export const Fact = ({ label, kind, children }: FactProps) => (
  <div class={kind}>
    <dt>{label}</dt>
    <dd>{children}</dd>
  </div>
);

type FactsProps = {
  facts: readonly (readonly [label: string, value: string])[];
  prose?: readonly (readonly [label: string, text: string])[];
  className?: string;
  children?: Child;
};

/** Facts of a label and a value, each on one line; `prose` is longer text, below its label. */
export function Facts({ facts, prose = [], className = "facts", children }: FactsProps) {
  return (
    <dl class={className}>
      {facts.map(([name, value]) => (
        <div class="facts-line">
          <dt>{name}</dt>
          <dd dir="auto">{value}</dd>
        </div>
      ))}
      {prose.map(([name, text]) => (
        <div>
          <dt>{name}</dt>
          <dd class="small prose" dir="auto">
            {text}
          </dd>
        </div>
      ))}
      {children}
    </dl>
  );
}
