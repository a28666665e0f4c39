import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { replayStored } from "../../src/doctor/replay.ts";
import type { Finding } from "../../src/domain/finding.ts";
import * as Address from "../../src/domain/wallet/address.ts";
import { solidTextOf } from "../document/poppler.ts";
import { parse, words } from "../pages/dom.ts";
import { startTestChain, type TestChain } from "../support/chain/chain.ts";
import { type Receiver, startReceiver } from "../support/http/receiver.ts";
import { callTill } from "../support/till/run-till.ts";
import { overdueInEuros, startTestTill, type TestTill, until } from "../support/till/till.ts";

let chain: TestChain;
let till: TestTill;
let receiver: Receiver;

beforeAll(async () => {
  [chain, receiver] = await Promise.all([startTestChain(), startReceiver()]);
  till = await startTestTill(chain, { TILL_CONFIRMATIONS: "3", TILL_TOLERANCE: "1.00" });
});
afterAll(async () => {
  await till.stop();
  await receiver.stop();
  await chain.stop();
});

type Made = Awaited<ReturnType<TestTill["createInvoice"]>>;
const line = (unit_price: string) => [{ description: "Design", quantity: 1, unit_price }];
const make = (price = "100.00", changes = {}) =>
  till.createInvoice({ line_items: line(price), webhook_url: receiver.url, ...changes });
const record = async ({ invoice_id }: Made) => (await till.api("GET", `/api/invoices/${invoice_id}`)).body;
const pay = ({ deposit_address }: Made, amount: string) =>
  chain.pay(Address.checksum(deposit_address ?? ""), amount);
/** Lets the chain go on until so much counts. */
const receives = (made: Made, amount: string) =>
  until(
    async () => {
      await chain.mine(1);
      return await record(made);
    },
    ({ received_amount }) => received_amount === amount,
  );
const credit = ({ invoice_id }: Made, amount?: string) =>
  till.api("POST", `/api/invoices/${invoice_id}/credit-notes`, {
    reason: "A discount",
    ...(amount === undefined ? {} : { amounts: [{ amount }] }),
  });
/** The statuses that the contract's webhook has told of. */
const told = ({ invoice_id }: Made) =>
  receiver.received
    .map(({ raw }) => JSON.parse(String(raw)))
    .filter((body) => body.invoice_id === invoice_id)
    .map(({ status, total_amount }) => `${status} of ${total_amount}`);
const pdfOf = async (made: Made) => solidTextOf(await (await fetch(made["pdf_url"] ?? "")).bytes());

test("of what is paid all is to be returned, and the PDF tells of it", async () => {
  const made = await make();
  await pay(made, "100.00");
  await receives(made, "100.00");
  expect(await pdfOf(made)).not.toContain("−30.00");
  expect((await credit(made, "30.00")).body).toMatchObject({ return_usdc: "30.00", credited_usdc: "30.00" });
  expect(await record(made)).toMatchObject({
    status: "paid",
    due_amount: "0.00",
    return_amount: "30.00",
    credited_amount: "30.00",
  });
  expect(await pdfOf(made)).toContain("−30.00");
  await pay(made, "0.01");
  expect(await receives(made, "100.01")).toMatchObject({ status: "excess" });
  expect((await credit(made)).body).toMatchObject({ return_usdc: "70.00", total_amount: "70.00" });
  expect(await record(made)).toMatchObject({ status: "excess" });
  await until(
    () => told(made),
    (all) => all.length >= 2,
  );
  expect(told(made)).toEqual(["paid of 100.00", "excess of 100.00"]);
});

test("of what is paid in part it lowers the rest; who pays by the old QR code has paid too much", async () => {
  const made = await make();
  await pay(made, "50.00");
  await receives(made, "50.00");
  expect((await credit(made, "20.00")).body).toMatchObject({ return_usdc: "0.00" });
  expect(await record(made)).toMatchObject({ status: "partial", due_amount: "30.00" });
  expect((await credit(made, "40.00")).body).toMatchObject({ return_usdc: "10.00" });
  expect(await record(made)).toMatchObject({ status: "paid", due_amount: "0.00", return_amount: "10.00" });
  await pay(made, "50.00");
  expect(await receives(made, "100.00")).toMatchObject({ status: "excess" });
});

test("waits for what is on its way", async () => {
  const made = await make();
  await pay(made, "100.00");
  await until(
    () => till.api("GET", `/api/invoices/${made["invoice_id"]}/payments`),
    ({ body }) => body.data.length === 1,
  );
  expect((await credit(made, "10.00")).body).toMatchObject({ status: 409, code: "credit_refused" });
  await receives(made, "100.00");
  expect((await credit(made, "10.00")).status).toBe(201);
});

test("holds to the tolerance", async () => {
  const made = await make();
  await pay(made, "99.50");
  expect(await receives(made, "99.50")).toMatchObject({ status: "paid" });
  expect((await credit(made, "0.30")).body).toMatchObject({ return_usdc: "0.00" });
  expect(await record(made)).toMatchObject({ status: "paid" });
  expect((await credit(made)).body).toMatchObject({ return_usdc: "99.50", credited_usdc: "99.70" });
  const small = await make();
  await credit(small, "95.00");
  await pay(small, "4.40");
  expect(await receives(small, "4.40")).toMatchObject({ status: "partial", due_amount: "0.60" });
  await pay(small, "0.10");
  expect(await receives(small, "4.50")).toMatchObject({ status: "paid" });
});

test("is void when all was credited and the payment then leaves the chain", async () => {
  const made = await make();
  const { blockNumber } = await pay(made, "100.00");
  await receives(made, "100.00");
  expect((await credit(made)).body).toMatchObject({ return_usdc: "100.00" });
  const other = await make();
  const { number } = await chain.blockAt("latest");
  await chain.reorg(number - Number(blockNumber) + 1);
  // Wakes the watcher.
  await pay(other, "1.00");
  expect(await receives(made, "0.00")).toMatchObject({ status: "void", void_reason: "A discount" });
  const { body } = await till.api("GET", `/api/invoices/${made["invoice_id"]}/timeline`);
  const types = body.data.map(({ type }: { type: string }) => type);
  // Its mails come when they come.
  expect(types.filter((type: string) => type !== "mail").slice(-2)).toEqual(["payment_reversed", "voided"]);
  await pay(made, "100.00");
  expect(await receives(made, "100.00")).toMatchObject({
    status: "void",
    due_amount: "0.00",
    return_amount: "100.00",
  });
});

test("of what was marked as paid by mistake leaves what is left to pay", async () => {
  const made = await make();
  const mark = (as: string) => till.api("POST", `/api/invoices/${made["invoice_id"]}/mark`, { as });
  await mark("paid");
  expect((await credit(made, "30.00")).body).toMatchObject({ return_usdc: "30.00" });
  expect((await mark("unpaid")).body).toMatchObject({ status: "draft", due_amount: "70.00" });
  await pay(made, "70.00");
  expect(await receives(made, "70.00")).toMatchObject({ status: "paid" });
  const whole = await make();
  await till.api("POST", `/api/invoices/${whole["invoice_id"]}/mark`, { as: "paid" });
  await credit(whole);
  const { body } = await till.api("POST", `/api/invoices/${whole["invoice_id"]}/mark`, { as: "unpaid" });
  expect(body.code).toBe("mark_refused");
  expect(await record(whole)).toMatchObject({ status: "paid" });
});

describe("an overdue invoice in a currency that is quoted again", () => {
  const overdue = { ...overdueInEuros, webhook_url: null };
  const quote = ({ invoice_id }: Made, rate: string) =>
    till.api("POST", `/api/invoices/${invoice_id}/quote`, { rate });

  test("counts who pays what was asked before as having paid a part, or too much", async () => {
    const up = await make("86.07", overdue);
    expect((await quote(up, "0.8")).body).toMatchObject({ expected_usdc: "107.59", status: "draft" });
    await pay(up, "100.00");
    expect(await receives(up, "100.00")).toMatchObject({ status: "partial" });
    expect((await quote(up, "0.9")).body.code).toBe("quote_refused");
    await pay(up, "7.59");
    expect(await receives(up, "107.59")).toMatchObject({ status: "paid" });
    const down = await make("86.07", overdue);
    await quote(down, "0.9");
    await pay(down, "100.00");
    expect(await receives(down, "100.00")).toMatchObject({ status: "excess" });
  });

  test("is one or the other of all that is done to it at once", async () => {
    for (let round = 0; round < 2; round++) {
      const made = await make("86.07", overdue);
      const answers = await Promise.all([
        quote(made, "0.8"),
        credit(made, "10.00"),
        quote(made, "0.9"),
        ...(round % 2 === 0 ? [pay(made, "50.00")] : []),
        quote(made, "0.95"),
      ]);
      if (round % 2 === 0) await receives(made, "50.00");
      const { due_amount, expected_usdc, exchange_rate } = await record(made);
      const note = answers[1] as { status: number; body: { credited_usdc: string } };
      const credited = note.status === 201 ? Number(note.body.credited_usdc) : 0;
      const paid = round % 2 === 0 ? 50 : 0;
      expect(Number(expected_usdc)).toBeCloseTo(86.07 / Number(exchange_rate.rate), 2);
      expect(Number(due_amount ?? expected_usdc)).toBeCloseTo(
        due_amount ? Number(expected_usdc) - credited - paid : Number(expected_usdc),
        2,
      );
    }
  });
});

describe("everybody says what is due and what is to be returned of an invoice of 100.00", () => {
  const paid = { unpaid: null, "paid in part": "40.00", paid: "100.00", overpaid: "110.00" } as const;
  const credits = ["no credit", "a credit of 30.00", "a credit of all", "voided before"] as const;
  const netAfter: Readonly<Record<string, string>> = {
    "a credit of 30.00": "70.00",
    "a credit of all": "0.00",
  };
  type Case = { name: string; amount: string | null; how: (typeof credits)[number]; made: Made };
  const cases: Case[] = [];
  /** Of each way to pay, with each credit: the status, what is due, and what is to be returned. */
  const standings = {
    unpaid: ["sent 100.00 0.00", "sent 70.00 0.00", "void 0.00 0.00", "void 0.00 0.00"],
    "paid in part": ["partial 60.00 0.00", "partial 30.00 0.00", "paid 0.00 40.00", "void 0.00 40.00"],
    paid: ["paid 0.00 0.00", "paid 0.00 30.00", "paid 0.00 100.00", "void 0.00 100.00"],
    overpaid: ["excess 0.00 10.00", "excess 0.00 40.00", "excess 0.00 110.00", "void 0.00 110.00"],
  } as const;
  const table = (Object.keys(paid) as (keyof typeof paid)[]).flatMap((state) =>
    credits.map((how, at) => [`${state}, ${how}`, ...(standings[state][at] ?? "").split(" ")] as const),
  ) as (readonly [string, string, string, string])[];
  /** Those whose documents and credit notes are read, too: one of each sentence that they may have. */
  const printed = new Set([
    "unpaid, a credit of 30.00",
    "unpaid, voided before",
    "paid in part, a credit of all",
    "paid, a credit of 30.00",
    "overpaid, no credit",
  ]);
  let listed: string;
  let exported: Record<string, string>[];
  let deskList: string;
  let deskFile: string[];

  const run = async (...args: string[]) => {
    const env = {
      TILL_BASE_URL: till.baseUrl,
      TILL_RPC_URL: chain.rpcUrl,
      TILL_DATA_DIR: till.config.dataDir,
    };
    return (await callTill(args, { env })).stdout;
  };
  const mailed = (subject: string) =>
    till.mail
      .list()
      .find((mail) => mail.subject.startsWith(subject))
      ?.text.replaceAll(/[\u2068\u2069]/g, "") ?? "";
  const pageOf = async (path: string) => words(parse(await (await fetch(`${till.baseUrl}${path}`)).text()));

  beforeAll(async () => {
    for (const [state, amount] of Object.entries(paid))
      for (const how of credits) {
        const made = await make("100.00", { send_now: true, webhook_url: null });
        cases.push({ name: `${state}, ${how}`, amount, how, made });
      }
    for (const { how, made } of cases)
      if (how === "voided before")
        await till.api("POST", `/api/invoices/${made["invoice_id"]}/void`, { reason: "A mistake" });
    for (const { amount, made } of cases) if (amount !== null) await pay(made, amount);
    for (const { amount, made } of cases) if (amount !== null) await receives(made, amount);
    for (const { how, made } of cases) {
      if (how === "a credit of 30.00") expect((await credit(made, "30.00")).status).toBe(201);
      if (how === "a credit of all") expect((await credit(made)).status).toBe(201);
    }
    listed = await run("list", "--all");
    exported = JSON.parse(await run("export", "invoices", "--format", "json"));
    deskList = await (await fetch(`${till.baseUrl}/desk/invoices`)).text();
    deskFile = (await (await fetch(`${till.baseUrl}/desk/invoices.csv`)).text()).split("\r\n");
  });

  test.each(table)("%s: %s, %s due, %s to be returned", async (name, status, due, back) => {
    const { made, how, amount } = cases.find((one) => one.name === name) as Case;
    const number = made["invoice_number"] ?? "";
    const isCredited = how.startsWith("a credit");
    const [isDue, isOwed, isVoid] = [due !== "0.00", back !== "0.00", status === "void"];
    const net = netAfter[how] ?? "100.00";
    const owed = `comes to ${net} USDC, so Acme Ltd owes you ${back} USDC.`;
    const tooMuch = `The amount due was 100.00 USDC, so`;
    const isToldOf = isOwed && isCredited && !isVoid;
    const solid = (text: string) => text.replaceAll(" ", "");

    // The API.
    const told = await record(made);
    expect(told.status).toBe(status);
    if (isCredited) expect(told).toMatchObject({ due_amount: due, return_amount: back });
    else expect([told.due_amount, told.return_amount]).toEqual([undefined, undefined]);

    // The customer's page.
    const page = await pageOf(`/i/${made["slug"]}`);
    expect(page.includes("Nothing more to do")).toBe(status === "paid" && !isOwed);
    expect(page.includes(owed)).toBe(isToldOf);
    expect(page.includes(tooMuch)).toBe(status === "excess" && !isCredited);
    expect(page.includes("Money was sent here all the same")).toBe(isVoid && isOwed);
    expect(page.includes(made["deposit_address"] ?? "")).toBe(isDue);
    if (isDue) expect(page).toContain(`${amount === null ? "Amount due" : "Remaining balance"} ${due} USDC`);

    // The proof of its receipt, and what is printed.
    const { status: hasReceipt, body } = await till.api(
      "GET",
      `/api/invoices/${made["invoice_id"]}/receipt.json`,
    );
    expect(hasReceipt === 200).toBe(status === "paid" || status === "excess");
    if (hasReceipt === 200) expect(body.receipt_proof.return_amount).toBe(isOwed ? back : undefined);
    if (printed.has(name)) {
      const pdf = await pdfOf(made);
      expect(pdf.includes(solid(owed))).toBe(isToldOf);
      expect(pdf.includes(solid(`Amount due${due} USDC`))).toBe(true);
      const receipt = await fetch(`${till.baseUrl}/api/invoices/${made["invoice_id"]}/receipt`);
      expect(receipt.ok).toBe(hasReceipt === 200);
      if (receipt.ok) {
        const text = await solidTextOf(await receipt.bytes());
        expect(text.includes(solid(owed))).toBe(isToldOf);
        expect(text.includes(solid(tooMuch))).toBe(status === "excess" && !isCredited);
      }
    }

    // The desk: its list and its page.
    const desk = parse(await (await fetch(`${till.baseUrl}/desk/invoices/${number}`)).text());
    const standing = desk.querySelector("#standing")?.textContent ?? "";
    expect(standing.includes(`You owe your customer a refund of ${back} USDC.`)).toBe(
      isOwed && (isCredited || isVoid),
    );
    expect(standing.includes(`Overpaid by ${back} USDC.`)).toBe(isOwed && !isCredited && !isVoid);
    if (isDue) expect(standing).toContain(due);
    const row = [...parse(deskList).querySelectorAll("tr")].find((tr) => tr.textContent?.includes(number));
    const inRow = row?.querySelector("td.sum")?.textContent ?? "";
    const difference = () => {
      if (isDue) return due === "100.00" ? "" : `${due} left`;
      if (status === "excess" && !isCredited) return `${back} too much`;
      return isOwed ? `To be returned: ${back}` : "";
    };
    expect(inRow).toBe(`100.00${difference()}`);

    // Mails.
    if (!isVoid) {
      await till.api("POST", `/api/invoices/${made["invoice_id"]}/send`);
      const mail = mailed(`Invoice ${number} from`);
      expect(mail.includes(owed)).toBe(isToldOf);
      expect(mail.includes("There is nothing left to pay.")).toBe(!isDue);
      if (isDue) expect(mail).toContain(`${due} USDC`);
    }
    if (isCredited && printed.has(name)) {
      const { credit_note_number } = (
        await till.api("GET", `/api/invoices/${made["invoice_id"]}/credit-notes`)
      ).body.data[0];
      await till.api("POST", `/api/credit-notes/${credit_note_number}/send`);
      expect(mailed(`Credit note ${credit_note_number} from`)).toContain(
        isDue ? `${due} USDC is left to pay on` : "Nothing is left to pay on",
      );
    }

    // The command line and the files.
    const shown = await run("show", number);
    expect(/Left to pay +(\S+) USDC/.exec(shown)?.[1]).toBe(isDue ? due : undefined);
    expect(/To return +(\S+) USDC/.exec(shown)?.[1]).toBe(isOwed ? back : undefined);
    const line = listed.split("\n").find((each) => each.startsWith(number)) ?? "";
    expect(line).toMatch(
      new RegExp(`${status} +100.00 +${amount ?? "0.00"} +${isOwed ? `-${back}` : due} +2030`),
    );
    expect(exported.find(({ invoice_number }) => invoice_number === number)).toMatchObject({
      received_currency: "USDC",
      due_usdc: due,
      return_usdc: back,
    });
    expect(deskFile.find((each) => each.startsWith(number))).toContain(`,USDC,${due},${back},`);
  });
});

test("what is paid elsewhere and then credited is to be returned; of what was credited before nothing is", async () => {
  const made = await make();
  const mark = (as: string) => till.api("POST", `/api/invoices/${made["invoice_id"]}/mark`, { as });
  await mark("paid");
  await credit(made, "30.00");
  expect(await record(made)).toMatchObject({ status: "paid", due_amount: "0.00", return_amount: "30.00" });
  const page = await (await fetch(made["invoice_url"] ?? "")).text();
  expect(page).not.toContain("Nothing more to do");
  expect(words(parse(page))).toContain("comes to 70.00 USDC, so Acme Ltd owes you 30.00 USDC.");
  await mark("unpaid");
  expect(await record(made)).toMatchObject({ due_amount: "70.00", return_amount: "0.00" });
  await mark("paid");
  expect(await record(made)).toMatchObject({ due_amount: "0.00", return_amount: "0.00" });
  // It comes by USDC all the same.
  await pay(made, "70.00");
  await receives(made, "70.00");
  const late = await (await fetch(made["invoice_url"] ?? "")).text();
  expect(late).not.toContain("Nothing more to do");
  expect(late).toContain("Money was sent here all the same");
});

test("all of it follows from what is stored, as the doctor says", () => {
  const findings: string[] = [];
  const onFinding = ({ level, message }: Finding<string>) => void findings.push(`${level}: ${message}`);
  replayStored(till.db, null, onFinding, () => {});
  expect(findings).toEqual([expect.stringMatching(/^ok: .* follow from what is stored/)]);
});
