import { afterAll, beforeAll, expect, test } from "bun:test";
import * as Usdc from "../../src/domain/usdc.ts";
import { transact } from "../../src/store/database.ts";
import * as WatchedStore from "../../src/store/tables/watch/watched.ts";
import { createWatchedDeposits, watchedMs } from "../../src/watch/deposits.ts";
import { db, makeDatabase, removeDatabase } from "../support/till/database.ts";
import { storeInvoice } from "../support/till/records.ts";

const now = Date.UTC(2026, 10, 1);
const [old, many] = [200, 1_200];
const store = (at: number) => storeInvoice(db, { now: at }).deposit;

beforeAll(() => {
  makeDatabase();
  transact(db, () => {
    for (let i = 0; i < old; i++) store(now - watchedMs - 1);
    for (let i = 0; i < many; i++) store(now);
  });
});
afterAll(removeDatabase);

test("what changed lately is read in the order of its index, without reading what did not", () => {
  const sql: string[] = [];
  const spied = new Proxy(db, {
    get: (target, name) =>
      name === "query"
        ? (text: string) => {
            sql.push(text);
            return target.query(text);
          }
        : Reflect.get(target, name),
  });
  const pages = [...WatchedStore.changedSince(spied, now - watchedMs)];
  expect(pages.length).toBeGreaterThan(2);
  const found = pages.flat().map(({ index }) => index);
  expect(found).toEqual(Array.from({ length: many }, (_, i) => (found[0] ?? 0) + i));
  for (const text of new Set(sql)) {
    const plan = db.query<{ detail: string }, []>(`EXPLAIN QUERY PLAN ${text.replaceAll("?", "1")}`).all();
    expect(plan.map(({ detail }) => detail).join("; ")).not.toContain("SCAN deposit");
  }
});

test("what is open is read whatever its age, in short pages, and what has ended only for a while", () => {
  const ended = Array.from({ length: old }, (_, index) => index);
  db.run("UPDATE invoice SET status = 'paid' WHERE deposit_index < ?", [old]);
  const open = 7;
  db.run("UPDATE invoice SET status = 'partial' WHERE deposit_index = ?", [open]);
  const [elsewhere, voided, marked] = [9, 11, 12];
  db.run("UPDATE receivable SET voided_at = ? WHERE deposit_index = ?", [now, voided]);
  db.run("UPDATE receivable SET marked_paid_at = ? WHERE deposit_index = ?", [now, marked]);
  const columns = "deposit_index, chain_id, amount, found_at, seen_at";
  db.run(`INSERT INTO elsewhere (${columns}) VALUES (?, 1, 1, 1, 1)`, [elsewhere]);
  const pages = [...WatchedStore.openOrChangedSince(db, now - watchedMs)];
  expect(Math.max(...pages.map(({ length }) => length))).toBeLessThanOrEqual(500);
  const found = new Set(pages.flat().map(({ index }) => index));
  expect(found.size).toBe(many + 4);
  expect(ended.filter((index) => found.has(index))).toEqual([open, elsewhere, voided, marked]);
});

test("others have their turn while deposits are read, and what they add stays", async () => {
  const deposits = createWatchedDeposits(
    db,
    () => now,
    () => 0,
  );
  let hasMade = false;
  setImmediate(() => {
    deposits.add(store(now));
    hasMade = true;
  });
  await deposits.load();
  expect(hasMade).toBe(true);
  expect(deposits.recipients.size).toBe(many + 1);
  const last = old + many;
  expect([deposits.has(last), deposits.has(last + 1)]).toEqual([true, false]);
});

test("what becomes dormant is not taken for watched while deposits are read: a payment makes it watched again", async () => {
  let at = now;
  const deposits = createWatchedDeposits(
    db,
    () => at,
    () => 0,
  );
  await deposits.load();
  expect(deposits.has(old)).toBe(true);
  at += watchedMs + 1;
  const later = store(at);
  const loading = deposits.load();
  const [paid, ...others] = WatchedStore.list(db, [old, old + 1]);
  expect(deposits.has(old)).toBe(false);
  if (paid) deposits.add(paid);
  await loading;
  expect([old, later.index, ...others.map(({ index }) => index)].map(deposits.has)).toEqual([
    true,
    true,
    false,
  ]);
});

test("what the books were found to explain is as expected from then on", async () => {
  const deposits = createWatchedDeposits(
    db,
    () => now,
    () => 0,
  );
  await deposits.load();
  for (const holding of [
    { balance: Usdc.fromMicro(5n), hasCode: true },
    { balance: Usdc.zero, hasCode: true },
  ]) {
    expect(deposits.isAsExpected(old, holding)).toBe(false);
    deposits.explained(old, holding);
    expect(deposits.isAsExpected(old, holding)).toBe(true);
  }
});
