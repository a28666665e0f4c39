import hostedStyles from "../../../assets/styles/hosted.css" with { type: "text" };
import howToPayStyles from "../../../assets/styles/how-to-pay.css" with { type: "text" };
import invoiceStyles from "../../../assets/styles/invoice.css" with { type: "text" };
import paymentStyles from "../../../assets/styles/payment.css" with { type: "text" };
import { Rich } from "../../language/rich.tsx";
import { rawHtml } from "../../lib/jsx/jsx-runtime.ts";
import { MerchantMark } from "../brand-mark.tsx";
import { clientTexts } from "../client-texts.ts";
import { layout, type Page } from "../layout.tsx";
import { Connection, PageFoot, reloadWithoutScript } from "../page-foot.tsx";
import { paymentSection } from "../payment/payment-section.tsx";
import { stateLabel } from "../payment/payment-state.ts";
import { scripts } from "../scripts.ts";
import { InvoiceDetails } from "./invoice-details.tsx";
import type { InvoicePageProps } from "./invoice-props.ts";

const script = scripts.invoice;

export type { InvoicePageProps } from "./invoice-props.ts";

type Props = { props: InvoicePageProps };

/** The hosted invoice page, a whole document. Without a script it loads itself again every 30 seconds. */
export function invoicePage(props: InvoicePageProps): Page {
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
          data-texts={clientTexts(locale)}
        >
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
    styles: [paymentStyles, howToPayStyles, hostedStyles, invoiceStyles],
    head: reloadWithoutScript(),
    body,
    script,
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
