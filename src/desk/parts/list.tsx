import type { Locale, TextKey, TextValues } from "../../language/locale.ts";
import type { Markup } from "../../lib/jsx/jsx-runtime.ts";
import type { WithChildren } from "../../pages/layout.tsx";
import { Amount } from "./amount.tsx";
import { ButtonLink } from "./button.tsx";
import { DeskIcon, type IconName } from "./icon.tsx";

type EmptyProps = WithChildren<{ icon: IconName; title: string; text: string }>;

/** Where there is nothing yet: what will be here, why it is worth it, and one button. */
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

/** The way to the page after this one, of a list without a way back. `href`: null on its last page. */
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

/** A cell of a table; `kind` is how it looks, such as `quiet under-end`. */
export const Cell = ({ kind, children }: CellProps) => (
  <td role="cell" class={kind}>
    {children}
  </td>
);

/** What a row is about, with its page; below it stands what else there is to say. */
export const NameCell = ({ href, name, children }: WithChildren<{ href: string; name: string }>) => (
  <Cell kind="main">
    <a class="name" href={href} dir="auto">
      {name}
    </a>
    {children}
  </Cell>
);

/** A person's words below what a cell says. */
export const Sub = ({ children }: WithChildren<object>) => (
  <span class="sub" dir="auto">
    {children}
  </span>
);

/** The amount that a row ends with. */
export const SumCell = (props: Parameters<typeof Amount>[0]) => (
  <Cell kind="end sum">
    <Amount {...props} />
  </Cell>
);

/** The head of a column; of figures, it stands at the end; of buttons, it is for screen readers. */
type ColumnHead = string | { end: string } | { hidden: string };

/** The texts that take no values. */
type PlainKey = { [K in TextKey]: [] extends TextValues<K, string> ? K : never }[TextKey];

/** The heads of columns, then of those with figures. */
export const headsOf = (
  { say }: Locale,
  texts: readonly PlainKey[],
  ends: readonly PlainKey[],
): ColumnHead[] => [...texts.map((text) => say(text)), ...ends.map((text) => ({ end: say(text) }))];

type TableProps = WithChildren<{
  caption: string;
  heads: readonly ColumnHead[];
  isLinked?: boolean;
  live?: string;
  kind?: string;
  foot?: Markup;
}>;

/**
 * A table whose children are its rows. It is a list on a phone, by a display for which some browsers forget what a table
 * is: so the roles are written out. `isLinked`: each row is a link. `live`: its id, when it follows the server. `kind`: a
 * class of its own. `foot`: markup, the row of its sums.
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
          {heads.map((head) =>
            typeof head === "string" ? (
              <th role="columnheader" scope="col">
                {head}
              </th>
            ) : "hidden" in head ? (
              <th role="columnheader" scope="col" class="end">
                <span class="visually-hidden">{head.hidden}</span>
              </th>
            ) : (
              <th role="columnheader" scope="col" class="end">
                {head.end}
              </th>
            ),
          )}
        </tr>
      </thead>
      <tbody role="rowgroup">{children}</tbody>
      {foot !== undefined && <tfoot role="rowgroup">{foot}</tfoot>}
    </table>
  );
}
