import type * as Usdc from "../../domain/usdc.ts";
import { Amount } from "../parts/amount.tsx";
import type { DeskFrame } from "../parts/frame.tsx";
import { Table } from "../parts/list.tsx";
import { State } from "../parts/state.tsx";

/** A payment, as Home tells of it. */
export type HomePayment = {
  href: string;
  /** Who paid, or what for. */
  name: string;
  /** The invoice's number, or what kind of link it was. */
  line: string;
  /** Confirmed, or how often of how many times; `needed` is null where the chain decides what is final. */
  state: "confirmed" | { count: number; needed: number | null };
  /** Unix time in milliseconds. */
  madeAt: number;
  amount: Usdc.Usdc;
};

/** The newest payments; before the first one, where they will be. */
export function NewestPayments({ frame, payments }: { frame: DeskFrame; payments: readonly HomePayment[] }) {
  const { locale, when } = frame;
  if (payments.length === 0)
    return (
      <section class="part" id="payments" data-live>
        <div class="part-head">
          <h2>{locale.say("paymentsTitle")}</h2>
        </div>
        <p class="soft">{locale.say("paymentsNone")}</p>
      </section>
    );
  return (
    <section class="part" id="payments" data-live>
      <div class="part-head">
        <h2>{locale.say("newestPayments")}</h2>
        <a href="/desk/invoices">{locale.say("allInvoices")}</a>
      </div>
      <Table
        caption={locale.say("newestPayments")}
        heads={[
          locale.say("paymentFrom"),
          locale.say("state"),
          locale.say("when"),
          { end: locale.say("amountInUsdc") },
        ]}
        isLinked
      >
        {payments.map(({ href, name, line, state, madeAt, amount }) => (
          <tr role="row">
            <td role="cell" class="main">
              <a class="name" href={href} dir="auto">
                {name}
              </a>
              <span class="sub" dir="auto">
                {line}
              </span>
            </td>
            <td role="cell" class="quiet under-end">
              {state === "confirmed" ? (
                <State name="paid" word={locale.say("confirmed")} />
              ) : (
                <State
                  name="seen"
                  word={
                    state.needed === null
                      ? locale.say("stateFinalising")
                      : locale.say("stateConfirming", { count: state.count, needed: state.needed })
                  }
                />
              )}
            </td>
            <td role="cell" class="quiet whole-line not-phone">
              {when.moment(madeAt)}
            </td>
            <td role="cell" class="end sum">
              <Amount locale={locale} amount={amount} />
            </td>
          </tr>
        ))}
      </Table>
    </section>
  );
}
