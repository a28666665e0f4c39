import { afterEach, describe, expect, test } from "bun:test";
import * as Address from "../../src/domain/wallet/address.ts";
import { createApiKey } from "../../src/http/access/api-key.ts";
import type { Db } from "../../src/store/database.ts";
import { startTestChain } from "../support/chain/chain.ts";
import { addPerson, password, startDesk, visitor } from "../support/desk/desk.ts";
import { startReceiver } from "../support/http/receiver.ts";
import { shared } from "../support/per-file.ts";
import { invoiceRequest, startTestTill, type TestTill, until } from "../support/till/till.ts";

const chain = shared(startTestChain);
const receiver = shared(startReceiver);
let till: TestTill;
afterEach(async () => {
  makeRoom(till.db);
  await till.stop();
});

async function start(): Promise<TestTill> {
  till = await startTestTill(chain);
  return till;
}

/** SQLite refuses every page beyond this number with the error of a full disk. */
function fillUp(db: Db): void {
  db.query("DELETE FROM probe").run();
  db.run("CREATE TABLE filler (content BLOB)");
  const numberOf = (pragma: string) => Number(Object.values(db.query(`PRAGMA ${pragma}`).get() as object)[0]);
  db.query(`PRAGMA max_page_count = ${numberOf("page_count")}`).get();
  // Pages that are free, or not yet full, would still take something.
  for (const bytes of [4_000, 2_000, 1_000, 500, 200, 100, 50, 20, 5]) {
    for (;;) {
      try {
        db.query("INSERT INTO filler (content) VALUES (zeroblob(?))").run(bytes);
      } catch {
        break;
      }
    }
  }
}

function makeRoom(db: Db): void {
  db.query("PRAGMA max_page_count = 4294967294").get();
}

describe("a full disk", () => {
  test("refuses new invoices, keeps all the others, and lets everybody read", async () => {
    const running = await start();
    const key = createApiKey(running.db, "shop", Date.now()).key;
    const first = await running.api(
      "POST",
      "/api/invoices",
      { ...invoiceRequest, send_now: false },
      auth(key),
    );
    fillUp(running.db);
    const stored = () =>
      running.db
        .query<{ id: string }, []>("SELECT id FROM invoice UNION ALL SELECT slug FROM link")
        .all()
        .map(({ id }) => id)
        .sort();
    const made: string[] = [first.body.invoice_id];
    for (const [path, request] of Object.entries(requests)) {
      for (const keyed of [false, true]) {
        for (let tries = 1; ; tries++) {
          const once: Record<string, string> = keyed ? { "idempotency-key": `${path}-${tries}` } : {};
          const answer = await running.api("POST", path, request, { ...auth(key), ...once });
          if (answer.status === 201 && tries < 100) {
            made.push(answer.body.invoice_id ?? answer.body.slug);
            continue;
          }
          expect(answer).toMatchObject({ status: 500, body: { code: "storage_failed" } });
          expect(JSON.stringify(answer.body)).not.toContain("SQL");
          break;
        }
      }
    }
    expect(stored()).toEqual(made.sort());
    expect(running.mail.list()).toHaveLength(0);
    const id = first.body.invoice_id;
    for (const path of [
      `/api/invoices/${id}`,
      "/api/invoices",
      `/i/${first.body.slug}`,
      `/api/invoices/${id}/pdf`,
    ]) {
      expect([path, (await running.api("GET", path, undefined, auth(key))).status]).toEqual([path, 200]);
    }
    makeRoom(running.db);
    const again = await running.api("POST", "/api/invoices", invoiceRequest, auth(key));
    expect(again).toMatchObject({ status: 201, body: { invoice_number: expect.stringMatching(/^INV-/) } });
  });

  test("is what the desk's door says when nobody can be let in", async () => {
    till = await startDesk();
    await addPerson(till, "Jonas", "owner");
    fillUp(till.db);
    const way = { name: "Jonas", password };
    const come = () => visitor(till).post("/desk/sign-in?password", way, { accept: "text/html" });
    let answer = await come();
    for (let tries = 1; answer.status === 303 && tries < 100; tries++) answer = await come();
    expect([answer.status, await answer.text()]).toEqual([
      500,
      expect.stringContaining("the disk of this server may be full"),
    ]);
  });

  test("is no reason to forget a payment: it is credited and reported once there is room", async () => {
    const running = await start();
    const invoice = await running.createInvoice({ webhook_url: receiver.url });
    const status = async () =>
      (await running.api("GET", `/api/invoices/${invoice["invoice_id"]}/status`)).body.status;
    const ready = async () => await running.api("GET", "/health/ready");
    await until(ready, ({ status: code }) => code === 200);
    fillUp(running.db);
    const checkpoint = () =>
      running.db.query<{ at: bigint | null }, []>("SELECT max(block_number) AS at FROM checkpoint").get()
        ?.at ?? 0n;
    let paid = 0n;
    // Small payments until the pages that there are take no more.
    let lastBlock = 0n;
    for (let tries = 0; tries < 60; tries++) {
      const { blockNumber } = await chain.pay(Address.checksum(invoice["deposit_address"] ?? ""), 1_000_000n);
      paid += 1_000_000n;
      lastBlock = blockNumber;
      if (
        (await ready()).body.reasons?.some((reason: string) => reason.includes("payments cannot be stored"))
      )
        break;
    }
    const { status: code, body } = await until(ready, (answer) => answer.status === 503);
    expect([code, body.reasons.join()]).toEqual([
      503,
      expect.stringContaining("payments cannot be stored: database or disk is full"),
    ]);
    expect(checkpoint()).toBeLessThan(lastBlock);

    const events = running.db.query<{ id: string }, []>("SELECT id FROM webhook_event").all();
    await until(
      () => new Set(receiver.received.map(({ headers }) => headers["webhook-id"])).size,
      (heard) => heard === events.length,
    );
    const [mark, heardBefore] = [running.logged.length, receiver.received.length];
    // Time itself: in it neither the log nor the receiver is flooded.
    await Bun.sleep(1_500);
    expect(running.logged.length - mark).toBeLessThan(20);
    expect(receiver.received.length).toBe(heardBefore);

    makeRoom(running.db);
    await chain.pay(Address.checksum(invoice["deposit_address"] ?? ""), 1_500_000_000n - paid);
    await until(status, (value) => value === "paid", 30_000);
    await until(ready, (answer) => answer.status === 200, 30_000);
    await until(
      () => receiver.received.map(({ raw }) => JSON.parse(raw.toString()).status),
      (statuses) => statuses.includes("paid"),
    );
    const ids = receiver.received.map(({ headers }) => headers["webhook-id"]);
    expect(new Set(ids).size).toBe(ids.length);
  });
});

const auth = (key: string) => ({ authorization: `Bearer ${key}` });

const requests = {
  "/api/invoices": { ...invoiceRequest, send_now: false, notes: "x".repeat(900) },
  "/api/links": {
    business_name: "Corner Shop",
    expected_amount: "25.00",
    merchant_email: "owner@corner.example",
    wallet_type: "managed",
    product_description: "x".repeat(400),
  },
};
