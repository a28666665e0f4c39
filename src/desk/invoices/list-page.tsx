import type { InvoiceCurrency } from "../../domain/bill/currency.ts";
import type { Status } from "../../domain/bill/invoice.ts";
import type { StandingFacts } from "../../domain/payment/standing.ts";
import type { Billed } from "../../domain/usdc.ts";
import * as Usdc from "../../domain/usdc.ts";
import type { TextKey } from "../../language/locale.ts";
import { Figure } from "../parts/amount.tsx";
import { ButtonLink } from "../parts/button.tsx";
import { type Days, DaysForm, DaysMenu } from "../parts/days-menu.tsx";
import type { DeskFrame } from "../parts/frame.tsx";
import { headedPage } from "../parts/head.tsx";
import { CsvLink, Empty, Kinds, Pager, SearchField, Table } from "../parts/list.tsx";
import { InvoiceRows } from "./list-rows.tsx";

const kindTexts = {
  all: "kindAll",
  open: "kindOpen",
  overdue: "kindOverdue",
  paid: "kindPaid",
  drafts: "kindDrafts",
  void: "kindVoid",
} as const satisfies Record<ListTab, TextKey>;

const kindOrder: readonly ListTab[] = ["all", "open", "overdue", "paid", "drafts", "void"];

/** The list of invoices: newest first, narrowed by links, searched by one field. */
export function invoiceListPage(props: ListProps): string {
  const { frame, isEmpty, mayIssue } = props;
  const { locale } = frame;
  return headedPage({
    frame,
    place: "invoices",
    title: locale.say("invoices"),
    actions: mayIssue && !isEmpty && <NewInvoice props={props} />,
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
      <Search props={props} />
      <DaysForm action="/desk/invoices" kept={{ kind: kind === "all" ? "" : kind, q: props.query }} />
      <Kinds
        label={locale.say("show")}
        kinds={[
          ...kindOrder.map((each) => ({
            href: props.links.kinds[each],
            text: locale.say(kindTexts[each]),
            count: props.counts[each],
            isHere: each === kind,
          })),
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
          <Pager
            locale={locale}
            line={sumLine(props)}
            newest={props.links.newest}
            older={props.links.older}
          />
        </>
      )}
    </>
  );
}

function Search({ props }: Props) {
  const { frame, query, from, to, isSearching, links } = props;
  const { locale } = frame;
  return (
    <search>
      <form class="filters" action="/desk/invoices">
        <SearchField
          label={locale.say("searchInvoices")}
          hint={locale.say("searchPlaceholder")}
          query={query}
          isFocused={isSearching}
        />
        <DaysMenu frame={frame} from={from} to={to} href={links.days} />
        <CsvLink locale={locale} href={links.csv} />
      </form>
    </search>
  );
}

function Nothing({ props: { frame, kind, query } }: Props) {
  const { locale } = frame;
  const all = <ButtonLink href="/desk/invoices" kind="quiet" text={locale.say("showAllInvoices")} />;
  if (kind === "drafts")
    return (
      <Empty icon="words" title={locale.say("noDrafts")} text={locale.say("noDraftsText")}>
        {all}
      </Empty>
    );
  if (query === "")
    return (
      <Empty icon="invoice" title={locale.say("nothingOfKind")} text={locale.say("nothingOfKindText")}>
        {all}
      </Empty>
    );
  return (
    <Empty icon="search" title={locale.say("nothingFound", { query })} text={locale.say("nothingFoundText")}>
      {all}
    </Empty>
  );
}

function sumLine({ frame: { locale }, sum }: ListProps): string {
  const figure = locale.figure(Usdc.format(sum.total));
  return sum.isAll
    ? locale.say("sumInAll", { count: locale.figure(String(sum.count)), sum: figure })
    : locale.say("sumHere", { sum: figure });
}

function Drafts({ props: { frame, drafts } }: Props) {
  const { locale, when } = frame;
  return (
    <Table
      caption={locale.say("draftsCaption")}
      heads={[locale.say("customer"), locale.say("columnChanged"), { end: locale.say("total") }]}
      isLinked
    >
      {drafts.map((draft: DraftRow) => (
        <tr role="row">
          <td role="cell" class="main">
            <a class="name" href={`/desk/invoices/new?draft=${draft.id}`} dir="auto">
              {draft.vendorName === "" ? locale.say("unnamedDraft") : draft.vendorName}
            </a>
            <span class="sub" dir="auto">
              {draft.description}
            </span>
          </td>
          <td role="cell" class="quiet under-end">
            {when.moment(draft.changedAt)}
          </td>
          <td role="cell" class="end sum">
            <Figure locale={locale} amount={draft.total} unit={draft.code} />
          </td>
        </tr>
      ))}
    </Table>
  );
}

export type ListTab = "all" | "open" | "overdue" | "paid" | "drafts" | "void";

/** One line of a list of invoices. Days are `YYYY-MM-DD`. */
export type InvoiceRow = {
  number: string;
  vendorName: string;
  status: Status;
  dueDate: string;
  total: Usdc.Usdc;
  currency: InvoiceCurrency | null;
  deposit: StandingFacts["deposit"] & { pending: Usdc.Usdc };
  voidedAt: number | null;
  markedPaidAt: number | null;
  sentAt: number | null;
  /** The first line. */
  description: string;
};

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
  /** `99+` when there are many. */
  counts: Readonly<Record<ListTab, string>>;
  /** Whether there is any invoice or draft at all. */
  isEmpty: boolean;
  rows: readonly InvoiceRow[];
  drafts: readonly DraftRow[];
  sum: { count: number; total: Usdc.Usdc; isAll: boolean };
  /** Of a search that found more than is looked through: so many are. */
  foundMax: number | null;
  /** Paths with their query. */
  links: {
    kinds: Readonly<Record<ListTab, string>>;
    /** The same with other days. */
    days(days: Days): string;
    newest: string | null;
    older: string | null;
    /** Null for whom it is not. */
    csv: string | null;
  };
  mayIssue: boolean;
};
