import type { CreditNote } from "../domain/bill/credit-note.ts";
import * as Currency from "../domain/bill/currency.ts";
import { counted } from "../lib/text/english.ts";
import * as ExportStore from "../store/reports/export/export.ts";
import type * as InvoiceStore from "../store/tables/invoicing/invoice.ts";
import * as LineItemStore from "../store/tables/invoicing/line-item.ts";
import * as SavedPartyStore from "../store/tables/invoicing/saved-party.ts";
import { counting } from "./credit-notes.ts";
import type { Selection, Table } from "./table.ts";
import { taxKeysOf, xeroColumns, xeroRows } from "./xero.ts";

type SaleHead = { invoice: InvoiceStore.InvoiceHead; note: CreditNote | null };

function* eachSale({ db, days }: Selection): Generator<SaleHead> {
  for (const invoice of ExportStore.eachInvoice(db, days)) yield { invoice, note: null };
  yield* ExportStore.eachCreditNote(db, days);
}

/** Those that count, each with its state's currency; null for USDC without parity, which Xero does not take. */
function* eachForXero(selection: Selection) {
  for (const { invoice, note } of counting(selection, eachSale(selection))) {
    const usdParity = SavedPartyStore.hasParity(selection.db, invoice.merchantEmail);
    yield { invoice, note, currency: Currency.stateCodeOf(invoice, usdParity) };
  }
}

export const xero: Table = {
  name: "xero",
  text: "sales invoices for Xero, one row for each tax rate, with credit notes below zero",
  isForProgram: true,
  missing(selection) {
    const { account, taxTypes } = selection.codes;
    const keys = new Set<string>();
    for (const { invoice, note, currency } of eachForXero({ ...selection, onGap: () => {} }))
      if (currency !== null) for (const key of taxKeysOf(note ?? invoice)) keys.add(key);
    const names = [...keys].filter((key) => !taxTypes[key]).sort();
    return keys.size === 0 ? [] : [...(account === "" ? ["account"] : []), ...names];
  },
  columns: () => [...xeroColumns],
  async *rows(selection) {
    let left = 0;
    for (const { invoice: head, note, currency } of eachForXero(selection)) {
      if (currency === null) left += note === null ? 1 : 0;
      else {
        const invoice = { ...head, lineItems: LineItemStore.ofInvoice(selection.db, head.sequence) };
        yield* xeroRows({ invoice, note }, currency, selection.codes);
      }
    }
    if (left > 0)
      selection.onGap(
        `${counted(left, "invoice")} in USDC left out: Xero knows no such currency, and no rule of the merchant says that ` +
          "1 USDC is 1 USD (usd_parity).",
      );
  },
};
