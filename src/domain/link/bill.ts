import * as Currency from "../bill/currency.ts";
import type { LineItem } from "../bill/invoice.ts";
import * as Quantity from "../bill/quantity.ts";
import * as Tax from "../bill/tax.ts";
import type { TaxInCurrency } from "../bill/tax-currency.ts";
import type { Party } from "../party/party.ts";
import * as Usdc from "../usdc.ts";

/**
 * What a link sells, and the tax in its price: fixed when it is made, and never computed again. `taxInCurrency` is missing
 * where nobody asks for it, and in links of before it was.
 */
export type Bill = {
  lines: LineItem[];
  totals: Tax.Totals;
  pricesIncludeTax: boolean;
  taxInCurrency?: TaxInCurrency | null;
};

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

/** What a refund took back of the numbered receipt of a link, at its prices, and that tax as the receipt states it. */
export type TakenBack = { receipt: IssuedReceipt; totals: Tax.Totals; taxInCurrency: TaxInCurrency | null };

/**
 * What goes back of a bill, tax by tax, when `usdc` is given back of the `paid`, and `before` of it was already: to the cent
 * the bill when all of it has gone. `minor` as in `Tax.totalsOf`.
 */
export function partOf(
  { totals, pricesIncludeTax }: Pick<Bill, "totals" | "pricesIncludeTax">,
  { paid, before, usdc }: Record<"paid" | "before" | "usdc", Usdc.Usdc>,
  minor: bigint,
): { totals: Tax.Totals; taxBefore: bigint } {
  const gross = totals.rows.map(({ taxable, tax }) => taxable + tax);
  function upTo(given: bigint): { taxable: bigint; tax: bigint }[] {
    const all = Usdc.round<Usdc.Billed>(totals.total * (given < paid ? given : paid), paid, minor);
    return Tax.apportion(all, gross, minor).map((part, at) => {
      const [whole = 0n, taxOfWhole = 0n] = [gross[at], totals.rows[at]?.tax];
      const tax = whole === 0n ? 0n : Usdc.round<Usdc.Billed>(taxOfWhole * part, whole, minor);
      return { taxable: part - tax, tax };
    });
  }
  const [earlier, now] = [upTo(before), upTo(before + usdc)];
  const lessEarlier = (at: number, of: "taxable" | "tax") =>
    ((now[at]?.[of] ?? 0n) - (earlier[at]?.[of] ?? 0n)) as Usdc.Billed;
  const rows = totals.rows.map(
    (row, at): Tax.TaxRow => ({ ...row, taxable: lessEarlier(at, "taxable"), tax: lessEarlier(at, "tax") }),
  );
  const taxable = Usdc.sum(rows.map((row) => row.taxable));
  const tax = Usdc.sum(rows.map((row) => row.tax));
  const total = Usdc.sum([taxable, tax]);
  return {
    totals: { subtotal: pricesIncludeTax ? total : taxable, discount: Usdc.zero, tax, total, rows },
    taxBefore: earlier.reduce((sum, row) => sum + row.tax, 0n),
  };
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
};
