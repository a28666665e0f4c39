import { describe, expect, test } from "bun:test";
import { startTestChain } from "../../support/chain/chain.ts";
import { shared } from "../../support/per-file.ts";
import { startTestTill, until, untilIs } from "../../support/till/till.ts";

const dayMs = 86_400_000;

const chain = shared(startTestChain);
const till = shared(() =>
  startTestTill(
    chain,
    { TILL_REMINDERS: "-3,0,7", TILL_CONFIRMATIONS: "2" },
    { now: () => Date.now() + shiftMs },
  ),
);
let shiftMs = 0;

const remind = (id: string | undefined, headers?: Record<string, string>) =>
  till.api("POST", `/api/invoices/${id}/remind`, undefined, headers);
const subjectsOf = (number: string | undefined) =>
  till.mail
    .list()
    .map(({ subject }) => subject)
    .filter((subject) => subject.startsWith(`Reminder: invoice ${number} `));
/** Mines until a payment counts: a block that came before Till looked wakes nobody. */
const mineUntil = (id: string | undefined, wanted: string) =>
  untilIs(
    async () => {
      await chain.mine(1);
      return (await till.api("GET", `/api/invoices/${id}/status`)).body.status;
    },
    wanted,
    30_000,
  );
const dayIn = (days: number) => new Date(Date.now() + days * dayMs).toISOString().slice(0, 10);

describe("POST /api/invoices/{id}/remind", () => {
  test("mails the customer what is left, each time, and once for one Idempotency-Key", async () => {
    const invoice = await till.createInvoice({ send_now: true });
    const { invoice_id: id, invoice_number: number } = invoice;
    expect(await remind(id)).toMatchObject({ status: 200, body: { ok: true } });
    await chain.pay(invoice["deposit_address"] as never, "500.00");
    await mineUntil(id, "partial");
    for (let at = 0; at < 2; at++)
      expect((await remind(number, { "idempotency-key": "again" })).body).toEqual({ ok: true });
    expect(subjectsOf(number)).toEqual([
      `Reminder: invoice ${number} from Acme Ltd, 1,000.00 USDC remaining, due 31 January 2030`,
      `Reminder: invoice ${number} from Acme Ltd, 1,500.00 USDC, due 31 January 2030`,
    ]);
    const mail = till.mail.list().find(({ subject }) => subject.startsWith(`Reminder: invoice ${number} `));
    expect(mail).toMatchObject({ to: ["ap@globex.example"], replyTo: "billing@acme.example" });
    expect(mail?.text).toContain("If you have just paid, you can ignore this email.");
    const timeline = (await till.api("GET", `/api/invoices/${id}/timeline`)).body.data;
    expect(timeline.filter(({ summary }: { summary: string }) => /reminder/i.test(summary))).toHaveLength(2);
    const events = (await till.api("GET", `/api/events?type=invoice.reminded`)).body.data;
    expect(events).toHaveLength(2);
  });

  test("says on repetition that a mail was not needed any more that a stop had interrupted", async () => {
    const { invoice_id: id, deposit_address: to } = await till.createInvoice({ send_now: true });
    const key = { "idempotency-key": crypto.randomUUID() };
    expect((await remind(id, key)).body).toEqual({ ok: true });
    await chain.pay(to as never, "1500.00");
    await mineUntil(id, "paid");
    // As after a kill before the first byte of the mail left.
    till.db.query("UPDATE idempotency SET answer_status = NULL, answer_body = NULL").run();
    till.db
      .query(
        "UPDATE mail SET state = 'sending', content_at = NULL WHERE rowid = (SELECT max(rowid) FROM mail WHERE kind = 'reminder')",
      )
      .run();
    await till.pause();
    await till.resume();
    await untilIs(() => till.db.query("SELECT 1 FROM mail WHERE state IN ('queued', 'sending')").all(), {
      length: 0,
    });
    expect(await remind(id, key)).toMatchObject({
      status: 200,
      body: { ok: false, detail: "The email was not sent: there was no need for it any more." },
    });
  });

  test("is refused where nobody is to be asked", async () => {
    const draft = await till.createInvoice();
    const refused = await remind(draft["invoice_id"]);
    expect(refused).toMatchObject({ status: 409, body: { code: "not_remindable" } });
    expect(refused.body.detail).toBe(
      `No reminder was sent of ${draft["invoice_number"]}: it was never mailed. Send it first: POST /api/invoices/{id}/send.`,
    );
    const invoice = await till.createInvoice({ send_now: true });
    await chain.pay(invoice["deposit_address"] as never, "1500.00");
    const until409 = (words: string) =>
      until(
        () => remind(invoice["invoice_id"]),
        ({ body }) => body.detail?.includes(words) ?? false,
      );
    await until409("a payment is on its way. Wait until it is confirmed");
    await mineUntil(invoice["invoice_id"], "paid");
    await until409("nothing is owed any more");
    expect((await remind("00000000-0000-4000-8000-000000000000")).status).toBe(404);
  });
});

describe("reminders of an invoice", () => {
  test("are answered when given, in order and without repetitions", async () => {
    const plain = await till.createInvoice();
    const own = await till.createInvoice({ reminders: [7, -3, 7] });
    const record = async (invoice: Record<string, string>) =>
      (await till.api("GET", `/api/invoices/${invoice["invoice_id"]}`)).body;
    expect(await record(plain)).not.toHaveProperty("reminders");
    expect((await record(own)).reminders).toEqual([-3, 7]);
    expect((await record(await till.createInvoice({ reminders: [] }))).reminders).toEqual([]);
  });

  test.each([
    [[1.5], "reminders[0]"],
    [["1"], "reminders[0]"],
    [[366], "reminders"],
    [[-61], "reminders"],
    [Array.from({ length: 11 }, (_, at) => at), "reminders"],
    ["7", "reminders"],
  ])("cannot be %j", async (reminders, field) => {
    await expect(till.createInvoice({ reminders } as never)).rejects.toThrow(`"field":"${field}"`);
  });

  test("go out by themselves, each once, over restarts, and not when it is paid by then", async () => {
    const due_date = dayIn(10);
    const open = await till.createInvoice({ send_now: true, due_date });
    const own = await till.createInvoice({ send_now: true, due_date, reminders: [-5] });
    const never = await till.createInvoice({ send_now: true, due_date, reminders: [] });
    const paid = await till.createInvoice({ send_now: true, due_date });
    // While Till is off, which is on the first day of reminders, one of them is paid.
    await till.pause();
    await chain.pay(paid["deposit_address"] as never, "1500.00");
    await chain.mine(3);
    shiftMs = 7 * dayMs + dayMs / 2;
    await till.resume();
    const due = `due ${new Date(Date.parse(due_date)).toLocaleDateString("en-GB", { day: "numeric", month: "long", year: "numeric", timeZone: "UTC" })}`;
    const sum = `from Acme Ltd, 1,500.00 USDC, ${due}`;
    const first = (invoice: Record<string, string>) =>
      `Reminder: invoice ${invoice["invoice_number"]} ${sum}`;
    await until(
      () => [...subjectsOf(open["invoice_number"]), ...subjectsOf(own["invoice_number"])].sort(),
      (subjects) => subjects.join() === [first(open), first(own)].join(),
    );
    await till.pause();
    await till.resume();
    await mineUntil(paid["invoice_id"], "paid");
    expect(subjectsOf(paid["invoice_number"])).toEqual([]);
    expect(subjectsOf(never["invoice_number"])).toEqual([]);
    expect(subjectsOf(open["invoice_number"])).toHaveLength(1);
    const told = `/api/events?invoice=${open["invoice_number"]}&type=invoice.reminded`;
    expect((await till.api("GET", told)).body.data).toMatchObject([{ data: { days: -3 } }]);
    const mails = till.mail.list().filter(({ subject }) => subject === first(open));
    expect(mails[0]?.messageId).toBe(`<reminder--3.${due_date}-${open["invoice_id"]}@127.0.0.1>`);
  });
});
