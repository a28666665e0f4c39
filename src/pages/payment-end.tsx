import { Html } from "@elysiajs/html";
import { Icon } from "./icons.tsx";
import { Rich } from "./language/rich.tsx";
import { Amount } from "./money.tsx";
import { Confirming, Figure, ReceivedOf } from "./payment-progress.tsx";
import type { PaymentProps } from "./payment-props.ts";
import { microOf, webHref } from "./text.ts";

/** What a payment link has that an invoice has not. */
export type LinkProps = {
  /** Where the payer goes on when it is paid. */
  successUrl: string | null;
};

type Props = { props: PaymentProps; link: LinkProps | null };

/** It is paid. Of a link, that it is used up: its address belongs to one order. */
export function Done({ props, link }: Props) {
  const { reader } = props;
  const isExcess = props.status === "excess";
  return (
    <section class="summary done" data-part="summary">
      <p class="seal">
        <Icon name="check" />
      </p>
      <p class="paper" safe>
        {reader.say("receipt")}
      </p>
      <h2 class="done-title" safe>
        {reader.say(isExcess ? "paidAndMore" : "paid")}
      </h2>
      <Figure value={props.received} reader={reader} />
      {isExcess ? (
        <Difference props={props} link={link} />
      ) : microOf(props.received) === microOf(props.total) ? (
        <p class="due" safe>
          {reader.say("receivedInFull")}
        </p>
      ) : (
        <p class="due">
          <ReceivedOf props={props} />
        </p>
      )}
      {link === null ? null : <AfterLink props={props} successUrl={link.successUrl} />}
    </section>
  );
}

/** An invoice's page has an element with the id `contact`; a checkout page shows nobody's address. */
function Difference({ props, link }: Props) {
  return (
    <p class="calm">
      <Rich
        reader={props.reader}
        text={link === null ? "differenceOfInvoice" : "differenceOfLink"}
        values={{
          total: String(<Amount value={props.total} reader={props.reader} />),
          excess: String(<Amount value={props.excess} reader={props.reader} />),
        }}
        href="#contact"
      />
    </p>
  );
}

/** The target is the whole tab: in a frame, the shop would appear inside of itself. */
function AfterLink({ props: { reader }, successUrl }: LinkProps & { props: PaymentProps }) {
  const href = successUrl === null ? null : webHref(successUrl);
  return (
    <>
      {href === null ? null : (
        <a class="button return" id="return" href={href} target="_top" rel="noreferrer">
          {Html.escapeHtml(reader.say("returnToShop"))}
        </a>
      )}
      <p class="used-up" safe>
        {reader.say("usedUp")}
      </p>
    </>
  );
}

/** A payment was confirmed and then left the chain, for example. Nobody may pay twice because of it. */
export function Failed({ props }: { props: PaymentProps }) {
  const { reader } = props;
  return (
    <section class="summary failed" data-part="summary">
      <p class="seal">
        <Icon name="alert" />
      </p>
      <h2 class="done-title" safe>
        {reader.say("somethingWrong")}
      </h2>
      <p>
        <Rich reader={reader} text="failed" />
      </p>
      {props.pending === null ? (
        <p class="due" safe>
          {reader.say("failedWait")}
        </p>
      ) : (
        <div class="again">
          <p class="due">
            <Rich
              reader={reader}
              text="failedSeenAgain"
              values={{ pending: String(<Amount value={props.pending} reader={reader} />) }}
            />
          </p>
          <Confirming props={props} />
        </div>
      )}
    </section>
  );
}
