import { type Invoice, pageUrl } from "../../domain/bill/invoice.ts";
import type { HttpDeps } from "../../http/route/deps.ts";
import { partiesOf } from "../../language/parties.ts";
import * as CustomerStore from "../../store/tables/invoicing/customer.ts";
import { AddressFact, Copyable } from "../parts/copy.tsx";
import { Facts } from "../parts/menu.tsx";
import type { DeskFrame } from "../parts/page/desk-frame.ts";
import { invoiceHref } from "../parts/place.ts";
import { EInvoice } from "./e-invoice.tsx";

type Props = { deps: HttpDeps; frame: DeskFrame; invoice: Invoice };

/** Beside an invoice: its page, its customer, and its terms. */
export function About(props: Props) {
  const { deps, frame, invoice } = props;
  const { locale } = frame;
  const { vendorAddress, vendorNumbers, vendorContact } = partiesOf(invoice, locale);
  const customerLines = [
    ...(vendorAddress === null ? [] : [vendorAddress]),
    ...[...vendorNumbers, ...vendorContact].map(({ label, value }) => locale.labelled(label, value)),
  ];
  const page = pageUrl(deps.baseUrl, invoice);
  return (
    <aside aria-label={locale.say("aboutInvoice")}>
      <div class="aside-part">
        <h2>{locale.say("customersPage")}</h2>
        <Copyable frame={frame} id="page-url" text={page} label={locale.say("linkForCustomer")} />
      </div>
      <CustomerPart {...props} lines={customerLines} />
      <div class="aside-part">
        <InvoiceFacts {...props} />
      </div>
      <EInvoice
        config={deps.config}
        frame={frame}
        href={invoiceHref(invoice.number)}
        lead="eInvoiceLacks"
        missingIn={(format) => deps.eInvoices.missing(invoice, format)}
      />
    </aside>
  );
}

/** The customer. `lines`: further details. */
export function CustomerPart({ deps, frame, invoice, lines = [] }: Props & { lines?: readonly string[] }) {
  const name = <strong dir="auto">{invoice.vendorName}</strong>;
  const customer = CustomerStore.byEmail(deps.db, invoice.vendorEmail);
  return (
    <div class="aside-part">
      <h2>{frame.locale.say("customer")}</h2>
      <p>
        {customer === null ? (
          name
        ) : (
          <a class="reach" href={`/desk/customers/${customer.id}`}>
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

function InvoiceFacts({ frame, invoice }: Props) {
  const { locale } = frame;
  const { say } = locale;
  const rowsOf = (label: string, value: string | null) => (value === null ? [] : [[label, value] as const]);
  return (
    <Facts
      facts={[
        [say("factIssued"), locale.day(invoice.issueDate)],
        [say("due"), locale.day(invoice.dueDate)],
        ...rowsOf(say("theirReference"), invoice.reference),
        ...partiesOf(invoice, locale).tradeFacts.map(({ label, value }) => [label, value] as const),
        [say("paidInto"), say(invoice.walletType === "managed" ? "tillsWallet" : "ownWalletTitle")],
      ]}
      prose={[
        ...rowsOf(say("paymentTerms"), invoice.paymentTerms),
        ...rowsOf(say("wordsToCustomer"), invoice.notes),
      ]}
    >
      <AddressFact frame={frame} name={say("depositAddress")} address={invoice.deposit.address} />
    </Facts>
  );
}
