import { afterAll, beforeAll, expect, test } from "bun:test";
import { replayStored } from "../../src/doctor/replay.ts";
import { startTestChain, type TestChain } from "../support/chain/chain.ts";
import { runTill } from "../support/till/run-till.ts";
import { startTestTill, type TestTill, until } from "../support/till/till.ts";

let chain: TestChain;
let till: TestTill;
let number: string;
beforeAll(async () => {
  chain = await startTestChain();
  till = await startTestTill(chain);
  const made = await till.createInvoice({
    currency: "EUR",
    rate: "0.5",
    line_items: [{ description: "Design", quantity: 10, unit_price: "100.00", tax_rate: "19" }],
  });
  number = made["invoice_number"] ?? "";
  const credit = { reason: "Two hours\nwere not done", lines: [{ line: 1, quantity: 2 }] };
  await till.api("POST", `/api/invoices/${made["invoice_id"]}/credit-notes`, credit);
});
afterAll(async () => {
  await till.stop();
  await chain.stop();
});

const run = async (...args: string[]) => {
  const env = { TILL_BASE_URL: till.baseUrl, TILL_RPC_URL: chain.rpcUrl };
  const { exitCode, stdout, stderr } = await runTill(args, { env });
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
  return stdout.replaceAll(/ +/g, " ");
};

function wrong(): string[] {
  const found: string[] = [];
  replayStored(
    till.db,
    null,
    ({ level, message }) => level === "wrong" && found.push(message),
    () => {},
  );
  return found;
}

test("till show says what an invoice comes to in its currency, what was credited and what is to be paid", async () => {
  const shown = await run("show", number);
  expect(shown).toContain("Tax 19.00% on 1,000.00: 190.00 EUR");
  expect(shown).toContain(
    "Total 1,190.00 EUR\nCredited -238.00 EUR\nTo pay 1,904.00 USDC\nRate 1 USDC = 0.5 EUR",
  );
  expect(shown).toMatch(/Credit notes\n.*\nCN-0001 \S+ 238\.00 EUR Two hours were not done/);
  const [note] = JSON.parse(await run("show", number, "--json")).credit_notes;
  expect(note).toMatchObject({ credit_note_number: "CN-0001", credited_usdc: "476.00" });
});

test("till pay pays what is due", async () => {
  expect(await run("pay", number)).toContain("Paid 1,904.00 USDC");
  await until(
    async () => (await till.api("GET", `/api/invoices?invoice_number=${number}`)).body.data[0].status,
    (status) => status === "paid",
  );
});

test("the books of an invoice in a currency with a credit note agree, and what was changed in them is found", () => {
  expect(wrong()).toEqual([]);
  till.db.run("UPDATE invoice SET total_amount = total_amount + 1, credited_amount = 1");
  expect(wrong()).toEqual([
    "INV-0001: the expected amount is stored as 2380.00, but according to the records it is 2380.000001.",
    "INV-0001: the credited amount is stored as 0.000001, but according to the records it is 238.00.",
  ]);
});
