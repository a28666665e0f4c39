import { shortHash, webHref } from "../../text.ts";
import { Amount } from "../parts/amount.tsx";
import { Table } from "../parts/list/table.tsx";
import { State } from "../parts/state.tsx";
import type { DetailPayment, DetailProps } from "./detail-props.ts";

type PaymentsProps = { props: Pick<DetailProps, "frame" | "payments" | "otherPayments"> };

/** The payments of an invoice or a link, with their confirmations counting. */
export function Payments({ props }: PaymentsProps) {
  const { frame, payments, otherPayments } = props;
  const { locale } = frame;
  return (
    <section class="part" id="payments" data-live>
      <div class="part-head">
        <h2>{locale.say("paymentsTitle")}</h2>
      </div>
      {payments.length === 0 ? (
        <p class="soft">{locale.say("noPayments")}</p>
      ) : (
        <Table
          caption={locale.say("paymentsCaption")}
          heads={[
            locale.say("transaction"),
            locale.say("state"),
            locale.say("when"),
            { end: locale.say("amountInUsdc") },
          ]}
        >
          {payments.map((payment) => (
            <Payment props={props} payment={payment} />
          ))}
        </Table>
      )}
      {otherPayments !== 0 && <p class="soft small">{locale.say("smallerOnes", { count: otherPayments })}</p>}
    </section>
  );
}

function Payment({ props: { frame }, payment }: PaymentsProps & { payment: DetailPayment }) {
  const { locale, when } = frame;
  const { txHash, explorerUrl, confirmed, confirmations, needed } = payment;
  const href = explorerUrl === null ? null : webHref(explorerUrl);
  const hash = shortHash(txHash);
  return (
    <tr role="row">
      <td role="cell" class="main">
        {href === null ? (
          <span class="address" title={txHash}>
            {hash}
          </span>
        ) : (
          <a
            class="address reach"
            href={href}
            target="_blank"
            rel="noopener noreferrer"
            aria-label={locale.say("transactionInExplorer", { hash })}
          >
            {hash}
          </a>
        )}
      </td>
      <td role="cell" class="under">
        {confirmed ? (
          <State name="paid" word={locale.say("confirmed")} />
        ) : (
          <>
            <State name="seen" word={locale.confirmations(confirmations, needed)} />
            {needed === null || needed > meterMax ? "" : <Meter on={confirmations} of={needed} />}
          </>
        )}
      </td>
      <td role="cell" class="quiet under-end">
        {when.moment(payment.madeAt)}
      </td>
      <td role="cell" class="end sum">
        <Amount locale={locale} amount={payment.amount} />
      </td>
    </tr>
  );
}

/** More strokes than this nobody counts. */
const meterMax = 12;

function Meter({ on, of }: { on: number; of: number }) {
  return (
    <span class="meter" aria-hidden="true">
      {Array.from({ length: of }, (_, i) => (
        <i class={i < on ? "on" : ""} />
      ))}
    </span>
  );
}
