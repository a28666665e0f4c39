import * as Currency from "../../domain/bill/currency.ts";
import * as Invoice from "../../domain/bill/invoice.ts";
import * as Quantity from "../../domain/bill/quantity.ts";
import * as Tax from "../../domain/bill/tax.ts";
import * as Usdc from "../../domain/usdc.ts";
import { counted } from "../../lib/text/english.ts";
import { isReceiptCounted } from "../../store/reports/export/counted.ts";
import type { BooksCodes } from "../../store/tables/desk/preference.ts";
import * as InvoiceStore from "../../store/tables/invoicing/invoice.ts";
import * as PartyStore from "../../store/tables/invoicing/party.ts";
import type { Cell } from "../columns.ts";
import { amountOf, counting, eachSale } from "../credit-notes.ts";
import { eachReceiptSale, type Reversal, saleOf } from "../receipts.ts";
import type { Selection, Table } from "../table.ts";

/**
 * Sales invoices in the form of Xero's import template SalesInvoiceTemplate.csv, whose columns must not be changed. It
 * has none to mark a row as a credit note.
 */

/** The template's columns in order; those with a star are required. */
const xeroColumns = [
  "*ContactName",
  "EmailAddress",
  "POAddressLine1",
  "POAddressLine2",
  "POAddressLine3",
  "POAddressLine4",
  "POCity",
  "PORegion",
  "POPostalCode",
  "POCountry",
  "*InvoiceNumber",
  "Reference",
  "*InvoiceDate",
  "*DueDate",
  "Total",
  "InventoryItemCode",
  "*Description",
  "*Quantity",
  "*UnitAmount",
  "Discount",
  "*AccountCode",
  "*TaxType",
  "TaxAmount",
  "TrackingName1",
  "TrackingOption1",
  "TrackingName2",
  "TrackingOption2",
  "Currency",
  "BrandingTheme",
] as const;

type Column = (typeof xeroColumns)[number];

/** The key of a tax: `standard 19.00`, `export`, or `none` if an invoice states no tax. */
export function taxKey(tax: Pick<Tax.Tax, "category" | "rate"> | null) {
  if (tax === null) return "none";
  return tax.category === "standard" ? `standard ${Tax.formatShare(tax.rate)}` : tax.category;
}

/** Xero allows 4,000 characters in a description. */
const descriptionLengthMax = 1000;
const addressLinesMax = 4;

/** An invoice or a link's receipt; or a reversal of part of one, with that. */
type Sale = { invoice: ReturnType<typeof saleOf> | Invoice.Invoice; note: Reversal | null };

type OfRate = { key: string; net: Usdc.Billed; tax: Usdc.Billed; lines: readonly Invoice.LineItem[] };

const totalOf = ({ invoice, note }: Sale) => note?.totals.total ?? Invoice.billedTotal(invoice);

/** The tax table with the lines of each row; a single row if there is no tax. */
export function byRate(sale: Sale): OfRate[] {
  const { totals } = sale.note ?? sale.invoice;
  const rows = totals?.rows ?? [];
  const lineItems = sale.note?.lines ?? sale.invoice.lineItems;
  if (rows.length === 0) return [{ key: taxKey(null), net: totalOf(sale), tax: Usdc.zero, lines: lineItems }];
  return rows.map((row) => {
    const key = taxKey(row);
    return { key, net: row.taxable, tax: row.tax, lines: lineItems.filter(({ tax }) => taxKey(tax) === key) };
  });
}

/** The taxes of an invoice, named by the keys of the codes. */
export const taxKeysOf = ({ totals }: Pick<Invoice.Invoice, "totals">): string[] =>
  totals === null || totals.rows.length === 0 ? [taxKey(null)] : totals.rows.map(taxKey);

/**
 * An invoice for Xero: one row per tax rate, with the taxable amount as its price. Xero recomputes the tax of each row:
 * on the sum of a rate the result matches the invoice, on single lines it may not. A credit note is the same with
 * negative prices: at worst Xero takes it for a draft that cannot be approved.
 */
function xeroRows(sale: Sale, currency: string, codes: BooksCodes): Record<Column, Cell>[] {
  const { invoice, note } = sale;
  const amount = (of: Usdc.Billed) => amountOf(sale, of, Currency.codeOf(sale.invoice));
  const { vendorDetails: buyer } = invoice;
  const [street, addition, third, fourth] =
    buyer?.street === undefined
      ? (invoice.vendorAddress ?? "").split("\n").slice(0, addressLinesMax)
      : [buyer.street, buyer.addition];
  return byRate(sale).map(({ key, net, tax, lines }) => ({
    "*ContactName": invoice.vendorName,
    EmailAddress: invoice.vendorEmail,
    POAddressLine1: street ?? null,
    POAddressLine2: addition ?? null,
    POAddressLine3: third ?? null,
    POAddressLine4: fourth ?? null,
    POCity: buyer?.city ?? null,
    PORegion: buyer?.region ?? null,
    POPostalCode: buyer?.postalCode ?? null,
    POCountry: buyer?.country ?? null,
    "*InvoiceNumber": (note ?? invoice).number,
    Reference: note ? invoice.number : (invoice.reference ?? invoice.purchaseOrder ?? invoice.buyerReference),
    "*InvoiceDate": dayMonthYear((note ?? invoice).issueDate),
    "*DueDate": dayMonthYear(note?.issueDate ?? invoice.dueDate),
    Total: amount(totalOf(sale)),
    InventoryItemCode: null,
    "*Description": descriptionOf(sale, lines).slice(0, descriptionLengthMax),
    "*Quantity": 1,
    "*UnitAmount": amount(net),
    Discount: null,
    "*AccountCode": codes.account,
    "*TaxType": codes.taxTypes[key] ?? null,
    TaxAmount: amount(tax),
    TrackingName1: null,
    TrackingOption1: null,
    TrackingName2: null,
    TrackingOption2: null,
    Currency: currency,
    BrandingTheme: null,
  }));
}

const dayMonthYear = (day: string) => day.split("-").reverse().join("/");

/** The goods; for credited amounts, the reason. */
function descriptionOf({ invoice, note }: Sale, lines: readonly Invoice.LineItem[]): string {
  const what = lines.map(describe).join("; ");
  if (note === null) return what;
  return `Credit of ${invoice.number}: ${what || note.reason.replaceAll("\n", " ")}`;
}

const describe = ({ description, quantity, unit }: Invoice.LineItem) =>
  `${[`${Quantity.format(quantity)}${unit === null ? " ×" : ` ${unit}`}`, description.replaceAll("\n", " ")].join(" ")}`;

/** Sales that count, each with its government-issued currency; null for USDC without parity. */
export function* eachToBook(selection: Selection) {
  for (const { invoice, note } of counting(selection, eachSale(selection))) {
    const usdParity = PartyStore.hasParity(selection.db, invoice.merchantEmail);
    const currency = Currency.stateCodeOf(invoice, usdParity);
    yield { invoice, note, currency, kind: "invoice", deposit: invoice.deposit.index } as const;
  }
  for (const { receipt, note } of eachReceiptSale(selection)) {
    if (!isReceiptCounted(receipt)) continue;
    const invoice = saleOf(receipt);
    const usdParity = PartyStore.hasParity(selection.db, invoice.merchantEmail);
    const currency = Currency.stateCodeOf(invoice, usdParity);
    const deposit = receipt.link.deposit.index;
    yield { invoice, note, currency, kind: "receipt", deposit } as const;
  }
}

export const xero: Table = {
  name: "xero",
  text: "sales invoices and receipts for Xero, one row for each tax rate, with credit notes below zero",
  isForProgram: true,
  missing(selection) {
    const { account, taxTypes } = selection.codes;
    const keys = new Set<string>();
    for (const { invoice, note, currency } of eachToBook({ ...selection, onGap: () => {} }))
      if (currency !== null) for (const key of taxKeysOf(note ?? invoice)) keys.add(key);
    const names = [...keys].filter((key) => !taxTypes[key]).sort();
    return keys.size === 0 ? [] : [...(account === "" ? ["account"] : []), ...names];
  },
  columns: () => [...xeroColumns],
  async *rows(selection) {
    let left = 0;
    for (const sale of eachToBook(selection)) {
      const { note, currency } = sale;
      if (currency === null) left += note === null || sale.kind === "receipt" ? 1 : 0;
      else {
        const invoice =
          sale.kind === "receipt"
            ? sale.invoice
            : { ...sale.invoice, lineItems: InvoiceStore.lineItems(selection.db, sale.invoice.sequence) };
        yield* xeroRows({ invoice, note }, currency, selection.codes);
      }
    }
    if (left > 0)
      selection.onGap(
        `${counted(left, "invoice")} in USDC left out: Xero knows no such currency, and no rule of the merchant says that ` +
          "1 USDC is 1 USD (usd_parity).",
        "usdc",
        left,
      );
  },
};
