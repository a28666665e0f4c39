import hostedStyles from "../../assets/styles/hosted.css" with { type: "text" };
import howToPayStyles from "../../assets/styles/how-to-pay.css" with { type: "text" };
import invoiceStyles from "../../assets/styles/invoice.css" with { type: "text" };
import networkStyles from "../../assets/styles/networks.css" with { type: "text" };
import paymentStyles from "../../assets/styles/payment.css" with { type: "text" };
import * as CreditNote from "../domain/bill/credit-note.ts";
import * as Invoice from "../domain/bill/invoice.ts";
import * as Usdc from "../domain/usdc.ts";
import type { HttpDeps } from "../http/route/deps.ts";
import { billText } from "../language/bill.ts";
import type { Locale } from "../language/locale.ts";
import { partiesOf } from "../language/parties.ts";
import { Rich } from "../language/rich.tsx";
import { creditRow } from "../language/sums.ts";
import { rawHtml } from "../lib/jsx/jsx-runtime.ts";
import { MerchantMark } from "../pages/brand-mark.tsx";
import { Connection, layout, type Page, PageFoot, Reloading, reloadWithoutScript } from "../pages/layout.tsx";
import { scripts } from "../pages/scripts.ts";
import { clientTexts } from "../pages/text.ts";
import * as CreditNoteStore from "../store/tables/invoicing/credit-note.ts";
import * as OriginalStore from "../store/tables/invoicing/original.ts";
import { InvoiceDetails, type InvoicePageProps } from "./invoice-details.tsx";
import { hasNetworks } from "./payment/crossing.tsx";
import { invoicePaymentProps, type PaymentProps } from "./payment/props.ts";
import { paymentSection } from "./payment/section.tsx";
import { stateLabel } from "./payment/state.ts";

const script = (props: Pick<PaymentProps, "crossing">) =>
  scripts[hasNetworks(props) ? "invoice-networks" : "invoice"];

type Props = { props: InvoicePageProps };

/** The hosted invoice page, a whole document. Without a script it reloads itself every 30 seconds, unless still. */
export function invoicePage(props: InvoicePageProps, isStill = false): Page {
  const { locale } = props.payment;
  const { brand } = props;
  const title = locale.say("invoiceFrom", { number: props.number, merchant: props.merchantName });
  const payment = rawHtml(paymentSection(props.payment));
  const body = (
    <div class="page">
      <Header props={props} />
      <main class="columns">
        <div
          class="card"
          id="payment"
          data-url={props.paymentUrl}
          data-title={title}
          data-texts={clientTexts(locale, hasNetworks(props.payment))}
        >
          <Reloading locale={locale} isStill={isStill} href={`?lang=${locale.code}&still=1`} />
          <Connection locale={locale} />
          {payment}
        </div>
        <InvoiceDetails props={props} />
      </main>
      <PageFoot locale={locale} brand={brand} merchantName={props.merchantName} />
      <p class="visually-hidden" id="announcement" role="status" aria-live="polite" />
    </div>
  );
  return layout({
    locale,
    brand,
    title: `${stateLabel(props.payment)} · ${title}`,
    styles: [
      paymentStyles,
      howToPayStyles,
      ...(hasNetworks(props.payment) ? [networkStyles] : []),
      hostedStyles,
      invoiceStyles,
    ],
    head: reloadWithoutScript(isStill),
    body,
    script: script(props.payment),
  });
}

function Header({ props }: Props) {
  const { locale } = props.payment;
  return (
    <header class="head">
      <MerchantMark name={props.merchantName} brand={props.brand} />
      <div class="head-words">
        <p class="merchant">
          <bdi>{props.merchantName}</bdi>
        </p>
        <h1>
          <Rich
            locale={locale}
            text="invoiceNumber"
            values={{ number: <span class="whole">{props.number}</span> }}
          />
        </h1>
      </div>
    </header>
  );
}

export function invoicePageProps(deps: HttpDeps, invoice: Invoice.Invoice, locale: Locale): InvoicePageProps {
  return {
    number: invoice.number,
    ...Invoice.issued(invoice),
    ...partiesOf(invoice, locale),
    timeZone: deps.config.timeZone,
    correctedDay: Invoice.correctedDay(invoice, deps.config.timeZone),
    ...billText(invoice, locale),
    credits: creditsOf(deps, invoice, locale),
    due: Usdc.formatExact(invoice.deposit.net),
    pdfUrl: Invoice.pdfUrl(deps.baseUrl, invoice),
    originalHref: originalHrefOf(deps, invoice),
    paymentUrl: `/i/${invoice.slug}/payment?lang=${locale.code}`,
    brand: deps.config.brand,
    payment: invoicePaymentProps(deps, invoice, locale),
  };
}

function originalHrefOf({ db }: Pick<HttpDeps, "db">, { deposit }: Invoice.Invoice): string | null {
  const first = OriginalStore.listOf(db, deposit.index).find(
    ({ kind, form, isKnown }) => kind === "invoice" && isKnown && (form === "pdf" || form === "factur-x"),
  );
  return first ? `/api/originals/${first.sha256}` : null;
}

/** Lists the amounts that credit notes took off, with their PDFs. Most invoices have none, which costs no query. */
function creditsOf(
  { db, baseUrl }: HttpDeps,
  invoice: Invoice.Invoice,
  locale: Locale,
): InvoicePageProps["credits"] {
  if (invoice.credited === 0n) return [];
  return CreditNoteStore.listByInvoice(db, invoice.sequence).map((note) => ({
    ...creditRow(locale.say("creditHeading", { number: note.number }), note.totals.total, invoice, locale),
    href: CreditNote.pdfUrl(baseUrl, note),
  }));
}
