import { CodeBlock } from "../../pages/code-block.tsx";
import { webHref } from "../../pages/text.ts";
import { Amount } from "../payment/progress.tsx";
import type { PaymentProps } from "../payment/props.ts";
import { type Phase, pendingCovers, phaseOf, stateLabel, stateSentence } from "../payment/state.ts";

export type NewestInvoiceProps = {
  number: string;
  customerName: string;
  isDraft: boolean;
  invoiceUrl: string;
  pdfUrl: string;
  /** Pays all that remains. */
  payCommand: string;
  payment: PaymentProps;
};

/** Why nobody has to pay it. */
const ends: Partial<Record<Phase, string>> = {
  paid: "All of it has arrived.",
  excess: "All of it has arrived.",
  marked: "It is marked as paid.",
  void: "It is void.",
};

/**
 * The newest invoice, for developers using Till: its state, and how to pay it. A section whose parts the page's script
 * replaces as they change. `props` is null while there is no invoice.
 */
export function newestInvoice(props: NewestInvoiceProps | null): string {
  return String(props === null ? <None /> : <Newest props={props} />);
}

function None() {
  return (
    <section class="newest" data-payment="none" data-sentence="">
      <div data-part="none">
        <h2>No invoice yet</h2>
        <p class="soft">Send the first request below: the invoice appears here by itself.</p>
      </div>
    </section>
  );
}

function Newest({ props }: { props: NewestInvoiceProps }) {
  const { number, customerName, isDraft, invoiceUrl, pdfUrl, payCommand, payment } = props;
  const phase = phaseOf(payment);
  const ended = ends[phase];
  const isDone = ended !== undefined;
  // Paying again now would pay it twice.
  const isComing = phase === "pending" && pendingCovers(payment);
  const sentence = `${number}. ${stateSentence(payment)}`;
  const amounts = [
    { label: "Total", value: payment.total },
    { label: "Received", value: payment.received },
    { label: "Waiting for confirmation", value: payment.pending },
    { label: "Remaining", value: isDone ? null : payment.remaining },
  ].filter((amount): amount is { label: string; value: string } => amount.value !== null);
  const tone = phase === "open" && payment.overdue ? "late" : phase;
  return (
    <section class="newest" data-payment={phase} data-sentence={sentence}>
      <div class="newest-head" data-part="head">
        <div>
          <p class="soft">Your newest invoice</p>
          <h2>
            <a href={webHref(invoiceUrl) ?? ""}>{number}</a>
          </h2>
          <p class="soft">
            to <bdi>{customerName}</bdi>
          </p>
        </div>
        <p class="pills">
          <span class={`pill pill-${tone}`}>{stateLabel(payment)}</span>
          {isDraft && <span class="pill pill-pending">Draft, not mailed</span>}
        </p>
      </div>
      <dl class="newest-money" data-part="money">
        {amounts.map(({ label, value }) => (
          <div>
            <dt>{label}</dt>
            <dd>
              <Amount value={value} locale={payment.locale} /> USDC
            </dd>
          </div>
        ))}
      </dl>
      <div class="newest-pay" data-part="pay">
        {isDone || isComing ? (
          <p class="soft">{isDone ? `${ended} Create another one below.` : "All of it is on its way."}</p>
        ) : (
          <>
            <CodeBlock id="copy-pay" title="Pay it with test money" code={payCommand} />
            <p class="soft">
              Put an amount at the end, such as <code>100.00</code>, to pay only a part.
            </p>
          </>
        )}
      </div>
      <ul class="newest-links" data-part="links">
        <li>
          <a href={webHref(invoiceUrl) ?? ""}>The page that your customer sees</a>
        </li>
        <li>
          <a href={webHref(pdfUrl) ?? ""}>PDF</a>
        </li>
      </ul>
    </section>
  );
}
