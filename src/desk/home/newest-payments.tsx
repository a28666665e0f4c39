import * as Usdc from "../../domain/usdc.ts";
import type { HttpDeps } from "../../http/route/deps.ts";
import * as DeskReport from "../../store/reports/desk/home.ts";
import { Cell, headsOf, NameCell, Sub, SumCell, Table } from "../parts/list.tsx";
import type { DeskFrame } from "../parts/page/desk-frame.ts";
import { State } from "../parts/state.tsx";

const shown = 6;
/** Nobody pays less than a cent. */
const leastShown = Usdc.fromMicro(10_000n);

/** The newest payments; before the first one, where they will appear. */
export function NewestPayments({ frame, deps }: { frame: DeskFrame; deps: HttpDeps }) {
  const { locale, when } = frame;
  const payments = DeskReport.newestPayments(deps.db, { least: leastShown, limit: shown });
  if (payments.length === 0)
    return (
      <section class="part" id="payments" data-live>
        <NoPayments frame={frame} />
      </section>
    );
  /** Returns the payer or the product, and the invoice's number or the link's kind. */
  const aboutOf = ({
    number,
    vendorName,
    linkSlug,
    productDescription,
    atCounter,
  }: DeskReport.NewPayment) => {
    const kind = locale.say(atCounter ? "counter" : "paymentLink");
    if (number !== null)
      return {
        href: `/desk/invoices/${encodeURIComponent(number)}`,
        name: vendorName ?? number,
        line: number,
      };
    const href = `/desk/links/${linkSlug}`;
    return productDescription === null
      ? { href, name: kind, line: linkSlug ?? "" }
      : { href, name: productDescription, line: kind };
  };
  const stateOf = ({ confirmed, blockNumber }: DeskReport.NewPayment) => {
    if (confirmed) return <State name="paid" word={locale.say("confirmed")} />;
    const { inMs } = deps.countsIn(blockNumber);
    const word = inMs === null ? locale.say("stateFinalising") : locale.confirmedIn(inMs);
    return <State name="seen" word={word} />;
  };
  return (
    <section class="part" id="payments" data-live>
      <div class="part-head">
        <h2>{locale.say("newestPayments")}</h2>
        <a href="/desk/invoices">{locale.say("allInvoices")}</a>
      </div>
      <Table
        caption={locale.say("newestPayments")}
        heads={headsOf(locale, ["paymentFrom", "state", "when"], ["amountInUsdc"])}
        isLinked
      >
        {payments.map((payment) => {
          const { href, name, line } = aboutOf(payment);
          return (
            <tr role="row">
              <NameCell href={href} name={name}>
                <Sub>{line}</Sub>
              </NameCell>
              <Cell kind="quiet under-end">{stateOf(payment)}</Cell>
              <Cell kind="quiet whole-line not-phone">{when.moment(payment.madeAt)}</Cell>
              <SumCell locale={locale} amount={payment.amount} />
            </tr>
          );
        })}
      </Table>
    </section>
  );
}

export function NoPayments({ frame: { locale } }: { frame: DeskFrame }) {
  return (
    <>
      <div class="part-head">
        <h2>{locale.say("paymentsTitle")}</h2>
      </div>
      <p class="soft">{locale.say("paymentsNone")}</p>
    </>
  );
}
