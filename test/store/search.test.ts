import { afterAll, expect, test } from "bun:test";
import { renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { closeDatabase, type Db, openDatabase } from "../../src/store/database.ts";
import { databaseFile } from "../../src/store/files/data-dir.ts";
import { find, matchOf } from "../../src/store/search.ts";
import * as CustomerStore from "../../src/store/tables/invoicing/customer.ts";
import { makeDataDir } from "../support/till/data-dir.ts";
import { storeInvoice } from "../support/till/records.ts";

const dir = makeDataDir();
afterAll(() => dir.remove());

const names = ["Hotel Linde", "Café Morgenrot", "Hotel Morgenrot", "Lindenhof Internationale"];
const emails = ["pay@linde.example", "ap@cafe.example", "ap@shop7.example"];
const words = [
  "h",
  "hotel",
  "lind",
  "linde",
  "cafe",
  "morgen",
  "internationales",
  "ap",
  "shop7",
  "po",
  "inv",
  "100",
];

const step = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant("invoices" as const),
      count: fc.integer({ min: 1, max: 80 }),
      vendorName: fc.constantFrom(...names),
      vendorEmail: fc.constantFrom(...emails),
      reference: fc.constantFrom("PO-1", "PO-77", "shop"),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant("search" as const),
      words: fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 3 }),
      limit: fc.integer({ min: 1, max: 200 }),
      before: fc.option(fc.nat(70_000)),
    }),
  },
  // So that searches go through several parts of the table, and through parts that are empty.
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("skip" as const), to: fc.nat(70_000) }) },
  { weight: 1, arbitrary: fc.constant({ kind: "kill" as const }) },
  { weight: 1, arbitrary: fc.constant({ kind: "restore" as const }) },
);

/** The words of a text, as they are looked up. */
const wordsOf = (text: string) =>
  text
    .normalize("NFD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .split(/[^a-z0-9]+/);
const hasAll = (text: string, sought: readonly string[]) => {
  const there = wordsOf(text);
  return sought.every((word) => there.some((each) => each.startsWith(word)));
};

test("a search finds all that is there, whatever was made, killed or restored since the last one", async () => {
  let count = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
      const dataDir = join(dir.path, String(++count));
      let db: Db = openDatabase(dataDir);
      const made: { id: number; text: string }[] = [];
      const customers = new Map<string, string>();
      for (const step of steps) {
        if (step.kind === "invoices") {
          const { vendorName, vendorEmail, reference } = step;
          db.transaction(() => {
            for (let i = 0; i < step.count; i++) {
              const { sequence, number } = storeInvoice(db, step);
              made.unshift({
                id: sequence,
                text: [number, vendorName, vendorEmail, reference, "100.00"].join(" "),
              });
            }
          })();
          customers.set(vendorEmail, vendorName);
        } else if (step.kind === "skip")
          db.query("UPDATE next_numbers SET sequence = max(sequence, ?)").run(step.to + 1);
        else if (step.kind === "kill") {
          // What a killed process leaves: nothing is folded into the file.
          db.close();
          db = openDatabase(dataDir);
        } else if (step.kind === "restore") {
          const copy = join(dir.path, "copy");
          rmSync(copy, { force: true });
          db.query("VACUUM INTO ?").run(copy);
          closeDatabase(db);
          renameSync(copy, databaseFile(dataDir));
          db = openDatabase(dataDir);
        } else {
          const { limit, before } = step;
          const match = matchOf(step.words.join(" ")) ?? "";
          const fits = made.filter(({ id, text }) => id < (before ?? Infinity) && hasAll(text, step.words));
          expect(await find(db, "invoice", match, { before: before ?? undefined, limit })).toEqual(
            fits.slice(0, limit).map(({ id }) => id),
          );
          const found = await CustomerStore.search(db, match, { after: null, limit: 100 });
          expect(found.rows.map(({ email }) => email).sort()).toEqual(
            [...customers]
              .flatMap(([email, name]) => (hasAll(`${name} ${email}`, step.words) ? [email] : []))
              .sort(),
          );
        }
      }
      closeDatabase(db);
      rmSync(dataDir, { recursive: true });
    }),
    { seed: 1, numRuns: Number(process.env["TEST_SEARCHES"] || 15) },
  );
});

test.each([
  ["मुंबई कैफे", "मुं"],
  ["Straße des 17. Juni", "stra 17"],
  ["Кафе Лето", "кафе лет"],
  ["株式会社テスト", "株式"],
  ["O'Neill & Sons", "o'nei"],
  ["a\ue001b", "b"],
])("finds %s by %s", async (vendorName, typed) => {
  const dataDir = join(dir.path, "names");
  const db = openDatabase(dataDir);
  const { sequence } = storeInvoice(db, { vendorName });
  storeInvoice(db, { vendorName: "Zeppelin" });
  expect(await find(db, "invoice", matchOf(typed) ?? "", { limit: 9 })).toEqual([sequence]);
  closeDatabase(db);
  rmSync(dataDir, { recursive: true });
});

test("what is found in several parts of the table is never more than was asked for, the newest first", async () => {
  const dataDir = join(dir.path, "parts");
  const db = openDatabase(dataDir);
  const made = [1, 32_767, 32_768, 65_536].map((next) => {
    db.query("UPDATE next_numbers SET sequence = ?").run(next);
    return storeInvoice(db).sequence;
  });
  for (const limit of [1, 2, 3, 4, 5])
    expect(await find(db, "invoice", matchOf("globex") ?? "", { limit })).toEqual(
      made.toReversed().slice(0, limit),
    );
  closeDatabase(db);
});

test("an index that is far behind is brought up to date while others are answered in between", async () => {
  const dataDir = join(dir.path, "behind");
  const db = openDatabase(dataDir);
  db.transaction(() => {
    for (let i = 0; i < 1_000; i++) storeInvoice(db);
  })();
  db.run("INSERT INTO invoice_search (invoice_search) VALUES ('delete-all')");
  let turns = 0;
  let isDone = false;
  const turn = () => {
    turns++;
    if (!isDone) setImmediate(turn);
  };
  setImmediate(turn);
  expect(await find(db, "invoice", matchOf("globex") ?? "", { limit: 5_000 })).toHaveLength(1_000);
  isDone = true;
  expect(turns).toBeGreaterThan(2);
  closeDatabase(db);
});

test.each([
  ["東京コーヒー株式会社", ["東京", "コーヒー", "株式会社", "京コ", "ー株"], ["京東", "コー京"]],
  ["上海咖啡有限公司 Shanghai", ["咖啡", "上海 shang", "公司"], ["啡咖"]],
  ["Straße Øre Łódź", ["strasse", "STRASSE", "straße", "ore", "øre", "lodz", "łód"], ["rasse"]],
])("finds %s by what people type", async (vendorName, found, not) => {
  const { path, remove } = makeDataDir();
  const db = openDatabase(databaseFile(path));
  storeInvoice(db, { vendorName });
  const count = async (typed: string) =>
    (await find(db, "invoice", matchOf(typed) ?? "", { limit: 9 })).length;
  for (const typed of found) expect([typed, await count(typed)]).toEqual([typed, 1]);
  for (const typed of not) expect([typed, await count(typed)]).toEqual([typed, 0]);
  closeDatabase(db);
  remove();
});
