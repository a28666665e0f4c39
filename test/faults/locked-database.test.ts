import { Database } from "bun:sqlite";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import * as Address from "../../src/domain/wallet/address.ts";
import { createPasswords } from "../../src/people/password.ts";
import { databaseFile } from "../../src/store/files/data-dir.ts";
import { startTestChain } from "../support/chain/chain.ts";
import { addPerson, entryUrl, password, startDesk, type Visitor, visitor } from "../support/desk/desk.ts";
import { shared } from "../support/per-file.ts";
import { program, startProcess } from "../support/till/process.ts";
import { invoiceRequest, linkRequest, startTestTill, type TestTill, until } from "../support/till/till.ts";
import { openForm, sendForm } from "../support/till/visitor.ts";

const chain = shared(startTestChain);
const till = shared(() => startTestTill(chain));
const desk = shared(startDesk);
let other: Database;
let deskHolder: Database;
let mara: Visitor;
let noor: number;
beforeAll(async () => {
  other = connect(till);
  deskHolder = connect(desk);
  mara = visitor(desk, await addPerson(desk, "Mara", "owner"));
  noor = await addPerson(desk, "Noor", "staff");
});
afterAll(() => {
  other.close();
  deskHolder.close();
});

/** Another connection to the database, as another program has one. */
function connect({ config }: Pick<TestTill, "config">): Database {
  const connection = new Database(databaseFile(config.dataDir));
  connection.run("PRAGMA busy_timeout = 5000");
  return connection;
}

const answersInTheLock = 20;
/** What a write waits for another program's; an answer that needs no write waits for none. */
const lockWaitMs = 500;

const create = () => till.api("POST", "/api/links", linkRequest);
const statusOf = async (slug: string) => (await till.api("GET", `/api/payments/status/${slug}`)).body.status;

describe("while another program keeps the database locked", () => {
  test("payers are answered at once, and what came meanwhile is stored once it lets go", async () => {
    const { body: link } = await create();
    other.run("BEGIN IMMEDIATE");
    await chain.pay(Address.checksum(link.deposit_address), 1_500_000_000n);
    await until(
      async () => String((await till.api("GET", "/health/ready")).body.reasons),
      (reasons) => reasons.includes("another program keeps the database locked"),
    );
    let isCreated = false;
    const created = create().finally(() => {
      isCreated = true;
    });
    const waits: number[] = [];
    while (waits.length < answersInTheLock) {
      const askedAt = performance.now();
      expect(await statusOf(link.slug)).toBe("pending");
      waits.push(performance.now() - askedAt);
    }
    expect(waits.sort((a, b) => a - b)[waits.length >> 1]).toBeLessThan(lockWaitMs);
    expect(isCreated).toBe(false);
    other.run("ROLLBACK");
    expect((await created).status).toBe(201);
    await until(
      () => statusOf(link.slug),
      (status) => status !== "pending",
    );
  });

  test("a form of the desk waits until it lets go", async () => {
    deskHolder.run("BEGIN IMMEDIATE");
    const saved = mara.post("/desk/invoices/new", { vendor_name: "Globex", as: "draft" });
    // Time itself: so long is the lock held.
    await Bun.sleep(3 * lockWaitMs);
    deskHolder.run("ROLLBACK");
    expect((await saved).headers.get("location")).toContain("did=SaveDraft");
  });

  test("somebody who signs in, comes in by a link or proves who they are waits until it lets go", async () => {
    const guest = entryUrl(desk, { role: "staff", name: "Robin" });
    deskHolder.run("BEGIN IMMEDIATE");
    const sent = {
      signIn: visitor(desk).post("/desk/sign-in", { name: "Mara", password }),
      enter: visitor(desk).post(new URL(guest).pathname, { name: "Robin", password }),
      role: mara.post(`/desk/settings/people/${noor}/role`, { role: "accountant", proof: password }),
    };
    // Time itself: so long is the lock held.
    await Bun.sleep(3 * lockWaitMs);
    deskHolder.run("ROLLBACK");
    for (const [what, answer] of Object.entries(sent))
      expect([what, (await answer).status]).toEqual([what, 303]);
  });

  test("a form waits for a lock that comes while it checks a password", async () => {
    const slow = await createPasswords({ memoryCost: 65_536, timeCost: 3 }).hash(password);
    const sami = visitor(desk, await addPerson(desk, "Sami", "owner", slow));
    const audited = () => deskHolder.query("SELECT 1 FROM audit").all().length;
    const before = audited();
    const sent = sami.post(`/desk/settings/people/${noor}/role`, { role: "staff", proof: password });
    await until(audited, (count) => count > before);
    deskHolder.run("BEGIN IMMEDIATE");
    // Time itself: so long is the lock held.
    await Bun.sleep(4 * lockWaitMs);
    deskHolder.run("ROLLBACK");
    expect((await sent).headers.get("location")).toContain("did=ChangeRole");
  });

  test("a mail sent by hand waits until it lets go", async () => {
    const { body: invoice } = await till.api("POST", "/api/invoices", { ...invoiceRequest, send_now: false });
    other.run("BEGIN IMMEDIATE");
    const sent = till.api("POST", `/api/invoices/${invoice.invoice_id}/send`, undefined, {
      "idempotency-key": "once",
    });
    // Time itself: so long is the lock held.
    await Bun.sleep(3 * lockWaitMs);
    other.run("ROLLBACK");
    expect((await sent).status).toBe(200);
    expect(till.mail.list().filter(({ subject }) => subject.includes(invoice.invoice_number))).toHaveLength(
      1,
    );
  });

  test("a request, a page and a command that have waited long say what to do", async () => {
    const { payment_link: page } = (await till.api("POST", "/api/links", { ...linkRequest, reusable: true }))
      .body;
    const { token } = await openForm(page);
    other.run("BEGIN IMMEDIATE");
    const env = { TILL_DATA_DIR: till.config.dataDir };
    const command = startProcess([...program, "key", "create"], { env });
    const [{ status, headers, body }, { html }] = await Promise.all([create(), sendForm(page, { token })]);
    expect({ status, retryAfter: headers.get("retry-after"), ...body }).toMatchObject({
      status: 500,
      retryAfter: "60",
      code: "storage_failed",
      detail: "Nothing was saved: the database is locked. Try again in a minute.",
    });
    expect(html).toContain("Please try again in a minute.");
    expect(await command.exited).toBe(1);
    expect(command.output()).toContain("another program keeps the database locked");
    expect(command.output()).toContain("End it, and run this again.");
    expect(till.logged.join("\n")).toContain("a sqlite3 shell with an open transaction: end it");
  });
});
