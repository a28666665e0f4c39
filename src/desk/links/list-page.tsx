import type { Usdc } from "../../domain/usdc.ts";
import type { TextKey } from "../../language/locale.ts";
import type { LinkFilter } from "../../store/reports/desk/link-list.ts";
import { Amount } from "../parts/amount.tsx";
import { ButtonLink } from "../parts/button.tsx";
import { Cell, Empty, headsOf, Kinds, NameCell, Pager, SearchField, Table } from "../parts/list.tsx";
import type { DeskFrame } from "../parts/page/desk-frame.ts";
import { headedPage } from "../parts/page/head.tsx";
import { State, type StateName } from "../parts/state.tsx";

type LinkListProps = {
  frame: DeskFrame;
  mayIssue: boolean;
  kind: LinkFilter;
  /** What is searched for; empty when nothing is. */
  query: string;
  kinds: readonly { kind: LinkFilter; href: string; count: string }[];
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
} as const satisfies Record<LinkFilter, TextKey>;

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

export type LinkRow = {
  href: string;
  /** What it is for; its reference or its slug when nobody said. */
  title: string;
  /** How often it can be paid, and until when. */
  line: string;
  state: { name: StateName; word: string };
  madeAt: number;
  /** What is asked for, as people read it: one amount, or from one to another. */
  price: string;
  /** Null when nothing has come. */
  received: Usdc | null;
};

/** Links as a table, which is a list on a phone. */
export function LinkRows({ frame, rows }: { frame: DeskFrame; rows: readonly LinkRow[] }) {
  const { locale, when } = frame;
  return (
    <Table
      caption={locale.say("linksCaption")}
      isLinked
      live="links"
      heads={headsOf(locale, ["linksLink", "state", "linksMade"], ["linkPrice", "linksReceived"])}
    >
      {rows.map(({ href, title, line, state, madeAt, price, received }) => (
        <tr role="row">
          <NameCell href={href} name={title}>
            <span class="sub">{line}</span>
          </NameCell>
          <Cell kind="under-end">
            <State {...state} />
          </Cell>
          <Cell kind="quiet not-phone moment">{when.moment(madeAt)}</Cell>
          <Cell kind="end quiet not-phone">
            <span class="num">{price}</span>
          </Cell>
          <Cell kind="end sum">
            {received === null ? (
              <>
                <span class="soft not-phone" aria-label={locale.say("linksNothingYet")} role="img">
                  –
                </span>
                <span class="num soft on-phone">{price}</span>
              </>
            ) : (
              <Amount locale={locale} amount={received} />
            )}
          </Cell>
        </tr>
      ))}
    </Table>
  );
}
