import { afterAll, expect, test } from "bun:test";
import fc from "fast-check";
import type { Status } from "../../src/domain/bill/invoice.ts";
import { closeDatabase, transact } from "../../src/store/database.ts";
import * as InvoiceList from "../../src/store/reports/desk/invoice-list.ts";
import * as InvoiceStore from "../../src/store/tables/invoicing/invoice.ts";
import { makeDataDir, openNewDatabase } from "../support/till/data-dir.ts";
import { storeInvoice } from "../support/till/records.ts";

const dir = makeDataDir();
const db = openNewDatabase(dir.path);
afterAll(() => {
  closeDatabase(db);
  dir.remove();
});

const today = "2026-03-10";
const days = ["2026-03-01", "2026-03-08", "2026-03-09"] as const;
const dueDays = ["2026-03-09", "2026-03-10", "2026-04-01"] as const;
const statusesOf = {
  all: ["draft", "sent", "paid", "partial", "excess", "void"],
  open: ["draft", "sent", "partial"],
  overdue: ["draft", "sent", "partial"],
  paid: ["paid", "excess"],
  void: ["void"],
} as const satisfies Record<InvoiceList.InvoiceFilter, readonly Status[]>;

const invoices = fc.array(
  fc.record({
    issueDate: fc.constantFrom(...days),
    dueDate: fc.constantFrom(...dueDays, ...days),
    status: fc.constantFrom(...statusesOf.all),
  }),
  { maxLength: 30 },
);
const filter = fc.record({
  kind: fc.constantFrom(...InvoiceList.kinds),
  from: fc.constantFrom(null, ...days),
  to: fc.constantFrom(null, ...days),
});

test("every list of invoices has page by page what it is to have, once and in its order", () => {
  fc.assert(
    fc.property(invoices, filter, fc.integer({ min: 1, max: 7 }), (made, narrowed, limit) => {
      db.run(
        "DELETE FROM line_item; DELETE FROM invoice; DELETE FROM receivable; DELETE FROM owed; DELETE FROM customer",
      );
      const all = db.transaction(() =>
        made.map((one) => {
          const { sequence } = storeInvoice(db, one);
          db.query("UPDATE invoice SET status = ? WHERE sequence = ?").run(one.status, sequence);
          return { ...one, sequence };
        }),
      )();
      const { kind, from, to } = narrowed;
      const daysOf = (one: (typeof all)[number]) => {
        if (kind === "overdue") return one.dueDate + one.issueDate;
        return from || to ? one.issueDate : "";
      };
      const orderOf = (one: (typeof all)[number]) => daysOf(one) + String(one.sequence).padStart(5, "0");
      const expected = all
        .filter(
          ({ status, issueDate, dueDate }) =>
            statusesOf[kind].some((each) => each === status) &&
            issueDate >= (from ?? "") &&
            issueDate <= (to ?? "~") &&
            (kind !== "overdue" || dueDate < today),
        )
        .sort((a, b) => (orderOf(a) < orderOf(b) ? 1 : -1))
        .map(({ sequence }) => sequence);

      const asked: InvoiceList.Filter = { ...narrowed, sequences: null, customer: null, today };
      const shown: number[] = [];
      for (let before: number | null = null, hasMore = true; hasMore; before = shown.at(-1) ?? null) {
        const page = InvoiceList.list(db, asked, { before, limit });
        shown.push(...page.rows.map(({ sequence }) => sequence));
        hasMore = page.next !== null;
      }
      expect(shown).toEqual(expected);
      expect(InvoiceList.count(db, asked, 20)).toBe(Math.min(20, expected.length));
    }),
    { seed: 1, numRuns: 200 },
  );
});

test("a merchant's newest invoice is found however many others have billed since", () => {
  const own = transact(db, () => storeInvoice(db, { merchantEmail: "Own@Shop.example" }));
  transact(db, () => {
    for (let others = 0; others < 1_001; others++) storeInvoice(db);
  });
  expect(InvoiceStore.newestOf(db, "own@shop.EXAMPLE")?.id).toBe(own.id);
});
