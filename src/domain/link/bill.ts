import * as Currency from "../bill/currency.ts";
import type { LineItem } from "../bill/invoice.ts";
import * as Quantity from "../bill/quantity.ts";
import * as Tax from "../bill/tax.ts";
import type * as TaxCurrency from "../bill/tax-currency.ts";
import type { Party } from "../party/party.ts";
import * as Usdc from "../usdc.ts";

/** What a link sells, and the tax in its price: fixed when it is made, and never computed again. */
export type Bill = { lines: LineItem[]; totals: Tax.Totals; pricesIncludeTax: boolean };

/** Whether it says anything of tax, and so its payer is owed a receipt with a number. */
export const isTaxed = (bill: Bill | null): boolean => bill !== null && bill.totals.rows.length > 0;

type OnePrice = { description: string; quantity: number; total: Usdc.Billed; tax: Tax.Tax };

/** So many pieces of one thing; `total` is their price as it was said, in the currency `code`. */
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

/** What a receipt bills, where its tax is to be stated in another currency. */
export const taxedBillOf = (
  { seller, issueDate }: Pick<IssuedReceipt, "seller" | "issueDate">,
  { bill, currency }: { bill: Bill | null; currency: TaxCurrency.Bill["currency"] },
): TaxCurrency.Bill => ({
  merchantDetails: seller.details,
  issueDate,
  totals: bill?.totals ?? null,
  currency,
});

/** What a refund took back of the numbered receipt of a link, at its prices, and on which day. It never changes. */
export type TakenBack = { issueDate: string; totals: Tax.Totals };

/**
 * What goes back of a bill, tax by tax, when `usdc` is given back of `left`, which is what was paid less what went back
 * before: `earlier`. To the cent the bill when all of it has gone, and never more than is left of a tax. `minor` as in
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

/** What a payer can be asked for. */
export const askable = ["name", "address", "tax_id", "phone"] as const;
export type Askable = (typeof askable)[number];

export const questionsMax = 3;

/** What the merchant asks the payer for. */
export type Collect = { fields: Askable[]; questions: string[] };

/** What the payer said, only what was. */
export type PayerDetails = Partial<Record<Askable, string>> & {
  answers?: { question: string; answer: string }[];
};

/** The seller as they were saved when a receipt was issued. */
export type Seller = { name: string; address: string | null; details: Party | null };

/** Whom a receipt names as its buyer; null when nobody said who they are. */
export function buyerOf(said: PayerDetails | null): PayerDetails | null {
  return said?.name || said?.address ? said : null;
}

/** A receipt with a number: what it says never changes. `issueDate` is `YYYY-MM-DD`. */
export type IssuedReceipt = {
  sequence: number;
  number: string;
  issueDate: string;
  seller: Seller;
  /** Who asked for it in their name; null when nobody did. */
  buyer: PayerDetails | null;
  /** Unix milliseconds. */
  createdAt: number;
  /** In which currency the tax has to stand besides; null where no law asks for it. */
  taxCurrency: Currency.Code | null;
  /** That tax, stated once its rate is known. */
  taxInCurrency: Currency.TaxInCurrency | null;
};
