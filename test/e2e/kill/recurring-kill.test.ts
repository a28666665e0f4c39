import { Database } from "bun:sqlite";
import { afterAll, expect, test } from "bun:test";
import { nextDates } from "../../../src/domain/bill/recurring.ts";
import * as Reminder from "../../../src/domain/bill/reminder.ts";
import { databaseFile } from "../../../src/store/files/data-dir.ts";
import { startTestChain } from "../../support/chain/chain.ts";
import { shared } from "../../support/per-file.ts";
import { createRandom } from "../../support/random.ts";
import { endProcesses, startServedTill } from "../../support/till/process.ts";
import { recurringRequest, until } from "../../support/till/till.ts";

/** `TEST_RECURRING_KILLS=60` takes about four minutes. */
const kills = Number(process.env["TEST_RECURRING_KILLS"] ?? 2);
const seed = Number(process.env["TEST_SEED"] ?? 1);
const msPerKill = 20_000;
const dayMs = 86_400_000;
const daysOff = 30;

afterAll(endProcesses);
const chain = shared(startTestChain);
const till = shared(() => startServedTill(chain, { TILL_TIMEZONE: "UTC" }));

const dayBefore = (days: number) => new Date(Date.now() - days * dayMs).toISOString().slice(0, 10);

test(
  `makes an invoice for each date and none twice, when it is killed ${kills} times while it catches up`,
  async () => {
    const random = createRandom(seed);
    const startsOn = dayBefore(kills * daysOff + 10);
    const asked = { ...recurringRequest, every: { days: 1 }, starts_on: startsOn, missed: "all" };
    const { status, body: series } = await till.api("POST", "/api/recurring", asked);
    expect(status).toBe(201);
    // Till was off for all that time: nothing of it is made.
    await till.pause("SIGTERM");
    const db = new Database(databaseFile(till.dataDir));
    db.run("UPDATE recurring SET handled_to = ?1, next_date = ?1, made = 0", [startsOn]);
    db.run("DELETE FROM recurring_made");
    const before = db.query<{ n: number }, []>("SELECT count(*) AS n FROM invoice").get()?.n ?? 0;
    db.close();
    const schedule = { every: { unit: "days" as const, n: 1 }, startsOn, endsOn: null, count: null };
    const wanted = nextDates(schedule, startsOn, kills * daysOff);
    for (let kill = 1; kill <= kills; kill++) {
      await till.resume();
      // Time itself: the kill comes at any moment.
      await Bun.sleep(random.between(0, 150));
      await till.pause("SIGKILL");
    }
    await till.resume();
    const made = await until(
      async () => (await till.api("GET", `/api/recurring/${series.id}`)).body,
      // That of today is made once its hour has come.
      ({ next_dates, made }) => made > 0 && next_dates[0] > Reminder.lastDay(Date.now(), "UTC"),
      kills * msPerKill,
    );
    const invoices = await till.all("/api/invoices");
    const dates = invoices.map((each) => each["issue_date"] as string);
    const caughtUp = dates.slice(0, dates.length - before).toSorted();
    expect(caughtUp).toEqual([...new Set(caughtUp)]);
    expect(caughtUp.slice(0, 1)).toEqual([startsOn]);
    expect(caughtUp.slice(1, 1 + wanted.length)).toEqual(wanted);
    expect(caughtUp).toHaveLength(made.made);
  },
  60_000 + kills * msPerKill * 2,
);
