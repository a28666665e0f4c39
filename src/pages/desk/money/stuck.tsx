import type * as Usdc from "../../../domain/usdc.ts";
import type { DeskFrame } from "../frame.tsx";
import { ShortAddress } from "../parts/address.tsx";
import { Amount } from "../parts/amount.tsx";
import { SubmitButton } from "../parts/button.tsx";
import { DeskForm } from "../parts/form/form.tsx";
import { Table } from "../parts/list/table.tsx";

/** A deposit whose money could not be moved. */
export type StuckRow = {
  address: string;
  amount: Usdc.Usdc;
  /** Unix time in milliseconds. */
  retryAt: number | null;
  /** In the token's words; null when it would work now. */
  reason: string | null;
};

export function StuckMoney({
  frame,
  rows,
  mayMove,
}: {
  frame: DeskFrame;
  rows: readonly StuckRow[];
  mayMove: boolean;
}) {
  const { locale, when } = frame;
  if (rows.length === 0) return "";
  const heads = ["moneyColumnFrom", "moneyColumnWhy", "moneyColumnNext"] as const;
  return (
    <section class="part" id="stuck" data-live>
      <div class="part-head">
        <h2>{locale.say("stuckMoney")}</h2>
        {mayMove && (
          <DeskForm frame={frame} action="/desk/money/settle" className="inline">
            <input type="hidden" name="retry" value="1" />
            <SubmitButton kind="quiet small" text={locale.say("tryAgainNow")} />
          </DeskForm>
        )}
      </div>
      <p class="soft part-line">{locale.say("stuckMoneyText")}</p>
      <Table
        caption={locale.say("stuckMoney")}
        heads={[...heads.map((head) => locale.say(head)), { end: locale.say("amountInUsdc") }]}
      >
        {rows.map(({ address, amount, retryAt, reason }) => (
          <tr role="row">
            <td role="cell" class="main">
              <ShortAddress address={address} />
            </td>
            <td role="cell" class="under quiet" dir="auto">
              {reason ?? locale.say("stuckWorks")}
            </td>
            <td role="cell" class="quiet under-end">
              {retryAt !== null && when.moment(retryAt)}
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
