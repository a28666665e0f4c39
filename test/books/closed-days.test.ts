import { afterAll, beforeAll, expect, test } from "bun:test";
import * as Calendar from "../../src/domain/calendar.ts";
import * as AuditStore from "../../src/store/tables/desk/audit.ts";
import * as PreferenceStore from "../../src/store/tables/desk/preference.ts";
import { addPerson, startDesk, type Visitor, visitor } from "../support/desk/desk.ts";
import { invoiceRequest, type TestTill } from "../support/till/till.ts";

let till: TestTill;
let owner: Visitor;
let accountant: Visitor;
const now = Date.now();
const today = Calendar.dayAt(now, "UTC");
const day = (ahead: number) => Calendar.dayOf(Calendar.dayNumber(today) + ahead);
let at = now;

beforeAll(async () => {
  till = await startDesk({ TILL_TAX_RATES: "off" }, { now: () => at });
  owner = visitor(till, await addPerson(till, "Olga", "owner"));
  accountant = visitor(till, await addPerson(till, "Ada", "accountant"));
});
afterAll(() => till.stop());

const taxed = [{ description: "Design", quantity: 1, unit_price: "100.00", tax_rate: "19" }];
async function make(issue_date: string | undefined, changes: object = {}) {
  const request = { ...invoiceRequest, issue_date, due_date: day(51), send_now: false, ...changes };
  return till.api("POST", "/api/invoices", request);
}
const close = (who: Visitor, through: string) => who.post("/desk/settings/books/closed", { through });
const closed = () => PreferenceStore.closedThrough(till.db);
const openPage = async ({ invoice_url }: { invoice_url: string }) =>
  fetch(invoice_url.replace(/^https?:\/\/[^/]+/, till.localUrl), { headers: { accept: "text/html" } });

test("days are closed once nothing of them can begin to count, and stay as they were", async () => {
  const { body: issued } = await make(day(-26));
  const { body: withTax } = await make(day(-25), { line_items: taxed });
  for (const each of [issued, withTax]) expect((await openPage(each)).status).toBe(200);
  const { body: draft } = await make(day(-21));

  // Today counts until it is over, and a draft would count as soon as its customer looks.
  expect((await close(accountant, day(0))).status).toBe(422);
  const refused = await close(accountant, day(-10));
  expect([refused.status, await refused.text()]).toEqual([
    422,
    expect.stringContaining(draft.invoice_number),
  ]);
  expect(closed()).toBeNull();
  expect((await till.api("POST", `/api/invoices/${draft.invoice_id}/void`, { reason: "x" })).status).toBe(
    200,
  );
  at += 1_000;
  expect((await close(accountant, day(-10))).status).toBe(303);
  expect(closed()).toBe(day(-10));
  // What was there by then is in the figures of those days.
  const counted = await owner.get(`/desk/invoices/${withTax.invoice_number}`);
  expect(await counted.text()).not.toContain("The delivery was on days that are closed.");

  const late = await make(day(-10));
  expect([late.status, late.body.errors]).toEqual([
    400,
    [{ field: "issue_date", message: `must be after ${day(-10)}: the books are closed through that day` }],
  ]);
  expect((await make(day(-9))).status).toBe(201);
  // Its tax belongs to the closed days, and is not refused but told.
  const supplied = await make(day(-9), { line_items: taxed, delivery_date: day(-12) });
  expect(supplied.body.warnings).toContainEqual({
    code: "earlier_period",
    field: "delivery_date",
    message: expect.stringContaining(`closed, through ${day(-10)}`),
  });
  const shown = await owner.get(`/desk/invoices/${supplied.body.invoice_number}`);
  expect(await shown.text()).toContain("The delivery was on days that are closed.");

  // Without tax it would be gone from its month; with tax a credit note of today takes it back.
  const gone = await till.api("POST", `/api/invoices/${issued.invoice_id}/void`, { reason: "x" });
  expect([gone.status, gone.body.code, gone.body.detail]).toEqual([
    409,
    "void_refused",
    `${issued.invoice_number} is in books that are closed. Credit it: a credit note is dated today.`,
  ]);
  for (const act of ["void", "anew"]) {
    const desk = await owner.post(`/desk/invoices/${issued.invoice_number}/${act}`, { reason: "x" });
    expect(await desk.text()).toContain("the books are closed for that day. Issue a credit note instead");
  }
  const { body: note } = await till.api("POST", `/api/invoices/${issued.invoice_id}/credit-notes`, {
    reason: "x",
  });
  expect(note.issue_date).toBe(day(0));
  expect((await till.api("POST", `/api/invoices/${withTax.invoice_id}/void`, { reason: "x" })).status).toBe(
    200,
  );
  const { body: notes } = await till.api("GET", `/api/invoices/${withTax.invoice_id}/credit-notes`);
  expect(notes.data.map(({ issue_date }: { issue_date: string }) => issue_date)).toEqual([day(0)]);
});

test("an accountant closes more, an owner opens again, and both are in the audit log", async () => {
  expect((await close(accountant, day(-41))).status).toBe(422);
  expect((await close(accountant, "")).status).toBe(422);
  expect(closed()).toBe(day(-10));
  expect((await close(owner, day(-41))).status).toBe(303);
  const again = await make(day(-40));
  expect(again.status).toBe(201);
  await openPage(again.body);
  expect((await close(owner, "")).status).toBe(303);
  expect(closed()).toBeNull();
  const deeds = AuditStore.list(till.db, { before: null, limit: 10 }).filter(({ action }) =>
    action.startsWith("books."),
  );
  expect(
    deeds.map(({ personName, action, subject, outcome }) => [personName, action, subject, outcome]),
  ).toEqual([
    ["Olga", "books.open", "–", "done"],
    ["Olga", "books.open", day(-41), "done"],
    ["Ada", "books.close", day(-10), "done"],
  ]);
});

test("no mark and no mail that fails takes anything out of days that are closed", async () => {
  const { body: draft } = await make(day(-20), { line_items: taxed });
  const mark = (as: string) => till.api("POST", `/api/invoices/${draft.invoice_id}/mark`, { as });
  const sums = async () => (await fetch(`${till.localUrl}/api/exports/tax-sums?to=${day(-15)}`)).text();
  const empty = await sums();
  expect((await mark("paid")).status).toBe(200);
  const counted = await sums();
  expect(counted).not.toBe(empty);
  // Till knows only by the mark that somebody saw it.
  expect((await close(owner, day(-15))).status).toBe(303);
  const undone = await mark("unpaid");
  expect([undone.status, undone.body.code]).toEqual([409, "mark_refused"]);
  expect(await sums()).toBe(counted);
  expect((await close(owner, "")).status).toBe(303);
  expect((await mark("unpaid")).status).toBe(200);

  till.db.run(
    `INSERT INTO mail (id, deposit_index, kind, occasion, state, attempts, next_attempt_at, created_at)
     SELECT 'mail_x', deposit_index, 'invoice', '', 'sending', 1, NULL, 0 FROM invoice WHERE id = ?`,
    [draft.invoice_id],
  );
  expect((await close(owner, day(-15))).status).toBe(422);
  till.db.run("DELETE FROM mail WHERE id = 'mail_x'");
  expect((await till.api("POST", `/api/invoices/${draft.invoice_id}/void`, { reason: "x" })).status).toBe(
    200,
  );
});

test("a void takes no credit note out of days that are closed", async () => {
  const { body: ahead } = await make(day(5));
  await openPage(ahead);
  const one = `/api/invoices/${ahead.invoice_id}`;
  const part = { reason: "x", amounts: [{ amount: "1.00" }] };
  expect((await till.api("POST", `${one}/credit-notes`, part)).body.issue_date).toBe(day(0));
  PreferenceStore.setClosedThrough(till.db, day(0), now);
  const gone = await till.api("POST", `${one}/void`, { reason: "x" });
  expect([gone.status, gone.body.code]).toEqual([409, "void_refused"]);
  const { body: rest } = await till.api("POST", `${one}/credit-notes`, { reason: "x" });
  expect(rest.issue_date).toBe(day(1));
  expect((await till.api("GET", one)).body.status).toBe("void");
  PreferenceStore.setClosedThrough(till.db, null, now);
});

test("what is dated by itself goes to the first open day when the clock was put back", async () => {
  const { body } = await make(day(-40));
  await openPage(body);
  PreferenceStore.setClosedThrough(till.db, day(-1), now);
  at = now - 5 * 86_400_000;
  const made = await make(undefined);
  expect((await till.api("GET", `/api/invoices/${made.body.invoice_id}`)).body.issue_date).toBe(day(0));
  const { body: note } = await till.api("POST", `/api/invoices/${body.invoice_id}/credit-notes`, {
    reason: "x",
  });
  expect(note.issue_date).toBe(day(0));
  at = now;
  PreferenceStore.setClosedThrough(till.db, null, now);
});

test("no invoice slips into days that are closed while it is made", async () => {
  const count = till.db.query<{ n: bigint }, [string]>(
    "SELECT count(*) AS n FROM invoice WHERE issue_date = ?",
  );
  const statuses = new Set<number>();
  // Until both have come about: on a busy machine none is made before the days are closed, or all are.
  for (let round = 0; round < 6 || (round < 400 && statuses.size < 2); round += 1) {
    PreferenceStore.setClosedThrough(till.db, null, now);
    const making = Array.from({ length: 5 }, () => make(day(-101), { line_items: taxed }));
    // Time itself: how far the making has come when the days are closed.
    await Bun.sleep(round < 6 ? round : round - 5);
    PreferenceStore.setClosedThrough(till.db, day(-71), now);
    const before = count.get(day(-101))?.n;
    for (const { status } of await Promise.all(making)) statuses.add(status);
    expect(count.get(day(-101))?.n).toBe(before as bigint);
  }
  expect([...statuses].sort()).toEqual([201, 400]);
  PreferenceStore.setClosedThrough(till.db, null, now);
});
