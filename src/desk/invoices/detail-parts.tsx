import { type Invoice, pageUrl } from "../../domain/bill/invoice.ts";
import type { Link } from "../../domain/link/link.ts";
import type { HttpDeps } from "../../http/deps.ts";
import { partiesOf } from "../../language/parties.ts";
import { shortHash, transactionHref } from "../../pages/text.ts";
import * as CustomerStore from "../../store/tables/invoicing/customer.ts";
import * as DepositTransferStore from "../../store/tables/watch/deposit-transfer.ts";
import type * as TransferStore from "../../store/tables/watch/transfer.ts";
import { AddressFact, Copyable } from "../parts/copy.tsx";
import { Cell, headsOf, SumCell, Table } from "../parts/list.tsx";
import { Facts } from "../parts/menu.tsx";
import type { DeskFrame } from "../parts/page/desk-frame.ts";
import { Part } from "../parts/page/head.tsx";
import { invoiceHref } from "../parts/place.ts";
import { State } from "../parts/state.tsx";
import { EInvoice } from "./e-invoice.tsx";

/** Payments named; the rest are only counted. */
const paymentsMax = 50;

type PaymentsProps = { deps: HttpDeps; frame: DeskFrame; of: Pick<Link, "deposit"> };

/** The payments of an invoice or a link, newest first, with their confirmations counting. */
export function Payments({ of: { deposit }, ...props }: PaymentsProps) {
  const { locale } = props.frame;
  const { transfers, others } = DepositTransferStore.listLargest(props.deps.db, deposit.index, {
    limit: paymentsMax,
  });
  return (
    <Part id="payments" title={locale.say("paymentsTitle")} isLive>
      {transfers.length === 0 ? (
        <p class="soft">{locale.say("noPayments")}</p>
      ) : (
        <Table
          caption={locale.say("paymentsCaption")}
          heads={headsOf(locale, ["transaction", "state", "when"], ["amountInUsdc"])}
        >
          {transfers.toReversed().map((transfer) => (
            <Payment {...props} transfer={transfer} />
          ))}
        </Table>
      )}
      {others !== 0 && <p class="soft small">{locale.say("smallerOnes", { count: others })}</p>}
    </Part>
  );
}

type PaymentProps = Omit<PaymentsProps, "of"> & { transfer: TransferStore.RecordedTransfer };

function Payment({ deps, frame, transfer }: PaymentProps) {
  const { locale, when } = frame;
  const { txHash, confirmed, blockNumber } = transfer;
  const { network } = deps.config;
  const href = transactionHref(network.explorer, txHash);
  const hash = shortHash(txHash);
  return (
    <tr role="row">
      <Cell kind="main">
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
      </Cell>
      <Cell kind="under">
        {confirmed ? (
          <State name="paid" word={locale.say("confirmed")} />
        ) : (
          <State name="seen" word={locale.confirmedIn(deps.countsIn(blockNumber).inMs)} />
        )}
      </Cell>
      <Cell kind="quiet under-end">{when.moment(transfer.madeAt)}</Cell>
      <SumCell locale={locale} amount={transfer.amount} />
    </tr>
  );
}

type Props = { deps: HttpDeps; frame: DeskFrame; invoice: Invoice };

/** Beside an invoice: its page, its customer, and what it says. */
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

/** Who the customer is. `lines`: what more there is to say of them. */
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
  const said = (label: string, value: string | null) => (value === null ? [] : [[label, value] as const]);
  return (
    <Facts
      facts={[
        [say("factIssued"), locale.day(invoice.issueDate)],
        [say("due"), locale.day(invoice.dueDate)],
        ...said(say("theirReference"), invoice.reference),
        ...partiesOf(invoice, locale).tradeFacts.map(({ label, value }) => [label, value] as const),
        [say("paidInto"), say(invoice.walletType === "managed" ? "tillsWallet" : "ownWalletTitle")],
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
