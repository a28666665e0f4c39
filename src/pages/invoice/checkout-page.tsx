import { Html } from "@elysiajs/html";
import checkoutStyles from "../../../assets/styles/checkout.css" with { type: "text" };
import embeddedStyles from "../../../assets/styles/embedded.css" with { type: "text" };
import hostedStyles from "../../../assets/styles/hosted.css" with { type: "text" };
import howToPayStyles from "../../../assets/styles/how-to-pay.css" with { type: "text" };
import paymentStyles from "../../../assets/styles/payment.css" with { type: "text" };
import { MerchantMark } from "../brand-mark.tsx";
import { bundle } from "../bundle.ts" with { type: "macro" };
import { clientTexts } from "../client-texts.ts";
import { layout, type Page } from "../layout.tsx";
import { Connection, PageFoot, reloadWithoutScript } from "../page-foot.tsx";
import { paymentSection } from "../payment/payment-section.tsx";
import { stateLabel } from "../payment/payment-state.ts";
import { attr, webHref } from "../text.ts";
import type { CheckoutPageProps } from "./checkout-props.ts";

const script = bundle("checkout");

/** What puts a checkout into a shop's page: `/w.js`. */
export const widgetScript = bundle("widget", "iife");

export type { CheckoutPageProps } from "./checkout-props.ts";

type Props = { props: CheckoutPageProps };

/** The part of the checkout page that changes as money arrives: what its script fetches from `paymentUrl`. */
export function checkoutSection({
  payment,
  successUrl,
}: Pick<CheckoutPageProps, "payment" | "successUrl">): string {
  return paymentSection(payment, { successUrl });
}

/** The hosted checkout page of a payment link, a whole document. Without a script it loads itself again. */
export function checkoutPage(props: CheckoutPageProps): Page {
  const { locale } = props.payment;
  const { brand } = props;
  const title = `${locale.say("payTo")} ${props.businessName}`;
  const safePayment = checkoutSection(props);
  const body = (
    <div class={props.embedded ? "page" : "page page-alone"}>
      <main
        class="card checkout"
        id="payment"
        data-url={attr(props.paymentUrl)}
        data-status-url={attr(props.statusUrl)}
        data-title={attr(title)}
        data-texts={attr(clientTexts(locale))}
        data-slug={attr(props.slug)}
        data-parent-origin={props.parentOrigin === null ? false : attr(props.parentOrigin)}
      >
        <Header props={props} />
        <Connection locale={locale} />
        {safePayment}
        <Receipt props={props} />
      </main>
      {props.embedded ? null : <PageFoot locale={locale} brand={brand} merchantName={props.businessName} />}
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
      hostedStyles,
      checkoutStyles,
      ...(props.embedded ? [embeddedStyles] : []),
    ],
    head: reloadWithoutScript(),
    body: String(body),
    script,
  });
}

function Receipt({ props: { receipt, payment } }: Props) {
  const href = receipt && webHref(receipt.href);
  if (receipt === null || href === null) return "";
  const { maskedEmail } = receipt;
  const { say } = payment.locale;
  return (
    <p class="receipt-link">
      <a href={href} safe>
        {maskedEmail === null ? say("receiptByEmail") : say("receiptGoesTo", { email: maskedEmail })}
      </a>
    </p>
  );
}

function Header({ props: { businessName, productDescription, reference, payment, brand } }: Props) {
  return (
    <header class="shop">
      <MerchantMark name={businessName} brand={brand} />
      <div class="shop-words">
        <h1>
          <span class="visually-hidden">{Html.escapeHtml(payment.locale.say("payTo"))} </span>
          <bdi safe>{businessName}</bdi>
        </h1>
        {productDescription === null || productDescription.trim() === "" ? null : (
          <p class="soft prose" dir="auto" safe>
            {productDescription}
          </p>
        )}
        {reference === null ? null : (
          <p class="soft reference">
            {Html.escapeHtml(payment.locale.labelled(payment.locale.say("reference")))}{" "}
            <bdi safe>{reference}</bdi>
          </p>
        )}
      </div>
    </header>
  );
}
