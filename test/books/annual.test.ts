import { afterAll, beforeAll, expect, test } from "bun:test";
import { closeDatabase } from "../../src/store/database.ts";
import { makeDataDir, openNewDatabase } from "../support/till/data-dir.ts";
import { pay, payer, refund, rowsOf, withdraw } from "../support/till/moves.ts";
import { storeInvoice, storeLink } from "../support/till/records.ts";

const dir = makeDataDir();
const db = openNewDatabase(dir.path);
afterAll(() => {
  closeDatabase(db);
  dir.remove();
});

const at = (text: string) => Date.parse(`${text}:00Z`);

beforeAll(() => {
  const first = storeInvoice(db, { vendorEmail: "AP@globex.example" }).deposit.index;
  const second = storeInvoice(db).deposit.index;
  const link = storeLink(db).deposit.index;
  pay(db, first, 100_000_001n, at("2025-12-31T22:30"), { rate: "0.9" });
  pay(db, first, 50_000_000n, at("2025-12-31T23:30"), { rate: "0.8" });
  pay(db, second, 25_000_000n, at("2026-03-01T10:00"), { rate: "0.8607" });
  pay(db, second, 1_000_000n, at("2026-03-01T10:00"));
  pay(db, second, 2_000_000n, at("2026-03-01T11:00"), { rate: "1.01", currency: "USD" });
  pay(db, second, 9_000_000n, at("2026-03-01T12:00"), { isConfirmed: false });
  pay(db, link, 5_000_000n, at("2026-04-01T10:00"));
  refund(db, second, "10.00", at("2026-05-01T10:00"), "till", { rate: "0.85" });
  refund(db, second, "4.00", at("2026-05-01T10:00"), "elsewhere");
  withdraw(db, "60.00", at("2026-05-02T09:00"));
});

const globex = { customer_name: "Globex", address: payer };

test("a year of a customer and an address is a row, in the time zone of the merchant", async () => {
  const { rows } = await rowsOf(db, "annual", { timeZone: "Europe/Berlin" });
  expect(rows).toEqual([
    {
      ...{ year: "2025", ...globex, customer_email: "AP@globex.example", fiat_currency: "EUR" },
      ...{ payments: 1, payments_usdc: "100.000001", payments_value: "90.00" },
      ...{ refunds: 0, refunds_usdc: "0.00", refunds_value: "0.00", without_value: 0 },
    },
    {
      ...{ year: "2026", customer_name: null, customer_email: null, address: payer, fiat_currency: "EUR" },
      ...{ payments: 1, payments_usdc: "5.00", payments_value: "0.00" },
      ...{ refunds: 0, refunds_usdc: "0.00", refunds_value: "0.00", without_value: 1 },
    },
    {
      ...{ year: "2026", ...globex, customer_email: "AP@globex.example", fiat_currency: "EUR" },
      ...{ payments: 3, payments_usdc: "76.00", payments_value: "61.52" },
      ...{ refunds: 1, refunds_usdc: "10.00", refunds_value: "8.50", without_value: 1 },
    },
    {
      ...{ year: "2026", ...globex, customer_email: "ap@globex.example", fiat_currency: "USD" },
      ...{ payments: 1, payments_usdc: "2.00", payments_value: "2.02" },
      ...{ refunds: 0, refunds_usdc: "0.00", refunds_value: "0.00", without_value: 0 },
    },
  ]);
});

test("the days of the export bound it, and without a currency there are no values", async () => {
  const days = { from: "2026-04-01", to: "2026-12-31" };
  const { rows } = await rowsOf(db, "annual", { days, valueCurrency: null });
  expect(rows.map((row) => [row["payments"], row["refunds"], row["payments_value"]])).toEqual([
    [1, 0, null],
    [0, 1, "0.00"],
  ]);
});
