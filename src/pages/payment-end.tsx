import { Html } from "@elysiajs/html";
import { Icon } from "./icons.tsx";
import { Amount } from "./money.tsx";
import { Confirming, Figure } from "./payment-progress.tsx";
import type { PaymentProps } from "./payment-props.ts";
import { webHref } from "./text.ts";

/** What a payment link has that an invoice has not. */
export type LinkProps = {
  /** Where the payer goes on when it is paid. */
  successUrl: string | null;
};

type Props = { props: PaymentProps; link: LinkProps | null };

/** It is paid. Of a link, that it is used up: its address belongs to one order. */
export function Done({ props, link }: Props) {
  const isExcess = props.status === "excess";
  return (
    <section class="summary done" data-part="summary">
      <p class="seal">
        <Icon name="check" />
      </p>
      <h2 class="done-title">{isExcess ? "Paid, and more than asked" : "Paid"}</h2>
      <Figure value={props.received} />
      {isExcess ? (
        <Difference props={props} link={link} />
      ) : (
        <p class="due">Received in full. Nothing more to do.</p>
      )}
      {link === null ? null : <AfterLink successUrl={link.successUrl} />}
    </section>
  );
}

/** An invoice's page has an element with the id `contact`; a checkout page shows nobody's address. */
function Difference({ props, link }: Props) {
  return (
    <p class="calm">
      <Amount value={props.total} /> USDC was asked for: <strong>{Html.escapeHtml(props.excess)} USDC</strong>{" "}
      too much has arrived. Please{" "}
      {link === null ? <a href="#contact">contact the merchant</a> : "contact the shop"} about the difference.
    </p>
  );
}

/** The target is the whole tab: in a frame, the shop would appear inside of itself. */
function AfterLink({ successUrl }: LinkProps) {
  const href = successUrl === null ? null : webHref(successUrl);
  return (
    <>
      {href === null ? null : (
        <a class="button return" id="return" href={href} target="_top" rel="noreferrer">
          Return to shop
        </a>
      )}
      <p class="used-up">
        This link has been paid. Please do not pay it again: another payment needs a new link from the shop.
      </p>
    </>
  );
}

/** A payment was confirmed and then left the chain, for example. Nobody may pay twice because of it. */
export function Failed({ props }: { props: PaymentProps }) {
  return (
    <section class="summary failed" data-part="summary">
      <p class="seal">
        <Icon name="alert" />
      </p>
      <h2 class="done-title">Something went wrong</h2>
      <p>
        There is a problem with this payment on the network. <strong>Do not pay again.</strong> If it stays
        like this, please contact the shop.
      </p>
      {props.pending === null ? (
        <p class="due">This page shows the payment as soon as it is confirmed.</p>
      ) : (
        <div class="again">
          <p class="due">
            <Amount value={props.pending} /> USDC has been seen again and is being confirmed.
          </p>
          <Confirming props={props} />
        </div>
      )}
    </section>
  );
}
