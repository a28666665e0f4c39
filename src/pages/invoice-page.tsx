// biome-ignore lint/correctness/noUnusedImports: the JSX factory that tsconfig.json names
import { Html } from "@elysiajs/html";
import invoiceStyles from "../../assets/styles/invoice.css" with { type: "text" };
import paymentStyles from "../../assets/styles/payment.css" with { type: "text" };
import { bundle } from "./bundle.ts" with { type: "macro" };
import { Icon } from "./icons.tsx";
import { layout } from "./layout.tsx";
import { Amount } from "./money.tsx";
import type { PaymentProps } from "./payment-props.ts";
import { paymentSection } from "./payment-section.tsx";
import { stateWord } from "./payment-state.ts";
import { attr, dayText, mailHref, webHref } from "./text.ts";

const script = bundle("invoice");

export type InvoicePageProps = {
  /** `INV-0001` */
  number: string;
  merchantName: string;
  merchantAddress: string;
  merchantEmail: string;
  vendorName: string;
  vendorAddress: string | null;
  /** `YYYY-MM-DD`, as is `dueDate`. */
  issueDate: string;
  dueDate: string;
  /** The IANA time zone in which the due date ends. */
  timeZone: string;
  notes: string | null;
  lineItems: readonly LineItem[];
  /** USDC with two decimals. */
  total: string;
  pdfUrl: string;
  /** Where the script fetches the payment section. */
  paymentUrl: string;
  /** The nonce of the page's Content-Security-Policy. */
  nonce: string;
  payment: PaymentProps;
};

type LineItem = { description: string; quantity: string; unitPrice: string; lineTotal: string };

type Props = { props: InvoicePageProps };

/** The hosted invoice page, a whole document. Without a script it loads itself again every 30 seconds. */
export function invoicePage(props: InvoicePageProps): string {
  const title = `Invoice ${props.number} from ${props.merchantName}`;
  const safePayment = paymentSection(props.payment);
  const body = (
    <div class="page">
      <Header props={props} />
      <main class="columns">
        <div class="card" id="payment" data-url={attr(props.paymentUrl)} data-title={attr(title)}>
          {safePayment}
          <p class="connection" id="connection" hidden>
            Connection lost, trying again…
          </p>
        </div>
        <Invoice props={props} />
      </main>
      <footer class="foot">
        <p>
          This page keeps itself up to date. You need no account to pay, and nobody will ask you for a password or a
          recovery phrase.
        </p>
      </footer>
      <p class="visually-hidden" id="announcement" role="status" aria-live="polite" />
    </div>
  );
  return layout({
    title: `${stateWord(props.payment)} · ${title}`,
    nonce: props.nonce,
    styles: [paymentStyles, invoiceStyles],
    head: String(
      <noscript>
        <meta http-equiv="refresh" content="30" />
      </noscript>,
    ),
    body: String(body),
    script,
  });
}

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });

function Header({ props }: Props) {
  const [first] = graphemes.segment(props.merchantName.trim());
  return (
    <header class="head">
      <span class="monogram" aria-hidden="true" safe>
        {(first?.segment ?? "").toUpperCase()}
      </span>
      <div class="head-words">
        <p class="merchant">
          <bdi safe>{props.merchantName}</bdi>
        </p>
        <h1 safe>{`Invoice ${props.number}`}</h1>
      </div>
    </header>
  );
}

function Invoice({ props }: Props) {
  const pdfHref = webHref(props.pdfUrl);
  return (
    <article class="card invoice" aria-label="Invoice details">
      <Facts props={props} />
      <table class="items">
        <thead>
          <tr>
            <th scope="col">Description</th>
            <th scope="col" class="number">
              Amount (USDC)
            </th>
          </tr>
        </thead>
        <tbody>
          {props.lineItems.map((item) => (
            <Row item={item} />
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">Total</th>
            <td class="number">
              <Amount value={props.total} /> USDC
            </td>
          </tr>
        </tfoot>
      </table>
      {props.notes === null || props.notes.trim() === "" ? null : (
        <section class="notes">
          <h2>Notes</h2>
          <p class="prose" dir="auto" safe>
            {props.notes}
          </p>
        </section>
      )}
      <div class="actions">
        {pdfHref === null ? null : (
          <a class="button button-quiet" href={pdfHref}>
            <Icon name="download" />
            Download PDF
          </a>
        )}
        <a class="button button-quiet" id="contact" href={mailHref(props.merchantEmail, `Invoice ${props.number}`)}>
          <Icon name="mail" />
          Contact the merchant
        </a>
      </div>
    </article>
  );
}

function Facts({ props }: Props) {
  return (
    <dl class="facts">
      <Party label="From" name={props.merchantName} address={props.merchantAddress} email={props.merchantEmail} />
      <Party label="To" name={props.vendorName} address={props.vendorAddress} email={null} />
      <div>
        <dt>Issued</dt>
        <dd>
          <time datetime={attr(props.issueDate)} safe>
            {dayText(props.issueDate)}
          </time>
        </dd>
      </div>
      <div>
        <dt>Due</dt>
        <dd>
          <time datetime={attr(props.dueDate)} safe>
            {dayText(props.dueDate)}
          </time>{" "}
          <span class="soft zone" safe>{`(${props.timeZone})`}</span>
        </dd>
      </div>
    </dl>
  );
}

type PartyProps = { label: string; name: string; address: string | null; email: string | null };

function Party({ label, name, address, email }: PartyProps) {
  return (
    <div>
      <dt safe>{label}</dt>
      <dd>
        <strong>
          <bdi safe>{name}</bdi>
        </strong>
      </dd>
      {address === null || address.trim() === "" ? null : (
        <dd class="soft prose" dir="auto" safe>
          {address}
        </dd>
      )}
      {email === null ? null : (
        <dd class="soft" safe>
          {email}
        </dd>
      )}
    </div>
  );
}

function Row({ item }: { item: LineItem }) {
  return (
    <tr>
      <td>
        <span class="prose" dir="auto" safe>
          {item.description}
        </span>
        <span class="soft rate">
          <Amount value={item.quantity} /> × <Amount value={item.unitPrice} />
        </span>
      </td>
      <td class="number">
        <Amount value={item.lineTotal} />
      </td>
    </tr>
  );
}
