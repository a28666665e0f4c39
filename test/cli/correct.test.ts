import { beforeAll, expect, test } from "bun:test";
import { shared } from "../support/per-file.ts";
import { callTill } from "../support/till/run-till.ts";
import { linkRequest, startTestTill } from "../support/till/till.ts";

const till = shared(() => startTestTill({ rpcUrl: "http://127.0.0.1:9" }));
let number: string;
let id: string;

beforeAll(async () => {
  const made = await till.createInvoice();
  number = made["invoice_number"] ?? "";
  id = made["invoice_id"] ?? "";
});

const run = (...args: string[]) => callTill(["correct", ...args], { env: { TILL_BASE_URL: till.baseUrl } });
const record = async () => (await till.api("GET", `/api/invoices/${id}`)).body;

test("till correct changes each field that is not the bill, by any name of the invoice", async () => {
  const done = await run(
    ...[number, "--customer-email", "billing@globex.example", "--due-date", "2099-02-28"],
    ...["--reminders=-3,0,7", "--reference", "Order 7", "--language", "de"],
  );
  expect(done).toMatchObject({
    exitCode: 0,
    stdout: `${number} is corrected. till send ${number} mails it.\n`,
  });
  const changed = {
    vendor_email: "billing@globex.example",
    due_date: "2099-02-28",
    reminders: [-3, 0, 7],
    reference: "Order 7",
    language: "de",
  };
  expect(await record()).toMatchObject(changed);
  // The name from before the customer was called so.
  const { deposit_address: address, ...before } = await record();
  const again = await run(address, "--vendor-email", "ap@globex.example", "--json");
  expect(JSON.parse(again.stdout)).toMatchObject({
    ...{ ...changed, vendor_email: "ap@globex.example", total_amount: before.total_amount },
    corrected_at: expect.any(String),
  });
});

test("till correct takes away what may be missing, and tells no reminders from those of the settings", async () => {
  await run(number, "--reminders", "none");
  expect((await record()).reminders).toEqual([]);
  await run(number, "--reminders", "", "--reference", "", "--language", "");
  const { reminders = null, reference = null, language = null } = await record();
  expect([reminders, reference, language]).toEqual([null, null, null]);
});

test("till correct repeated with a key changes nothing twice", async () => {
  const repeat = (...args: string[]) => run(number, ...args, "--idempotency-key", "once");
  expect((await repeat("--reference", "A")).exitCode).toBe(0);
  await run(number, "--reference", "B");
  expect((await repeat("--reference", "A")).exitCode).toBe(0);
  expect((await record()).reference).toBe("B");
});

test("till correct says what is missing or wrong by its flag, and what Till refuses", async () => {
  const wrong = (...args: string[]) => run(...args).then(({ exitCode, stderr }) => ({ exitCode, stderr }));
  for (const args of [[], [number], [number, "more", "--reference", "x"]])
    expect(await wrong(...args)).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining("till correct INV-0001"),
    });
  const faults = await wrong(
    number,
    "--customer-email",
    "nobody",
    "--due-date",
    "soon",
    "--reminders",
    "often",
  );
  expect(faults.exitCode).toBe(2);
  for (const flag of ["--customer-email", "--due-date", "--reminders"])
    expect(faults.stderr).toContain(`  ${flag} `);
  expect(faults.stderr).not.toContain("vendor_email");
  const { slug } = (await till.api("POST", "/api/links", linkRequest)).body;
  expect(await wrong(slug, "--reference", "x")).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining("is a payment link, not an invoice"),
  });
  await till.api("POST", `/api/invoices/${id}/void`, { reason: "Billed twice" });
  expect(await wrong(number, "--reference", "x")).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining("void"),
  });
});
