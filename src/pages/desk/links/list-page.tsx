import type { TextKey } from "../../../language/locale.ts";
import type { DeskFrame } from "../frame.tsx";
import { ButtonLink } from "../parts/button.tsx";
import { headedPage } from "../parts/head.tsx";
import { Empty } from "../parts/list/empty.tsx";
import { Kinds } from "../parts/list/kinds.tsx";
import { Pager } from "../parts/list/pager.tsx";
import { SearchField } from "../parts/list/search-field.tsx";
import { type LinkRow, LinkRows } from "./link-rows.tsx";

type LinkKind = "all" | "open" | "paid" | "ended" | "counter";

type LinkListProps = {
  frame: DeskFrame;
  mayIssue: boolean;
  kind: LinkKind;
  /** What is searched for; empty when nothing is. */
  query: string;
  kinds: readonly { kind: LinkKind; href: string; count: string }[];
  rows: readonly LinkRow[];
  /** Whether there is no link at all. */
  isEmpty: boolean;
  newest: string | null;
  older: string | null;
};

const kindTexts = {
  all: "all",
  open: "linksOpen",
  paid: "linksPaid",
  ended: "linksEnded",
  counter: "counter",
} as const satisfies Record<LinkKind, TextKey>;

type Props = { props: LinkListProps };

/** The list of links: newest first, narrowed by links, searched by one field. */
export function linkListPage(props: LinkListProps): string {
  const { frame, isEmpty, mayIssue } = props;
  const { locale } = frame;
  return headedPage({
    frame,
    place: "links",
    title: locale.say("navLinks"),
    actions: mayIssue && !isEmpty && (
      <ButtonLink href="/desk/links/new" icon="plus" text={locale.say("newLink")} />
    ),
    body: isEmpty ? <First props={props} /> : <Narrowed props={props} />,
  });
}

function First({ props: { frame, mayIssue } }: Props) {
  const { locale } = frame;
  return (
    <Empty icon="link" title={locale.say("linksNone")} text={locale.say("linksNoneText")}>
      {mayIssue && (
        <>
          <ButtonLink href="/desk/links/new" text={locale.say("newLink")} />
          <ButtonLink href="/desk/counter" kind="quiet" text={locale.say("counter")} />
        </>
      )}
    </Empty>
  );
}

function Narrowed({ props }: Props) {
  const { frame, kind, kinds, rows, newest, older } = props;
  const { locale } = frame;
  return (
    <>
      <Search props={props} />
      {props.query === "" && (
        <Kinds
          label={locale.say("show")}
          kinds={kinds.map(({ kind: each, ...link }) => ({
            ...link,
            text: locale.texts[kindTexts[each]],
            isHere: each === kind,
          }))}
        />
      )}
      {rows.length === 0 ? <Nothing props={props} /> : <LinkRows frame={frame} rows={rows} />}
      <Pager locale={locale} newest={newest} older={older} />
    </>
  );
}

function Search({ props: { frame, query } }: Props) {
  const { locale } = frame;
  return (
    <form class="filters" action="/desk/links">
      <SearchField label={locale.say("linksSearch")} hint={locale.say("linksSearchHint")} query={query} />
    </form>
  );
}

function Nothing({ props: { frame, query } }: Props) {
  const { locale } = frame;
  const isSearch = query !== "";
  return (
    <Empty
      icon={isSearch ? "search" : "link"}
      title={locale.say(isSearch ? "linksNothingFound" : "linksNothingHere")}
      text={locale.say(isSearch ? "linksNothingFoundText" : "linksNothingHereText")}
    >
      <ButtonLink href="/desk/links" kind="quiet" text={locale.say("linksShowAll")} />
    </Empty>
  );
}
