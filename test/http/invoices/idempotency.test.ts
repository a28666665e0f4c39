import { describe, expect, test } from "bun:test";
import { closeDatabase, openDatabase } from "../../../src/store/database.ts";
import { shared } from "../../support/per-file.ts";
import { invoiceRequest, linkRequest, startTestTill } from "../../support/till/till.ts";

const till = shared(() => startTestTill({ rpcUrl: "http://127.0.0.1:9" }));

let last = 0;
const newKey = () => {
  last += 1;
  return `order-${last}`;
};
const post = (path: string, body: unknown, key: string) =>
  till.api("POST", path, body, { "idempotency-key": key });
const count = async () => (await till.api("GET", "/api/invoices?limit=100")).body.data.length;
const mails = () => till.mail.list().length;

const describedLink = { ...linkRequest, webhook_url: "http://127.0.0.1:9/hook" };

describe("Idempotency-Key", () => {
  test("a repeated creation gets the first answer, and makes and mails nothing again", async () => {
    const key = newKey();
    const [before, mailsBefore] = [await count(), mails()];
    const request = { ...invoiceRequest, webhook_url: "http://127.0.0.1:9/hook" };
    const first = await post("/api/invoices", request, key);
    const again = await post("/api/invoices", request, key);
    expect(first.status).toBe(201);
    expect(again).toMatchObject({ status: 201, body: first.body });
    expect(first.body.webhook_secret).toStartWith("whsec_");
    expect([await count(), mails()]).toEqual([before + 1, mailsBefore + 1]);
  });

  test("also when both come at the same time", async () => {
    const key = newKey();
    const before = await count();
    const answers = await Promise.all([1, 2, 3].map(() => post("/api/invoices", invoiceRequest, key)));
    expect(new Set(answers.map(({ body }) => body.invoice_id)).size).toBe(1);
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
    expect(await count()).toBe(before + 1);
  });

  test("refuses the key for another request, and takes it again for a corrected one", async () => {
    const key = newKey();
    expect((await post("/api/invoices", { ...invoiceRequest, due_date: "never" }, key)).status).toBe(400);
    expect((await post("/api/invoices", { ...invoiceRequest, send_now: false }, key)).status).toBe(201);
    const other = await post("/api/invoices", { ...invoiceRequest, send_now: false, notes: "x" }, key);
    expect(other).toMatchObject({ status: 409, body: { code: "idempotency_conflict" } });
  });

  test("a repeated send mails once; without the key every call mails", async () => {
    const { invoice_id } = await till.createInvoice();
    const key = newKey();
    const before = mails();
    for (let i = 0; i < 3; i++) {
      expect((await post(`/api/invoices/${invoice_id}/send`, undefined, key)).body).toEqual({ ok: true });
    }
    expect(mails()).toBe(before + 1);
    await till.api("POST", `/api/invoices/${invoice_id}/send`);
    expect(mails()).toBe(before + 2);
  });

  test("an unknown invoice is unknown with any key, also a bad one or one that was used", async () => {
    const key = newKey();
    await post("/api/links", describedLink, key);
    for (const each of [key, "a b", newKey()])
      expect((await post("/api/invoices/INV-9999/send", undefined, each)).status).toBe(404);
  });

  test("when Till stopped before it could answer, what was made is found again", async () => {
    const [invoiceKey, linkKey, sendKey] = [newKey(), newKey(), newKey()];
    const request = { ...invoiceRequest, webhook_url: "http://127.0.0.1:9/hook", send_now: false };
    const invoice = (await post("/api/invoices", request, invoiceKey)).body;
    const link = (await post("/api/links", describedLink, linkKey)).body;
    const send = `/api/invoices/${(await till.createInvoice())["invoice_id"]}/send`;
    await post(send, undefined, sendKey);
    await till.pause();
    const db = openDatabase(till.config.dataDir);
    db.run("UPDATE idempotency SET answer_status = NULL, answer_body = NULL");
    closeDatabase(db);
    await till.resume();
    const before = [await count(), mails()];
    const bytes = async (path: string, body: unknown, key: string) =>
      JSON.stringify((await post(path, body, key)).body);
    expect(await bytes("/api/invoices", request, invoiceKey)).toBe(JSON.stringify(invoice));
    expect(await bytes("/api/links", describedLink, linkKey)).toBe(JSON.stringify(link));
    expect([invoice.webhook_secret, link.webhook_secret]).toEqual(
      Array(2).fill(expect.stringMatching(/^whsec_/)),
    );
    expect((await post(send, undefined, sendKey)).body).toEqual({ ok: true });
    expect([await count(), mails()]).toEqual(before);
  });

  test("a repetition needs no writing: it is answered while another process holds the database", async () => {
    const key = newKey();
    const first = await post("/api/invoices", invoiceRequest, key);
    const other = openDatabase(till.config.dataDir);
    other.run("BEGIN IMMEDIATE");
    try {
      expect(await post("/api/invoices", invoiceRequest, key)).toMatchObject({
        status: 201,
        body: first.body,
      });
    } finally {
      other.run("ROLLBACK");
      closeDatabase(other);
    }
  });
});
