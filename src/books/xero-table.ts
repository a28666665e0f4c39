import { counted } from "../lib/text/english.ts";
import * as ExportStore from "../store/reports/export.ts";
import * as InvoiceStore from "../store/tables/invoicing/invoice.ts";
import * as SavedPartyStore from "../store/tables/invoicing/saved-party.ts";
import type { Selection, Table } from "./table.ts";
import { taxKeysOf, xeroColumns, xeroRows } from "./xero.ts";

/** Invoices that count, in a currency of the state: what Xero takes. */
function* eachForXero({ db, days }: Selection) {
  for (const invoice of ExportStore.eachInvoice(db, days)) {
    if (invoice.status === "void") continue;
    const isUsd = () => SavedPartyStore.find(db, "merchant", invoice.merchantEmail)?.usdParity === true;
    yield { invoice, currency: invoice.currency?.code ?? (isUsd() ? "USD" : null) };
  }
}

export const xero: Table = {
  name: "xero",
  text: "sales invoices as Xero imports them, one row for each rate of tax of an invoice",
  isForProgram: true,
  missing(selection) {
    const { account, taxTypes } = selection.codes;
    const keys = new Set<string>();
    for (const { invoice, currency } of eachForXero(selection))
      if (currency !== null) for (const key of taxKeysOf(invoice)) keys.add(key);
    const names = [...keys].filter((key) => !taxTypes[key]).sort();
    return keys.size === 0 ? [] : [...(account === "" ? ["account"] : []), ...names];
  },
  columns: () => [...xeroColumns],
  async *rows(selection) {
    let left = 0;
    for (const { invoice, currency } of eachForXero(selection)) {
      if (currency === null) left += 1;
      else {
        const lineItems = InvoiceStore.lineItems(selection.db, invoice.sequence);
        yield* xeroRows({ ...invoice, lineItems }, currency, selection.codes);
      }
    }
    if (left > 0)
      selection.onGap(
        `${counted(left, "invoice")} in USDC left out: Xero knows no such currency, and no rule of the merchant says that ` +
          "1 USDC is 1 USD (usd_parity).",
      );
  },
};
