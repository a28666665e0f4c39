import type { Config } from "../config/config.ts";
import type { Log } from "../config/log-events.ts";
import * as Currency from "../domain/bill/currency.ts";
import { plain } from "../domain/bill/invoice.ts";
import * as TaxCurrency from "../domain/bill/tax-currency.ts";
import * as Calendar from "../domain/calendar.ts";
import { taxedBillOf } from "../domain/link/bill.ts";
import { messageOf } from "../lib/error.ts";
import { startLooking, turn } from "../lib/loop.ts";
import type { TaxRates } from "../rates/tax.ts";
import type { Db } from "../store/database.ts";
import { stored } from "../store/group-commit.ts";
import * as LinkStore from "../store/tables/invoicing/link.ts";
import * as PartyStore from "../store/tables/invoicing/party.ts";
import * as ReceiptStore from "../store/tables/invoicing/receipt.ts";

const lookMs = 60_000;

type ReceiptTaxDeps = {
  db: Db;
  log: Log;
  now: () => number;
  config: Pick<Config, "timeZone" | "taxEcb">;
  taxRates: TaxRates;
};

/**
 * States the tax of links' receipts in the currency of the seller's country. A receipt is issued in the transaction
 * that credits its money, which cannot wait for a bank, so its rate, that of the issue date, is fetched afterwards.
 */
export function startReceiptTax({ db, log, now, config, taxRates }: ReceiptTaxDeps) {
  const asking = new Map<number, Promise<void>>();
  /** Whether the log already says that no rate is known, since there last was one. */
  let isSaid = false;

  async function ask(depositIndex: number): Promise<void> {
    const receipt = ReceiptStore.byDeposit(db, depositIndex);
    if (receipt === null || receipt.taxCurrency === null || receipt.taxInCurrency !== null) return;
    const link = LinkStore.byDeposit(db, depositIndex);
    if (link === null) return;
    const { taxCurrency: code, seller, issueDate } = receipt;
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
    else if (!isSaid) waiting(`nobody knows a rate of ${Currency.codeOf(link)} in ${code} on ${day}`);
    isSaid = tax === null;
  }

  function waiting(reason: string): void {
    log.warn("receipt.tax_waiting", "the tax of a receipt cannot be stated in another currency just now", {
      reason,
    });
  }

  /**
   * Waits until the tax is stated, if its rate is known: at most some seconds, and not at all once it is. Never throws.
   */
  function state(depositIndex: number): Promise<void> {
    const running = asking.get(depositIndex);
    if (running !== undefined) return running;
    const begun = ask(depositIndex)
      .catch((thrown) => waiting(messageOf(thrown)))
      .finally(() => asking.delete(depositIndex));
    asking.set(depositIndex, begun);
    return begun;
  }

  const looking = startLooking({
    async look(signal) {
      if (config.taxEcb === null) return lookMs;
      for (const depositIndex of ReceiptStore.listAwaitingRate(db, now())) {
        if (signal.aborted) break;
        await state(depositIndex);
        // Without a bank nothing here waits, so other work gets a turn.
        await turn();
      }
      return lookMs;
    },
    failed: (thrown) => waiting(messageOf(thrown)),
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
