import { Html } from "@elysiajs/html";
import hostedStyles from "../../assets/styles/hosted.css" with { type: "text" };
import howToPayStyles from "../../assets/styles/how-to-pay.css" with { type: "text" };
import invoiceStyles from "../../assets/styles/invoice.css" with { type: "text" };
import paymentStyles from "../../assets/styles/payment.css" with { type: "text" };
import { bundle } from "./bundle.ts" with { type: "macro" };
import { InvoiceDetails } from "./invoice-details.tsx";
import type { InvoicePageProps } from "./invoice-props.ts";
import { layout } from "./layout.tsx";
import { Monogram } from "./monogram.tsx";
import { paymentSection } from "./payment-section.tsx";
import { stateWord } from "./payment-state.ts";
import { attr } from "./text.ts";

const script = bundle("invoice");

export type { InvoicePageProps } from "./invoice-props.ts";

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
        <InvoiceDetails props={props} />
      </main>
      <footer class="foot">
        <p>
          This page keeps itself up to date. You need no account to pay, and nobody will ask you for a
          password or a recovery phrase.
        </p>
      </footer>
      <p class="visually-hidden" id="announcement" role="status" aria-live="polite" />
    </div>
  );
  return layout({
    title: `${stateWord(props.payment)} · ${title}`,
    nonce: props.nonce,
    styles: [paymentStyles, howToPayStyles, hostedStyles, invoiceStyles],
    head: String(
      <noscript>
        <meta http-equiv="refresh" content="30" />
      </noscript>,
    ),
    body: String(body),
    script,
  });
}

function Header({ props }: Props) {
  return (
    <header class="head">
      <Monogram name={props.merchantName} />
      <div class="head-words">
        <p class="merchant">
          <bdi safe>{props.merchantName}</bdi>
        </p>
        <h1 safe>{`Invoice ${props.number}`}</h1>
      </div>
    </header>
  );
}
