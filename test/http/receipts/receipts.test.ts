import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readAttachedProof } from "../../../src/document/receipt/receipt-document.ts";
import * as Common from "../../../src/domain/receivable/common.ts";
import { verify } from "../../../src/domain/wallet/deposit-proof.ts";
import { createApiKey } from "../../../src/http/access/api-key.ts";
import * as ExportStore from "../../../src/store/reports/export/export.ts";
import * as ApiKeyStore from "../../../src/store/tables/installation/api-key.ts";
import * as InvoiceStore from "../../../src/store/tables/invoicing/invoice.ts";
import * as ReceivableStore from "../../../src/store/tables/invoicing/receivable.ts";
import { linksOf, pagesOf } from "../../document/poppler.ts";
import { startTestChain } from "../../support/chain/chain.ts";
import { shared } from "../../support/per-file.ts";
import { namedOf } from "../../support/till/records.ts";
import { linkRequest, startTestTill, type TestTill, until, untilIs } from "../../support/till/till.ts";

let till: TestTill;
// Before the chain ends.
afterAll(() => till.stop());
const chain = shared(startTestChain);
/** How far Till's clock is ahead. */
let aheadMs = 0;
beforeAll(async () => {
  const settings = { TILL_TIMEZONE: "Pacific/Kiritimati", TILL_TOLERANCE: "0.50" };
  till = await startTestTill(chain, settings, { now: () => Date.now() + aheadMs });
});

type Made = Record<string, string>;

const receiptPath = (invoice: Made) => `/api/invoices/${invoice["invoice_id"]}/receipt`;
const download = async (path: string) => (await fetch(`${till.baseUrl}${path}`)).bytes();
const textOf = async (path: string) => (await pagesOf(await download(path))).join("\n");

async function pay(invoice: Made, amount: string | bigint, status: string) {
  const payment = await chain.pay(invoice["deposit_address"] as never, amount);
  await untilIs(
    async () => (await till.api("GET", `/api/invoices/${invoice["invoice_id"]}/status`)).body.status,
    status,
  );
  return payment;
}

async function makeLink(): Promise<Made> {
  const description = "Ethiopia Guji, 500 g";
  return (await till.api("POST", "/api/links", { ...linkRequest, product_description: description })).body;
}

async function payLink(link: Made, amount: string, status: string) {
  await chain.pay(link["deposit_address"] as never, amount);
  await untilIs(
    async () => (await till.api("GET", `/api/payments/status/${link["slug"]}`)).body.status,
    status,
  );
}

describe("GET /api/invoices/{id}/receipt", () => {
  test("is 409 with what is missing until it is paid, then a PDF that names every payment", async () => {
    const invoice = await till.createInvoice();
    const path = receiptPath(invoice);
    for (const each of [path, `${path}.json`])
      expect(await till.api("GET", each)).toMatchObject({ status: 409, body: { code: "not_paid" } });
    await pay(invoice, "500.00", "partial");
    const partial = await till.api("GET", path);
    expect(partial.body.detail).toBe(
      "Only a part of this invoice is paid. There is a receipt once the rest has arrived and is confirmed.",
    );

    const { txHash } = await pay(invoice, "1020.00", "excess");
    const answer = await fetch(`${till.baseUrl}${path}`);
    expect(answer.headers.get("content-type")).toBe("application/pdf");
    expect(answer.headers.get("content-disposition")).toBe(
      `inline; filename="${invoice["invoice_number"]}-receipt.pdf"`,
    );
    const text = (await pagesOf(await answer.bytes())).join("\n");
    const { body } = await till.api("GET", `/api/invoices/${invoice["invoice_id"]}/payments`);
    for (const { tx_hash, from } of body.data)
      for (const part of [tx_hash, from]) expect(text).toContain(part);
    const parts = ["Receipt", "Acme Ltd", "Globex GmbH", "Design", "1,500.00 USDC", "Paid", txHash];
    for (const part of [...parts, "Base (Anvil), test network", invoice["deposit_address"] ?? "?"])
      expect(text).toContain(part);
    expect(text).toMatch(/Amount received\s+1,520\.00 USDC/);
    expect(text).toMatch(/Overpayment\s+20\.00 USDC/);
    expect(text).toContain("The amount due was 1,500.00 USDC, so this is an overpayment of 20.00 USDC.");
  });

  test("takes what was credited off the total of its lines", async () => {
    const invoice = await till.createInvoice();
    const credit = { reason: "Too late", amounts: [{ amount: "150.00" }] };
    await till.api("POST", `/api/invoices/${invoice["invoice_id"]}/credit-notes`, credit);
    await pay(invoice, "1360.00", "excess");
    const text = await textOf(receiptPath(invoice));
    expect(text).toMatch(/Total\s+1,500\.00 USDC\s+Credited\s+−150\.00\s+Amount received\s+1,360\.00 USDC/);
    expect(text).toContain("The amount due was 1,350.00 USDC, so this is an overpayment of 10.00 USDC.");
  });

  test("is mailed when a credit note leaves nothing to pay, unless it took back all of it", async () => {
    const mailed = async (amount: string) => {
      const invoice = await till.createInvoice();
      await pay(invoice, "400.00", "partial");
      const mails = (where: string) =>
        till.db
          .query(
            `SELECT trim(kind || ' ' || occasion) FROM mail
             WHERE deposit_index = (SELECT deposit_index FROM invoice WHERE id = ?) ${where}`,
          )
          .values(invoice["invoice_id"] ?? "")
          .flat();
      // What still waits is not sent once it is true no longer.
      const sent = () => mails("AND state = 'sent'");
      const credit = { reason: "Too late", amounts: [{ amount }] };
      // The blocks up to now may have to be read first.
      await untilIs(sent, { length: 2 });
      const { status } = await until(
        () => till.api("POST", `/api/invoices/${invoice["invoice_id"]}/credit-notes`, credit),
        (answer) => answer.status !== 409,
      );
      expect(status).toBe(201);
      return mails("");
    };
    // The first receipt is that of the part.
    const both = ["receipt partial", "notice partial", "receipt"];
    expect(await mailed("1100.00")).toEqual(both);
    expect(await mailed("1200.00")).toEqual(both);
    expect(await mailed("1500.00")).toEqual(["receipt partial", "notice partial"]);
  });

  test("is dated by the payment that completed it, in the time zone of this Till", async () => {
    const invoice = await till.createInvoice();
    await pay(invoice, "1499.60", "paid");
    await pay(invoice, "5.00", "excess");
    const [first, second] = (await till.api("GET", `/api/invoices/${invoice["invoice_id"]}/payments`)).body
      .data;
    const completed = Date.parse("2026-11-20T23:30:00.000Z");
    const setMade = till.db.query("UPDATE transfer SET made_at = ? WHERE tx_hash = ?");
    setMade.run(completed, first.tx_hash);
    setMade.run(completed + 86_400_000, second.tx_hash);
    const path = receiptPath(invoice);
    const text = await textOf(path);
    // Kiritimati is 14 hours ahead. What came after it was paid changes nothing.
    expect(text).toMatch(/Date paid\s+21 November 2026/);
    expect(text).toContain("(Pacific/Kiritimati)");
    expect((await till.api("GET", `${path}.json`)).body.receipt_proof).toMatchObject({
      paid_at: "2026-11-20T23:30:00.000Z",
      received_amount: "1504.60",
      tolerance: "0.50",
    });
  });

  test("is dated by the block, also when Till found the payment days later", async () => {
    const invoice = await till.createInvoice();
    await till.pause();
    const { blockNumber } = await chain.pay(invoice["deposit_address"] as never, "1500.00");
    aheadMs = 3 * 86_400_000;
    await till.resume();
    try {
      await untilIs(
        async () => (await till.api("GET", `/api/invoices/${invoice["invoice_id"]}/status`)).body.status,
        "paid",
      );
      const block = await chain.rpc("eth_getBlockByNumber", [`0x${blockNumber.toString(16)}`, false]);
      const madeAt = Number((block as { timestamp: string }).timestamp) * 1_000;
      const { paid_at } = (await till.api("GET", `${receiptPath(invoice)}.json`)).body.receipt_proof;
      expect(paid_at).toBe(new Date(madeAt).toISOString());
      const [{ seen_at }] = (await till.api("GET", `/api/invoices/${invoice["invoice_id"]}/payments`)).body
        .data;
      expect(Date.parse(seen_at)).toBeGreaterThan(madeAt + 2 * 86_400_000);
      const page = await fetch(`${till.baseUrl}/i/${invoice["slug"]}`).then((answer) => answer.text());
      expect(page).toContain(`<time datetime="${paid_at}"`);
      const [exported] = [...ExportStore.eachInvoice(till.db, { from: null, to: null })].slice(-1);
      expect(exported?.paidAt).toBe(madeAt);
    } finally {
      aheadMs = 0;
    }
  });

  test("says what the merchant recorded, without any transaction", async () => {
    const invoice = await till.createInvoice();
    const stored = InvoiceStore.byId(till.db, invoice["invoice_id"] ?? "");
    if (!stored) throw new Error("It is not stored");
    const closed = { ...Common.open, markedPaidAt: Date.parse("2026-11-20T23:30:00.000Z") };
    ReceivableStore.setClosed(till.db, namedOf("invoice", stored), closed, "paid");
    const path = receiptPath(invoice);
    const text = await textOf(path);
    expect(text).toContain("Recorded by the merchant on 21 November 2026 as paid outside the network.");
    expect(text).toMatch(/Amount paid\s+1,500\.00 USDC/);
    expect(text).not.toMatch(/Transaction|Amount received|proof|0x/);
    expect((await till.api("GET", `${path}.json`)).body.receipt_proof).toMatchObject({
      marked_paid_at: "2026-11-20T23:30:00.000Z",
      paid_at: "2026-11-20T23:30:00.000Z",
      received_amount: "0.00",
      transfers: [],
    });

    ReceivableStore.setClosed(
      till.db,
      namedOf("invoice", stored),
      { ...Common.open, voidedAt: 1, voidReason: null },
      "void",
    );
    expect((await till.api("GET", path)).body).toMatchObject({
      code: "not_paid",
      detail: "This invoice is void, so there is no receipt.",
    });
  });

  test("carries the proof of what it says, which the JSON has too", async () => {
    const invoice = await till.createInvoice();
    const { txHash, blockNumber } = await pay(invoice, "1500.00", "paid");
    const path = receiptPath(invoice);
    const [asked, named] = await Promise.all([
      till.api("GET", path, undefined, { accept: "application/json" }),
      till.api("GET", `${path}.json`),
    ]);
    expect(asked.body).toEqual(named.body);
    const proof = named.body.receipt_proof;
    expect(proof).toMatchObject({
      version: 1,
      invoice_number: invoice["invoice_number"],
      total_amount: "1500.00",
      chain_id: 31337,
      token: chain.usdc,
      deposit_address: invoice["deposit_address"],
      transfers: [{ tx_hash: txHash, block_number: Number(blockNumber), amount: "1500.00" }],
    });
    expect(JSON.stringify(proof)).not.toContain("Globex");
    expect(verify(proof).ok).toBe(true);
    const attached = JSON.parse((await readAttachedProof(await download(path))) ?? "null");
    const { deposit_proof, ...open } = proof;
    expect(attached).toEqual({ receipt_proof: open });
  });

  test("is for whoever has the id; by number, and with the payout wallet, only for a key", async () => {
    const invoice = await till.createInvoice();
    await pay(invoice, "1500.00", "paid");
    const path = receiptPath(invoice);
    const numbered = `/api/invoices/${invoice["invoice_number"]}/receipt`;
    const { id, key } = createApiKey(till.db, "books", Date.now());
    try {
      const ask = (asked: string, secret?: string) =>
        till.api("GET", asked, undefined, secret ? { authorization: `Bearer ${secret}` } : {});
      for (const each of [path, `${path}.json`]) expect((await ask(each)).status).toBe(200);
      for (const each of [numbered, `${numbered}.json`]) {
        expect((await ask(each)).status).toBe(401);
        expect((await ask(each, key)).status).toBe(200);
      }
      const { receipt_proof: open } = (await ask(`${path}.json`)).body;
      const { receipt_proof: own } = (await ask(`${path}.json`, key)).body;
      expect(own).toEqual({ ...open, deposit_proof: expect.anything() });
      const { wallet_address } = (await ask(`/api/invoices/${invoice["invoice_id"]}`, key)).body;
      expect(own.deposit_proof.payout_wallet).toBe(wallet_address);
      expect(JSON.stringify(open)).not.toContain(wallet_address);
      // A wrong key gets nothing at all, so that nobody takes the open answer for the whole one.
      expect((await ask(`${path}.json`, `${key.slice(0, -1)}_`)).status).toBe(401);
    } finally {
      ApiKeyStore.revoke(till.db, id, Date.now());
    }
  });

  test("is made once for all who ask, and again when a payment moves", async () => {
    const invoice = await till.createInvoice();
    await pay(invoice, "1500.00", "paid");
    const path = receiptPath(invoice);
    const first = await download(path);
    expect(await download(path)).toEqual(first);
    const moved = `0x${"ab".repeat(32)}`;
    const ofInvoice = "deposit_index = (SELECT deposit_index FROM invoice WHERE id = ?)";
    // The watcher moves it back as soon as it looks.
    await until(
      async () => {
        till.db
          .query(`UPDATE transfer SET block_hash = ? WHERE ${ofInvoice}`)
          .run(moved, invoice["invoice_id"] ?? "");
        return readAttachedProof(await download(path));
      },
      (proof) => proof?.includes(moved) === true,
    );
  });

  test("is 404 for what there is not", async () => {
    for (const path of [`/api/invoices/${crypto.randomUUID()}/receipt`, "/api/links/nothing/receipt.json"])
      expect((await till.api("GET", path)).status).toBe(404);
  });
});

describe("GET /api/links/{slug}/receipt", () => {
  test("names the shop and what was sold, and nobody's address", async () => {
    const link = await makeLink();
    const path = `/api/links/${link["slug"]}/receipt`;
    expect((await till.api("GET", path)).body.detail).toBe(
      "This payment link is not paid. There is a receipt once the payment has arrived and is confirmed.",
    );
    await payLink(link, "25.00", "confirmed");
    const text = await textOf(path);
    for (const part of ["Corner Shop", "Ethiopia Guji, 500 g", "25.00 USDC", "Paid"])
      expect(text).toContain(part);
    expect(text).not.toContain("owner@corner.example");
    expect(await linksOf(await download(path))).toContain(link["payment_link"] ?? "?");
    const { receipt_proof } = (await till.api("GET", `${path}.json`)).body;
    expect(receipt_proof).toMatchObject({ link: link["slug"], merchant: { name: "Corner Shop" } });
    expect(JSON.stringify(receipt_proof)).not.toContain("owner@corner.example");
  });
});
