import type { Config } from "../config/config.ts";
import type { Log } from "../config/log-events.ts";
import * as Currency from "../domain/bill/currency.ts";
import { plain } from "../domain/bill/invoice.ts";
import * as TaxCurrency from "../domain/bill/tax-currency.ts";
import * as Calendar from "../domain/calendar.ts";
import { taxedBillOf } from "../domain/link/bill.ts";
import { messageOf } from "../lib/error.ts";
import { startLooking } from "../lib/loop.ts";
import type { TaxRates } from "../rates/tax.ts";
import type { Db } from "../store/database.ts";
import { stored } from "../store/group-commit.ts";
import * as LinkStore from "../store/tables/invoicing/link.ts";
import * as PartyStore from "../store/tables/invoicing/party.ts";
import * as ReceiptStore from "../store/tables/invoicing/receipt.ts";

/** A receipt whose rate nobody knew is asked about for so long. */
const askedForMs = 7 * 86_400_000;
const lookMs = 60_000;

type ReceiptTaxDeps = {
  db: Db;
  log: Log;
  now: () => number;
  config: Pick<Config, "timeZone">;
  taxRates: TaxRates;
};

/**
 * States the tax of a link's receipt in the currency of the seller's country. A receipt is issued in the transaction that
 * credits its money, which waits for no bank: so its rate, that of the day of issue, is asked for afterwards.
 */
export function startReceiptTax({ db, log, now, config, taxRates }: ReceiptTaxDeps) {
  const asking = new Map<number, Promise<void>>();

  async function ask(depositIndex: number): Promise<void> {
    const receipt = ReceiptStore.byDeposit(db, depositIndex);
    const link = LinkStore.byDeposit(db, depositIndex);
    if (receipt === null || link === null) return;
    const { taxCurrency: code, seller, issueDate } = receipt;
    if (code === null || receipt.taxInCurrency !== null) return;
    const day = TaxCurrency.dayOf({ ...plain, issueDate, merchantDetails: seller.details });
    const quoted = await taxRates({
      from: Currency.codeOf(link),
      to: code,
      day,
      isToday: day === Calendar.dayAt(now(), config.timeZone),
      isParity: PartyStore.hasParity(db, link.merchantEmail),
    });
    const tax = TaxCurrency.of(taxedBillOf(receipt, link), quoted && { ...quoted, code });
    if (tax !== null) await stored(db, () => ReceiptStore.stateTax(db, receipt, tax));
  }

  /** Whoever shows a receipt waits for this: at most 5 s, and not at all once the tax is stated. Never throws. */
  function state(depositIndex: number): Promise<void> {
    const running = asking.get(depositIndex);
    if (running !== undefined) return running;
    const begun = ask(depositIndex)
      .catch((thrown) =>
        log.warn(
          "receipt.tax_waiting",
          "the tax of a receipt cannot be stated in another currency just now",
          {
            reason: messageOf(thrown),
          },
        ),
      )
      .finally(() => asking.delete(depositIndex));
    asking.set(depositIndex, begun);
    return begun;
  }

  const looking = startLooking({
    async look(signal) {
      for (const depositIndex of ReceiptStore.listAwaitingRate(db, now() - askedForMs)) {
        if (signal.aborted) break;
        await state(depositIndex);
      }
      return lookMs;
    },
    failed: (thrown) =>
      log.warn("receipt.tax_waiting", "the tax of receipts cannot be stated in another currency just now", {
        reason: messageOf(thrown),
      }),
    againMs: lookMs,
  });

  return {
    state,
    async stop() {
      await looking.stop();
      await Promise.all(asking.values());
    },
  };
}
