import { afterEach, describe, expect, test } from "bun:test";
import * as Recurring from "../../../src/domain/bill/recurring.ts";
import { createMaker } from "../../../src/invoicing/recurring/maker.ts";
import { createLog } from "../../../src/lib/log.ts";
import { stored } from "../../../src/store/group-commit.ts";
import * as PreferenceStore from "../../../src/store/tables/desk/preference.ts";
import * as RecurringStore from "../../../src/store/tables/invoicing/recurring.ts";
import { startExchanges } from "../../support/http/exchanges.ts";
import { recurringRequest, startTestTill, type TestTill, until, untilIs } from "../../support/till/till.ts";

const request = { ...recurringRequest, starts_on: "2027-01-31" };
const { invoice } = request;

let clockMs: number;
let till: TestTill;
/** A series of a day that never comes: to change it has Till look at the clock. */
let bell: string | null;
afterEach(() => till.stop());

async function start(at: string, changes = {}) {
  clockMs = Date.parse(at);
  bell = null;
  till = await startTestTill({ rpcUrl: "http://127.0.0.1:9" }, changes, { now: () => clockMs });
}

const make = async (changes: object = {}) => {
  const { status, body } = await till.api("POST", "/api/recurring", { ...request, ...changes });
  expect([status, body.detail]).toEqual([201, undefined]);
  return body;
};
const get = async (id: string) => (await till.api("GET", `/api/recurring/${id}`)).body;
const patch = (id: string, change: object) => till.api("PATCH", `/api/recurring/${id}`, change);

/** The clock is at a time, and Till looks at it. */
async function lookAt(at: string) {
  bell ??= String((await make({ starts_on: "2090-01-31" })).id);
  clockMs = Date.parse(at);
  expect((await patch(bell, { due_days: 14 })).status).toBe(200);
}

/** Till was off, and starts at a time. */
async function startAgain(at: string) {
  await till.pause();
  clockMs = Date.parse(at);
  await till.resume();
}

const made = async () =>
  (await till.api("GET", "/api/invoices?limit=100")).body.data
    .map((each: Record<string, string>) => `${each["issue_date"]} due ${each["due_date"]}`)
    .toReversed();
const madeUntil = (count: number) => untilIs(made, { length: count });
/** All that is due was made: who looks for more finds nothing. */
const nothingMore = async (count: number) => {
  const { db, config } = till;
  const make = () => Promise.reject(new Error("Something is due."));
  const log = createLog({ format: "text", level: "error", write: () => {} });
  await createMaker({ db, config, log, now: () => clockMs, make }).look();
  expect(await made()).toHaveLength(count);
};

describe("an invoice that repeats", () => {
  test("is made on its dates at 9 o'clock, each once, with its texts filled in", async () => {
    await start("2027-01-20T12:00Z", { TILL_LANGUAGE: "de" });
    const { id, next_dates } = await make({
      invoice: {
        ...invoice,
        notes: "{period} {x}",
        line_items: [{ description: "Rent {month} {year}", quantity: 1, unit_price: "5.00" }],
      },
    });
    expect(next_dates).toEqual(["2027-01-31", "2027-02-28", "2027-03-31"]);
    await lookAt("2027-01-31T08:59Z");
    await nothingMore(0);
    await lookAt("2027-01-31T09:00Z");
    await madeUntil(1);
    await lookAt("2027-02-28T10:00Z");
    expect(await madeUntil(2)).toEqual(["2027-01-31 due 2027-02-14", "2027-02-28 due 2027-03-14"]);
    const [newest] = (await till.api("GET", "/api/invoices")).body.data;
    expect([newest.notes, newest.line_items[0].description]).toEqual([
      "28. Februar – 30. März 2027 {x}",
      "Rent Februar 2027",
    ]);
    expect(await get(id)).toMatchObject({
      status: "active",
      made: 2,
      next_dates: ["2027-03-31", "2027-04-30", "2027-05-31"],
      last_made: { date: "2027-02-28", invoice_number: newest.invoice_number },
    });
  });

  test("makes of months in which Till was off every one, or the newest, and is due from when it is made", async () => {
    await start("2027-01-20T12:00Z");
    const all = await make({ missed: "all" });
    const newest = await make({ starts_on: "2027-01-15" });
    await startAgain("2027-05-20T12:00Z");
    expect((await madeUntil(5)).toSorted()).toEqual(
      ["2027-01-31", "2027-02-28", "2027-03-31", "2027-04-30", "2027-05-15"].map(
        (day) => `${day} due 2027-06-03`,
      ),
    );
    await nothingMore(5);
    expect([await get(all.id), await get(newest.id)]).toMatchObject([{ made: 4 }, { made: 1 }]);
  });

  test("is issued today where the books of its date are closed", async () => {
    await start("2027-01-20T12:00Z");
    await make({ missed: "all" });
    PreferenceStore.setClosedThrough(till.db, "2027-02-28", clockMs);
    await lookAt("2027-03-31T12:00Z");
    expect(await madeUntil(3)).toEqual([
      "2027-03-31 due 2027-04-14",
      "2027-03-31 due 2027-04-14",
      "2027-03-31 due 2027-04-14",
    ]);
  });

  test("is made once when the clock jumps ahead and back, and of what lies between", async () => {
    await start("2027-01-31T12:00Z");
    const { id } = await make();
    await madeUntil(1);
    await startAgain("2027-06-30T12:00Z");
    await madeUntil(2);
    await startAgain("2027-02-01T12:00Z");
    await nothingMore(2);
    expect((await get(id)).next_dates[0]).toBe("2027-02-28");
    await startAgain("2027-02-28T12:00Z");
    await madeUntil(3);
    await startAgain("2027-07-01T12:00Z");
    await nothingMore(3);
    expect((await made()).toSorted().map((line: string) => line.slice(0, 10))).toEqual([
      "2027-01-31",
      "2027-02-28",
      "2027-06-30",
    ]);
  });

  test("leaves out for good what it never promised, also when the clock was years back for a while", async () => {
    await start("2027-02-10T12:00Z");
    const late = await make({ missed: "all", starts_on: "2026-11-05" });
    const resumed = await make({ missed: "all", starts_on: "2027-02-12" });
    const moved = await make({ missed: "all", starts_on: "2027-06-20" });
    await patch(resumed.id, { status: "paused" });
    await lookAt("2027-04-20T12:00Z");
    await madeUntil(2);
    await patch(resumed.id, { status: "active" });
    await patch(moved.id, { starts_on: "2027-01-20" });
    await madeUntil(3);
    for (const at of ["2017-04-20T12:00Z", "2027-03-01T12:00Z", "2027-04-21T12:00Z"]) {
      await lookAt(at);
      await nothingMore(3);
    }
    expect(await Promise.all([late, resumed, moved].map(({ id }) => get(id)))).toMatchObject([
      { made: 2, next_dates: ["2027-05-05", "2027-06-05", "2027-07-05"] },
      { made: 0, next_dates: ["2027-05-12", "2027-06-12", "2027-07-12"] },
      { made: 1, next_dates: ["2027-05-20", "2027-06-20", "2027-07-20"] },
    ]);
  });

  test("leaves out what it never promised, and loses no date, when the clock was ahead for a while", async () => {
    await start("2027-01-25T12:00Z");
    const missed = await make();
    const counted = await make({ starts_on: "2027-02-05", count: 3 });
    const deleted = await make({ starts_on: "2027-02-06", count: 3 });
    const paused = await make({ starts_on: "2027-01-25", every: { weeks: 1 } });
    await madeUntil(1);
    await patch(paused.id, { status: "paused" });
    await lookAt("2027-04-10T12:00Z");
    await madeUntil(4);
    expect(await get(counted.id)).toMatchObject({ status: "ended", made: 1 });
    await till.api("DELETE", `/api/recurring/${deleted.id}`);
    // The date before the jump is made as well; the series goes on, unless somebody ended it.
    await lookAt("2027-02-10T12:00Z");
    await madeUntil(6);
    await nothingMore(6);
    expect(await Promise.all([missed, counted, deleted].map(({ id }) => get(id)))).toMatchObject([
      { made: 2, next_dates: ["2027-02-28", "2027-03-31", "2027-04-30"] },
      { status: "active", made: 2, next_dates: ["2027-03-05", "2027-04-05"] },
      { status: "ended", made: 1, next_dates: [] },
    ]);
    await lookAt("2027-03-16T12:00Z");
    await madeUntil(8);
    await patch(paused.id, { status: "active" });
    await lookAt("2027-04-02T12:00Z");
    await madeUntil(9);
    await lookAt("2027-03-17T12:00Z");
    await nothingMore(9);
    await lookAt("2027-03-23T12:00Z");
    expect(await madeUntil(10)).toContain("2027-03-22 due 2027-04-06");
    await nothingMore(10);
  });

  test("leaves out what passes while it is paused, and ends with its count or for good", async () => {
    await start("2027-01-20T12:00Z");
    const { id } = await make({ count: 4 });
    expect((await patch(id, { status: "paused" })).body).toMatchObject({
      status: "paused",
      pause_cause: "merchant",
    });
    await lookAt("2027-02-10T12:00Z");
    await nothingMore(0);
    const left = ["2027-02-28", "2027-03-31", "2027-04-30"];
    expect((await get(id)).next_dates).toEqual(left);
    expect((await patch(id, { status: "active" })).body.next_dates).toEqual(left);
    await patch(id, { due_days: 0, send_now: false });
    await lookAt("2027-02-28T12:00Z");
    expect(await madeUntil(1)).toEqual(["2027-02-28 due 2027-02-28"]);
    const other = await make({ starts_on: "2027-03-31" });
    expect((await till.api("DELETE", `/api/recurring/${other.id}`)).body).toMatchObject({
      status: "ended",
      next_dates: [],
    });
    expect((await patch(other.id, { status: "active" })).body.errors[0].field).toBe("status");
    await lookAt("2027-04-30T12:00Z");
    await madeUntil(2);
    expect(await get(id)).toMatchObject({ status: "ended", made: 2, next_dates: [] });
    await lookAt("2028-04-30T12:00Z");
    await nothingMore(2);
  });

  test("waits for a rate while the others go on, and health tells of it", async () => {
    await start("2027-01-31T12:00Z", { TILL_RATES: "kraken=http://127.0.0.1:9/" });
    const euros = await make({ invoice: { ...invoice, currency: "EUR" } });
    await make();
    await madeUntil(1);
    await until(
      () => get(euros.id),
      ({ reason }) => reason !== null,
    );
    expect(await get(euros.id)).toMatchObject({
      status: "active",
      made: 0,
      next_dates: ["2027-01-31", "2027-02-28", "2027-03-31"],
    });
    expect(JSON.stringify((await till.api("GET", "/health/ready")).body.warnings)).toContain("repeats");
    await patch(euros.id, { invoice: { ...invoice, currency: "EUR", rate: "0.9" } });
    await madeUntil(2);
    expect(await get(euros.id)).toMatchObject({ made: 1, reason: null });
  });

  test("waits when it cannot be stored, which health tells of, too", async () => {
    await start("2027-01-20T12:00Z");
    const { id } = await make();
    till.db.run("CREATE TRIGGER broken BEFORE INSERT ON line_item BEGIN SELECT RAISE(ABORT, 'no room'); END");
    await lookAt("2027-01-31T12:00Z");
    expect(await untilIs(() => get(id), { reason: "no room" })).toMatchObject({ status: "active", made: 0 });
    const { warnings } = (await till.api("GET", "/health/ready")).body;
    expect(JSON.stringify(warnings)).toContain(`${id}, which repeats, waits: no room`);
    till.db.run("DROP TRIGGER broken");
    await lookAt("2027-01-31T12:01Z");
    await madeUntil(1);
    expect(await get(id)).toMatchObject({ made: 1, reason: null });
  });

  test("is paused when its invoice is refused, and makes up for it once it is corrected", async () => {
    await start("2027-01-20T12:00Z");
    const { id } = await make();
    till.db.run(`UPDATE recurring SET invoice = json_set(invoice, '$.wallet_type', 'byo', '$.wallet_address',
      '0x${"00".repeat(20)}')`);
    await lookAt("2027-02-01T12:00Z");
    const refused = await untilIs(() => get(id), { status: "paused" });
    expect(refused).toMatchObject({ pause_cause: "refused", made: 0 });
    expect(refused.reason).toStartWith("invoice.wallet_address");
    expect((await patch(id, { status: "active" })).body.errors[0].field).toBe("invoice.wallet_address");
    await patch(id, { status: "active", invoice });
    expect(await madeUntil(1)).toEqual(["2027-01-31 due 2027-02-15"]);
  });

  test("is made as it was changed while its rate was asked for", async () => {
    const exchanges = await startExchanges(() => clockMs);
    const kraken = exchanges.setting.split(",")[0]?.replace("kraken=", "");
    const gate = Promise.withResolvers<void>();
    let isAsked = false;
    const slow = Bun.serve({
      ...{ hostname: "127.0.0.1", port: 0 },
      async fetch({ url }) {
        isAsked = true;
        await gate.promise;
        return fetch(`${kraken}${new URL(url).pathname}`);
      },
    });
    try {
      await start("2027-01-20T12:00Z", { TILL_RATES: `kraken=${slow.url}` });
      const { id } = await make({ invoice: { ...invoice, currency: "EUR" } });
      await lookAt("2027-01-31T12:00Z");
      await until(
        async () => isAsked,
        (is) => is,
      );
      await patch(id, { invoice: { ...invoice, currency: "EUR", notes: "As changed" } });
      gate.resolve();
      await madeUntil(1);
      expect((await till.api("GET", "/api/invoices")).body.data[0].notes).toBe("As changed");
    } finally {
      await slow.stop(true);
      await exchanges.stop();
    }
  });

  test("is moved without the dates that its new schedule had before", async () => {
    await start("2027-02-01T12:00Z");
    const { id } = await make({ starts_on: "2027-02-01", missed: "all" });
    await madeUntil(1);
    await lookAt("2027-02-20T12:00Z");
    const changed = await patch(id, { every: { weeks: 1 } });
    expect(changed.body.next_dates).toEqual(["2027-02-22", "2027-03-01", "2027-03-08"]);
    await nothingMore(1);
    // Today's is still to come, and is made at once.
    expect((await patch(id, { starts_on: "2027-02-06" })).status).toBe(200);
    expect(await madeUntil(2)).toEqual(["2027-02-01 due 2027-02-15", "2027-02-20 due 2027-03-06"]);
    await nothingMore(2);
  });

  test("is moved with a date that waits to be made, which is not lost", async () => {
    await start("2027-01-31T12:00Z", { TILL_RATES: "kraken=http://127.0.0.1:9/" });
    const { id } = await make({ invoice: { ...invoice, currency: "EUR" } });
    await until(
      () => get(id),
      ({ reason }) => reason !== null,
    );
    await lookAt("2027-02-03T12:00Z");
    expect((await patch(id, { every: { weeks: 1 } })).body.next_dates[0]).toBe("2027-01-31");
    await patch(id, { invoice: { ...invoice, currency: "EUR", rate: "0.9" } });
    expect(await madeUntil(1)).toEqual(["2027-01-31 due 2027-02-17"]);
  });

  test("keeps to a day that its first month lacks, and refuses one that it has", async () => {
    await start("2027-02-01T12:00Z");
    const wish = { starts_on: "2027-02-28", day_of_month: 31 };
    const { id, day_of_month, next_dates } = await make(wish);
    expect([day_of_month, next_dates]).toEqual([31, ["2027-02-28", "2027-03-31", "2027-04-30"]]);
    expect((await patch(id, { day_of_month: null })).body.next_dates[1]).toBe("2027-03-28");
    for (const change of [
      { starts_on: "2027-03-31" },
      { starts_on: "2027-02-27" },
      { every: { weeks: 1 } },
    ]) {
      const { status, body } = await till.api("POST", "/api/recurring", { ...request, ...wish, ...change });
      expect([status, body.errors.map(({ field }: { field: string }) => field)]).toEqual([
        400,
        ["day_of_month"],
      ]);
    }
  });

  test("keeps each of two changes that arrive at once", async () => {
    await start("2027-01-20T12:00Z");
    const { id } = await make();
    await Promise.all([patch(id, { due_days: 3 }), patch(id, { send_now: false })]);
    expect(await get(id)).toMatchObject({ due_days: 3, send_now: false });
  });

  test("stays ended when the clock is put back while it ends", async () => {
    await start("2027-01-31T12:00Z");
    const { id } = await make();
    await madeUntil(1);
    const { db, config } = till;
    const ending = stored(db, () => {
      const series = RecurringStore.byId(db, id);
      if (series) RecurringStore.update(db, Recurring.ended(series));
    });
    const nothing = () => Promise.reject(new Error("Nothing is due."));
    const now = () => Date.parse("2027-01-10T12:00Z");
    const log = createLog({ format: "text", level: "error", write: () => {} });
    await Promise.all([ending, createMaker({ db, config, log, now, make: nothing }).look()]);
    expect(await get(id)).toMatchObject({ status: "ended", next_dates: [] });
  });

  test("tells every fault of a request by its field", async () => {
    await start("2027-01-20T12:00Z");
    const { status, body } = await till.api("POST", "/api/recurring", {
      ...{ ...request, every: { months: 1, days: 2 }, ends_on: "2020-01-01", count: 3 },
      invoice: {
        ...invoice,
        issue_date: "2027-01-01",
        line_items: [{ description: "", quantity: 1, unit_price: "1" }],
        vendor_email: "x",
      },
    });
    expect(status).toBe(400);
    expect(body.errors.map(({ field }: { field: string }) => field).toSorted()).toEqual([
      "count",
      "ends_on",
      "every",
      "invoice.issue_date",
      "invoice.line_items[0].description",
      "invoice.vendor_email",
    ]);
    const over = await till.api("POST", "/api/recurring", { ...request, starts_on: "2026-01-01", count: 2 });
    expect(over.body.errors).toEqual([
      { field: "count", message: "must leave a date from today, 2027-01-20, on" },
    ]);
  });

  test("waits for the hour of days on which clocks change", async () => {
    await start("2028-03-01T12:00Z", { TILL_TIMEZONE: "America/New_York" });
    // The clocks are put forward on 12 March 2028: 9 o'clock is an hour earlier from then on.
    await make({ starts_on: "2028-03-12" });
    await lookAt("2028-03-12T12:59Z");
    await nothingMore(0);
    await lookAt("2028-03-12T13:00Z");
    await madeUntil(1);
  });

  test("is not ended by a change that leaves no date, ends with its last one while paused, and is in the log", async () => {
    await start("2027-01-31T12:00Z");
    const { id } = await make();
    await madeUntil(1);
    expect((await patch(id, { ends_on: "2027-01-31", starts_on: "2026-12-31" })).status).toBe(200);
    expect(await get(id)).toMatchObject({ status: "ended", reason: null, pause_cause: null });
    const other = await make({ starts_on: "2027-02-01" });
    const { body } = await patch(other.id, { ends_on: "2027-01-15", starts_on: "2027-01-01" });
    expect(body.errors).toEqual([
      { field: "ends_on", message: "must leave a date from today, 2027-01-31, on" },
    ]);
    await patch(other.id, { status: "paused" });
    await till.api("DELETE", `/api/recurring/${other.id}`);
    const entries = till.db.query<{ action: string }, []>("SELECT action FROM audit ORDER BY id").all();
    expect(entries.map(({ action }) => action)).toEqual(
      ["make", "change", "make", "change", "end"].map((action) => `recurring.${action}`),
    );
  });

  test("is paused by a restored backup, and goes on from the day of its resumption", async () => {
    await start("2027-01-20T12:00Z");
    const { id } = await make({ missed: "all" });
    RecurringStore.pauseRestored(till.db);
    expect(await get(id)).toMatchObject({ status: "paused", pause_cause: "restored" });
    expect(JSON.stringify((await till.api("GET", "/health/ready")).body.warnings)).toContain("repeats");
    await startAgain("2027-03-31T12:00Z");
    await nothingMore(0);
    expect((await patch(id, { status: "active" })).body.reason).toBe(null);
    expect(await madeUntil(1)).toEqual(["2027-03-31 due 2027-04-14"]);
  });
});
