import type { Billed } from "../../domain/usdc.ts";
import * as Usdc from "../../domain/usdc.ts";
import type { TextKey } from "../../language/locale.ts";
import type { ListedInvoice } from "../../store/reports/desk/invoice-list.ts";
import { Figure } from "../parts/amount.tsx";
import { ButtonLink } from "../parts/button.tsx";
import type { Days } from "../parts/days-menu.tsx";
import { Cell, Empty, headsOf, Kinds, ListSearch, NameCell, Pager, Sub, Table } from "../parts/list.tsx";
import type { DeskFrame } from "../parts/page/desk-frame.ts";
import { headedPage } from "../parts/page/head.tsx";
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

/** The list of invoices: newest first, narrowed by links, searched by one field. */
export function invoiceListPage(props: ListProps): string {
  const { frame, isEmpty, mayIssue } = props;
  const { locale } = frame;
  return headedPage({
    frame,
    place: "invoices",
    title: locale.say("invoices"),
    actions: mayIssue && !isEmpty && (
      <>
        {props.kind === "overdue" && props.rows.length > 0 && (
          <ButtonLink href={remindPath} kind="quiet" icon="bell" text={locale.say("remindAll")} />
        )}
        <NewInvoice props={props} />
      </>
    ),
    body: isEmpty ? <FirstInvoice props={props} /> : <Narrowed props={props} />,
  });
}

type Props = { props: ListProps };

function NewInvoice({ props: { frame } }: Props) {
  return <ButtonLink href="/desk/invoices/new" icon="plus" text={frame.locale.say("newInvoice")} />;
}

function FirstInvoice({ props: { frame, mayIssue } }: Props) {
  const { locale } = frame;
  return (
    <Empty icon="invoice" title={locale.say("noInvoices")} text={locale.say("noInvoicesText")}>
      {mayIssue && (
        <>
          <ButtonLink href="/desk/invoices/new" text={locale.say("newInvoice")} />
          <ButtonLink href="/desk/links/new" kind="quiet" text={locale.say("orLink")} />
        </>
      )}
    </Empty>
  );
}

function Narrowed({ props }: Props) {
  const { frame, kind, rows, drafts, foundMax } = props;
  const { locale } = frame;
  const isNothing = kind === "drafts" ? drafts.length === 0 : rows.length === 0;
  return (
    <>
      <ListSearch
        frame={frame}
        action="/desk/invoices"
        label={locale.say("searchInvoices")}
        hint={locale.say("searchPlaceholder")}
        query={props.query}
        isFocused={props.isSearching}
        kept={{ kind: kind === "all" ? "" : kind }}
        from={props.from}
        to={props.to}
        href={props.href}
        csv={props.csv}
      />
      <Kinds
        label={locale.say("show")}
        kinds={[
          ...tabs.map((tab) => ({
            href: props.href({ kind: tab }),
            text: locale.say(kindTexts[tab]),
            count: countText(props.counts[tab]),
            isHere: tab === kind,
          })),
          { href: "/desk/recurring", text: locale.say("repeating"), isHere: false },
          { href: "/desk/credit-notes", text: locale.say("creditNotes"), isHere: false },
        ]}
      />
      {foundMax !== null && (
        <p class="notice notice-plain">
          {locale.say("foundMany", { count: locale.figure(String(foundMax)) })}
        </p>
      )}
      {isNothing ? (
        <Nothing props={props} />
      ) : kind === "drafts" ? (
        <Drafts props={props} />
      ) : (
        <>
          <InvoiceRows frame={frame} rows={rows} />
          <Pager locale={locale} line={sumLine(props)} newest={props.newest} older={props.older} />
        </>
      )}
    </>
  );
}

function Nothing({ props: { frame, kind, query } }: Props) {
  const { locale } = frame;
  const [icon, title, text] =
    kind === "drafts"
      ? (["words", locale.say("noDrafts"), "noDraftsText"] as const)
      : query === ""
        ? (["invoice", locale.say("nothingOfKind"), "nothingOfKindText"] as const)
        : (["search", locale.say("nothingFound", { query }), "nothingFoundText"] as const);
  return (
    <Empty icon={icon} title={title} text={locale.say(text)}>
      <ButtonLink href="/desk/invoices" kind="quiet" text={locale.say("showAllInvoices")} />
    </Empty>
  );
}

function sumLine({ frame: { locale }, sum, isSumOfAll }: ListProps): string {
  const figure = locale.figure(Usdc.format(sum.total));
  return isSumOfAll
    ? locale.say("sumInAll", { count: locale.figure(String(sum.count)), sum: figure })
    : locale.say("sumHere", { sum: figure });
}

function Drafts({ props: { frame, drafts } }: Props) {
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
  /** Of the lines that can be read. */
  total: Billed;
  /** The currency that was typed, or USDC. */
  code: string;
  /** Unix time in milliseconds. */
  changedAt: number;
};

type ListProps = Days & {
  frame: DeskFrame;
  kind: ListTab;
  query: string;
  /** Whether the field for searching has the focus. */
  isSearching: boolean;
  /** Up to one more than `countMax`. */
  counts: Readonly<Record<ListTab, number>>;
  /** Whether there is any invoice or draft at all. */
  isEmpty: boolean;
  rows: readonly ListedInvoice[];
  drafts: readonly DraftRow[];
  /** Of all that match, or of this page. */
  sum: { count: number; total: Usdc.Usdc };
  isSumOfAll: boolean;
  /** Of a search that found more than is looked through: so many are. */
  foundMax: number | null;
  /** The first page of the same list with another kind or other days. */
  href(other: { kind: ListTab } | Days): string;
  /** Paths; null for none, and of the file for whom it is not. */
  newest: string | null;
  older: string | null;
  csv: string | null;
  mayIssue: boolean;
};
