import * as Usdc from "../../domain/usdc.ts";
import type { Locale } from "../../language/locale.ts";
import type { ListedCustomer } from "../../store/tables/invoicing/customer.ts";
import { Amount } from "../parts/amount.tsx";
import { ButtonLink } from "../parts/button.tsx";
import { Cell, headsOf, NameCell, SumCell, Table } from "../parts/list.tsx";
import type { DeskFrame } from "../parts/page/desk-frame.ts";
import { listPage } from "../parts/page/list-page.tsx";

type CustomersProps = {
  frame: DeskFrame;
  query: string;
  owing: boolean;
  /** `99+` if there are many. */
  counts: { all: string; owing: string };
  isEmpty: boolean;
  rows: readonly ListedCustomer[];
  /** Paths; null if there are none. */
  newest: string | null;
  older: string | null;
  /** Null if the reader may not export the list. */
  csv: string | null;
  mayIssue: boolean;
};

const path = "/desk/customers";

/** The customers billed, and what they owe. */
export function customersPage({ frame, query, owing, counts, rows, ...page }: CustomersProps): string {
  const { say } = frame.locale;
  const { newest, older } = page;
  const nothing = query === "" ? nobodyOwes(frame.locale) : nobodyFound(frame.locale, query);
  return listPage({
    frame,
    place: "customers",
    title: say("navCustomers"),
    line: say("customersLine"),
    first: page.isEmpty
      ? {
          icon: "people",
          title: say("noCustomers"),
          text: say("noCustomersText"),
          children: page.mayIssue && <ButtonLink href="/desk/invoices/new" text={say("newInvoice")} />,
        }
      : null,
    search: {
      action: path,
      label: say("searchCustomers"),
      hint: say("searchCustomersPlaceholder"),
      query,
      csv: page.csv,
    },
    kinds: {
      label: say("show"),
      kinds: [
        { href: path, text: say("kindEverybody"), count: counts.all, isHere: !owing && query === "" },
        { href: `${path}?owing=1`, text: say("kindOwing"), count: counts.owing, isHere: owing },
      ],
    },
    nothing: rows.length === 0 ? { ...nothing, all: say("showEverybody") } : null,
    rows: <Rows frame={frame} rows={rows} />,
    pager: { newest, older },
  });
}

const nobodyOwes = ({ say }: Locale) =>
  ({ icon: "people", title: say("nobodyOwes"), text: say("nobodyOwesText") }) as const;
const nobodyFound = ({ say }: Locale, query: string) =>
  ({ icon: "search", title: say("noCustomerFound", { query }), text: say("noCustomerFoundText") }) as const;

function Rows({ frame, rows }: Pick<CustomersProps, "frame" | "rows">) {
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
