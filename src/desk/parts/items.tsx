import type { Child } from "../../lib/jsx/jsx-runtime.ts";
import type { WithChildren } from "../../pages/layout.tsx";
import { DeskIcon, type IconName } from "./icon.tsx";
import { Empty } from "./list.tsx";
import type { DeskFrame } from "./page/desk-frame.ts";
import { headedPage } from "./page/head.tsx";

type NamedProps = WithChildren<{ name: string; href?: string; beside?: Child; text: Child }>;

/** A person or thing in a list: its name, an addition beside it, more lines, and the last one. */
export function Named({ name, href, beside, text, children }: NamedProps) {
  const strong = (
    <strong>
      <bdi>{name}</bdi>
    </strong>
  );
  return (
    <span class="who">
      <span>
        {href === undefined ? strong : <a href={href}>{strong}</a>} {beside}
      </span>
      {children}
      <span class="soft small">{text}</span>
    </span>
  );
}

type ItemsPageProps = {
  frame: DeskFrame;
  title: string;
  line: string;
  /** The button that adds one. */
  add: Child;
  empty: { icon: IconName; title: string; text: string };
  items: readonly Child[];
  /** Its id, if the page keeps it up to date. */
  live?: string;
};

/** A short list in the settings, with one button: in the head, or in the empty list. */
export function itemsPage({ frame, title, line, add, empty, items, live }: ItemsPageProps): string {
  return headedPage({
    frame,
    place: "settings",
    title,
    back: "settings",
    line,
    actions: items.length > 0 && add,
    body:
      items.length === 0 ? (
        <Empty {...empty}>{add}</Empty>
      ) : (
        <section class="people-list" id={live} data-live={live !== undefined}>
          <ul class="people">{items}</ul>
        </section>
      ),
  });
}

/** The icon before a name in a list. */
export const Face = ({ icon }: { icon: IconName }) => (
  <span class="face">
    <DeskIcon name={icon} />
  </span>
);
