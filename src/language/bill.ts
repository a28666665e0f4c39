import type { CreditNote, RowRemainder } from "../domain/bill/credit-note.ts";
import type { TaxInCurrency } from "../domain/bill/currency.ts";
import * as Currency from "../domain/bill/currency.ts";
import type { Invoice } from "../domain/bill/invoice.ts";
import * as Quantity from "../domain/bill/quantity.ts";
import { saidIn } from "../domain/bill/rate/reference.ts";
import { type SourceName, sources } from "../domain/bill/rate/source.ts";
import * as Tax from "../domain/bill/tax.ts";
import type { Words } from "../domain/einvoice/einvoice.ts";
import { isTaxed, type Bill as LinkBill } from "../domain/link/bill.ts";
import type { Party } from "../domain/party/party.ts";
import * as Standing from "../domain/payment/standing.ts";
import * as Usdc from "../domain/usdc.ts";
import { withoutEnd } from "../lib/text/english.ts";
import { instant } from "../lib/time.ts";
import { fromTheLeft, type Locale, type TextKey } from "./locale.ts";
import { taxName, taxTitle } from "./tax-words.ts";

/** What the amounts of a bill are in. */
export type Billing = { currency: { code: Currency.Code } | null };

/** What an invoice bills, as its page, its PDF and its mails show it. */

/** One line; the quantity is a plain decimal, the amounts have the decimals of the currency. */
export type BillLine = {
  description: string;
  quantity: string;
  /** What is counted, when it was said. */
  unit?: string;
  unitPrice: string;
  /** What is taken off, in words. */
  less?: string;
  /** Of the tax, as people read it: 0 % too; left out where there is none. */
  rate?: string;
  /** The same with the name of the tax. */
  taxed?: string;
  lineTotal: string;
};

/**
 * One row of how a total comes about; the amount as people read it, with a minus where it is taken off. One that `isAside` is
 * in another currency, which it names, and is no part of the total.
 */
export type SumRow = { label: string; amount: string; isAside?: boolean };

/**
 * All that an invoice bills. Amounts have no unit: `1500.00`. Lines, sums and credits are in its currency, `total` and `net`
 * in USDC.
 */
export type BillText = {
  /** What the tax is called, above the column of its rates. */
  tax: string;
  lineItems: readonly BillLine[];
  /** How the total comes about, where it is not the sum of the lines alone. */
  sums: readonly SumRow[];
  /** As it was issued, in USDC. */
  total: string;
  /** What that is in the invoice's currency, if that is another. */
  billed?: CurrencyText;
  /** What credit notes took off; empty without one. */
  credits: readonly SumRow[];
  /** What it comes to with them; null without one. */
  net: string | null;
  /** What the merchant owes the customer because of them, in words; null when that is nothing. */
  owedBack: string | null;
};

export function billText(invoice: Invoice, locale: Locale): BillText {
  return {
    tax: taxTitle(invoice, locale),
    lineItems: billLines(invoice, locale),
    sums: sumRows(invoice, locale),
    total: Usdc.format(invoice.total),
    ...billedOf(invoice, locale),
    credits: creditRows(invoice, locale),
    net: invoice.credited === 0n ? null : Usdc.formatExact(Standing.of(invoice).net),
    owedBack: owedBack(invoice, invoice.merchantName, locale),
  };
}

const untaxed = {
  exempt: "taxExempt",
  reverse_charge: "taxReverse",
  export: "taxExport",
  intra_community: "taxIntra",
  outside_scope: "taxOutside",
} as const satisfies Record<Exclude<Tax.Category, "standard" | "zero">, TextKey>;

/** What stands between the lines of an invoice and its total, for people; nothing when the lines are all. */
export function sumRows(
  bill: Pick<Invoice, "discount" | "pricesIncludeTax" | "totals" | "merchantDetails"> &
    Billing &
    Partial<Pick<Invoice, "taxInCurrency">>,
  locale: Locale,
): SumRow[] {
  const { discount, totals, taxInCurrency: stated = null } = bill;
  if (totals === null) return [];
  const figure = (amount: Usdc.Billed) => locale.figure(Currency.formatOf(bill, amount));
  const less = { label: discountLabel(discount, locale), amount: `−${figure(totals.discount)}` };
  return [
    { label: locale.say("subtotal"), amount: figure(totals.subtotal) },
    ...(discount === null ? [] : [less]),
    ...totals.rows.map((row) => ({
      label: taxLabel(row, bill, locale),
      amount: figure(row.tax),
    })),
    ...(stated === null ? [] : [statedRow(stated, bill, locale)]),
  ];
}

/** The tax in the currency of the seller's country, and how that comes about. */
function statedRow(stated: TaxInCurrency, bill: Taxing, locale: Locale): SumRow {
  const { code, tax, rate, source, fetchedAt } = stated;
  const bank = saidIn(source);
  const equation = bank?.equation ?? `1 ${Currency.codeOf(bill)} = ${rate} ${code}`;
  const origin = bank
    ? [locale.say("centralBank"), locale.day(bank.day)]
    : originOf({ source, fetchedAt }, locale);
  const label = locale.say("taxIn", { tax: taxTitle(bill, locale), currency: code });
  return {
    label: `${label}${locale.bracketed(inOrder([equation.replace(/[\d.]+/g, locale.figure), ...origin], locale))}`,
    amount: fromTheLeft(`${locale.figure(Currency.format(tax, code))} ${code}`, locale),
    isAside: true,
  };
}

/** What a credit note takes back, as the bill of an invoice. */
export const creditedBill = (
  {
    lines,
    totals,
    taxInCurrency = null,
  }: Pick<CreditNote, "lines" | "totals"> & Partial<Pick<CreditNote, "taxInCurrency">>,
  invoice: Taxing & Pick<Invoice, "totals"> & Billing,
) => ({
  lineItems: lines,
  totals: invoice.totals && totals,
  discount: totals.discount > 0n ? ({ kind: "amount", amount: totals.discount } as const) : null,
  pricesIncludeTax: invoice.pricesIncludeTax,
  merchantDetails: invoice.merchantDetails,
  currency: invoice.currency,
  taxInCurrency,
});

/** What credit notes took off an invoice, below its total; nothing without one. */
export function creditRows(invoice: Pick<Invoice, "credited" | "currency">, locale: Locale): SumRow[] {
  return invoice.credited === 0n
    ? []
    : [creditRow(locale.say("creditedAmount"), invoice.credited, invoice, locale)];
}

/** A credit of an invoice. Its label names the currency if that is not USDC, as the total above it is in USDC. */
export function creditRow(
  label: string,
  credited: Usdc.Billed,
  { currency }: Pick<Invoice, "currency">,
  locale: Locale,
): SumRow {
  const unit = currency === null ? "" : locale.bracketed(currency.code);
  return { label: `${label}${unit}`, amount: `−${locale.figure(Currency.formatOf({ currency }, credited))}` };
}

/**
 * For the customer of an invoice that was credited after it was paid: what the merchant owes them, in words; else null. A
 * mere overpayment has its own words. `merchant` as people read it.
 */
export function owedBack(invoice: Standing.StandingFacts, merchant: string, locale: Locale): string | null {
  const { net, toReturn, paidCredit } = Standing.of(invoice);
  if (paidCredit === 0n) return null;
  const [total, amount] = [net, toReturn].map((sum) => locale.usdc(Usdc.formatExact(sum))) as [
    string,
    string,
  ];
  return locale.say("owedBack", { total, amount, merchant });
}

/**
 * What has arrived, for whoever looks at an invoice again; null while nothing has and it is open. `remaining` is null when
 * nothing is left to pay.
 */
export function paidSoFar(
  invoice: Standing.StandingFacts & Pick<Invoice, "status">,
): { received: string; remaining: string | null } | null {
  const { received, due } = Standing.of(invoice);
  if (received === 0n && invoice.status !== "paid") return null;
  return {
    received: Usdc.formatExact(received),
    remaining: due === 0n ? null : Usdc.formatExact(due),
  };
}

function discountLabel(discount: Tax.Discount | null, locale: Locale): string {
  return discount?.kind === "percent"
    ? locale.say("discountShare", { percent: shareText(discount.percent, locale) })
    : locale.say("discount");
}

/** What one rate of an invoice is called, with what is left of it to credit; null for one without taxes. */
export function rowLabel({ of, ...row }: RowRemainder, invoice: Taxing, locale: Locale): string | null {
  return of && taxLabel({ ...of, ...row }, invoice, locale);
}

type Taxing = Pick<Invoice, "pricesIncludeTax" | "merchantDetails"> & Billing;

function taxLabel(row: Tax.TaxRow, bill: Taxing, locale: Locale): string {
  const amount = locale.figure(Currency.formatOf(bill, row.taxable));
  if (row.category === "standard" || row.category === "zero") {
    const values = { rate: shareText(row.rate, locale), amount };
    return bill.pricesIncludeTax && row.category === "standard"
      ? locale.say("taxIncluded", { tax: taxName(bill, locale), ...values })
      : locale.say("taxOn", { tax: taxTitle(bill, locale), ...values });
  }
  const label = locale.say(untaxed[row.category], { amount });
  return row.reason === null ? label : `${label}${locale.bracketed(row.reason)}`;
}

/** A currency other than USDC, which the lines and sums of an invoice are in, or the price of a link. */
export type CurrencyText = {
  /** `EUR`. */
  code: string;
  /** A plain decimal, in the currency. */
  total: string;
  /** `1 USDC = 0.8607 EUR · Kraken and Coinbase · 22 Nov 2026, 21:03 UTC` */
  rate: string;
};

/** Nothing for what is in USDC. */
export function billedOf({ currency }: Pick<Invoice, "currency">, locale: Locale): { billed?: CurrencyText } {
  if (currency === null) return {};
  const { code, rate } = currency;
  const parts = [`1 USDC = ${locale.figure(rate)} ${code}`, ...originOf(currency, locale)];
  return { billed: { code, total: Currency.format(currency.total, code), rate: inOrder(parts, locale) } };
}

/** Who said a rate, and when. */
function originOf(
  { source, fetchedAt }: Pick<Currency.Quote, "source" | "fetchedAt">,
  locale: Locale,
): string[] {
  const because = { [Currency.byCaller]: "rateOfMerchant", [Currency.byParity]: "rateOfParity" } as const;
  if (Object.hasOwn(because, source)) return [locale.say(because[source as keyof typeof because])];
  const labels = Currency.namesOf(source).map((name) => sources[name as SourceName]?.label ?? name);
  return [locale.listed(labels), locale.minute(instant(fetchedAt))];
}

/**
 * An equation, then where it is from. What goes from the right begins with words of its language: paper takes the direction
 * of a line from its first letter.
 */
function inOrder([equation = "", ...origin]: readonly string[], locale: Locale): string {
  const shown = fromTheLeft(equation, locale);
  return (locale.dir === "rtl" ? [...origin.reverse(), shown] : [shown, ...origin]).join(" · ");
}

export function billLines(
  bill: Pick<Invoice, "lineItems" | "merchantDetails"> & Billing,
  locale: Locale,
): BillLine[] {
  const code = Currency.codeOf(bill);
  return bill.lineItems.map((item) => {
    const { discount, tax } = item;
    const isRated = tax !== null && tax.category !== "outside_scope";
    const rate = isRated ? locale.say("percentage", { percent: shareText(tax.rate, locale) }) : undefined;
    return {
      description: item.description,
      quantity: Quantity.format(item.quantity),
      ...(item.unit === null ? {} : { unit: item.unit }),
      unitPrice: Currency.formatPrice(item.unitPrice, code),
      ...(discount === null ? {} : { less: lessOf(discount, code, locale) }),
      ...(rate === undefined ? {} : { rate, taxed: `${taxName(bill, locale)} ${rate}` }),
      lineTotal: Currency.format(item.lineTotal, code),
    };
  });
}

/** What a link sells, as a bill. */
export function soldText(
  bill: LinkBill,
  {
    merchantDetails,
    currency,
    taxInCurrency,
  }: Billing & { merchantDetails: Party | null; taxInCurrency: TaxInCurrency | null },
  locale: Locale,
) {
  const { lines: lineItems, pricesIncludeTax } = bill;
  const totals = isTaxed(bill) ? bill.totals : null;
  const billed = {
    lineItems,
    discount: null,
    pricesIncludeTax,
    totals,
    merchantDetails,
    currency,
    taxInCurrency,
  };
  return {
    tax: taxTitle(billed, locale),
    lineItems: billLines(billed, locale),
    sums: sumRows(billed, locale),
  };
}

/** What is taken off and the tax, where there is no column for them; null when there is neither. */
export function remarkOf({ less, taxed }: BillLine): string | null {
  const parts = [less, taxed].filter(Boolean);
  return parts.length === 0 ? null : parts.join(" · ");
}

function lessOf(discount: Tax.Discount, code: Currency.Code, locale: Locale): string {
  return locale.say("lineDiscount", {
    discount:
      discount.kind === "percent"
        ? locale.say("percentage", { percent: shareText(discount.percent, locale) })
        : locale.figure(Currency.format(discount.amount, code)),
  });
}

/** `190_000` → `19`, `55_000` → `5.5`, with the decimal mark of the language. */
export function shareText(share: Tax.Share, locale: Locale): string {
  return locale.figure(Tax.plainShare(share));
}

/** What an e-invoice says in words, as its PDF does. `network`: the chain as a payer knows it. */
export function eInvoiceWords(locale: Locale, network: string): Words {
  const { say, figure, labelled, marks } = locale;
  // A row of the PDF's taxes, without its amount.
  const reason = (key: "taxReverse" | "taxExport" | "taxIntra" | "taxOutside") =>
    withoutEnd(say(key, { amount: "" }).trimEnd().replace("：", ":"), ":").trimEnd();
  return {
    discount: say("discount"),
    discountOf: (percent) => say("discountShare", { percent: shareText(percent, locale) }),
    creditedAgainst: (number) => say("creditedAgainst", { number }),
    payTo({ total, currency, deposit }) {
      const sum = `${figure(Usdc.format(total))} ${say("usdcOn", { network })}`;
      const rate = currency === null ? [] : [`1 USDC = ${figure(currency.rate)} ${currency.code}`];
      return [sum, labelled(say("depositAddress"), deposit.address), ...rate].join(marks.comma);
    },
    reasons: {
      reverse_charge: reason("taxReverse"),
      export: reason("taxExport"),
      intra_community: reason("taxIntra"),
      outside_scope: reason("taxOutside"),
    },
  };
}
