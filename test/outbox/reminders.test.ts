import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import fc from "fast-check";
import type * as Invoice from "../../src/domain/bill/invoice.ts";
import * as Calendar from "../../src/domain/calendar.ts";
import * as Common from "../../src/domain/receivable/common.ts";
import { createLog } from "../../src/lib/log.ts";
import { createReminders, type RemindersDeps } from "../../src/outbox/reminders.ts";
import * as InvoiceStore from "../../src/store/tables/invoicing/invoice.ts";
import * as ReceivableStore from "../../src/store/tables/invoicing/receivable.ts";
import * as ReminderStore from "../../src/store/tables/outbox/reminder.ts";
import { db, makeDatabase, removeDatabase } from "../support/till/database.ts";
import { cross } from "../support/till/moves.ts";
import { namedOf, storeInvoice } from "../support/till/records.ts";

const dayMs = 86_400_000;
const hourMs = 3_600_000;

let clockMs: number;

beforeEach(makeDatabase);
afterEach(removeDatabase);

const log = createLog({ format: "text", level: "debug", write: () => {} });
const reminders = (changes: Partial<RemindersDeps> = {}) =>
  createReminders({
    db,
    log,
    now: () => clockMs,
    timeZone: "UTC",
    days: [-3, 0, 7],
    isChainCurrent: () => true,
    watchAgain: () => false,
    onQueued: () => {},
    ...changes,
  });

/** An invoice that was mailed at a time, due on 2026-12-21 unless told. */
function mailed(sentAt: string, changes: Partial<Pick<Invoice.Invoice, "dueDate" | "reminders">> = {}) {
  const invoice = storeInvoice(db);
  InvoiceStore.setSent(db, invoice.sequence, Date.parse(sentAt), "sent");
  const { dueDate = invoice.dueDate, reminders: own = null } = changes;
  db.query("UPDATE invoice SET due_date = ?, reminders = ? WHERE sequence = ?").run(
    dueDate,
    own && JSON.stringify(own),
    invoice.sequence,
  );
  return invoice;
}

const written = () =>
  db
    .query<{ deposit_index: bigint; occasion: string; state: string }, []>(
      "SELECT deposit_index, substr(occasion, 1, instr(occasion, '.') - 1) AS occasion, state FROM mail WHERE kind = 'reminder' ORDER BY rowid",
    )
    .all()
    .map(({ deposit_index, occasion, state }) => `${deposit_index}: ${occasion} ${state}`);

const allSent = () => db.run("UPDATE mail SET state = 'sent', next_attempt_at = NULL WHERE state = 'queued'");

/** Looks at a time, as the outbox would have sent before what was written. */
async function lookAt(time: string, changes: Partial<RemindersDeps> = {}): Promise<number> {
  clockMs = Date.parse(time);
  allSent();
  return await reminders(changes).look();
}

describe("reminders", () => {
  test("go out on their days at 9 o'clock in the merchant's time zone, each once", async () => {
    mailed("2026-12-01T12:00Z");
    const paris = { timeZone: "Europe/Paris" };
    await lookAt("2026-12-10T12:00Z", paris);
    expect(await lookAt("2026-12-18T07:59Z", paris)).toBe(60_000);
    expect(written()).toEqual([]);
    expect(await lookAt("2026-12-18T08:00Z", paris)).toBe(dayMs);
    expect(written()).toEqual(["0: -3 queued"]);
    for (const time of ["2026-12-18T08:00Z", "2026-12-18T23:00Z", "2026-12-19T12:00Z"])
      await lookAt(time, paris);
    expect(written()).toEqual(["0: -3 sent"]);
    await lookAt("2026-12-21T08:00Z", paris);
    await lookAt("2026-12-28T08:00Z", paris);
    await lookAt("2027-06-28T08:00Z", paris);
    expect(written()).toEqual(["0: -3 sent", "0: 0 sent", "0: 7 sent"]);
  });

  test("go out for no invoice that was not mailed, is paid, void or marked, or has money on its way", async () => {
    storeInvoice(db);
    const closed = [
      { ...Common.open, voidedAt: 1 },
      { ...Common.open, markedPaidAt: 1 },
    ];
    for (const [at, each] of closed.entries())
      ReceivableStore.setClosed(
        db,
        namedOf("invoice", mailed("2026-12-01T12:00Z")),
        each,
        at === 0 ? "void" : "paid",
      );
    ReceivableStore.setStatus(db, namedOf("invoice", mailed("2026-12-01T12:00Z")), "excess");
    const { index } = mailed("2026-12-01T12:00Z").deposit;
    db.query("UPDATE receivable SET pending_amount = 10000 WHERE deposit_index = ?").run(index);
    cross(db, mailed("2026-12-01T12:00Z").deposit.index, 10_000n, Date.parse("2026-12-18T11:00Z"));
    const part = mailed("2026-12-01T12:00Z");
    ReceivableStore.setStatus(db, namedOf("invoice", part), "partial");
    await lookAt("2026-12-10T12:00Z");
    await lookAt("2026-12-18T12:00Z");
    expect(written()).toEqual([`${part.deposit.index}: -3 queued`]);
  });

  test("wait for what is on its way, and go out on the next day if it has not come", async () => {
    const { index } = mailed("2026-12-01T12:00Z").deposit;
    mailed("2026-12-01T12:00Z");
    await lookAt("2026-12-10T12:00Z");
    cross(db, index, 10_000n, Date.parse("2026-12-18T08:00Z"));
    clockMs = Date.parse("2026-12-18T12:00Z");
    const running = reminders();
    for (let time = 0; time < 2; time++) expect(await running.look()).toBe(21 * hourMs);
    expect(written()).toEqual(["1: -3 queued"]);
    db.run("UPDATE crossing SET state = 'unknown', ended_at = 1");
    expect(await running.look()).toBe(21 * hourMs);
    await lookAt("2026-12-19T12:00Z");
    await lookAt("2026-12-20T12:00Z");
    expect(written()).toEqual(["1: -3 sent", "0: -3 sent"]);
  });

  test("go out once more for a due date that was moved, and never twice for one", async () => {
    const { sequence } = mailed("2026-12-01T12:00Z");
    const move = (day: string) =>
      db.query("UPDATE invoice SET due_date = ? WHERE sequence = ?").run(day, sequence);
    await lookAt("2026-12-10T12:00Z");
    await lookAt("2026-12-18T12:00Z");
    move("2026-12-30");
    await lookAt("2026-12-21T12:00Z");
    expect(written()).toEqual(["0: -3 sent"]);
    await lookAt("2026-12-27T12:00Z");
    expect(written()).toEqual(["0: -3 sent", "0: -3 queued"]);
    await lookAt("2026-12-30T12:00Z");
    // By a clock that was set back.
    ReminderStore.setSeenTo(db, "2026-12-26");
    await lookAt("2026-12-27T13:00Z");
    expect(written()).toEqual(["0: -3 sent", "0: -3 sent", "0: 0 sent"]);
  });

  test("follow the days of the invoice where it has some, also without the setting", async () => {
    mailed("2026-12-01T12:00Z", { reminders: [] });
    mailed("2026-12-01T12:00Z", { reminders: [-2] });
    mailed("2026-12-01T12:00Z");
    await lookAt("2026-12-10T12:00Z");
    await lookAt("2026-12-18T12:00Z", { days: [] });
    expect(written()).toEqual([]);
    await lookAt("2026-12-19T12:00Z", { days: [] });
    expect(written()).toEqual(["1: -2 queued"]);
  });

  test("of days on which Till was off are not caught up in a burst: the latest goes out", async () => {
    mailed("2026-12-01T12:00Z");
    await lookAt("2026-12-10T12:00Z");
    await lookAt("2026-12-29T12:00Z");
    expect(written()).toEqual(["0: 7 queued"]);
    await lookAt("2026-12-30T12:00Z");
    expect(written()).toEqual(["0: 7 sent"]);
  });

  test("begin with the day on which they are turned on, not with what is long overdue", async () => {
    for (let at = 0; at < 3; at++) mailed("2026-11-01T12:00Z", { dueDate: "2026-11-18" });
    await lookAt("2026-11-25T12:00Z");
    expect(written()).toEqual([]);
    await lookAt("2026-11-26T12:00Z");
    expect(written()).toEqual([]);
  });

  test("are not sent for the days before a restored backup was put in place", async () => {
    mailed("2026-12-01T12:00Z");
    await lookAt("2026-12-10T12:00Z");
    ReminderStore.forgetSeen(db);
    await lookAt("2026-12-18T12:00Z");
    expect(written()).toEqual([]);
    await lookAt("2026-12-21T12:00Z");
    expect(written()).toEqual(["0: 0 queued"]);
  });

  test("wait until it is known what is paid, and have the chain watched for what is dormant", async () => {
    mailed("2026-12-01T12:00Z");
    await lookAt("2026-12-10T12:00Z");
    const asked: number[][] = [];
    const dormant = {
      watchAgain: (deposits: readonly number[]) => asked.push([...deposits]) === 1,
    };
    expect(await lookAt("2026-12-18T09:00Z", dormant)).toBe(60_000);
    expect(await lookAt("2026-12-18T09:01Z", { ...dormant, isChainCurrent: () => false })).toBe(500);
    expect(written()).toEqual([]);
    await lookAt("2026-12-18T09:02Z", dormant);
    expect(written()).toEqual(["0: -3 queued"]);
    expect(asked).toEqual([[0], [0], [0]]);
  });

  test("that still wait for the mail server are replaced by the next one", async () => {
    mailed("2026-12-01T12:00Z");
    await lookAt("2026-12-10T12:00Z");
    await lookAt("2026-12-18T12:00Z");
    clockMs = Date.parse("2026-12-21T12:00Z");
    await reminders().look();
    expect(written()).toEqual(["0: 0 queued"]);
  });

  test("reach every one of very many invoices", async () => {
    for (let at = 0; at < 1_234; at++)
      mailed("2026-12-01T12:00Z", { dueDate: at % 2 ? "2026-12-21" : "2026-12-18" });
    await lookAt("2026-12-10T12:00Z");
    await lookAt("2026-12-18T12:00Z");
    expect(written()).toHaveLength(1_234);
    expect(new Set(written()).size).toBe(1_234);
  });

  test("neither repeat nor come in a burst, wherever the clock is set and however often Till starts", async () => {
    const start = Date.parse("2026-12-01T00:00Z");
    const step = fc.oneof(
      { weight: 8, arbitrary: fc.integer({ min: 1, max: 30 }) },
      fc.integer({ min: -40 * 24, max: 40 * 24 }),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { maxLength: 60 }),
        fc.array(fc.integer({ min: -40, max: 40 })),
        async (hours, dues) => {
          db.run("DELETE FROM mail; DELETE FROM line_item; DELETE FROM invoice; DELETE FROM reminders_seen;");
          const base = Calendar.dayNumber("2026-12-20");
          const made = dues.map((due) =>
            mailed("2026-11-01T12:00Z", { dueDate: Calendar.dayOf(base + due) }),
          );
          clockMs = start;
          const sent = new Map<string, number>();
          for (const each of hours) {
            clockMs += each * hourMs;
            await reminders().look();
            const now = written().filter((line) => line.endsWith("queued"));
            const perInvoice = new Set(now.map((line) => line.split(":")[0]));
            // One for each invoice at most, and none that is far from its day.
            expect(perInvoice.size).toBe(now.length);
            for (const line of now) {
              const [, index = "", days = ""] = /^(\d+): (-?\d+)/.exec(line) ?? [];
              const invoice = made.find(({ deposit }) => deposit.index === Number(index));
              const due = InvoiceStore.bySequence(db, invoice?.sequence ?? 0)?.dueDate ?? "";
              const lateDays = clockMs / dayMs - Calendar.dayNumber(due) - Number(days);
              expect(lateDays).toBeGreaterThanOrEqual(9 / 24);
              expect(lateDays).toBeLessThan(9);
              sent.set(`${index} ${days}`, (sent.get(`${index} ${days}`) ?? 0) + 1);
            }
            allSent();
          }
          for (const count of sent.values()) expect(count).toBe(1);
        },
      ),
      { seed: 1, numRuns: 25 },
    );
  });
});
