import { afterAll, beforeAll, expect, test } from "bun:test";
import { callTill } from "../support/till/run-till.ts";
import { startTestTill, type TestTill, until } from "../support/till/till.ts";

let till: TestTill;
let today: string;
beforeAll(async () => {
  till = await startTestTill({ rpcUrl: "http://127.0.0.1:9" });
  const made = await till.createInvoice({
    issue_date: "2026-01-31",
    due_date: "2026-02-28",
    currency: "EUR",
    rate: "0.5",
    reference: "Job 7",
    line_items: [
      { description: "Design", quantity: 10, unit: "h", unit_price: "100.00", tax_rate: "20" },
      { description: "Book", quantity: 2, unit_price: "25.00", tax_category: "zero" },
    ],
  });
  const lines = { reason: "Not done", lines: [{ line: 1, quantity: 2 }] };
  const { body } = await credit(made["invoice_id"] ?? "", lines);
  today = body.issue_date;
  const amounts = {
    reason: "=1+1\nworn",
    amounts: [{ amount: "5.00", tax_category: "zero", tax_rate: "0" }],
  };
  await credit(made["invoice_id"] ?? "", amounts);

  // Credited whole, so it is void, and both count; voided with a rest, so neither does.
  const taxed = { currency: "EUR", rate: "1", line_items: [{ ...design, tax_rate: "7" }] };
  await credit((await till.createInvoice(taxed))["invoice_id"] ?? "", { reason: "Twice" });
  const rest = (await till.createInvoice({ ...taxed, send_now: false }))["invoice_id"] ?? "";
  await credit(rest, { reason: "Part", amounts: [{ amount: "1.07" }] });
  await till.api("POST", `/api/invoices/${rest}/void`, { reason: "Wrong" });
});
afterAll(() => till.stop());

const design = { description: "Design", quantity: 1, unit_price: "100.00" };
async function credit(id: string, body: object) {
  const answer = await till.api("POST", `/api/invoices/${id}/credit-notes`, body);
  expect(answer.status).toBe(201);
  return answer;
}
const run = (...args: string[]) =>
  callTill(["export", ...args], { env: { TILL_DATA_DIR: till.config.dataDir } });
async function exported(...args: string[]): Promise<Record<string, string>[]> {
  const { stdout, exitCode } = await run(...args, "--format", "json");
  expect(exitCode).toBe(0);
  return JSON.parse(stdout);
}

test("each credit note is a row, as the API answers it", async () => {
  const rows = await exported("credit-notes");
  const { body } = await till.api("GET", "/api/credit-notes");
  const answered: Record<string, string>[] = body.data.toReversed();
  expect(rows.length).toBe(answered.length);
  for (const [at, row] of rows.entries()) {
    const { id, created_at, credit_note_number, invoice_number, issue_date, reason, currency } = row;
    const { vendor_name, total_amount, tax_amount, credited_usdc, return_usdc, invoice_issue_date } = row;
    expect(answered[at]).toMatchObject({
      ...{ id, created_at, credit_note_number, invoice_number, issue_date, reason, currency },
      ...{ vendor_name, total_amount, tax_amount, credited_usdc, return_usdc, invoice_issue_date },
    });
  }
  expect(rows[0]).toMatchObject({ total_amount: "240.00", currency: "EUR", credited_usdc: "480.00" });
  expect(await exported("credit-notes", "--to", "2026-02-01")).toEqual([]);
  expect((await run("credit-notes")).stdout).toContain("'=1+1");
});

test("the taxes of credit notes stand below zero, on the day of the note", async () => {
  const rows = await exported("taxes");
  const amounts = rows.map((row) => [
    row["credit_note_number"] ?? row["invoice_number"],
    `${row["tax_category"]} ${row["tax_rate"]}`,
    row["taxable_amount"],
    row["tax_amount"],
    row["counts"],
  ]);
  expect(amounts.map((each) => each.join(" "))).toEqual([
    "INV-0001 standard 20.00 1000.00 200.00 true",
    "INV-0001 zero 0.00 50.00 0.00 true",
    "INV-0002 standard 7.00 100.00 7.00 true",
    "INV-0003 standard 7.00 100.00 7.00 false",
    "CN-0001 standard 20.00 -200.00 -40.00 true",
    "CN-0002 zero 0.00 -5.00 0.00 true",
    "CN-0003 standard 7.00 -100.00 -7.00 true",
    "CN-0004 standard 7.00 -1.00 -0.07 false",
  ]);
  expect(rows[4]).toMatchObject({ invoice_number: "INV-0001", issue_date: today, currency: "EUR" });
  // An amount is a number to a spreadsheet, also below zero.
  expect((await run("taxes")).stdout).toContain(",EUR,-200.00,-40.00,CN-0001,");
});

test("the items of credit notes stand below zero, and amounts as what they were credited for", async () => {
  const rows = await exported("items");
  const told = rows.map((row) =>
    [
      row["credit_note_number"] ?? row["invoice_number"],
      ...[row["position"], row["quantity"], row["unit"], row["unit_price"], row["line_total"]],
      ...[row["tax_rate"], row["counts"]],
    ].join(" "),
  );
  expect(told).toEqual([
    "INV-0001 1 10 h 100.00 1000.00 20.00 true",
    "INV-0001 2 2  25.00 50.00 0.00 true",
    "INV-0002 1 1  100.00 100.00 7.00 true",
    "INV-0003 1 1  100.00 100.00 7.00 false",
    "CN-0001 1 -2 h 100.00 -200.00 20.00 true",
    "CN-0002  -1  5.00 -5.00 0.00 true",
    "CN-0003 1 -1  100.00 -100.00 7.00 true",
    "CN-0004  -1  1.00 -1.00 7.00 false",
  ]);
  const [hours, worn] = rows.slice(4);
  expect(hours).toMatchObject({ description: "Design", invoice_number: "INV-0001", issue_date: today });
  expect(worn).toMatchObject({ description: "=1+1\nworn", currency: "EUR", reference: "Job 7" });
  // Rows for numbers, also below zero; the days of a note are its own.
  expect((await run("items")).stdout).toContain(
    ",Design,-2,100.00,-200.00,EUR,Job 7,h,0.00,20.00,standard,CN-0001,",
  );
  expect(await exported("items", "--to", "2026-02-28")).toHaveLength(2);
});

test("the sums for each rate are less by what was credited, in the days of the note", async () => {
  const sums = async (...days: string[]) =>
    (await exported("tax-sums", ...days)).map((row) =>
      [row["tax_rate"], row["taxable_amount"], row["tax_amount"], row["invoices"], row["credit_notes"]].join(
        " ",
      ),
    );
  expect(await sums()).toEqual(["20.00 800.00 160.00 1 1", "7.00 0.00 0.00 1 1", "0.00 45.00 0.00 1 1"]);
  expect(await sums("--to", "2026-01-31")).toEqual(["20.00 1000.00 200.00 1 0", "0.00 50.00 0.00 1 0"]);
  expect((await sums("--from", "2026-02-01"))[0]).toBe("20.00 -200.00 -40.00 0 1");
});

test("Xero has them as invoices below zero, with the number of the invoice as the reference", async () => {
  const types = ["standard 20.00", "standard 7.00", "zero"].flatMap((name) => [
    "--tax-type",
    `${name}=X ${name}`,
  ]);
  const { stdout } = await run("xero", "--account", "200", ...types);
  const day = today.split("-").reverse().join("/");
  const rows = stdout
    .trimEnd()
    .split("\r\n")
    .filter((row) => row.includes("CN-"));
  const note = (number: string, of: string) => `,${number},${of},${day},${day},`;
  const ends = [
    `${note("CN-0001", "INV-0001")}-240.00,,Credit of INV-0001: 2 h Design,1,-200.00,,200,X standard 20.00,-40.00,,,,,EUR,`,
    `${note("CN-0002", "INV-0001")}-5.00,,Credit of INV-0001: =1+1 worn,1,-5.00,,200,X zero,0.00,,,,,EUR,`,
    `${note("CN-0003", "INV-0002")}-107.00,,Credit of INV-0002: 1 × Design,1,-100.00,,200,X standard 7.00,-7.00,,,,,EUR,`,
  ];
  expect(rows.map((row, at) => row.slice(-(ends[at]?.length ?? 0)))).toEqual(ends);
  expect(stdout).toContain(",INV-0002,");
  expect(stdout).not.toContain(",INV-0003,");
});

test("a draft counts in no tax report until it is sent, opened, paid or credited", async () => {
  const days = ["--from", "2026-05-01", "--to", "2026-05-31"];
  const taxed = { ...design, tax_rate: "9" };
  const made = await till.createInvoice({
    issue_date: "2026-05-01",
    due_date: "2026-05-31",
    line_items: [taxed],
  });
  const counted = async () => [
    (await exported("tax-sums", ...days)).map((row) => row["tax_amount"]),
    (await exported("taxes", ...days)).map((row) => String(row["counts"])),
    (await exported("items", ...days)).map((row) => String(row["counts"])),
  ];
  expect(await counted()).toEqual([[], ["false"], ["false"]]);
  const said = "1 invoice left out: never mailed, no customer opened the page, nothing was paid.";
  expect((await run("tax-sums", ...days)).stderr).toContain(said);
  await fetch(made["invoice_url"] ?? "", { headers: { accept: "text/html", "sec-fetch-mode": "navigate" } });
  await until(counted, ([sums = []]) => sums.length === 1);
  expect(await counted()).toEqual([["9.00"], ["true"], ["true"]]);
  expect((await run("tax-sums", ...days)).stderr).toBe("");
});

test("invoices say what was credited, in a terminal and at the desk", async () => {
  const [first] = await exported("invoices");
  expect(first).toMatchObject({ total_amount: "1250.00", credited_amount: "245.00" });
  const desk = await (await fetch(`${till.baseUrl}/desk/invoices.csv`)).text();
  expect(desk).toMatch(
    /credited_amount,received_currency,due_usdc,return_usdc,refunded_usdc,to_refund_usdc\r\n/,
  );
  expect(desk).toMatch(/INV-0001.*,245\.00,USDC,2010\.00,0\.00,0\.00,0\.00\r\n/);
  const file = await (await fetch(`${till.baseUrl}/desk/settings/books/credit-notes.csv`)).text();
  expect(file).toContain("CN-0001");
  expect(await (await fetch(`${till.baseUrl}/desk/settings/books`)).text()).toContain("credit-notes.csv");
});

test("an invoice that a note leaves nothing payable of stays in the taxes, with the note", async () => {
  const lines = [{ description: "Design", quantity: 1, unit_price: "100.01", tax_rate: "23" }];
  const made = await till.createInvoice({
    currency: "PLN",
    rate: "4",
    line_items: lines,
    due_date: "2030-01-31",
  });
  const { body } = await credit(made["invoice_id"] ?? "", {
    reason: "Back",
    amounts: [{ amount: "123.00", tax_rate: "23" }],
  });
  const { body: after } = await till.api("GET", `/api/invoices/${made["invoice_id"]}`);
  expect(after).toMatchObject({ status: "void", total_amount: "123.01", credited_amount: "123.00" });
  const rows = (await exported("taxes")).filter((row) => row["invoice_number"] === made["invoice_number"]);
  const numbers = rows.map(({ counts, credit_note_number }) => [credit_note_number ?? "", String(counts)]);
  expect(numbers.toSorted()).toEqual([
    ["", "true"],
    [body.credit_note_number, "true"],
  ]);
});
