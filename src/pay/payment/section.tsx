import { zero } from "../../domain/wallet/address.ts";
import { isTestNetwork } from "../../domain/wallet/network.ts";
import type { Locale } from "../../language/locale.ts";
import { Rich } from "../../language/rich.tsx";
import type { Child } from "../../lib/jsx/jsx-runtime.ts";
import { Icon, Notice } from "../../pages/icons.tsx";
import { shortHash, transactionHref } from "../../pages/text.ts";
import { crossingCovers, FromOtherNetwork, isCrossing } from "./crossing.tsx";
import { Done, Expired, Failed, type LinkProps, Marked, Void } from "./end.tsx";
import { HowToPay } from "./how-to-pay.tsx";
import { Amount, Confirming, Figure, PayBy, Price, ReceivedOf } from "./progress.tsx";
import type { PaymentProps, PaymentTransfer } from "./props.ts";
import {
  isClosed,
  isOnlySigned,
  pendingCovers,
  percentOf,
  phaseOf,
  stateLabel,
  stateSentence,
} from "./state.ts";

/**
 * The part of a page that changes as money arrives: the state, how to pay, what has arrived. The script compares and
 * replaces its `data-part` elements one by one. Without `link` it is an invoice's, and the page around it has an
 * element with the id `contact`.
 */
export function paymentSection(props: PaymentProps, link: LinkProps | null = null): string {
  const phase = phaseOf(props);
  const asksForMoney = phase === "open" || phase === "partial";
  const isTooLate = phase === "expired" || phase === "unpriced";
  const section = (
    <div
      class={`payment payment-${phase}`}
      data-payment={phase}
      data-total={link === null && props.total}
      data-label={stateLabel(props)}
      data-sentence={stateSentence(props)}
    >
      <Summary props={props} link={link} />
      {props.delayed && !isClosed(phase) && <Delayed props={props} />}
      {asksForMoney && props.signedFailed && <SignedFailed props={props} />}
      {(asksForMoney || isTooLate || isCrossing(props)) && <FromOtherNetwork props={props} />}
      {asksForMoney && !crossingCovers(props) && <HowToPay props={props} />}
      {phase === "pending" && <WhileConfirming props={props} />}
      <Transfers props={props} />
    </div>
  );
  return String(section);
}

type Props = { props: PaymentProps };

function Summary({ props, link }: Props & { link: LinkProps | null }) {
  const phase = phaseOf(props);
  if (phase === "paid" || phase === "excess") return <Done props={props} link={link} />;
  if (phase === "error") return <Failed props={props} />;
  if (phase === "expired" || phase === "unpriced") return <Expired props={props} phase={phase} />;
  if (phase === "void") return <Void props={props} link={link} />;
  if (phase === "marked") return <Marked props={props} link={link} />;
  const { locale } = props;
  const label = ({ open: "amountDue", partial: "stillToPay", pending: "onItsWay" } as const)[phase];
  const isPending = phase === "pending";
  const value = isPending ? (props.pending ?? props.signed?.amount ?? "") : props.remaining;
  return (
    <section class="summary" data-part="summary">
      <p class="pills">
        <span class={`pill pill-${phase === "open" && props.overdue ? "late" : phase}`}>
          {stateLabel(props)}
        </span>
        {props.overdue && phase !== "open" && <span class="pill pill-late">{locale.say("overdue")}</span>}
      </p>
      <h2 class="figure-label">{locale.say(label)}</h2>
      <Figure
        value={value}
        locale={locale}
        {...(isPending ? {} : { unit: locale.say("usdcOn", { network: props.networkLabel }) })}
      />
      {phase === "open" && <Price props={props} />}
      {!isPending && <Due props={props} />}
      {phase === "pending" && !isOnlySigned(props) && <Confirming props={props} />}
      {phase === "partial" && <Received props={props} />}
    </section>
  );
}

function Due({ props }: Props) {
  const { locale, payBy, price, status } = props;
  const holds = status === "partial" ? null : (price?.holds ?? null);
  if (props.dueDate === null)
    return (
      <>
        {holds && <PayBy locale={locale} payBy={holds} text="amountHolds" />}
        {payBy && <PayBy locale={locale} payBy={payBy} />}
      </>
    );
  return (
    <p class="due">
      <Rich
        locale={props.locale}
        text={props.overdue ? "wasDueOn" : "dueOn"}
        values={{
          day: <time datetime={props.dueDate}>{props.locale.day(props.dueDate)}</time>,
        }}
      />
    </p>
  );
}

function Received({ props }: Props) {
  return (
    <div class="received">
      <progress
        class="bar"
        max="100"
        value={percentOf(props.received, props.total)}
        aria-label={props.locale.say("receivedSoFar")}
      />
      <p class="soft">
        <ReceivedOf props={props} />
      </p>
    </div>
  );
}

/** Instructions would invite paying the same amount twice; the remainder, if any, is known once this counts. */
function WhileConfirming({ props }: Props) {
  if (isOnlySigned(props)) return <WhileSigned props={props} />;
  const ofPart = props.expired ? "sayPending" : "confirmingPart";
  return (
    <section class="calm" data-part="confirming">
      <p>
        <Rich
          locale={props.locale}
          text={pendingCovers(props) ? "confirmingAll" : ofPart}
          values={{
            remaining: <Amount value={props.remaining} locale={props.locale} />,
            pending: <Amount value={props.pending ?? ""} locale={props.locale} />,
          }}
        />
      </p>
    </section>
  );
}

/** A link to a transaction in the explorer; `otherwise` if there is none. */
function InExplorer({ txHash, props, otherwise }: Props & { txHash: string; otherwise: Child }) {
  const href = transactionHref(props.explorer, txHash);
  const hash = shortHash(txHash);
  if (href === null) return <>{otherwise}</>;
  return (
    <a
      href={href}
      target="_blank"
      aria-label={props.locale.say("transactionInExplorer", { hash })}
      rel="noopener"
    >
      <code>{hash}</code>
      <Icon name="outside" />
    </a>
  );
}

/** Till sends the signed payment; once it has, there is a transaction to look at. */
function WhileSigned({ props }: Props) {
  const { signed, explorer, locale } = props;
  const txHash = signed?.txHash ?? null;
  return (
    <section class="calm" data-part="signed">
      <p>
        <Rich locale={locale} text="signedOnItsWay" />
      </p>
      {txHash !== null && explorer !== null && (
        <p class="due">
          <InExplorer txHash={txHash} props={props} otherwise="" />
        </p>
      )}
    </section>
  );
}

function SignedFailed({ props: { locale } }: Props) {
  return (
    <Notice className=" signed-failed" isAlert part="signed-failed">
      <Rich locale={locale} text="signedFailed" />
    </Notice>
  );
}

function Delayed({ props }: Props) {
  return (
    <Notice icon="clock" part="delayed">
      <Rich locale={props.locale} text="delayed" />
    </Notice>
  );
}

/** What was minted has no sender. */
function Sender({ of, locale }: { of: string; locale: Locale }) {
  return of === zero ? <bdi>{locale.say("mintedFrom")}</bdi> : <code>{of}</code>;
}

/** The payments received, with links to check them in an explorer if there is one. */
function Transfers({ props }: { props: PaymentProps }) {
  const { transfers, otherTransfers, locale } = props;
  if (transfers.length === 0) return "";
  return (
    <section class="transfers" data-part="transfers">
      <h2>{locale.say(transfers.length === 1 ? "payment" : "payments")}</h2>
      <ul>
        {transfers.map((transfer) => (
          <Transfer transfer={transfer} props={props} />
        ))}
      </ul>
      {otherTransfers > 0 && <p class="soft">{locale.say("smallerPayments", { count: otherTransfers })}</p>}
    </section>
  );
}

function Transfer({ transfer, props }: { transfer: PaymentTransfer; props: PaymentProps }) {
  const { locale, networkLabel } = props;
  const network = isTestNetwork(props)
    ? locale.say("testNetworkName", { network: networkLabel })
    : networkLabel;
  return (
    <li>
      <p class="transfer-line">
        <strong>
          <Amount value={transfer.amount} locale={locale} /> USDC
        </strong>
        <span class={transfer.confirmed ? "mark mark-done" : "mark"}>
          <Icon name={transfer.confirmed ? "check" : "clock"} />
          <span>
            {transfer.confirmed ? locale.say("confirmed") : locale.confirmedIn(transfer.counts.inMs)}
          </span>
        </span>
      </p>
      <p class="transfer-line soft">
        <time datetime={transfer.madeAt}>{locale.minute(transfer.madeAt)}</time>
        <InExplorer
          txHash={transfer.txHash}
          props={props}
          otherwise={<code title={transfer.txHash}>{shortHash(transfer.txHash)}</code>}
        />
      </p>
      <p class="paper paper-line">
        <bdi>{`${locale.say("transaction")}${locale.bracketed(network)}`}</bdi> <code>{transfer.txHash}</code>
      </p>
      <p class="paper paper-line">
        <bdi>{locale.say("sentFrom")}</bdi> <Sender of={transfer.from} locale={locale} />
      </p>
    </li>
  );
}
