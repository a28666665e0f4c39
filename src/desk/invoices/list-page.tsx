import type { Billed } from "../../domain/usdc.ts";
import * as Usdc from "../../domain/usdc.ts";
import type { TextKey } from "../../language/locale.ts";
import type { ListedInvoice } from "../../store/reports/desk/invoice-list.ts";
import { Figure } from "../parts/amount.tsx";
import { ButtonLink } from "../parts/button.tsx";
import type { Days } from "../parts/days-menu.tsx";
import { Cell, headsOf, NameCell, Sub, Table } from "../parts/list.tsx";
import type { DeskFrame } from "../parts/page/desk-frame.ts";
import { listPage } from "../parts/page/list-page.tsx";
import { countText } from "../parts/place.ts";
import { type ListTab, tabs } from "./list-query.ts";
import { InvoiceRows } from "./list-rows.tsx";
import { remindPath } from "./remind.tsx";

const kindTexts = {
  all: "kindAll",
  open: "kindOpen",
  overdue: "kindOverdue",
  paid: "kindPaid",
  drafts: "kindDrafts",
  void: "kindVoid",
} as const satisfies Record<ListTab, TextKey>;

const path = "/desk/invoices";

/** The list of invoices, newest first. */
export function invoiceListPage(props: ListProps): string {
  const { frame, kind, query, rows, mayIssue, href } = props;
  const { say } = frame.locale;
  const isDrafts = kind === "drafts";
  const isNothing = isDrafts ? props.drafts.length === 0 : rows.length === 0;
  return listPage({
    frame,
    place: "invoices",
    title: say("invoices"),
    actions: mayIssue && (
      <>
        {kind === "overdue" && rows.length > 0 && (
          <ButtonLink href={remindPath} kind="quiet" icon="bell" text={say("remindAll")} />
        )}
        <ButtonLink href={`${path}/new`} icon="plus" text={say("newInvoice")} />
      </>
    ),
    first: props.isEmpty
      ? {
          icon: "invoice",
          title: say("noInvoices"),
          text: say("noInvoicesText"),
          children: mayIssue && (
            <>
              <ButtonLink href={`${path}/new`} text={say("newInvoice")} />
              <ButtonLink href="/desk/links/new" kind="quiet" text={say("orLink")} />
            </>
          ),
        }
      : null,
    search: {
      action: path,
      label: say("searchInvoices"),
      hint: say("searchPlaceholder"),
      query,
      isFocused: props.isSearching,
      kept: { kind: kind === "all" ? "" : kind },
      days: { from: props.from, to: props.to, href },
      csv: props.csv,
    },
    kinds: {
      label: say("show"),
      kinds: [
        ...tabs.map((tab) => ({
          href: href({ kind: tab }),
          text: say(kindTexts[tab]),
          count: countText(props.counts[tab]),
          isHere: tab === kind,
        })),
        { href: "/desk/recurring", text: say("repeating"), isHere: false },
        { href: "/desk/credit-notes", text: say("creditNotes"), isHere: false },
      ],
    },
    foundMax: props.foundMax,
    nothing: isNothing ? { ...nothingOf(props), all: say("showAllInvoices") } : null,
    rows: isDrafts ? <Drafts props={props} /> : <InvoiceRows frame={frame} rows={rows} />,
    pager: isDrafts ? null : { line: sumLine(props), newest: props.newest, older: props.older },
  });
}

function nothingOf({ frame: { locale }, kind, query }: ListProps) {
  const { say } = locale;
  if (kind === "drafts") return { icon: "words", title: say("noDrafts"), text: say("noDraftsText") } as const;
  return query === ""
    ? ({ icon: "invoice", title: say("nothingOfKind"), text: say("nothingOfKindText") } as const)
    : ({ icon: "search", title: say("nothingFound", { query }), text: say("nothingFoundText") } as const);
}

function sumLine({ frame: { locale }, sum, isSumOfAll }: ListProps): string {
  const figure = locale.figure(Usdc.format(sum.total));
  return isSumOfAll
    ? locale.say("sumInAll", { count: locale.figure(String(sum.count)), sum: figure })
    : locale.say("sumHere", { sum: figure });
}

function Drafts({ props: { frame, drafts } }: { props: ListProps }) {
  const { locale, when } = frame;
  return (
    <Table
      caption={locale.say("draftsCaption")}
      heads={headsOf(locale, ["customer", "columnChanged"], ["total"])}
      isLinked
    >
      {drafts.map((draft: DraftRow) => (
        <tr role="row">
          <NameCell
            href={`/desk/invoices/new?draft=${draft.id}`}
            name={draft.vendorName === "" ? locale.say("unnamedDraft") : draft.vendorName}
          >
            <Sub>{draft.description}</Sub>
          </NameCell>
          <Cell kind="quiet under-end">{when.moment(draft.changedAt)}</Cell>
          <Cell kind="end sum">
            <Figure locale={locale} amount={draft.total} unit={draft.code} />
          </Cell>
        </tr>
      ))}
    </Table>
  );
}

export type DraftRow = {
  id: number;
  vendorName: string;
  description: string;
  /** The total of the readable lines. */
  total: Billed;
  /** The typed currency, or USDC. */
  code: string;
  /** Unix time in milliseconds. */
  changedAt: number;
};

type ListProps = Days & {
  frame: DeskFrame;
  kind: ListTab;
  query: string;
  /** True if the search field has the focus. */
  isSearching: boolean;
  /** At most one more than `countMax`. */
  counts: Readonly<Record<ListTab, number>>;
  /** True if there is no invoice and no draft at all. */
  isEmpty: boolean;
  rows: readonly ListedInvoice[];
  drafts: readonly DraftRow[];
  /** The sum of all matches, or of this page. */
  sum: { count: number; total: Usdc.Usdc };
  isSumOfAll: boolean;
  /** The search limit, if a search found more; else null. */
  foundMax: number | null;
  /** Returns the first page of the same list with another kind or other days. */
  href(other: { kind: ListTab } | Days): string;
  /** Paths; null if there are none, and for the file if the reader may not export it. */
  newest: string | null;
  older: string | null;
  csv: string | null;
  mayIssue: boolean;
};
