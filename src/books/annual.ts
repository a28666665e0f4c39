import * as Currency from "../domain/bill/currency.ts";
import * as Calendar from "../domain/calendar.ts";
import * as Usdc from "../domain/usdc.ts";
import { eachIn, eachOut, type Movement } from "./movements.ts";
import { type Selection, type Table, table } from "./table.ts";

/** Sums that each customer paid and got back in a year, as authorities require of a merchant's own records. */

type Side = { count: number; usdc: Usdc.Usdc; value: Usdc.Billed };
const none: Side = { count: 0, usdc: Usdc.zero, value: Usdc.zero };

type Year = Pick<Movement, "name" | "email" | "address"> & {
  year: string;
  currency: Currency.Code | null;
  paid: Side;
  refunded: Side;
  withoutValue: number;
};

async function* eachMovement(selection: Selection): AsyncGenerator<Movement> {
  yield* eachIn(selection);
  for (const movement of eachOut(selection)) if (movement.kind === "refund") yield movement;
}

/** One row per customer, address, year and currency of the values. */
async function* eachYear(selection: Selection): AsyncGenerator<Year> {
  const years = new Map<string, Year>();
  for await (const { kind, at, amount, value: worth, name, email, address } of eachMovement(selection)) {
    const side = kind === "payment" ? "paid" : "refunded";
    const year = Calendar.dayAt(at, selection.timeZone).slice(0, 4);
    const currency = worth?.currency ?? selection.valueCurrency;
    const key = JSON.stringify([year, email?.toLowerCase() ?? "", name, address, currency]);
    const sum = years.get(key) ?? {
      year,
      name,
      email,
      address,
      currency,
      paid: none,
      refunded: none,
      withoutValue: 0,
    };
    const { count, usdc, value } = sum[side];
    years.set(key, {
      ...sum,
      [side]: {
        count: count + 1,
        usdc: Usdc.sum([usdc, amount]),
        value:
          worth === null ? value : Usdc.sum([value, Currency.fromUsdc(amount, worth.rate, worth.currency)]),
      },
      withoutValue: sum.withoutValue + (worth === null ? 1 : 0),
    });
  }
  yield* [...years].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, each]) => each);
}

const valueIn = ({ currency, ...year }: Year, side: "paid" | "refunded") =>
  currency && Currency.format(year[side].value, currency);

export const annual: Table = table(
  "annual",
  "one row for each customer, address and year: what was paid and given back",
  eachYear,
  () => ({
    year: ({ year }) => year,
    customer_name: ({ name }) => name,
    customer_email: ({ email }) => email,
    address: ({ address }) => address,
    payments: ({ paid }) => paid.count,
    payments_usdc: ({ paid }) => Usdc.formatExact(paid.usdc),
    payments_value: (year) => valueIn(year, "paid"),
    refunds: ({ refunded }) => refunded.count,
    refunds_usdc: ({ refunded }) => Usdc.formatExact(refunded.usdc),
    refunds_value: (year) => valueIn(year, "refunded"),
    fiat_currency: ({ currency }) => currency,
    without_value: ({ withoutValue }) => withoutValue,
  }),
);
