import { afterAll, beforeAll, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as Address from "../../src/domain/wallet/address.ts";
import { startTestChain, type TestChain } from "../support/chain/chain.ts";
import { callTill } from "../support/till/run-till.ts";
import { startTestTill, type TestTill, until } from "../support/till/till.ts";

let chain: TestChain;
let till: TestTill;
beforeAll(async () => {
  chain = await startTestChain();
  till = await startTestTill(chain);
  const { invoice_id, deposit_address } = await till.createInvoice({
    currency: "EUR",
    rate: "0.8607",
    vendor_name: "x,=HYPERLINK(1)",
    reference: "12.05",
    line_items: [{ description: "Flour, fine; sifted", quantity: 12.125, unit_price: "3.40", tax_rate: "7" }],
  });
  const lines = [{ line: 1, quantity: 2 }];
  await till.api("POST", `/api/invoices/${invoice_id}/credit-notes`, { reason: "Damp", lines });
  await chain.pay(Address.checksum(deposit_address ?? ""), 10_000_001n);
  await until(
    async () => (await till.api("GET", `/api/invoices/${invoice_id}`)).body.status,
    (status) => status === "partial",
  );
});
afterAll(async () => {
  await till.stop();
  await chain.stop();
});

async function run(...args: string[]) {
  const env = { TILL_DATA_DIR: till.config.dataDir, TILL_RPC_URL: chain.rpcUrl };
  return callTill(["export", ...args], { env });
}

test.each(["invoices", "items", "credit-notes", "taxes", "tax-sums", "payments"])(
  "every number of %s has a comma where JSON has a point, and texts stay as they are",
  async (name) => {
    const rows: Record<string, unknown>[] = JSON.parse((await run(name, "--format", "json")).stdout);
    const { stdout } = await run(name, "--decimal-comma");
    const [head = "", ...lines] = stdout.trimEnd().split("\r\n");
    expect(head).toBe(Object.keys(rows[0] ?? {}).join(";"));
    expect(lines).toHaveLength(rows.length);
    for (const [at, row] of rows.entries()) {
      const written = Object.entries(row).map(([column, value]) => {
        if (column === "vendor_name" || column === "name") return `"x,'=HYPERLINK(1)"`;
        if (column === "description") return '"Flour, fine; sifted"';
        const text = String(value ?? "");
        return column !== "reference" && /^-?\d+\.\d+$/.test(text) ? `"${text.replace(".", ",")}"` : text;
      });
      expect(lines[at]).toBe(written.join(";"));
    }
  },
);

test("numbers stay whole also where commas part cells, too", async () => {
  const file = join(till.config.dataDir, "items.csv");
  await run("items", "--decimal-comma", "--out", file);
  const written = readFileSync(file, "utf8");
  expect(written).toStartWith("\ufeffinvoice_number;");
  expect(written).toContain(';"12,125";"3,40";"41,23";EUR;12.05;');
  expect(written).toContain(';-2;"3,40";"-6,80";EUR;12.05;');
});

test("a Swiss spreadsheet gets points between semicolons", async () => {
  const { stdout } = await run("items", "--semicolon");
  expect(stdout).toStartWith("invoice_number;");
  expect(stdout).toContain(';"Flour, fine; sifted";12.125;3.40;41.23;EUR;12.05;');
  expect(stdout).toContain(";-2;3.40;-6.80;EUR;12.05;");
  expect((await run("xero", "--semicolon")).stderr).toContain("--semicolon is for spreadsheets");
});

test.each(["xero", "items --format json"])("what is for programs takes no comma: %s", async (args) => {
  const { exitCode, stderr, stdout } = await run(...args.split(" "), "--decimal-comma");
  expect([exitCode, stdout]).toEqual([2, ""]);
  expect(stderr).toContain("--decimal-comma is for spreadsheets: leave it out.");
});
