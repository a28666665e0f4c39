import type * as Usdc from "../../../domain/usdc.ts";
import type { DeskFrame } from "../frame.tsx";
import { ShortAddress } from "../parts/address.tsx";
import { Amount } from "../parts/amount.tsx";
import { NextPage } from "../parts/list/pager.tsx";
import { Table } from "../parts/list/table.tsx";

/** What came in for a payout wallet, and what became of it. */
export type PayoutRow = {
  wallet: string;
  name: string;
  received: Usdc.Usdc;
  waiting: Usdc.Usdc;
  settled: Usdc.Usdc;
  /** Null for a wallet that Till does not manage. */
  withdrawn: Usdc.Usdc | null;
};

/** The wallets that customers' money goes to. `next` leads to those that follow. */
export function Payouts({
  frame: { locale },
  rows,
  next,
}: {
  frame: DeskFrame;
  rows: readonly PayoutRow[];
  next: string | null;
}) {
  return (
    <section class="part" id="payouts" data-live>
      <div class="part-head">
        <h2>{locale.say("whereYouArePaid")}</h2>
      </div>
      <Table
        caption={locale.say("whereYouArePaid")}
        heads={[
          locale.say("moneyColumnWallet"),
          { end: locale.say("moneyColumnReceived") },
          { end: locale.say("moneyColumnWaiting") },
          { end: locale.say("withdrawnSum") },
          { end: locale.say("amountIn", { column: locale.say("moneyColumnSettled") }) },
        ]}
      >
        {rows.map((row) => (
          <tr role="row">
            <td role="cell" class="main">
              <strong dir="auto">{row.name}</strong>
              <span class="sub">
                <ShortAddress address={row.wallet} />
              </span>
            </td>
            <td role="cell" class="end quiet not-phone">
              <Amount locale={locale} amount={row.received} />
            </td>
            <td role="cell" class="end quiet under-end">
              <span class="on-phone">{`${locale.say("moneyColumnWaiting")} `}</span>
              <Amount locale={locale} amount={row.waiting} />
            </td>
            <td role="cell" class="end quiet not-phone">
              {row.withdrawn === null ? (
                <span aria-hidden="true">–</span>
              ) : (
                <Amount locale={locale} amount={row.withdrawn} />
              )}
            </td>
            <td role="cell" class="end sum">
              <Amount locale={locale} amount={row.settled} />
            </td>
          </tr>
        ))}
      </Table>
      <NextPage locale={locale} href={next} />
    </section>
  );
}
