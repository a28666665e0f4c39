import { afterAll, beforeAll, describe, expect, test } from "bun:test";
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
  const invoice = storeInvoice(db, { vendorName: "=Globex" }).deposit.index;
  const link = storeLink(db).deposit.index;
  pay(db, invoice, 100_000_001n, at("2026-01-30T10:00"));
  pay(db, invoice, 4_999n, at("2026-01-30T11:00"));
  pay(db, invoice, 5_000n, at("2026-01-30T12:00"));
  pay(db, invoice, 7_000_000n, at("2026-01-30T13:00"), { isConfirmed: false });
  pay(db, link, 25_500_000n, at("2026-01-31T23:30"));
  refund(db, invoice, "10.00", at("2026-02-01T09:00"), "till");
  refund(db, invoice, "5.00", at("2026-02-02T09:00"), "wallet");
  refund(db, invoice, "3.00", at("2026-02-02T10:00"), "elsewhere");
  withdraw(db, "60.00", at("2026-02-03T09:00"));
  withdraw(db, "1.00", at("2026-02-03T10:00"), { isDone: false });
  pay(db, link, 9_999n, at("2026-02-04T09:00"));
  pay(db, link, 1_000_001n, at("2026-02-05T09:00"));
});

const amounts = async (name: string, days = { from: null, to: null } as never) =>
  (await rowsOf(db, name, { days })).rows.map((row) => String(row["Amount"]));
/** Exactly, in cents. */
const sum = (texts: readonly string[]) =>
  texts.reduce((total, text) => total + BigInt(text.replace(".", "")), 0n);

describe("a statement of USDC", () => {
  test("has a row for each movement, as Xero imports it", async () => {
    const { rows, gaps, table, selection } = await rowsOf(db, "xero-statement");
    expect(table.columns(selection)).toEqual(["Date", "Amount", "Payee", "Description", "Reference"]);
    const hash = expect.stringMatching(/^0x[0-9a-f]{64}$/);
    expect(rows.map(Object.values)).toEqual([
      ["30/01/2026", "100.00", "=Globex", "Payment of INV-0001", hash],
      ["30/01/2026", "0.01", "=Globex", "Payment of INV-0001", hash],
      ["31/01/2026", "25.50", payer, "Payment of slug1", hash],
      ["01/02/2026", "-10.00", "=Globex", "Refund of INV-0001", hash],
      ["02/02/2026", "-5.00", "=Globex", "Refund of INV-0001", hash],
      ["03/02/2026", "-60.00", payer, "Withdrawal", hash],
      ["05/02/2026", "1.01", payer, "Payment of slug1", hash],
    ]);
    expect(gaps.join()).toContain("2 movements of less than a cent");
  });

  test("has the three columns of QuickBooks, with a month first", async () => {
    const { rows } = await rowsOf(db, "quickbooks-statement");
    expect(rows[2]).toEqual({
      Date: "01/31/2026",
      Description: `Payment of slug1, ${payer}`,
      Amount: "25.50",
    });
  });

  test("adds up to what the books say came and went", async () => {
    const micro = (text: unknown) => {
      const [whole = "", fraction = ""] = String(text).split(".");
      return BigInt(whole + fraction.padEnd(6, "0"));
    };
    const total = async (name: string, counts: (row: Record<string, unknown>) => boolean) =>
      (await rowsOf(db, name)).rows.filter(counts).reduce((result, row) => result + micro(row["amount"]), 0n);
    const came = await total("payments", (row) => row["confirmed"] === true);
    // Refunds from Till's wallet are withdrawals, too.
    const went =
      (await total("withdrawals", (row) => row["state"] === "done")) +
      (await total("refunds", (row) => row["way"] === "wallet"));
    expect(sum(await amounts("xero-statement"))).toBe((came - went) / 10_000n);
    expect(sum(await amounts("quickbooks-statement"))).toBe((came - went) / 10_000n);
  });

  test("of several periods adds up to that of all, to the cent", async () => {
    const parts = [
      { from: null, to: "2026-01-30" },
      { from: "2026-01-31", to: "2026-02-01" },
      { from: "2026-02-02", to: "2026-02-03" },
      { from: "2026-02-04", to: "2026-02-04" },
      { from: "2026-02-05", to: null },
    ];
    const each = await Promise.all(parts.map((days) => amounts("xero-statement", days as never)));
    expect(each.map((part) => part.length)).toEqual([2, 2, 2, 0, 1]);
    expect(sum(each.flat())).toBe(sum(await amounts("xero-statement")));
  });

  test("takes the days of the merchant's time zone", async () => {
    const days = { from: "2026-02-01", to: "2026-02-01" };
    const { rows } = await rowsOf(db, "xero-statement", { days, timeZone: "Europe/Berlin" });
    expect(rows.map((row) => row["Amount"])).toEqual(["25.50", "-10.00"]);
  });
});
