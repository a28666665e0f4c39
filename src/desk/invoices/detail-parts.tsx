import type { Invoice } from "../../domain/bill/invoice.ts";
import type { Locale } from "../../language/locale.ts";
import { partiesOf } from "../../language/parties.ts";
import { shortHash, webHref } from "../../pages/text.ts";
import { Amount } from "../parts/amount.tsx";
import { AddressFact, Copyable } from "../parts/copy.tsx";
import { Table } from "../parts/list.tsx";
import { Facts } from "../parts/menu.tsx";
import { State } from "../parts/state.tsx";
import type { DetailPayment, DetailProps } from "./detail-page.tsx";
import { EInvoice } from "./e-invoice.tsx";
import { invoiceHref } from "./list-rows.tsx";

type PaymentsProps = { props: Pick<DetailProps, "frame" | "payments" | "otherPayments"> };

/** The payments of an invoice or a link, with their confirmations counting. */
export function Payments({ props }: PaymentsProps) {
  const { frame, payments, otherPayments } = props;
  const { locale } = frame;
  return (
    <section class="part" id="payments" data-live>
      <div class="part-head">
        <h2>{locale.say("paymentsTitle")}</h2>
      </div>
      {payments.length === 0 ? (
        <p class="soft">{locale.say("noPayments")}</p>
      ) : (
        <Table
          caption={locale.say("paymentsCaption")}
          heads={[
            locale.say("transaction"),
            locale.say("state"),
            locale.say("when"),
            { end: locale.say("amountInUsdc") },
          ]}
        >
          {payments.map((payment) => (
            <Payment props={props} payment={payment} />
          ))}
        </Table>
      )}
      {otherPayments !== 0 && <p class="soft small">{locale.say("smallerOnes", { count: otherPayments })}</p>}
    </section>
  );
}

function Payment({ props: { frame }, payment }: PaymentsProps & { payment: DetailPayment }) {
  const { locale, when } = frame;
  const { txHash, explorerUrl, confirmed, confirmations, needed } = payment;
  const href = explorerUrl === null ? null : webHref(explorerUrl);
  const hash = shortHash(txHash);
  return (
    <tr role="row">
      <td role="cell" class="main">
        {href === null ? (
          <span class="address" title={txHash}>
            {hash}
          </span>
        ) : (
          <a
            class="address reach"
            href={href}
            target="_blank"
            rel="noopener noreferrer"
            aria-label={locale.say("transactionInExplorer", { hash })}
          >
            {hash}
          </a>
        )}
      </td>
      <td role="cell" class="under">
        {confirmed ? (
          <State name="paid" word={locale.say("confirmed")} />
        ) : (
          <>
            <State name="seen" word={locale.confirmations(confirmations, needed)} />
            {needed === null || needed > meterMax ? "" : <Meter on={confirmations} of={needed} />}
          </>
        )}
      </td>
      <td role="cell" class="quiet under-end">
        {when.moment(payment.madeAt)}
      </td>
      <td role="cell" class="end sum">
        <Amount locale={locale} amount={payment.amount} />
      </td>
    </tr>
  );
}

/** More strokes than this nobody counts. */
const meterMax = 12;

function Meter({ on, of }: { on: number; of: number }) {
  return (
    <span class="meter" aria-hidden="true">
      {Array.from({ length: of }, (_, i) => (
        <i class={i < on ? "on" : ""} />
      ))}
    </span>
  );
}

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
