import { describe, expect, test } from "bun:test";
import { openKeystore } from "../../src/chain/account/keystore.ts";
import { bodyBytesMax } from "../../src/http/access/guard.ts";
import { createLog } from "../../src/lib/log.ts";
import { openDatabase } from "../../src/store/database.ts";
import { walletFile } from "../../src/store/files/data-dir.ts";
import { startTill } from "../../src/till/till.ts";
import { ownPort } from "../support/http/port.ts";
import { sendRaw } from "../support/http/raw-http.ts";
import { shared } from "../support/per-file.ts";
import { type Answer, invoiceRequest, linkRequest, startTestTill, until } from "../support/till/till.ts";

const node = { rpcUrl: "http://127.0.0.1:9" };
const draft = { ...invoiceRequest, send_now: false };

const till = shared(() => startTestTill(node));

/** A problem document (RFC 9457) that says what, with an id, and nothing of how it is built or what it was sent. */
function expectProblem(answer: Answer, status: number, code: string): void {
  expect(answer).toMatchObject({ status, body: { type: "about:blank", status, code } });
  expect(answer.headers.get("content-type")).toBe("application/problem+json");
  expect(answer.headers.get("x-request-id")).toMatch(/^[a-z0-9]{12}$/);
  const allowed = ["type", "title", "status", "detail", "code", "errors"];
  expect(Object.keys(answer.body).filter((name) => !allowed.includes(name))).toEqual([]);
  expect(answer.body.detail.length).toBeGreaterThan(10);
  expect(JSON.stringify(answer.body)).not.toMatch(/\bat .*:\d+|node_modules|\/src\/|SQLITE|s3cret/i);
}

const database = () => openDatabase(till.config.dataDir);

describe("an error", () => {
  test("400 names what null cannot take back, alike in every change, and changes nothing", async () => {
    const { due_date: _, send_now: __, ...invoice } = draft;
    const made = {
      "/api/invoices": { ...draft, reference: "R1" },
      "/api/recurring": { invoice, due_days: 14, every: { months: 1 }, starts_on: "2999-01-01", count: 3 },
      "/api/webhook-endpoints": { url: "https://shop.example/hook", description: "Hook" },
    };
    const lasting = {
      "/api/invoices": ["vendor_email", "due_date"],
      "/api/recurring": ["starts_on", "every", "due_days", "invoice", "status"],
      "/api/webhook-endpoints": ["url", "status"],
    };
    const clearable = {
      "/api/invoices": ["reference"],
      "/api/recurring": ["count"],
      "/api/webhook-endpoints": ["description"],
    };
    for (const path of Object.keys(made) as (keyof typeof made)[]) {
      const { body } = await till.api("POST", path, made[path]);
      const one = `${path}/${body.invoice_id ?? body.id}`;
      const nulls = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, null]));
      const before = (await till.api("GET", one)).body;
      const refused = await till.api("PATCH", one, nulls([...lasting[path], ...clearable[path]]));
      expectProblem(refused, 400, "validation_failed");
      expect(refused.body.errors).toHaveLength(lasting[path].length);
      expect(refused.body.errors).toEqual(
        expect.arrayContaining(
          lasting[path].map((field) => ({ field, message: "can be changed, but not taken back with null" })),
        ),
      );
      expect((await till.api("GET", one)).body).toEqual(before);
      const cleared = await till.api("PATCH", one, nulls(clearable[path]));
      expect(cleared.status).toBe(200);
      for (const name of clearable[path])
        expect([before[name], cleared.body[name] ?? null]).toEqual([made[path][name as never], null]);
    }
  });

  test("400 names every fault at once and repeats no value", async () => {
    const answer = await till.api("POST", "/api/invoices", {
      ...draft,
      merchant_email: "s3cret",
      vendor_name: "s3cret\u0000",
      notes: `s3cret${"x".repeat(2_000)}`,
      due_date: "s3cret",
      send_now: "s3cret",
      wallet_type: "s3cret",
      webhook_url: "ftp://s3cret",
      line_items: [
        { description: "s3cret\u001b", quantity: 0, unit_price: "s3cret" },
        { quantity: "s3cret", unit_price: 5, extra: "s3cret" },
      ],
    });
    expectProblem(answer, 400, "validation_failed");
    const fields = answer.body.errors.map((fault: { field: string }) => fault.field);
    expect(fields.sort()).toEqual(
      [
        "merchant_email",
        "vendor_name",
        "notes",
        "due_date",
        "send_now",
        "wallet_type",
        "webhook_url",
        "line_items[0].description",
        "line_items[0].quantity",
        "line_items[0].unit_price",
        "line_items[1].description",
        "line_items[1].quantity",
        "line_items[1].unit_price",
        "line_items[1].extra",
      ].sort(),
    );
  });

  test("400 names every fault beside an unknown field, whatever that is called", async () => {
    const answer = await till.api("POST", "/api/invoices", { ...draft, body: 1, due_date: "2030-02-31" });
    expect(answer.body.errors.map((fault: { field: string }) => fault.field)).toEqual(["body", "due_date"]);
    for (const body of ["[1]", "null", '"text"', "3"])
      expect((await till.api("POST", "/api/invoices", body)).body.errors).toEqual([
        { field: "body", message: "must be a JSON object" },
      ]);
  });

  test("of the API is a problem document also for a program that says it takes HTML", async () => {
    const accept = { accept: "text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2" };
    expectProblem(await till.api("GET", "/api/nothing", undefined, accept), 404, "not_found");
    expectProblem(await till.api("POST", "/api/invoices", {}, accept), 400, "validation_failed");
  });

  test("400 for what is no JSON repeats none of it", async () => {
    for (const body of ["{s3cret}", '{"a": s3cret', "s3cret", '{"a":"b"} s3cret']) {
      expectProblem(await till.api("POST", "/api/invoices", body), 400, "malformed_json");
    }
  });

  test.each([
    ["merchant_name", 200],
    ["vendor_name", 200],
    ["merchant_address", 500],
    ["vendor_address", 500],
    ["notes", 2_000],
  ])("400 for a %s of more than %d characters", async (field, max) => {
    expect((await till.api("POST", "/api/invoices", { ...draft, [field]: "x".repeat(max) })).status).toBe(
      201,
    );
    const answer = await till.api("POST", "/api/invoices", { ...draft, [field]: "x".repeat(max + 1) });
    expectProblem(answer, 400, "validation_failed");
    expect(answer.body.errors).toHaveLength(1);
    expect(answer.body.errors[0].field).toBe(field);
  });

  test("400 for a description of more than 500 characters, and for two mail addresses or one that is too long", async () => {
    const line = { ...invoiceRequest.line_items[0], description: "x".repeat(501) };
    const long = await till.api("POST", "/api/invoices", { ...draft, line_items: [line] });
    expect(long.body.errors[0].field).toBe("line_items[0].description");
    const tooLong = `${"a".repeat(60)}@${"b".repeat(60)}.${"c".repeat(60)}.${"d".repeat(60)}.${"e".repeat(60)}.example`;
    for (const vendor_email of [
      "a@b.example,c@d.example",
      "A <a@b.example>",
      "a@b.example\nBcc: c@d.example",
      tooLong,
    ]) {
      const answer = await till.api("POST", "/api/invoices", { ...draft, vendor_email });
      expect(answer.body.errors).toMatchObject([{ field: "vendor_email" }]);
    }
  });

  test("413 for a body that says it is too large and for one that turns out to be", async () => {
    const body = JSON.stringify({ ...draft, notes: "x".repeat(bodyBytesMax) });
    expectProblem(await till.api("POST", "/api/invoices", body), 413, "body_too_large");
    const stream = new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode(body));
        controller.close();
      },
    });
    const chunked = await fetch(`${till.baseUrl}/api/invoices`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: stream,
    });
    const answer = { status: chunked.status, headers: chunked.headers, body: await chunked.json() };
    expectProblem(answer, 413, "body_too_large");
  });

  test("415 for a body that is not said to be JSON", async () => {
    for (const type of [
      "text/plain",
      "application/x-www-form-urlencoded",
      "multipart/form-data; boundary=x",
    ]) {
      const answer = await till.api("POST", "/api/invoices", JSON.stringify(draft), { "content-type": type });
      expectProblem(answer, 415, "not_json");
    }
    const changed = await till.api("PATCH", "/api/invoices/x", "{}", { "content-type": "text/plain" });
    expectProblem(changed, 415, "not_json");
  });

  test("431 for headers that are too many or too long", async () => {
    const port = Number(new URL(till.baseUrl).port);
    const withHeaders = (lines: string) => `GET /health/live HTTP/1.1\r\nHost: 127.0.0.1\r\n${lines}\r\n`;
    expect(await sendRaw(port, withHeaders(`A: ${"x".repeat(20_000)}\r\n`))).toStartWith("HTTP/1.1 431");
    expect(await sendRaw(port, withHeaders("A: b\r\n".repeat(300)))).toStartWith("HTTP/1.1 431");
    expect(await sendRaw(port, withHeaders("A: b\r\n".repeat(50)))).toStartWith("HTTP/1.1 200");
  });

  test("500 storage_failed when nothing could be saved, and nothing was", async () => {
    const db = database();
    db.run("CREATE TRIGGER full BEFORE INSERT ON receivable BEGIN SELECT RAISE(ABORT, 's3cret'); END");
    const rows = () => db.query("SELECT count(*) FROM invoice").values();
    const before = rows();
    try {
      expectProblem(await till.api("POST", "/api/invoices", draft), 500, "storage_failed");
      const answer = await till.api("POST", "/api/links", linkRequest);
      expectProblem(answer, 500, "storage_failed");
      const id = answer.headers.get("x-request-id");
      expect(till.logged.some((line) => line.includes(`request=${id}`) && line.includes("s3cret"))).toBe(
        true,
      );
      const repeatable = { "idempotency-key": "full-1" };
      expectProblem(await till.api("POST", "/api/invoices", draft, repeatable), 500, "storage_failed");
      expect(rows()).toEqual(before);
      db.run("DROP TRIGGER full");
      expect((await till.api("POST", "/api/invoices", draft, repeatable)).status).toBe(201);
      expect(till.logged.join("\n")).toContain("s3cret");
    } finally {
      db.run("DROP TRIGGER IF EXISTS full");
      db.close();
    }
  });

  test("500 storage_failed when the database fails at anything else", async () => {
    const { invoice_id } = await till.createInvoice();
    const db = database();
    db.run("ALTER TABLE mail RENAME TO mail_gone");
    try {
      expectProblem(await till.api("POST", `/api/invoices/${invoice_id}/send`), 500, "storage_failed");
    } finally {
      db.run("ALTER TABLE mail_gone RENAME TO mail");
      db.close();
    }
  });

  test("500 wallet_unavailable while the wallet cannot be opened", async () => {
    const other = await startTestTill(node);
    await other.pause();
    const port = ownPort();
    const log = createLog({ format: "text", level: "error", write: () => {} });
    // It listens before the wallet is open, and stops once it turns out that it cannot be opened.
    const wrong = { file: walletFile(other.config.dataDir), passphrase: "wrong" };
    const asked = Promise.withResolvers<void>();
    const words = asked.promise.then(() => openKeystore(wrong));
    const starting = startTill({ config: { ...other.config, port }, log, words });
    await isUp(port);
    const json = JSON.stringify(draft);
    const post = `POST /api/invoices HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json`;
    const sent = Promise.withResolvers<void>();
    const text = `${post}\r\nContent-Length: ${json.length}\r\n\r\n${json}`;
    const answering = sendRaw(port, text, sent.resolve);
    await sent.promise;
    // Who asks later is answered later: by now Till has the request.
    await isUp(port);
    asked.resolve();
    await expect(starting).rejects.toThrow();
    const [head = "", body = ""] = (await answering).split("\r\n\r\n");
    const [first = "", ...lines] = head.split("\r\n");
    const headers = new Headers(lines.map((line) => line.split(": ") as [string, string]));
    const answer = { status: Number(first.split(" ")[1]), headers, body: JSON.parse(body) };
    expectProblem(answer, 500, "wallet_unavailable");
    await other.stop();
  });
});

const isUp = (port: number) =>
  until(
    () =>
      fetch(`http://127.0.0.1:${port}/health/live`).then(
        ({ ok }) => ok,
        () => false,
      ),
    Boolean,
  );
