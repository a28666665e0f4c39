import { describe, expect, test } from "bun:test";
import * as Address from "../../../src/domain/wallet/address.ts";
import * as IdempotencyStore from "../../../src/store/tables/installation/idempotency.ts";
import * as EventStore from "../../../src/store/tables/outbox/event.ts";
import * as MailStore from "../../../src/store/tables/outbox/mail.ts";
import { startTestChain } from "../../support/chain/chain.ts";
import { startReceiver } from "../../support/http/receiver.ts";
import { shared } from "../../support/per-file.ts";
import { linkRequest, startTestTill, until, untilIs } from "../../support/till/till.ts";

const chain = shared(startTestChain);
const till = shared(() => startTestTill(chain, { TILL_MAIL_RECEIPTS: "true" }));
const receiver = shared(startReceiver);

const merchant = "billing@acme.example";
const reason = "Billed twice.\nPlease see INV-0001.";

type Made = { path: string; pay: (amount: string) => Promise<unknown>; status: () => Promise<string> };

const newInvoice = async (fields = {}): Promise<Made> => {
  const made = await till.createInvoice(fields);
  const path = `/api/invoices/${made["invoice_id"]}`;
  return {
    path,
    pay: (amount) => chain.pay(Address.checksum(made["deposit_address"] ?? ""), amount),
    status: async () => (await till.api("GET", path)).body.status,
  };
};
const newLink = async (fields = {}): Promise<Made> => {
  const { body } = await till.api("POST", "/api/links", {
    ...linkRequest,
    expected_amount: "1500.00",
    ...fields,
  });
  return {
    path: `/api/links/${body.slug}`,
    pay: (amount) => chain.pay(Address.checksum(body.deposit_address), amount),
    status: async () => (await till.api("GET", `/api/links/${body.slug}`)).body.status,
  };
};
const kinds: [string, (fields?: object) => Promise<Made>, { paid: string; open: string }][] = [
  ["invoice", newInvoice, { paid: "paid", open: "draft" }],
  ["link", newLink, { paid: "confirmed", open: "pending" }],
];
const reaches = (made: Made, status: string) => untilIs(made.status, status);
const latestDeposit = () =>
  Number(
    till.db.query<{ last: bigint }, []>("SELECT max(deposit_index) AS last FROM receivable").get()?.last,
  );
const eventTypes = (deposit: number) =>
  EventStore.list(till.db, { limit: 100, deposit })
    .rows.map(({ type }) => type)
    .reverse();

describe.each(kinds)("POST …/void of an %s", (kind, create, { paid }) => {
  test("answers the full record, and the same once more, whatever the reason is then", async () => {
    const made = await create();
    const { status, body } = await till.api("POST", `${made.path}/void`, { reason });
    expect(status).toBe(200);
    expect(body).toMatchObject({ status: "void", void_reason: reason, voided_at: expect.any(String) });
    expect(body.wallet_address).toStartWith("0x");
    const again = await till.api("POST", `${made.path}/void`, { reason: "Another one" });
    expect(again).toMatchObject({ status: 200, body });
    expect(eventTypes(latestDeposit())).toEqual([`${kind}.voided`] as never);
    const voided = await till.api("GET", `/api/${kind}s?status=void&limit=1`);
    expect(voided.body.data).toEqual([body]);
  });

  test("is refused once anything is confirmed, and when it is marked as paid, with a way out", async () => {
    const made = await create();
    await made.pay("1.00");
    await reaches(made, "partial");
    const refused = await till.api("POST", `${made.path}/void`, { reason });
    expect(refused).toMatchObject({ status: 409, body: { code: "void_refused" } });
    expect(refused.body.detail).toContain("mark it as paid");
    await till.api("POST", `${made.path}/mark`, { as: "paid" });
    const marked = await till.api("POST", `${made.path}/void`, { reason });
    expect(marked).toMatchObject({ status: 409, body: { code: "void_refused" } });
    expect(marked.body.detail).toContain("unpaid first");
    expect(await made.status()).toBe(paid);
  });

  test("with an Idempotency-Key answers the first time's answer, also when that was lost", async () => {
    const made = await create();
    const key = crypto.randomUUID();
    const call = () => till.api("POST", `${made.path}/void`, { reason }, { "idempotency-key": key });
    const first = await call();
    expect(await call()).toMatchObject({ status: 200, body: first.body });
    till.db.query("UPDATE idempotency SET answer_status = NULL, answer_body = NULL WHERE key = ?").run(key);
    expect(IdempotencyStore.find(till.db, key, Date.now())?.answer).toBeNull();
    expect(await call()).toMatchObject({ status: 200, body: first.body });
    const other = await till.api("POST", `${made.path}/void`, { reason: "x" }, { "idempotency-key": key });
    expect(other).toMatchObject({ status: 409, body: { code: "idempotency_conflict" } });
  });

  test("names each fault of the request", async () => {
    const made = await create();
    for (const [body, field] of [
      [undefined, "body"],
      [{}, "reason"],
      [{ reason: "  " }, "reason"],
      [{ reason: "x".repeat(501) }, "reason"],
      [{ reason: "a\u0000b" }, "reason"],
      [{ reason: 1 }, "reason"],
      [{ reason, note: "x" }, "note"],
    ] as const) {
      const answer = await till.api("POST", `${made.path}/void`, body);
      expect(answer).toMatchObject({ status: 400, body: { code: "validation_failed", errors: [{ field }] } });
    }
    expect(await made.status()).not.toBe("void");
  });
});

describe.each(kinds)("POST …/mark of an %s", (kind, create, { paid, open }) => {
  test("marks it as paid and takes that back, each once, with a note for the merchant alone", async () => {
    const made = await create();
    const mark = (as: string, note?: string) => till.api("POST", `${made.path}/mark`, { as, note });
    const note = "By bank on 3 November";
    const marked = await mark("paid", note);
    expect(marked).toMatchObject({ status: 200, body: { status: paid, marked_paid_at: expect.any(String) } });
    expect(JSON.stringify(marked.body)).not.toContain(note);
    expect(await mark("paid")).toMatchObject({ status: 409, body: { code: "mark_refused" } });
    const { body } = await mark("unpaid");
    expect(body.status).toBe(open);
    expect(body).not.toHaveProperty("marked_paid_at");
    expect(await mark("unpaid")).toMatchObject({ status: 409, body: { code: "mark_refused" } });
    expect(eventTypes(latestDeposit())).toEqual([`${kind}.marked_paid`, `${kind}.marked_unpaid`] as never);
    const { rows: events } = EventStore.list(till.db, { limit: 2, deposit: latestDeposit() });
    expect(events.map(({ data }) => data)).toEqual([{}, { note }]);
  });

  test("is refused for what is void, and for what money has paid", async () => {
    const made = await create();
    await till.api("POST", `${made.path}/void`, { reason });
    const onVoid = await till.api("POST", `${made.path}/mark`, { as: "paid" });
    expect(onVoid).toMatchObject({ status: 409, body: { code: "is_void" } });
    const full = await create();
    await full.pay("1500.00");
    await reaches(full, paid);
    const onPaid = await till.api("POST", `${full.path}/mark`, { as: "paid" });
    expect(onPaid).toMatchObject({ status: 409, body: { code: "mark_refused" } });
  });

  test("what was paid while it was marked is reported when the mark is taken back, and not before", async () => {
    const before = receiver.received.length;
    const made = await create({ webhook_url: receiver.url });
    await till.api("POST", `${made.path}/mark`, { as: "paid" });
    await made.pay("500.00");
    const record = async () => (await till.api("GET", `/api/${kind}s?limit=1`)).body.data[0];
    await untilIs(record, { received_amount: "500.00" });
    expect(await made.status()).toBe(paid);
    expect(receiver.received.slice(before)).toEqual([]);
    expect((await till.api("POST", `${made.path}/mark`, { as: "unpaid" })).body.status).toBe("partial");
    await until(
      () => receiver.received.length,
      (count) => count > before,
    );
    expect(JSON.parse(String(receiver.received[before]?.raw))).toMatchObject({ status: "partial" });
  });

  test("names each fault of the request", async () => {
    const made = await create();
    for (const [body, field] of [
      [{}, "as"],
      [{ as: "void" }, "as"],
      [{ as: "paid", note: "x".repeat(501) }, "note"],
      [{ as: "paid", reason }, "reason"],
    ] as const) {
      const answer = await till.api("POST", `${made.path}/mark`, body);
      expect(answer).toMatchObject({ status: 400, body: { errors: [{ field }] } });
    }
    expect(await made.status()).toBe(open);
  });
});

test("what was paid in full while it was marked has its receipt mailed when the mark is taken back", async () => {
  const made = await newInvoice();
  await till.api("POST", `${made.path}/mark`, { as: "paid" });
  await made.pay("1500.00");
  await untilIs(async () => (await till.api("GET", made.path)).body.received_amount, "1500.00");
  const mails = () =>
    till.db
      .query<{ mail: string }, [number]>(
        `SELECT concat_ws(' ', kind, nullif(occasion, ''), state) AS mail FROM mail
         WHERE deposit_index = ? ORDER BY rowid`,
      )
      .all(latestDeposit())
      .map(({ mail }) => mail.replace(/ (queued|sending)$/, ""));
  const told = await until(mails, ([first]) => first === "notice unexpected sent");
  expect((await till.api("POST", `${made.path}/mark`, { as: "unpaid" })).body.status).toBe("paid");
  expect(mails().map((mail) => mail.replace(/ sent$/, ""))).toEqual(["notice unexpected", "receipt"]);
  expect(told).toHaveLength(1);
  const { invoice_number } = (await till.api("GET", made.path)).body;
  await untilIs(
    () =>
      till.mail
        .list()
        .filter(({ subject, to }) => subject.includes(invoice_number) && to[0] === "ap@globex.example"),
    { length: 1 },
  );
});

test("a merchant whom no mail has told of the money is told of it when the mark is taken back", async () => {
  const made = await newInvoice();
  await till.api("POST", `${made.path}/mark`, { as: "paid" });
  await made.pay("1500.00");
  const notices = () =>
    till.db
      .query<{ occasion: string; state: string }, [number]>(
        "SELECT occasion, state FROM mail WHERE deposit_index = ? AND kind = 'notice' ORDER BY rowid",
      )
      .all(latestDeposit());
  await until(notices, ([first]) => first?.state === "sent");
  // As if the mail server had been away since.
  till.db
    .query("UPDATE mail SET state = 'queued', ended_at = NULL, next_attempt_at = ? WHERE deposit_index = ?")
    .run(Date.now() + 86_400_000, latestDeposit());
  await till.api("POST", `${made.path}/mark`, { as: "unpaid" });
  expect(notices().map(({ occasion }) => occasion)).toEqual(["unexpected", ""]);
});

test("a link that is marked as paid offers no receipt by mail, which only money would send", async () => {
  const made = await newLink();
  const form = `/pay/${made.path.split("/").at(-1)}/receipt`;
  const isOffered = async () =>
    (await fetch(`${till.baseUrl}${form.replace("/receipt", "")}`).then((page) => page.text())).includes(
      form,
    );
  const send = () =>
    fetch(`${till.baseUrl}${form}`, {
      method: "POST",
      body: new URLSearchParams({ email: "jo@pay.example" }),
      redirect: "manual",
    });
  expect(await isOffered()).toBe(true);
  await till.api("POST", `${made.path}/mark`, { as: "paid" });
  expect([await isOffered(), (await send()).status]).toEqual([false, 404]);
  await till.api("POST", `${made.path}/mark`, { as: "unpaid" });
  expect([await isOffered(), (await send()).status]).toEqual([true, 303]);
});

describe("an invoice that is void", () => {
  const mailsAbout = (subject: string) => till.mail.list().filter((mail) => mail.subject.includes(subject));

  test("tells the customer who had it by mail, and nobody else", async () => {
    const sent = await newInvoice({ send_now: true });
    const number = (await till.api("GET", sent.path)).body.invoice_number;
    await till.api("POST", `${sent.path}/void`, { reason });
    const [mail] = await until(
      () => mailsAbout(`Void: invoice ${number}`),
      (mails) => mails.length > 0,
    );
    expect(mail?.to).toEqual(["ap@globex.example"]);
    expect(mail?.text).toContain("Billed twice.\nPlease see INV-0001.");
    const draft = await newInvoice();
    await till.api("POST", `${draft.path}/void`, { reason });
    const kindsOf = till.db.query("SELECT kind FROM mail WHERE deposit_index = ?").all(latestDeposit());
    expect(kindsOf).toEqual([]);
  });

  test("is not mailed any more: neither by hand nor by the outbox", async () => {
    const made = await newInvoice();
    MailStore.insertQueued(till.db, {
      id: "mail_late",
      depositIndex: latestDeposit(),
      kind: "invoice",
      occasion: "",
      createdAt: Date.now(),
      nextAttemptAt: Date.now() + 3_600_000,
    });
    await till.api("POST", `${made.path}/void`, { reason });
    expect(MailStore.byId(till.db, "mail_late")?.state).toBe("superseded");
    const answer = await till.api("POST", `${made.path}/send`);
    expect(answer).toMatchObject({ status: 409, body: { code: "is_void" } });
    expect(answer.body.detail).toContain("Create a new one");
  });

  test("is never overdue", async () => {
    const made = await newInvoice({ issue_date: "2020-01-01", due_date: "2020-01-01" });
    expect((await till.api("GET", `${made.path}/status`)).body.overdue).toBe(true);
    expect((await till.api("POST", `${made.path}/void`, { reason })).body.overdue).toBe(false);
    expect((await till.api("GET", `${made.path}/status`)).body).toEqual({ status: "void", overdue: false });
  });

  test("is paid all the same: the money is credited, and named to the merchant", async () => {
    const made = await newInvoice({ webhook_url: receiver.url });
    const number = (await till.api("GET", made.path)).body.invoice_number;
    await till.api("POST", `${made.path}/void`, { reason });
    const before = receiver.received.length;
    await made.pay("1500.00");
    const { body } = await untilIs(() => till.api("GET", made.path), {
      body: { received_amount: "1500.00" },
    });
    expect(body.status).toBe("void");
    expect((await till.api("GET", `${made.path}/payments`)).body.data).toHaveLength(1);
    expect(eventTypes(latestDeposit())).toEqual(["invoice.voided", "invoice.unexpected_payment"]);
    expect(receiver.received.length).toBe(before);
    const { warnings } = (await till.api("GET", "/health/ready")).body;
    expect(warnings.join()).toContain(`void or marked as paid: ${number}`);
    const [notice] = await until(
      () => till.mail.list().filter(({ to, subject }) => to.includes(merchant) && subject.includes(number)),
      (mails) => mails.length > 0,
    );
    expect(notice?.text).toContain("1,500.00 USDC");
  });
});
