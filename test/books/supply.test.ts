import { afterAll, beforeAll, expect, test } from "bun:test";
import { rowsOf } from "../support/till/moves.ts";
import { startTestTill, type TestTill } from "../support/till/till.ts";

/** An invoice that is supplied in one month and billed in the next, in the books by the one or by the other. */

let till: TestTill;
const codes = {
  ...{ consultant: "29098", client: "55003", usdc: "1460", debtor: "10000", transit: "", month: "1" },
  taxes: { "standard 19.00": "8400", reverse_charge: "8338" },
};

async function issue(changes: object): Promise<void> {
  await till.createInvoice({
    ...{ send_now: true, currency: "EUR", rate: "0.8607", due_date: "2026-03-31", issue_date: "2026-02-05" },
    line_items: [{ description: "Design", quantity: 1, unit_price: "100.00", tax_rate: "19" }],
    ...changes,
  });
}

beforeAll(async () => {
  till = await startTestTill({ rpcUrl: "http://127.0.0.1:9" });
  await issue({ delivery_date: "2026-01-28" });
  await issue({});
  await issue({ delivery_from: "2026-02-01", delivery_to: "2026-02-28", issue_date: "2026-01-31" });
  for (const vat_id of ["CHE107787577MWST", "GB980780684", "ATU13585627", "XI980780684"])
    await issue({
      merchant_details: { country: "DE", vat_id: "DE136695976" },
      vendor_details: { country: vat_id.startsWith("XI") ? "GB" : vat_id.slice(0, 2), vat_id },
      line_items: [
        { description: "Design", quantity: 1, unit_price: "1.00", tax_category: "reverse_charge" },
      ],
    });
});
afterAll(() => till.stop());

const january = { from: "2026-01-01", to: "2026-01-31" };
const sumsOf = async (changes: Parameters<typeof rowsOf>[2]) =>
  (await rowsOf(till.db, "tax-sums", { days: january, ...changes })).rows.map((row) => [
    row["tax_category"],
    row["taxable_amount"],
    row["tax_amount"],
    row["counted_by"],
  ]);

test("its tax is in the month of the supply, or of the issue where the seller counts by that", async () => {
  // Supplied in January: INV-0001. Issued in January: INV-0003. Each 100.00 at 19 %.
  expect(await sumsOf({})).toEqual([["standard", "100.00", "19.00", "supply"]]);
  expect(await sumsOf({ taxPeriod: "issue" })).toEqual([["standard", "100.00", "19.00", "issue"]]);
  const { rows } = await rowsOf(till.db, "taxes", { days: { from: null, to: null } });
  const days = (name: string) => {
    const row = rows.find((each) => each["invoice_number"] === name);
    return [row?.["issue_date"], row?.["supply_date"], row?.["tax_date"]];
  };
  expect(days("INV-0001")).toEqual(["2026-02-05", "2026-01-28", "2026-01-28"]);
  expect(days("INV-0002")).toEqual(["2026-02-05", null, "2026-02-05"]);
  expect(days("INV-0003")).toEqual(["2026-01-31", "2026-02-28", "2026-02-28"]);
  const inSupply = await rowsOf(till.db, "taxes", { days: january });
  expect(inSupply.rows.map((row) => row["invoice_number"])).toEqual(["INV-0001"]);
});

test("DATEV gets the day of the supply, the period of the tax, and VAT ids of the EU alone", async () => {
  const year = { from: "2026-01-01", to: "2026-12-31" };
  const read = async (taxPeriod: "supply" | "issue") => {
    const { rows } = await rowsOf(till.db, "datev", { days: year, datev: codes, taxPeriod });
    return new Map(rows.map((row) => [row["Belegfeld 1"], row]));
  };
  const daysOf = (row: Record<string, unknown> | undefined) => [
    row?.["Belegdatum"],
    row?.["Leistungsdatum"],
    row?.["Datum Zuord. Steuerperiode"],
  ];
  const bySupply = await read("supply");
  expect(daysOf(bySupply.get("INV-0001"))).toEqual(["0502", "28012026", "28012026"]);
  expect(daysOf(bySupply.get("INV-0002"))).toEqual(["0502", undefined, undefined]);
  expect(daysOf((await read("issue")).get("INV-0001"))).toEqual(["0502", "28012026", "05022026"]);
  const ids = [4, 5, 6, 7].map((at) => bySupply.get(`INV-000${at}`)?.["EU-Land u. UStID (Bestimmung)"]);
  expect(ids).toEqual([undefined, undefined, "ATU13585627", "XI980780684"]);
});
