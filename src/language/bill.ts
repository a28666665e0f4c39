import type { TaxInCurrency } from "../domain/bill/currency.ts";
import * as Currency from "../domain/bill/currency.ts";
import type { Invoice } from "../domain/bill/invoice.ts";
import * as Quantity from "../domain/bill/quantity.ts";
import type * as Tax from "../domain/bill/tax.ts";
import { isTaxed, type Bill as LinkBill } from "../domain/link/bill.ts";
import type { Party } from "../domain/party/party.ts";
import * as Standing from "../domain/payment/standing.ts";
import * as Usdc from "../domain/usdc.ts";
import { billedOf, type CurrencyText } from "./bill-currency.ts";
import type { Locale } from "./locale.ts";
import { type Billing, creditRows, type SumRow, sumRows } from "./sums.ts";
import { shareText, taxName, taxTitle } from "./tax-words.ts";

/** The bill of an invoice, as shown on its page, its PDF and its mails. */

/** One line. The quantity is a plain decimal; amounts have the currency's decimals. */
export type BillLine = {
  description: string;
  quantity: string;
  /** The unit, if one was given. */
  unit?: string;
  unitPrice: string;
  /** The discount, in words. */
  less?: string;
  /** The tax rate as people read it, including 0 %; left out where there is none. */
  rate?: string;
  /** The same with the tax's name. */
  taxed?: string;
  lineTotal: string;
};

/**
 * Everything that an invoice bills. Amounts have no unit: `1500.00`. Lines, sums and credits are in its currency,
 * `total` and `net` in USDC.
 */
export type BillText = {
  /** The tax's name, above the column of its rates. */
  tax: string;
  lineItems: readonly BillLine[];
  /** Rows that lead from the lines to the total; empty if the total is just their sum. */
  sums: readonly SumRow[];
  /** The total as issued, in USDC. */
  total: string;
  /** The same in the invoice's currency, if that is not USDC. */
  billed?: CurrencyText;
  /** Rows for the credit notes; empty if there are none. */
  credits: readonly SumRow[];
  /** The total less the credit notes; null if there are none. */
  net: string | null;
  /** In words, the money that the merchant owes the customer because of them; null if none. */
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

/**
 * Tells the customer of an invoice that was credited after it was paid what the merchant owes them; null for other
 * invoices. A mere overpayment has its own words. `merchant` is the name as people read it.
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
 * Returns the money that has arrived, for people who open an invoice again; null if none has and the invoice is not
 * paid. `remaining` is null if nothing is left to pay.
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

/** Returns the bill for what a link sells. */
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

/** Returns a line's discount and tax, where they have no column; null if there is neither. */
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
