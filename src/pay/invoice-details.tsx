import type * as Invoice from "../domain/bill/invoice.ts";
import type { Brand } from "../domain/brand.ts";
import { type BillLine, type BillText, remarkOf } from "../language/bill.ts";
import type { Locale } from "../language/locale.ts";
import type { Fact, Parties } from "../language/parties.ts";
import type { SumRow } from "../language/sums.ts";
import { Icon } from "../pages/icons.tsx";
import type { WithChildren } from "../pages/layout.tsx";
import { mailHref, webHref } from "../pages/text.ts";
import { Amount } from "./payment/progress.tsx";
import type { PaymentProps } from "./payment/props.ts";
import { isPaid, phaseOf } from "./payment/state.ts";

export type InvoicePageProps = Invoice.IssuedFields &
  Parties &
  Pick<BillText, "lineItems" | "sums" | "total" | "billed"> & {
    /** `INV-0001` */
    number: string;
    /** IANA time zone in which the due date ends. */
    timeZone: string;
    /** The day of the last correction; null if there was none. */
    correctedDay: string | null;
    /** Amounts taken off by credit notes, with their PDFs; empty if there are none. */
    credits: readonly (SumRow & { href: string })[];
    /** The total less the credit notes, in USDC with two decimals. */
    due: string;
    pdfUrl: string;
    /** The PDF as first sent to the customer, whatever the current state; null while none is kept. */
    originalHref: string | null;
    /** The script fetches the payment section here. */
    paymentUrl: string;
    /** The operator of this Till. */
    brand: Brand;
    payment: PaymentProps;
  };

type Props = { props: InvoicePageProps };

/** The invoice: who bills whom, for what, until when. The script reloads the page when the amount to pay changes. */
export function InvoiceDetails({ props }: Props) {
  const { locale } = props.payment;
  const { billed } = props;
  const phase = phaseOf(props.payment);
  const pdfHref = webHref(props.pdfUrl);
  return (
    <article class="card invoice" aria-label={locale.say("invoiceDetails")}>
      <Facts props={props} />
      <table class="items">
        <thead>
          <tr>
            <th scope="col">{locale.say("description")}</th>
            <th scope="col">{locale.amountIn(billed?.code ?? "USDC")}</th>
          </tr>
        </thead>
        <tbody>
          {props.lineItems.map((item) => (
            <Row item={item} locale={locale} />
          ))}
          {props.sums.map((row) => (
            <Sum row={row} />
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">{locale.say("total")}</th>
            <td>
              <Amount value={billed?.total ?? props.total} locale={locale} />
            </td>
          </tr>
          {isPaid(phase) && <InUsdc props={props} label={locale.say("amountInUsdc")} amount={props.total} />}
          {props.credits.map((row) => (
            <Sum row={row} href={webHref(row.href)} />
          ))}
          {!isPaid(phase) && phase !== "void" && (
            <InUsdc props={props} label={locale.say("payInUsdc")} amount={props.due} />
          )}
        </tfoot>
      </table>
      <Prose label={locale.say("paymentTerms")} text={props.paymentTerms} />
      <Prose label={locale.say("notes")} text={props.notes} />
      <div class="actions">
        {pdfHref !== null && (
          <a class="button button-quiet" href={pdfHref}>
            <Icon name="download" />
            {locale.say(props.originalHref === null ? "downloadPdf" : "pdfAsItIs")}
          </a>
        )}
        <a
          class="button button-quiet"
          id="contact"
          href={mailHref(props.merchantEmail, locale.say("invoiceNumber", { number: props.number }))}
        >
          <Icon name="mail" />
          {locale.say("contactMerchant")}
        </a>
        {props.originalHref !== null && (
          <a class="soft" href={props.originalHref}>
            {locale.say("pdfAsIssued")}
          </a>
        )}
      </div>
      <a class="button to-payment" href="#payment">
        {locale.say("howToPay")}
      </a>
    </article>
  );
}

function Prose({ label, text }: { label: string; text: string | null }) {
  return text === null || text.trim() === "" ? null : (
    <section class="notes">
      <h2>{label}</h2>
      <p class="prose" dir="auto">
        {text}
      </p>
    </section>
  );
}

function Facts({ props }: Props) {
  const { locale } = props.payment;
  return (
    <dl class="facts">
      <Party
        label={locale.say("billedBy")}
        name={props.merchantName}
        address={props.merchantAddress}
        email={props.merchantEmail}
        facts={[...props.merchantNumbers, ...props.merchantContact]}
        locale={locale}
      />
      <Party
        label={locale.say("billedTo")}
        name={props.vendorName}
        address={props.vendorAddress}
        email={null}
        facts={[...props.vendorNumbers, ...props.vendorContact]}
        locale={locale}
      />
      <Entry label={locale.say("issueDate")}>
        <time datetime={props.issueDate}>{locale.day(props.issueDate)}</time>
      </Entry>
      <Entry label={locale.say("dueDate")}>
        <time datetime={props.dueDate}>{locale.day(props.dueDate)}</time>
        <span class="soft zone">{locale.bracketed(props.timeZone)}</span>
      </Entry>
      {props.correctedDay !== null && (
        <Entry label={locale.say("correctedOn")}>
          <time datetime={props.correctedDay}>{locale.day(props.correctedDay)}</time>
        </Entry>
      )}
      {props.reference !== null && (
        <Entry label={locale.say("reference")} className="reference">
          <bdi>{props.reference}</bdi>
        </Entry>
      )}
      {props.tradeFacts.map(({ label, value }) => (
        <Entry label={label}>
          <bdi>{value}</bdi>
        </Entry>
      ))}
    </dl>
  );
}

type EntryProps = WithChildren<{ label: string; className?: string }>;

const Entry = ({ label, className, children }: EntryProps) => (
  <div>
    <dt>{label}</dt>
    <dd {...(className ? { class: className } : {})}>{children}</dd>
  </div>
);

type PartyProps = {
  label: string;
  name: string;
  address: string | null;
  email: string | null;
  facts: readonly Fact[];
  locale: Locale;
};

function Party({ label, name, address, email, facts, locale }: PartyProps) {
  return (
    <div class="party">
      <dt>{label}</dt>
      <dd>
        <strong>
          <bdi>{name}</bdi>
        </strong>
      </dd>
      {address !== null && address.trim() !== "" && (
        <dd class="soft prose" dir="auto">
          {address}
        </dd>
      )}
      {email !== null && <dd class="soft">{email}</dd>}
      {facts.map(({ label, value }) => (
        <dd class="soft">
          <Apart text={value} after={`${label}${locale.marks.colon}`} />
        </dd>
      ))}
    </div>
  );
}

/** Isolates the direction of a text; the text before it keeps the page's direction. */
function Apart({ text, after }: { text: string; after: string }) {
  return (
    <>
      {after}
      <bdi>{text}</bdi>
    </>
  );
}

/** An amount of another currency in USDC, with the rate; empty for an invoice in USDC. */
function InUsdc({ props: { billed, payment }, label, amount }: Props & { label: string; amount: string }) {
  if (billed === undefined) return "";
  return (
    <tr data-in-usdc>
      <td>
        <strong>{label}</strong>
        <span class="soft rate">{billed.rate}</span>
      </td>
      <td>
        <Amount value={amount} locale={payment.locale} />
      </td>
    </tr>
  );
}

function Sum({ row: { label, amount }, href = null }: { row: SumRow; href?: string | null }) {
  return (
    <tr class="soft">
      <td dir="auto">{href === null ? label : <a href={href}>{label}</a>}</td>
      <td>
        <bdi>{amount}</bdi>
      </td>
    </tr>
  );
}

function Row({ item, locale }: { item: BillLine; locale: Locale }) {
  const remark = remarkOf(item);
  return (
    <tr>
      <td>
        <span class="prose" dir="auto">
          {item.description}
        </span>
        <span class="soft rate">
          <Amount value={item.quantity} locale={locale} />
          {item.unit !== undefined && <Apart text={item.unit} after=" " />} ×{" "}
          <Amount value={item.unitPrice} locale={locale} />
          {remark !== null && <Apart text={remark} after=" · " />}
        </span>
      </td>
      <td>
        <Amount value={item.lineTotal} locale={locale} />
      </td>
    </tr>
  );
}
