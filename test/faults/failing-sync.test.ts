import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { renameSync, symlinkSync, unlinkSync } from "node:fs";
import * as Address from "../../src/domain/wallet/address.ts";
import { createApiKey } from "../../src/http/access/api-key.ts";
import { type Db, openReadOnly } from "../../src/store/database.ts";
import { databaseFiles } from "../../src/store/files/data-dir.ts";
import { closeLog, openLog } from "../../src/store/log.ts";
import { startTestChain } from "../support/chain/chain.ts";
import { startReceiver } from "../support/http/receiver.ts";
import { shared } from "../support/per-file.ts";
import { invoiceRequest, linkRequest, startTestTill, type TestTill, until } from "../support/till/till.ts";
import { openForm, sendForm } from "../support/till/visitor.ts";

const chain = shared(startTestChain);
const receiver = shared(startReceiver);
let till: TestTill;
let auth: Record<string, string>;

beforeEach(async () => {
  till = await startTestTill(chain);
  auth = { authorization: `Bearer ${createApiKey(till.db, "shop", Date.now()).key}` };
});
afterEach(() => till.stop());

/** From now on the log is committed to and never brought to the disk: its handle is that of another file. */
function breakSync(): void {
  const [, log = ""] = databaseFiles(till.config.dataDir);
  renameSync(log, `${log}-kept`);
  symlinkSync("/dev/full", log);
  closeLog(till.db);
  openLog(till.db);
  unlinkSync(log);
  renameSync(`${log}-kept`, log);
}

/** Reads the database as it is now until it is closed: what comes later cannot be brought into the file. */
function holdReader(): Db {
  const reader = openReadOnly(till.config.dataDir);
  reader.run("BEGIN");
  reader.query("SELECT count(*) FROM invoice").get();
  return reader;
}

const create = (headers: Record<string, string> = {}) =>
  till.api(
    "POST",
    "/api/invoices",
    { ...invoiceRequest, send_now: false, webhook_url: receiver.url },
    { ...auth, ...headers },
  );
const ready = () => till.api("GET", "/health/ready");
const list = async () => (await till.api("GET", "/api/invoices", undefined, auth)).body.data;

describe("a disk that does not take what was committed", () => {
  test("is told to the caller, and a payment to what is there all the same is credited", async () => {
    // There is something to watch, so that nothing else makes Till look for addresses.
    expect((await create()).status).toBe(201);
    breakSync();
    expect(await create()).toMatchObject({
      status: 500,
      body: { code: "storage_failed", detail: expect.stringContaining("Check whether this was saved") },
    });
    const [invoice] = await list();
    await chain.pay(Address.checksum(invoice.deposit_address), 1_500_000_000n);
    await until(
      async () => (await list())[0].status,
      (status) => status === "paid",
    );
  });

  test("lets no repetition say that it was saved before it is on the disk", async () => {
    // The node has answered.
    await until(ready, ({ status }) => status === 200);
    breakSync();
    const reader = holdReader();
    const once = { "idempotency-key": "once" };
    expect((await create(once)).status).toBe(500);
    expect((await create(once)).status).toBe(500);
    expect(await ready()).toMatchObject({ status: 200 });
    reader.close();
    expect((await create(once)).status).toBe(201);
    expect(await list()).toHaveLength(1);
  });

  test("does not keep the customer of a void invoice waiting for the mail that says so", async () => {
    const { body } = await till.api("POST", "/api/invoices", invoiceRequest, auth);
    breakSync();
    const reader = holdReader();
    const path = `/api/invoices/${body.invoice_id}/void`;
    expect((await till.api("POST", path, { reason: "Ordered twice" }, auth)).status).toBe(500);
    await until(
      () => till.mail.list().map(({ subject }) => subject),
      (subjects) => subjects.some((subject) => subject.startsWith("Void: ")),
    );
    reader.close();
  });

  test("is no reason for a page to say that nothing was saved, and the payer goes on when it does", async () => {
    const reusable = { ...linkRequest, reusable: true };
    const { body } = await till.api("POST", "/api/links", reusable, auth);
    const { token } = await openForm(body.payment_link);
    breakSync();
    const reader = holdReader();
    const answer = await sendForm(body.payment_link, { token });
    expect([answer.status, answer.html]).toEqual([500, expect.stringContaining("try again")]);
    reader.close();
    const { status, location } = await sendForm(body.payment_link, { token });
    expect([status, location]).toEqual([303, expect.stringContaining("/pay/")]);
  });
});
