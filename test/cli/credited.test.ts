import { beforeAll, expect, test } from "bun:test";
import { replayStored } from "../../src/doctor/replay.ts";
import { startTestChain } from "../support/chain/chain.ts";
import { shared } from "../support/per-file.ts";
import { callTill } from "../support/till/run-till.ts";
import { startTestTill, until, untilIs } from "../support/till/till.ts";

const chain = shared(startTestChain);
const till = shared(() => startTestTill(chain, { TILL_CONFIRMATIONS: "3" }));
let number: string;
beforeAll(async () => {
  const made = await till.createInvoice({
    currency: "EUR",
    rate: "0.5",
    line_items: [{ description: "Design", quantity: 10, unit_price: "100.00", tax_rate: "19" }],
  });
  number = made["invoice_number"] ?? "";
  const credit = { reason: "Two hours\nwere not done", lines: [{ line: 1, quantity: 2 }] };
  await till.api("POST", `/api/invoices/${made["invoice_id"]}/credit-notes`, credit);
});

const run = async (...args: string[]) => {
  const env = { TILL_BASE_URL: till.baseUrl, TILL_RPC_URL: chain.rpcUrl };
  const { exitCode, stdout, stderr } = await callTill(args, { env });
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
  expect(shown).toContain("Total 1,190.00 EUR\nIn USDC 2,380.00 USDC\nRate 1 USDC = 0.5 EUR");
  expect(shown).toContain("Credited -238.00 EUR\nReceived 0.00 USDC\nLeft to pay 1,904.00 USDC\n");
  expect(shown).toMatch(/Credit notes\n.*\nCN-0001 \S+ 238\.00 EUR Two hours were not done/);
  const [note] = JSON.parse(await run("show", number, "--json")).credit_notes;
  expect(note).toMatchObject({ credit_note_number: "CN-0001", credited_usdc: "476.00" });
});

test("till list says what credit notes left to pay", async () => {
  expect(await run("list")).toContain("NUMBER STATUS AMOUNT RECEIVED BALANCE");
  expect(await run("list")).toContain(`${number} draft 2,380.00 0.00 1,904.00`);
});

test("till show and till send take a credit note too, other commands say what they take instead", async () => {
  const shown = await run("show", "CN-0001");
  expect(shown).toContain("Credit note CN-0001\nInvoice INV-0001\nTax 19.00% on 200.00: 38.00 EUR\n");
  expect(shown).toContain("Credited 238.00 EUR\nIn USDC 476.00 USDC\nReason Two hours\n");
  expect(shown).toMatch(/Line items\n.*\n 2 100\.00 200\.00 Design; tax 19\.00%/);
  const record = JSON.parse(await run("show", "CN-0001", "--json"));
  expect(record).toMatchObject({ credit_note_number: "CN-0001", invoice_number: number });
  expect(JSON.parse(await run("show", record.id, "--json"))).toEqual(record);
  const mails = () =>
    till.mail.list().filter(({ subject }) => subject.includes("Credit note CN-0001")).length;
  const before = mails();
  expect(await run("send", "CN-0001")).toContain("CN-0001 is on its way to ap@globex.example.");
  expect(mails()).toBe(before + 1);
  for (const command of ["remind", "receipt", "pay"]) {
    const { exitCode, stderr } = await callTill([command, "CN-0001"], {
      env: { TILL_BASE_URL: till.baseUrl, TILL_RPC_URL: chain.rpcUrl },
    });
    expect([exitCode, stderr]).toEqual([
      2,
      expect.stringContaining("CN-0001 is a credit note of INV-0001: name the invoice."),
    ]);
  }
  const unknown = await callTill(["show", "CN-0099"], { env: { TILL_BASE_URL: till.baseUrl } });
  expect(unknown.stderr).toContain('knows no invoice, link or credit note "CN-0099"');
  expect((await callTill(["send"])).stderr).toBe(
    "till send: say which invoice or credit note: till send INV-0001\n",
  );
});

test("till pay pays what is due, less what does not count yet", async () => {
  expect(await run("pay", number, "900.00")).toContain("Paid 900.00 USDC");
  const { id } = (await till.api("GET", `/api/invoices/${number}`)).body;
  await until(
    async () => (await till.api("GET", `/api/invoices/${id}/payments`)).body.data,
    (payments) => payments.length === 1 && payments[0].confirmed === false,
  );
  expect(await run("pay", number)).toContain("Paid 1,004.00 USDC");
  await chain.mine(3);
  await untilIs(
    async () => (await till.api("GET", `/api/invoices?invoice_number=${number}`)).body.data[0].status,
    "paid",
  );
});

test("the books of an invoice in a currency with a credit note agree, and what was changed in them is found", () => {
  expect(wrong()).toEqual([]);
  till.db.run("UPDATE invoice SET credited_amount = 1");
  expect(wrong()).toEqual([
    "INV-0001: the credited amount is stored as 0.000001, but according to the records it is 238.00.",
  ]);
});
