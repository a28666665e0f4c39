import type { Invoice } from "../../../domain/bill/invoice.ts";
import type { Locale } from "../../../language/locale.ts";
import { partiesOf } from "../../../language/parties.ts";
import { AddressFact, Copyable } from "../parts/copy.tsx";
import { Facts } from "../parts/menu.tsx";
import type { DetailProps } from "./detail-props.ts";
import { EInvoice } from "./e-invoice.tsx";
import { invoiceHref } from "./list/rows.tsx";

type Props = { props: DetailProps };

/** Beside an invoice: its page, its customer, and what it says. */
export function About({ props }: Props) {
  const { frame, invoice, links, customerHref } = props;
  const { locale } = frame;
  const { vendorAddress, vendorNumbers, vendorContact } = partiesOf(invoice, locale);
  const customerLines = [
    ...(vendorAddress === null ? [] : [vendorAddress]),
    ...[...vendorNumbers, ...vendorContact].map(({ label, value }) => locale.labelled(label, value)),
  ];
  return (
    <aside aria-label={locale.say("aboutInvoice")}>
      <div class="aside-part">
        <h2>{locale.say("customersPage")}</h2>
        <Copyable frame={frame} id="page-url" text={links.page} label={locale.say("linkForCustomer")} />
      </div>
      <CustomerPart locale={locale} invoice={invoice} href={customerHref} lines={customerLines} />
      <div class="aside-part">
        <InvoiceFacts props={props} />
      </div>
      <EInvoice frame={frame} href={invoiceHref(invoice.number)} lead="eInvoiceLacks" {...props.eInvoice} />
    </aside>
  );
}

type CustomerProps = {
  locale: Locale;
  invoice: Pick<Invoice, "vendorName" | "vendorEmail">;
  /** The desk's page of the customer; null when there is none. */
  href: string | null;
  /** What more there is to say of them. */
  lines?: readonly string[];
};

/** Who the customer is. */
export function CustomerPart({ locale, invoice, href, lines = [] }: CustomerProps) {
  const name = <strong dir="auto">{invoice.vendorName}</strong>;
  return (
    <div class="aside-part">
      <h2>{locale.say("customer")}</h2>
      <p>
        {href === null ? (
          name
        ) : (
          <a class="reach" href={href}>
            {name}
          </a>
        )}
      </p>
      <p class="soft small prose">
        <bdi>{invoice.vendorEmail}</bdi>
        {lines.map((line) => (
          <span dir="auto" class="under-line">
            {line}
          </span>
        ))}
      </p>
    </div>
  );
}

function InvoiceFacts({ props }: Props) {
  const { frame, invoice } = props;
  const { locale } = frame;
  const { say } = locale;
  const said = (label: string, value: string | null) => (value === null ? [] : [[label, value] as const]);
  return (
    <Facts
      facts={[
        [say("factIssued"), locale.day(invoice.issueDate)],
        [say("due"), locale.day(invoice.dueDate)],
        ...said(say("theirReference"), invoice.reference),
        ...partiesOf(invoice, locale).tradeFacts.map(({ label, value }) => [label, value] as const),
        [say("paidInto"), say(invoice.walletType === "managed" ? "tillsWallet" : "ownWallet")],
      ]}
      prose={[
        ...said(say("paymentTerms"), invoice.paymentTerms),
        ...said(say("wordsToCustomer"), invoice.notes),
      ]}
    >
      <AddressFact frame={frame} name={say("depositAddress")} address={invoice.deposit.address} />
    </Facts>
  );
}
