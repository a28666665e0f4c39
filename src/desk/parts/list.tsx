import type { Locale, TextKey, TextValues } from "../../language/locale.ts";
import type { Markup } from "../../lib/jsx/jsx-runtime.ts";
import type { WithChildren } from "../../pages/layout.tsx";
import { Amount } from "./amount.tsx";
import { ButtonLink } from "./button.tsx";
import { type Days, DaysForm, DaysMenu } from "./days-menu.tsx";
import { DeskIcon, type IconName } from "./icon.tsx";
import type { DeskFrame } from "./page/desk-frame.ts";

/** Takes away what a list shows, on all its pages. Nothing for who may not. */
export function CsvLink({ locale, href }: { locale: Locale; href: string | null }) {
  if (href === null) return "";
  return (
    <a class="button button-quiet csv" href={href} download="" title={locale.say("downloadCsvOfShown")}>
      <DeskIcon name="download" />
      <span>{locale.say("downloadCsv")}</span>
    </a>
  );
}

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

/** Above a list: links that narrow it, each with how many there are. They follow the server. */
export function Kinds({
  label,
  kinds,
}: {
  label: string;
  kinds: readonly { href: string; text: string; count?: string; isHere: boolean }[];
}) {
  return (
    <nav class="kinds" id="kinds" data-live aria-label={label}>
      <ul>
        {kinds.map(({ href, text, count, isHere }) => (
          <li>
            <a href={href} aria-current={isHere ? "page" : false}>
              {text}
              {count !== undefined && <span class="num">{` ${count}`}</span>}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

type PagerProps = { locale: Locale; line?: string; newest: string | null; older: string | null };

/** Below a list: what it says of itself, and the way to its other pages. `newest` and `older` are paths; null for none. */
export function Pager({ locale, line = "", newest, older }: PagerProps) {
  if (line === "" && newest === null && older === null) return "";
  return (
    <div class="pager" id="pager" data-live>
      <span>{line}</span>
      <nav class="actions" aria-label={locale.say("pages")}>
        {newest !== null && <ButtonLink href={newest} kind="quiet small" text={locale.say("toNewest")} />}
        {older !== null && (
          <a class="button button-quiet button-small" href={older} rel="next">
            {locale.say("toOlder")}
          </a>
        )}
      </nav>
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

type SearchFieldProps = { label: string; hint: string; query: string; isFocused?: boolean };

/** The one field that searches a list. */
export function SearchField({ label, hint, query, isFocused = false }: SearchFieldProps) {
  return (
    <div class="search">
      <DeskIcon name="search" />
      <label class="visually-hidden" for="q">
        {label}
      </label>
      <input
        id="q"
        type="search"
        name="q"
        value={query}
        placeholder={hint}
        autocomplete="off"
        maxlength="200"
        dir="auto"
        {...(isFocused ? { autofocus: true } : {})}
      />
    </div>
  );
}

type SearchProps = Days & {
  frame: DeskFrame;
  /** The path of the list. */
  action: string;
  label: string;
  hint: string;
  query: string;
  isFocused?: boolean;
  /** What else is asked for with other days. */
  kept?: Readonly<Record<string, string>>;
  /** The path of the list with other days. */
  href(days: Days): string;
  csv: string | null;
};

/** Above a list that has days: its search, of which days, and its file. */
export function ListSearch({ frame, action, label, hint, query, isFocused = false, ...rest }: SearchProps) {
  const { from, to, href, csv, kept } = rest;
  return (
    <>
      <search>
        <form class="filters" action={action}>
          <SearchField label={label} hint={hint} query={query} isFocused={isFocused} />
          <DaysMenu frame={frame} from={from} to={to} href={href} />
          <CsvLink locale={frame.locale} href={csv} />
        </form>
      </search>
      <DaysForm action={action} kept={{ ...kept, q: query }} />
    </>
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
