import type { Locale } from "../../language/locale.ts";
import { Rich } from "../../language/rich.tsx";
import { Icon, Notice } from "../../pages/icons.tsx";
import type { WithChildren } from "../../pages/layout.tsx";
import { microOf, webHref } from "../../pages/text.ts";
import { Amount, Confirming, Figure, Price, ReceivedOf } from "./progress.tsx";
import type { PaymentProps } from "./props.ts";

/** Properties that only payment links have. */
export type LinkProps = {
  /** The address to continue at once it is paid. */
  successUrl: string | null;
  /** True for one payment of a reusable link, where another can be begun. */
  isReusable: boolean;
};

type Props = { props: PaymentProps; link: LinkProps | null };

type EndProps = WithChildren<{
  kind: "done" | "void" | "failed";
  icon: "check" | "cross" | "alert" | "clock";
  title: "paid" | "paidAndMore" | "voidOfInvoice" | "voidOfLink" | "somethingWrong" | keyof typeof endings;
  locale: Locale;
}>;

/** Replaces the amount to pay once nobody pays any more. */
function End({ kind, icon, title, locale, children }: EndProps) {
  return (
    <section class={`summary ${kind}`} data-part="summary">
      <p class="seal">
        <Icon name={icon} />
      </p>
      {kind === "done" && <p class="paper">{locale.say("receipt")}</p>}
      <h2 class="done-title">{locale.say(title)}</h2>
      {children}
    </section>
  );
}

/** Opens a new tab, like a receipt, for asking for money that went to the merchant by mistake. */
function AskBack({ props: { refundHref, locale } }: { props: PaymentProps }) {
  const href = refundHref && webHref(refundHref);
  return href === null ? (
    ""
  ) : (
    <a class="button button-quiet receipt" href={href} target="_blank" rel="noopener noreferrer">
      {locale.say("refundAsk")}
    </a>
  );
}

/** Shown once it is paid. For a link it adds that it is used up: its address belongs to one order. */
export function Done({ props, link }: Props) {
  const { locale } = props;
  const isExcess = props.status === "excess";
  return (
    <End kind="done" icon="check" title={isExcess ? "paidAndMore" : "paid"} locale={locale}>
      <Figure value={props.received} locale={locale} />
      <Price props={props} />
      <Refunded props={props} />
      <Balance props={props} link={link} />
      <AskBack props={props} />
      <ReceiptLink props={props} />
      {link !== null && <AfterLink props={props} {...link} />}
    </End>
  );
}

/** Compares the received amount with the amount due; empty once they are even. */
function Balance({ props, link }: Props) {
  if (props.isEven) return "";
  if (props.owedBack !== null) return <Notice>{props.owedBack}</Notice>;
  if (props.isUnexpected) return <Unexpected props={props} link={link} />;
  if (props.status === "excess") return <Difference props={props} link={link} />;
  if (microOf(props.received) === microOf(props.total))
    return <p class="due">{props.locale.say("receivedInFull")}</p>;
  return (
    <p class="due">
      <ReceivedOf props={props} />
    </p>
  );
}

/** The amount refunded. */
function Refunded({ props: { refunded, locale } }: { props: PaymentProps }) {
  if (refunded === null) return "";
  return <p class="due">{locale.say("refundedSum", { amount: locale.figure(refunded) })}</p>;
}

/** An invoice's page has an element with the id `contact`; a checkout page shows no address. */
function Difference({ props, link }: Props) {
  return (
    <p class="calm">
      <Rich
        locale={props.locale}
        text={link === null ? "differenceOfInvoice" : "differenceOfLink"}
        values={{
          total: <Amount value={props.total} locale={props.locale} />,
          excess: <Amount value={props.excess} locale={props.locale} />,
        }}
        href="#contact"
      />
    </p>
  );
}

/** Opens a new tab, because a checkout may be in a frame. */
function ReceiptLink({ props: { receiptUrl, receiptNumber, locale } }: { props: PaymentProps }) {
  const href = webHref(receiptUrl);
  return href === null ? null : (
    <a class="button button-quiet receipt" href={href} target="_blank" rel="noopener noreferrer">
      <Icon name="download" />
      {[locale.say("downloadReceipt"), receiptNumber].filter(Boolean).join(" ")}
    </a>
  );
}

/** Targets the whole tab: in a frame, the shop would appear inside itself. */
function AfterLink({ props: { locale }, successUrl, isReusable }: LinkProps & { props: PaymentProps }) {
  const href = successUrl === null ? null : webHref(successUrl);
  return (
    <>
      {href !== null && (
        <a class="button return" id="return" href={href} target="_top" rel="noreferrer">
          {locale.say("returnToShop")}
        </a>
      )}
      <p class="used-up">{locale.say(isReusable ? "paymentComplete" : "usedUp")}</p>
    </>
  );
}

/** The merchant voided it, with the reason if there is one. */
export function Void({ props, link }: Props) {
  const { locale, voidReason } = props;
  return (
    <End kind="void" icon="cross" title={link === null ? "voidOfInvoice" : "voidOfLink"} locale={locale}>
      <p>{locale.say("nothingOwed")}</p>
      {voidReason !== null && (
        <dl class="why">
          <dt>{locale.say("reason")}</dt>
          <dd class="prose" dir="auto">
            {voidReason}
          </dd>
        </dl>
      )}
      <Unexpected props={props} link={link} />
      <AskBack props={props} />
    </End>
  );
}

/** The merchant marked it as paid in another way, so there is no transaction to show. */
export function Marked({ props, link }: Props) {
  const { locale } = props;
  return (
    <End kind="done" icon="check" title="paid" locale={locale}>
      {props.owedBack === null ? (
        <p class="due">{locale.say(link === null ? "markedOfInvoice" : "markedOfLink")}</p>
      ) : (
        <Notice>{props.owedBack}</Notice>
      )}
      <Unexpected props={props} link={link} />
      <AskBack props={props} />
      <ReceiptLink props={props} />
      {link !== null && <AfterLink props={props} {...link} />}
    </End>
  );
}

/** Money that nobody owed: it went to the merchant, who alone can send it back. */
function Unexpected({ props, link }: Props) {
  const { isUnexpected, isEven, locale } = props;
  if (isEven) return <Refunded props={props} />;
  if (!isUnexpected) return "";
  return (
    <Notice>
      <Rich
        locale={locale}
        text={link === null ? "unexpectedOfInvoice" : "unexpectedOfLink"}
        href="#contact"
      />
    </Notice>
  );
}

/** For example, a payment was confirmed and then left the chain. Nobody may pay twice because of it. */
export function Failed({ props }: { props: PaymentProps }) {
  const { locale } = props;
  return (
    <End kind="failed" icon="alert" title="somethingWrong" locale={locale}>
      <p>
        <Rich locale={locale} text="failed" />
      </p>
      {props.pending === null ? (
        <p class="due">{locale.say("failedWait")}</p>
      ) : (
        <div class="again">
          <p class="due">
            <Rich
              locale={locale}
              text="failedSeenAgain"
              values={{ pending: <Amount value={props.pending} locale={locale} /> }}
            />
          </p>
          <Confirming props={props} />
        </div>
      )}
    </End>
  );
}

const endings = { expired: "sayExpired", rateExpired: "sayRateExpired" } as const;

/** Nobody may pay any more, or not before there is a new amount. Money that arrived anyway is shown. */
export function Expired({ props, phase }: { props: PaymentProps; phase: "expired" | "unpriced" }) {
  const { locale } = props;
  const title = phase === "expired" ? phase : "rateExpired";
  return (
    <End kind="failed" icon="clock" title={title} locale={locale}>
      {phase === "unpriced" && <Price props={props} />}
      <p>{locale.say(endings[title])}</p>
      <p class="due">{locale.say("expiredButSent")}</p>
      {props.status === "partial" && (
        <p class="due">
          <ReceivedOf props={props} />
        </p>
      )}
    </End>
  );
}
