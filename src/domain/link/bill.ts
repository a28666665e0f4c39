import * as Currency from "../bill/currency.ts";
import type { LineItem } from "../bill/invoice.ts";
import * as Quantity from "../bill/quantity.ts";
import * as Tax from "../bill/tax.ts";
import type * as TaxCurrency from "../bill/tax-currency.ts";
import type { Party } from "../party/party.ts";
import * as Usdc from "../usdc.ts";

/** The goods of a link and the tax in its price: fixed on creation, never recomputed. */
export type Bill = { lines: LineItem[]; totals: Tax.Totals; pricesIncludeTax: boolean };

/** Returns whether it states tax, which entitles its payer to a numbered receipt. */
export const isTaxed = (bill: Bill | null): boolean => bill !== null && bill.totals.rows.length > 0;

type OnePrice = { description: string; quantity: number; total: Usdc.Billed; tax: Tax.Tax };

/** Several pieces of one item; `total` is their price as given, in the currency `code`. */
export function ofOne(
  { description, quantity, total, tax }: OnePrice,
  { pricesIncludeTax, code }: { pricesIncludeTax: boolean; code: Currency.Code },
): Bill {
  const pieces = BigInt(quantity);
  const line: LineItem = {
    description,
    quantity: (pieces * Quantity.one) as Quantity.Quantity,
    unitPrice: Usdc.fromMicro(total / pieces),
    unit: null,
    discount: null,
    tax,
    lineTotal: total,
  };
  return {
    lines: [line],
    totals: Tax.totalsOf([line], { discount: null, pricesIncludeTax, minor: Currency.minorOf(code) }),
    pricesIncludeTax,
  };
}

/** The bill behind a receipt, for stating its tax in another currency. */
export const taxedBillOf = (
  { seller, issueDate }: Pick<IssuedReceipt, "seller" | "issueDate">,
  { bill, currency }: { bill: Bill | null; currency: TaxCurrency.Bill["currency"] },
): TaxCurrency.Bill => ({
  merchantDetails: seller.details,
  issueDate,
  totals: bill?.totals ?? null,
  currency,
});

/** The part of a link's numbered receipt that a refund took back, at its prices. It never changes. */
export type RefundedPart = { issueDate: string; totals: Tax.Totals };

/**
 * Splits a refund of `usdc` over a bill's taxes. `left` is what was paid less `earlier` refunds. The refunds add up to
 * the bill to the cent once everything has gone back, and never exceed what is left of a tax. `minor` as in
 * `Tax.totalsOf`.
 */
export function partOf(
  { totals, pricesIncludeTax }: Pick<Bill, "totals" | "pricesIncludeTax">,
  { usdc, left, earlier }: { usdc: Usdc.Usdc; left: Usdc.Usdc; earlier: readonly Tax.Totals[] },
  minor: bigint,
): Tax.Totals {
  const rest = totals.rows.map((row, at) => {
    const gone = (of: "taxable" | "tax") => Usdc.sum(earlier.map(({ rows }) => rows[at]?.[of] ?? Usdc.zero));
    const tax = row.tax - gone("tax");
    return { tax, gross: row.taxable - gone("taxable") + tax };
  });
  const gross = rest.reduce((sum, row) => sum + row.gross, 0n);
  const all = usdc < left ? Usdc.round<Usdc.Billed>(gross * usdc, left, minor) : gross;
  const parts = Tax.apportion(
    all,
    rest.map((row) => row.gross),
    minor,
  );
  const rows = rest.map(({ tax: whole, gross }, at): Tax.TaxRow => {
    const part = parts[at] ?? 0n;
    const tax: Usdc.Billed = gross === 0n ? Usdc.zero : Usdc.round(whole * part, gross, minor);
    return { ...(totals.rows[at] as Tax.TaxRow), tax, taxable: (part - tax) as Usdc.Billed };
  });
  const taxable = Usdc.sum(rows.map((row) => row.taxable));
  const tax = Usdc.sum(rows.map((row) => row.tax));
  const total = Usdc.sum([taxable, tax]);
  return { subtotal: pricesIncludeTax ? total : taxable, discount: Usdc.zero, tax, total, rows };
}

/** Details a payer can be asked for. */
export const askable = ["name", "address", "tax_id", "phone"] as const;
export type Askable = (typeof askable)[number];

export const questionsMax = 3;

/** Details and questions the merchant asks of the payer. */
export type Collect = { fields: Askable[]; questions: string[] };

/** The payer's answers; unanswered fields are absent. */
export type PayerDetails = Partial<Record<Askable, string>> & {
  answers?: { question: string; answer: string }[];
};

/** The seller's details at the time a receipt was issued. */
export type Seller = { name: string; address: string | null; details: Party | null };

/** The buyer to name on a receipt; null when the payer gave neither name nor address. */
export function buyerOf(said: PayerDetails | null): PayerDetails | null {
  return said?.name || said?.address ? said : null;
}

/** A numbered receipt, which never changes. `issueDate` is `YYYY-MM-DD`. */
export type IssuedReceipt = {
  sequence: number;
  number: string;
  issueDate: string;
  seller: Seller;
  /** The person who requested it in their name; null if nobody did. */
  buyer: PayerDetails | null;
  /** Unix milliseconds. */
  createdAt: number;
  /** The currency in which the tax must also be stated; null where no law requires it. */
  taxCurrency: Currency.Code | null;
  /** The tax in that currency; null until its rate is known. */
  taxInCurrency: Currency.TaxInCurrency | null;
};
