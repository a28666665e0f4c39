import checkoutStyles from "../../assets/styles/checkout.css" with { type: "text" };
import hostedStyles from "../../assets/styles/hosted.css" with { type: "text" };
import howToPayStyles from "../../assets/styles/how-to-pay.css" with { type: "text" };
import networkStyles from "../../assets/styles/networks.css" with { type: "text" };
import paymentStyles from "../../assets/styles/payment.css" with { type: "text" };
import soldStyles from "../../assets/styles/sold.css" with { type: "text" };
import type { BillLine } from "../language/bill.ts";
import type { SumRow } from "../language/sums.ts";
import { rawHtml } from "../lib/jsx/jsx-runtime.ts";
import { Connection, type Page } from "../pages/layout.tsx";
import { scripts } from "../pages/scripts.ts";
import { clientTexts, webHref } from "../pages/text.ts";
import { PaymentFacts } from "./for-programs.tsx";
import { hasNetworks } from "./payment/crossing.tsx";
import type { PaymentProps } from "./payment/props.ts";
import { paymentSection } from "./payment/section.tsx";
import { stateLabel } from "./payment/state.ts";
import { type ShopProps, shopPage } from "./shop-page.tsx";

const script = (props: Pick<PaymentProps, "crossing">) =>
  scripts[hasNetworks(props) ? "checkout-networks" : "checkout"];

/** `/w.js`, which puts a checkout into a shop's page. */
export const widgetScript = scripts["widget/widget"];

/** `/modal/btcpay.js`, which opens a checkout over a shop's page, for plugins for BTCPay Server. */
export const modalScript = scripts["widget/modal"];

type CheckoutSectionProps = Pick<CheckoutPageProps, "payment" | "successUrl" | "reusable">;

/** The part of the checkout page that changes as money arrives, which its script fetches from `paymentUrl`. */
export function checkoutSection({ payment, successUrl, reusable }: CheckoutSectionProps): string {
  return paymentSection(payment, { successUrl, isReusable: reusable !== null });
}

/** The hosted checkout page of a payment link, a whole document. Without a script it reloads itself. */
export function checkoutPage(props: CheckoutPageProps): Page {
  const { locale } = props.payment;
  const title = locale.say("payTo", { merchant: props.businessName });
  return shopPage({
    props,
    locale,
    title: `${stateLabel(props.payment)} · ${title}`,
    attributes: {
      id: "payment",
      "data-url": props.paymentUrl,
      "data-status-url": props.statusUrl,
      "data-title": title,
      "data-texts": clientTexts(locale, hasNetworks(props.payment)),
      "data-slug": props.slug,
      "data-reusable-slug": props.reusable?.slug ?? false,
      "data-parent-origin": props.parentOrigin ?? false,
    },
    styles: [
      paymentStyles,
      howToPayStyles,
      ...(hasNetworks(props.payment) ? [networkStyles] : []),
      hostedStyles,
      checkoutStyles,
      ...(props.sold === null ? [] : [soldStyles]),
    ],
    script: script(props.payment),
    isLive: true,
    quantity: props.reusable?.quantity ?? 1,
    head: !props.embedded && <PaymentFacts props={props} />,
    children: (
      <>
        <Connection locale={locale} />
        {rawHtml(checkoutSection(props))}
        <Sold props={props} />
        <Details props={props} />
        <Receipt props={props} />
        <NextPayment props={props} />
      </>
    ),
  });
}

function Receipt({ props: { receipt, payment } }: { props: CheckoutPageProps }) {
  const href = receipt && webHref(receipt.href);
  if (receipt === null || href === null) return "";
  const { maskedEmail } = receipt;
  const { say } = payment.locale;
  return (
    <p class="receipt-link">
      <a href={href}>
        {maskedEmail === null ? say("receiptByEmail") : say("receiptGoesTo", { email: maskedEmail })}
      </a>
    </p>
  );
}

/** The items sold, line by line, and their tax. */
function Sold({ props: { sold, payment } }: { props: CheckoutPageProps }) {
  if (sold === null) return null;
  const { locale } = payment;
  const lines = sold.lineItems.map(({ quantity, description, lineTotal }) => ({
    label: `${locale.figure(quantity)} × ${description}`,
    amount: locale.figure(lineTotal),
  }));
  return (
    <details class="sold" id="sold">
      <summary>{locale.say("priceInDetail", { unit: payment.price?.code ?? "USDC" })}</summary>
      <dl>
        {[...lines, ...sold.sums].map(({ label, amount }) => (
          <div>
            <dt dir="auto">{label}</dt>
            <dd class="amount">{amount}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}

function Details({ props: { details } }: { props: CheckoutPageProps }) {
  const href = details && webHref(details.href);
  return href ? (
    <p class="receipt-link">
      <a href={href}>{details.text}</a>
    </p>
  ) : null;
}

/** For payers of a reusable link who change their mind, or pay once more. */
function NextPayment({ props: { reusable, payment } }: { props: CheckoutPageProps }) {
  const href = reusable === null ? null : webHref(reusable.href);
  if (href === null) return "";
  return (
    <p class="next-payment">
      <a href={href}>{payment.locale.say("startNewPayment")}</a>
    </p>
  );
}

export type CheckoutPageProps = ShopProps & {
  /** The script fetches the payment status here, as JSON. */
  statusUrl: string;
  /** The script fetches the payment section here. */
  paymentUrl: string;
  /** The address to continue at once it is paid; not shown on the page before. */
  successUrl: string | null;
  /** The page where a payer can ask for a receipt, with the masked address if one was given; null if there is none. */
  receipt: { href: string; maskedEmail: string | null } | null;
  /** The page where the payer enters their details; null if none are asked for. */
  details: { href: string; text: string } | null;
  payment: PaymentProps;
  /** Its lines and their tax, in the currency of its price; null if it has neither. */
  sold: { lineItems: readonly BillLine[]; sums: readonly SumRow[] } | null;
  /** The reusable link of this payment, the quantity bought, and where to begin another one; null for other links. */
  reusable: { slug: string; quantity: number; href: string } | null;
};
