import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import * as Address from "../../src/domain/wallet/address.ts";
import { solidTextOf } from "../document/poppler.ts";
import { startTestChain, type TestChain } from "../support/chain/chain.ts";
import { newSigner } from "../support/chain/signer.ts";
import { expectedSignature, type Receiver, startReceiver } from "../support/http/receiver.ts";
import { decoded, encoded, makePayment, payingTill } from "../support/http/x402.ts";
import { callTill } from "../support/till/run-till.ts";
import { invoiceRequest, overdueInEuros, type TestTill, until, untilQuotable } from "../support/till/till.ts";

/** An invoice in euros, wherever somebody reads of it or pays it: 86.07 EUR are 100.00 USDC. */

let chain: TestChain;
let till: TestTill;
let receiver: Receiver;
beforeAll(async () => {
  [chain, receiver] = await Promise.all([startTestChain(), startReceiver()]);
  till = await payingTill(chain, { TILL_MAIL_RECEIPTS: "true" });
});
afterAll(async () => {
  await till.stop();
  await receiver.stop();
  await chain.stop();
});

const inEuros = {
  ...overdueInEuros,
  line_items: [{ description: "Design", quantity: 1, unit_price: "86.07" }],
};
const make = (fields = {}) => till.createInvoice({ ...inEuros, webhook_url: receiver.url, ...fields });
type Made = Awaited<ReturnType<typeof make>>;
const becomes = ({ invoice_id }: Made, status: string) =>
  until(
    async () => (await till.api("GET", `/api/invoices/${invoice_id}/status`)).body.status,
    (found) => found === status,
    20_000,
  );
const toldOf = ({ invoice_id }: Made) =>
  until(
    () => receiver.received.filter(({ raw }) => JSON.parse(raw.toString()).invoice_id === invoice_id),
    ({ length }) => length > 0,
  );
/** The first mail to somebody whose subject fits. */
const mailTo = async (name: string, subject: RegExp) => {
  const found = await until(
    () =>
      till.mail.list().find((mail) => JSON.stringify(mail.to).includes(name) && subject.test(mail.subject)),
    (mail) => mail !== undefined,
  );
  return found?.text ?? "";
};

describe("who pays an invoice in euros", () => {
  test("pays its USDC, which is what the contract's webhook names", async () => {
    const made = await make();
    await chain.pay(Address.checksum(made["deposit_address"] ?? ""), "100.00");
    await becomes(made, "paid");
    const [{ raw, headers } = { raw: Buffer.of(), headers: {} as Record<string, string> }] =
      await toldOf(made);
    expect(JSON.parse(raw.toString())).toEqual({
      event: "invoice.paid",
      invoice_id: made["invoice_id"],
      invoice_number: made["invoice_number"],
      total_amount: "100.00",
      status: "paid",
    });
    expect(headers["x-service-signature"]).toBe(expectedSignature(made["webhook_secret"] ?? "", raw));
  });

  test("is asked by x402 for its USDC, and pays with a signature", async () => {
    const made = await make();
    const path = `/x402/${made["slug"]}`;
    const asked = await till.api("GET", path);
    expect(asked.status).toBe(402);
    const [accepted] = decoded(asked.headers.get("payment-required")).accepts;
    expect(accepted.amount).toBe("100000000");
    const payment = await makePayment(await newSigner(chain, 100_000_000n), accepted);
    const paid = await till.api("GET", path, undefined, { "payment-signature": encoded(payment) });
    expect(paid.status).toBe(200);
    await becomes(made, "paid");
    const [{ raw } = { raw: Buffer.of() }] = await toldOf(made);
    expect(JSON.parse(raw.toString())).toMatchObject({ total_amount: "100.00", status: "paid" });
  });

  test("gets a receipt in euros and USDC, on the page, on paper and in the mail", async () => {
    const made = await make({ vendor_email: "receipt@globex.example", send_now: true });
    await chain.pay(Address.checksum(made["deposit_address"] ?? ""), "100.00");
    await becomes(made, "paid");
    const page = await (await fetch(made["invoice_url"] ?? "")).text();
    const receipt = await fetch(`${till.baseUrl}/api/invoices/${made["invoice_id"]}/receipt`);
    const paper = await solidTextOf(await receipt.bytes());
    for (const text of ["86.07", "100.00", "1 USDC = 0.8607 EUR"]) {
      expect(page).toContain(text);
      expect(paper).toContain(text.replaceAll(" ", ""));
    }
    // What came is USDC; the receipt on paper, which is attached, has both.
    expect(await mailTo("receipt@", /receipt/i)).toContain("Amount paid: 100.00 USDC");
  });
});

test("A reminder and a cancellation name the total in euros, and the one what is to be paid in USDC", async () => {
  const made = await make({ vendor_email: "late@globex.example", send_now: true });
  const sent = async (deed: string, body: object) =>
    expect((await till.api("POST", `/api/invoices/${made["invoice_id"]}/${deed}`, body)).status).toBe(200);
  await sent("remind", {});
  const reminder = await mailTo("late@", /remind/i);
  for (const text of ["86.07 EUR", "100.00 USDC", "1 USDC = 0.8607 EUR"]) expect(reminder).toContain(text);
  await sent("void", { reason: "Twice" });
  expect(await mailTo("late@", /cancel|void/i)).toContain("86.07 EUR");
});

/** What a command writes, with one space for many. */
async function run(...args: string[]): Promise<string> {
  const { exitCode, stdout, stderr } = await callTill(args, { env: { TILL_BASE_URL: till.baseUrl } });
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
  return stdout.replaceAll(/ +/g, " ");
}

test("In a terminal it says which amount is in euros", async () => {
  const { merchant_email, merchant_name, merchant_address, vendor_email, vendor_name } = invoiceRequest;
  const parties = { merchant_email, merchant_name, merchant_address, vendor_email, vendor_name };
  const flags = Object.entries({
    ...parties,
    ...{
      due_date: "2030-01-31",
      wallet_type: "managed",
      item: "1 x 86.07 Design",
      currency: "EUR",
      rate: "0.8607",
    },
  }).flatMap(([name, value]) => [`--${name.replaceAll("_", "-")}`, value]);
  const made = JSON.parse(await run("invoice", ...flags));
  expect(made).toMatchObject({ total_amount: "86.07", currency: "EUR", expected_usdc: "100.00" });
  const number = made.invoice_number;
  expect(await run("show", number)).toMatch(
    /Total 86\.07 EUR\nIn USDC 100\.00 USDC\nRate 1 USDC = 0\.8607 EUR, caller/,
  );
  // What is to come stands beside what came.
  expect(await run("list")).toMatch(new RegExp(`${number} sent 100\\.00 0\\.00`));
});

test("In a terminal a link in euros says its price, what that is in USDC, and the rate", async () => {
  const who = ["--business-name", "Corner Shop", "--merchant-email", "owner@corner.example"];
  const price = ["--wallet-type", "managed", "--currency", "EUR", "--rate", "0.8607"];
  const made = JSON.parse(await run("link", ...who, ...price, "--amount", "20"));
  expect(made).toMatchObject({ currency: "EUR", amount: "20.00", expected_amount: "23.24" });
  expect(await run("show", made.slug)).toMatch(
    /Price 20\.00 EUR\nExpected 23\.24 USDC\nRate 1 USDC = 0\.8607 EUR, caller/,
  );
  const reusable = JSON.parse(await run("link", "--reusable", ...who, ...price, "--amount", "2.50"));
  expect(await run("show", reusable.slug)).toContain("Price 2.50 EUR");
  expect(await run("list", "reusable")).toContain(`${reusable.slug} open 2.50 EUR`);
  const refused = await callTill(["link", ...who, ...price], { env: { TILL_BASE_URL: till.baseUrl } });
  expect([refused.exitCode, refused.stderr]).toEqual([
    2,
    expect.stringContaining("--amount is required with currency"),
  ]);
});

test("The desk says at which rate it was before it is quoted again, and what is to be paid then", async () => {
  await untilQuotable(till);
  const { invoice_number: number } = await make();
  const desk = async (path = "") => (await fetch(`${till.baseUrl}/desk/invoices/${number}${path}`)).text();
  const asked = await desk("/quote");
  expect(asked).toContain("1 USDC = 0.8607 EUR · rate set by the merchant");
  const token = /name="form" value="([^"]+)"/.exec(asked)?.[1] ?? "";
  const quoted = await fetch(`${till.baseUrl}/desk/invoices/${number}/quote`, {
    method: "POST",
    body: new URLSearchParams({ form: token, rate: "0.8" }),
    headers: { origin: till.baseUrl },
  });
  expect([quoted.status, await quoted.text()]).toEqual([200, expect.stringContaining("was recalculated")]);
  const shown = await desk();
  for (const text of ["107.59", "86.07", "1 USDC = 0.8 EUR"]) expect(shown).toContain(text);
  expect(shown).not.toContain("100.00");
});
