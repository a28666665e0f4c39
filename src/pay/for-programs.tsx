/** Facts for programs in the heads of a shop's pages: the amount due, where to pay it, and its address as JSON. */

import { rawHtml } from "../lib/jsx/jsx-runtime.ts";
import { walletHref } from "../pages/text.ts";
import type { PaymentProps } from "./payment/props.ts";
import { isPaid, phaseOf } from "./payment/state.ts";
import type { ShopProps } from "./shop-page.tsx";

/** Describes the amount that is still asked for, in USDC, as an invoice of schema.org. */
export function PaymentFacts({ props }: { props: ShopProps & { payment: PaymentProps } }) {
  const { payment } = props;
  // Programs are told nothing that may yet be withdrawn.
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
        // schema.org has no word for what nobody owes any more.
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

/** Describes the price of one payment, in the link's currency, as an offer of schema.org. */
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
  // Escaped so that nothing in the JSON can end the element.
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
