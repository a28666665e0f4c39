/** What the pages of a shop's links tell programs in their heads: what is due, where to pay it, and where it is as JSON. */

import { rawHtml } from "../lib/jsx/jsx-runtime.ts";
import { walletHref } from "../pages/text.ts";
import type { PaymentProps } from "./payment/props.ts";
import { isPaid, phaseOf } from "./payment/state.ts";
import type { ShopProps } from "./shop-page.tsx";

/** Due is what is still asked for, in USDC: an invoice of schema.org. */
export function PaymentFacts({ props }: { props: ShopProps & { payment: PaymentProps } }) {
  const { payment } = props;
  // Programs are told nothing of what may yet be withdrawn.
  const phase = phaseOf(payment);
  const isAsked = phase === "open" || phase === "partial";
  // Once money came, the price holds.
  const until = (phase === "open" && payment.price?.holds) || payment.payBy;
  return (
    <Facts
      slug={props.slug}
      paymentUri={isAsked ? walletHref(payment.paymentUri) : null}
      data={{
        "@type": "Invoice",
        provider: organization(props),
        ...about(props),
        // It has no word for what nobody owes any more.
        ...(phase === "void" || phase === "expired"
          ? {}
          : { paymentStatus: `https://schema.org/Payment${isPaid(phase) ? "Complete" : "Due"}` }),
        ...(isAsked
          ? { totalPaymentDue: { "@type": "MonetaryAmount", value: payment.remaining, currency: "USDC" } }
          : {}),
        ...(isAsked && until ? { paymentDueDate: until.at } : {}),
      }}
    />
  );
}

type Priced = ShopProps & {
  slug: string;
  /** Null for USDC. */
  currency: string | null;
  price: { kind: "fixed"; each: string } | { kind: "chosen"; min: string; max: string };
};

/** What one payment costs, in what the link is in: an offer of schema.org. */
export function PriceFacts({ props }: { props: Priced }) {
  const { price } = props;
  const priceCurrency = props.currency ?? "USDC";
  return (
    <Facts
      slug={props.slug}
      paymentUri={null}
      data={{
        "@type": "Offer",
        seller: organization(props),
        ...about(props),
        ...(price.kind === "fixed"
          ? { price: price.each, priceCurrency }
          : {
              priceSpecification: {
                "@type": "PriceSpecification",
                minPrice: price.min,
                maxPrice: price.max,
                priceCurrency,
              },
            }),
      }}
    />
  );
}

const organization = ({ businessName }: ShopProps) => ({ "@type": "Organization", name: businessName });
const about = ({ productDescription }: ShopProps) =>
  productDescription === null ? {} : { description: productDescription };

type FactsProps = { slug: string; paymentUri: string | null; data: object };

function Facts({ slug, paymentUri, data }: FactsProps) {
  // As JSON writes it nothing in it can end the element.
  const json = JSON.stringify({ "@context": "https://schema.org", ...data }).replaceAll("<", "\\u003c");
  return (
    <>
      <link
        rel="alternate"
        type="application/json"
        href={`/api/links/${encodeURIComponent(slug.toWellFormed())}`}
      />
      {paymentUri !== null && <link rel="payment" href={paymentUri} />}
      <script type="application/ld+json">{rawHtml(json)}</script>
    </>
  );
}
