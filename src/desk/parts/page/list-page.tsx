import type { Locale } from "../../../language/locale.ts";
import type { Child } from "../../../lib/jsx/jsx-runtime.ts";
import { ButtonLink } from "../button.tsx";
import { type Days, DaysForm, DaysMenu } from "../days-menu.tsx";
import { DeskIcon, type IconName } from "../icon.tsx";
import { Empty } from "../list.tsx";
import type { DeskFrame, Tab } from "./desk-frame.ts";
import { headedPage } from "./head.tsx";

/** Exports a list with all its pages. Empty if the reader may not. */
export function CsvLink({ locale, href }: { locale: Locale; href: string | null }) {
  if (href === null) return "";
  return (
    <a class="button button-quiet csv" href={href} download="" title={locale.say("downloadCsvOfShown")}>
      <DeskIcon name="download" />
      <span>{locale.say("downloadCsv")}</span>
    </a>
  );
}

type SearchFieldProps = { label: string; hint: string; query: string; isFocused?: boolean };

/** The single search field of a list. */
function SearchField({ label, hint, query, isFocused = false }: SearchFieldProps) {
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

export type SearchProps = {
  frame: DeskFrame;
  /** The list's path. */
  action: string;
  label: string;
  hint: string;
  query: string;
  isFocused?: boolean;
  /** Further parameters to keep when the days change. */
  kept?: Readonly<Record<string, string>>;
  /** The days of a list that can be filtered by them, and its path with others. */
  days?: Days & { href(days: Days): string };
  csv?: string | null;
};

/** Above a list: its search, its days, and its export. */
function ListSearch({ frame, action, label, hint, query, isFocused = false, ...rest }: SearchProps) {
  const { days, csv = null, kept } = rest;
  return (
    <>
      <search>
        <form class="filters" action={action}>
          <SearchField label={label} hint={hint} query={query} isFocused={isFocused} />
          {days !== undefined && <DaysMenu frame={frame} {...days} />}
          <CsvLink locale={frame.locale} href={csv} />
        </form>
      </search>
      {days !== undefined && <DaysForm action={action} kept={{ ...kept, q: query }} />}
    </>
  );
}

type KindsProps = {
  label: string;
  kinds: readonly { href: string; text: string; count?: string; isHere: boolean }[];
};

/** Above a list: links that filter it, each with its count, kept up to date. */
export function Kinds({ label, kinds }: KindsProps) {
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

/** Below a list: a remark, and links to its other pages. `newest` and `older` are paths; null if there are none. */
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

type EmptyProps = { icon: IconName; title: string; text: string; children?: Child };

type ListPageProps = {
  frame: DeskFrame;
  place: Tab;
  title: string;
  back?: Tab;
  line?: string | undefined;
  actions?: Child;
  /** Shown if there are no entries at all; else null. */
  first: EmptyProps | null;
  search: Omit<SearchProps, "frame">;
  kinds?: KindsProps | null;
  /** The search limit, if a search found more; else null. */
  foundMax?: number | null;
  /** Shown if nothing matches, with the path of the whole list; else null. */
  nothing: (Omit<EmptyProps, "children"> & { all: string }) | null;
  /** Its rows. */
  rows: Child;
  pager: Omit<PagerProps, "locale"> | null;
};

/** A long list: with a search field, filter links and pages. */
export function listPage({
  first,
  search,
  kinds,
  foundMax = null,
  nothing,
  rows,
  pager,
  ...page
}: ListPageProps) {
  const { frame } = page;
  const { locale } = frame;
  if (first !== null)
    return headedPage({ ...page, line: undefined, actions: false, body: <Empty {...first} /> });
  return headedPage({
    ...page,
    body: (
      <>
        <ListSearch frame={frame} {...search} />
        {kinds && <Kinds {...kinds} />}
        {foundMax !== null && (
          <p class="notice notice-plain">
            {locale.say("foundMany", { count: locale.figure(String(foundMax)) })}
          </p>
        )}
        {nothing === null ? (
          <>
            {rows}
            {pager && <Pager locale={locale} {...pager} />}
          </>
        ) : (
          <Empty icon={nothing.icon} title={nothing.title} text={nothing.text}>
            <ButtonLink href={search.action} kind="quiet" text={nothing.all} />
          </Empty>
        )}
      </>
    ),
  });
}
