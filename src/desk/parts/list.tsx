import type { Locale, TextKey, TextValues } from "../../language/locale.ts";
import type { Markup } from "../../lib/jsx/jsx-runtime.ts";
import type { WithChildren } from "../../pages/layout.tsx";
import { Amount } from "./amount.tsx";
import { ButtonLink } from "./button.tsx";
import { DeskIcon, type IconName } from "./icon.tsx";

type EmptyProps = WithChildren<{ icon: IconName; title: string; text: string }>;

/** An empty list: what will be here, why it is useful, and one button. */
export function Empty({ icon, title, text, children }: EmptyProps) {
  return (
    <div class="empty empty-centre">
      <span class="empty-mark">
        <DeskIcon name={icon} />
      </span>
      <h2>{title}</h2>
      <p>{text}</p>
      {children !== undefined && <div class="actions">{children}</div>}
    </div>
  );
}

/** A link to the next page, for a list without a way back. `href` is null on its last page. */
export function NextPage({ locale, href }: { locale: Locale; href: string | null }) {
  if (href === null) return "";
  return (
    <p class="pager">
      <span></span>
      <ButtonLink href={href} kind="quiet small" text={locale.say("nextPage")} />
    </p>
  );
}

type CellProps = WithChildren<{ kind?: string }>;

/** A table cell; `kind` is its appearance, such as `quiet under-end`. */
export const Cell = ({ kind, children }: CellProps) => (
  <td role="cell" class={kind}>
    {children}
  </td>
);

/** The subject of a row, with a link to its page; below it, further details. */
export const NameCell = ({ href, name, children }: WithChildren<{ href: string; name: string }>) => (
  <Cell kind="main">
    <a class="name" href={href} dir="auto">
      {name}
    </a>
    {children}
  </Cell>
);

/** A person's words below a cell's text. */
export const Sub = ({ children }: WithChildren<object>) => (
  <span class="sub" dir="auto">
    {children}
  </span>
);

/** The amount at the end of a row. */
export const SumCell = (props: Parameters<typeof Amount>[0]) => (
  <Cell kind="end sum">
    <Amount {...props} />
  </Cell>
);

/** A column's head: at the end for figures, hidden (for screen readers only) for buttons. */
type ColumnHead = string | { end: string } | { hidden: string };

/** Texts that take no values. */
type PlainKey = { [K in TextKey]: [] extends TextValues<K, string> ? K : never }[TextKey];

/** The heads of columns, followed by those with figures. */
export const headsOf = (
  { say }: Locale,
  texts: readonly PlainKey[],
  ends: readonly PlainKey[],
): ColumnHead[] => [...texts.map((text) => say(text)), ...ends.map((text) => ({ end: say(text) }))];

function Head({ head }: { head: ColumnHead }) {
  if (typeof head === "string")
    return (
      <th role="columnheader" scope="col">
        {head}
      </th>
    );
  return (
    <th role="columnheader" scope="col" class="end">
      {"hidden" in head ? <span class="visually-hidden">{head.hidden}</span> : head.end}
    </th>
  );
}

type TableProps = WithChildren<{
  caption: string;
  heads: readonly ColumnHead[];
  isLinked?: boolean;
  live?: string;
  kind?: string;
  foot?: Markup;
}>;

/**
 * A table whose children are its rows. On a phone it becomes a list by a CSS display that makes some browsers drop the
 * table semantics, so the roles are explicit. `isLinked`: each row is a link. `live`: its id, if the page keeps it up
 * to date. `kind`: an additional class. `foot`: the row of its sums.
 */
export function Table({ caption, heads, isLinked = false, live, foot, ...more }: TableProps) {
  const { kind = isLinked ? "rows" : "", children } = more;
  return (
    <table
      role="table"
      class={`table ${kind}`.trim()}
      {...(live === undefined ? {} : { id: live, "data-live": true })}
    >
      <caption class="visually-hidden">{caption}</caption>
      <thead role="rowgroup">
        <tr role="row">
          {heads.map((head) => (
            <Head head={head} />
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup">{children}</tbody>
      {foot !== undefined && <tfoot role="rowgroup">{foot}</tfoot>}
    </table>
  );
}
