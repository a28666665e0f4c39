import type { Usdc } from "../../domain/usdc.ts";
import type { TextKey } from "../../language/locale.ts";
import type { LinkFilter } from "../../store/reports/desk/link-list.ts";
import { Amount } from "../parts/amount.tsx";
import { ButtonLink } from "../parts/button.tsx";
import { Cell, headsOf, NameCell, Table } from "../parts/list.tsx";
import type { DeskFrame } from "../parts/page/desk-frame.ts";
import { listPage } from "../parts/page/list-page.tsx";
import { State, type StateName } from "../parts/state.tsx";

type LinkListProps = {
  frame: DeskFrame;
  mayIssue: boolean;
  kind: LinkFilter;
  /** The search text; empty if there is none. */
  query: string;
  kinds: readonly { kind: LinkFilter; href: string; count: string }[];
  rows: readonly LinkRow[];
  /** True if there is no link at all. */
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

const path = "/desk/links";

/** The list of links, newest first. */
export function linkListPage({ frame, mayIssue, kind, query, kinds, rows, ...page }: LinkListProps): string {
  const { say, texts } = frame.locale;
  const { newest, older } = page;
  const isSearch = query !== "";
  return listPage({
    frame,
    place: "links",
    title: say("navLinks"),
    actions: mayIssue && <ButtonLink href={`${path}/new`} icon="plus" text={say("newLink")} />,
    first: page.isEmpty
      ? {
          icon: "link",
          title: say("linksNone"),
          text: say("linksNoneText"),
          children: mayIssue && (
            <>
              <ButtonLink href={`${path}/new`} text={say("newLink")} />
              <ButtonLink href="/desk/counter" kind="quiet" text={say("counter")} />
            </>
          ),
        }
      : null,
    search: { action: path, label: say("linksSearch"), hint: say("linksSearchHint"), query },
    kinds: isSearch
      ? null
      : {
          label: say("show"),
          kinds: kinds.map(({ kind: each, ...link }) => ({
            ...link,
            text: texts[kindTexts[each]],
            isHere: each === kind,
          })),
        },
    nothing:
      rows.length === 0
        ? {
            icon: isSearch ? "search" : "link",
            title: say(isSearch ? "linksNothingFound" : "linksNothingHere"),
            text: say(isSearch ? "linksNothingFoundText" : "linksNothingHereText"),
            all: say("linksShowAll"),
          }
        : null,
    rows: <LinkRows frame={frame} rows={rows} />,
    pager: { newest, older },
  });
}

export type LinkRow = {
  href: string;
  /** The product; the reference or the slug if there is none. */
  title: string;
  /** How often it can be paid, and until when. */
  line: string;
  state: { name: StateName; word: string };
  madeAt: number;
  /** The price as people read it: one amount, or a range. */
  price: string;
  /** Null if nothing has been received. */
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
