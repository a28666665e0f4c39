import * as Usdc from "../../domain/usdc.ts";
import type { ListedCustomer } from "../../store/tables/invoicing/customer.ts";
import { Amount } from "../parts/amount.tsx";
import { ButtonLink } from "../parts/button.tsx";
import {
  Cell,
  CsvLink,
  Empty,
  headsOf,
  Kinds,
  NameCell,
  Pager,
  SearchField,
  SumCell,
  Table,
} from "../parts/list.tsx";
import type { DeskFrame } from "../parts/page/desk-frame.ts";
import { deskPage } from "../parts/page/frame.tsx";
import { PageHead } from "../parts/page/head.tsx";

type CustomersProps = {
  frame: DeskFrame;
  query: string;
  owing: boolean;
  /** `99+` when there are many. */
  counts: { all: string; owing: string };
  isEmpty: boolean;
  rows: readonly ListedCustomer[];
  /** Paths; null for none. */
  newest: string | null;
  older: string | null;
  /** Null where the reader may not take the list away. */
  csv: string | null;
  mayIssue: boolean;
};

type Props = { props: CustomersProps };

/** Who was billed, and how they stand. */
export function customersPage(props: CustomersProps): string {
  const { frame, isEmpty, mayIssue } = props;
  const { locale } = frame;
  return deskPage({
    frame,
    place: "customers",
    title: locale.say("navCustomers"),
    body: isEmpty ? (
      <>
        <PageHead title={locale.say("navCustomers")} />
        <Empty icon="people" title={locale.say("noCustomers")} text={locale.say("noCustomersText")}>
          {mayIssue && <ButtonLink href="/desk/invoices/new" text={locale.say("newInvoice")} />}
        </Empty>
      </>
    ) : (
      <>
        <PageHead title={locale.say("navCustomers")} line={locale.say("customersLine")} />
        <Search props={props} />
        <Kinds
          label={locale.say("show")}
          kinds={[
            {
              href: "/desk/customers",
              text: locale.say("kindEverybody"),
              count: props.counts.all,
              isHere: !props.owing && props.query === "",
            },
            {
              href: "/desk/customers?owing=1",
              text: locale.say("kindOwing"),
              count: props.counts.owing,
              isHere: props.owing,
            },
          ]}
        />
        {props.rows.length === 0 ? (
          <Nobody props={props} />
        ) : (
          <>
            <Rows props={props} />
            <Pager locale={locale} newest={props.newest} older={props.older} />
          </>
        )}
      </>
    ),
  });
}

function Search({ props: { frame, query, csv } }: Props) {
  const { locale } = frame;
  return (
    <search>
      <form class="filters" action="/desk/customers">
        <SearchField
          label={locale.say("searchCustomers")}
          hint={locale.say("searchCustomersPlaceholder")}
          query={query}
        />
        <CsvLink locale={locale} href={csv} />
      </form>
    </search>
  );
}

function Nobody({ props: { frame, query } }: Props) {
  const { locale } = frame;
  const isSearch = query !== "";
  return (
    <Empty
      icon={isSearch ? "search" : "people"}
      title={isSearch ? locale.say("noCustomerFound", { query }) : locale.say("nobodyOwes")}
      text={locale.say(isSearch ? "noCustomerFoundText" : "nobodyOwesText")}
    >
      <ButtonLink href="/desk/customers" kind="quiet" text={locale.say("showEverybody")} />
    </Empty>
  );
}

function Rows({ props: { frame, rows } }: Props) {
  const { locale, when } = frame;
  return (
    <Table
      caption={locale.say("customersCaption")}
      heads={headsOf(locale, ["customer", "columnLastInvoice"], ["customerOpen", "columnPaidUsdc"])}
      isLinked
    >
      {rows.map(({ id, name, email, lastIssueDate, open, paid }) => (
        <tr role="row">
          <NameCell href={`/desk/customers/${id}`} name={name}>
            <span class="sub">
              <bdi>{email}</bdi>
            </span>
          </NameCell>
          <Cell kind="quiet whole-line not-phone">{when.day(lastIssueDate)}</Cell>
          <Cell kind="end under-end">
            {open !== 0n && (
              <>
                <span class="on-phone">
                  {locale.say("openAmount", { amount: locale.figure(Usdc.format(open)) })}
                </span>
                <span class="not-phone">
                  <Amount locale={locale} amount={open} />
                </span>
              </>
            )}
          </Cell>
          <SumCell locale={locale} amount={paid} />
        </tr>
      ))}
    </Table>
  );
}
