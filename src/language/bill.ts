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

/** The bill of an invoice, as its page, its PDF and its mails show it. */

/** One line; the quantity is a plain decimal, the amounts have the decimals of the currency. */
export type BillLine = {
  description: string;
  quantity: string;
  /** The unit that is counted, when it was said. */
  unit?: string;
  unitPrice: string;
  /** The discount, in words. */
  less?: string;
  /** The rate of the tax, as people read it, 0 % too; left out where there is none. */
  rate?: string;
  /** The same with the name of the tax. */
  taxed?: string;
  lineTotal: string;
};

/**
 * All that an invoice bills. Amounts have no unit: `1500.00`. Lines, sums and credits are in its currency, `total` and `net`
 * in USDC.
 */
export type BillText = {
  /** The name of the tax, above the column of its rates. */
  tax: string;
  lineItems: readonly BillLine[];
  /** How the total comes about, where it is not the sum of the lines alone. */
  sums: readonly SumRow[];
  /** The total as it was issued, in USDC. */
  total: string;
  /** The same in the invoice's currency, if that is another. */
  billed?: CurrencyText;
  /** The credit notes' rows; empty without one. */
  credits: readonly SumRow[];
  /** The total less the credit notes; null without one. */
  net: string | null;
  /** The money that the merchant owes the customer because of them, in words; null when that is nothing. */
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
 * The money that has arrived, for whoever looks at an invoice again; null while none has and it is open. `remaining` is
 * null when nothing is left to pay.
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

/** The bill of what a link sells. */
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

/** The discount and the tax of a line, where they have no column; null when there is neither. */
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
