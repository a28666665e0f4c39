import { afterAll, beforeAll, expect, test } from "bun:test";
import fc from "fast-check";
import * as Usdc from "../../src/domain/usdc.ts";
import { owed } from "../../src/store/reports/desk/home.ts";
import * as CustomerStore from "../../src/store/tables/invoicing/customer.ts";
import * as ReceivableStore from "../../src/store/tables/invoicing/receivable.ts";
import * as RefundStore from "../../src/store/tables/invoicing/refund.ts";
import { db, makeDatabase, removeDatabase } from "../support/till/database.ts";
import { storeInvoice } from "../support/till/records.ts";

beforeAll(makeDatabase);
afterAll(removeDatabase);

const statuses = ["draft", "sent", "paid", "partial", "excess", "void"] as const;
const days = ["2026-11-01", "2026-11-30", "2027-01-15"] as const;
const quarterMs = 900_000;

const step = fc.oneof(
  fc.record({
    kind: fc.constant("invoice" as const),
    issueDate: fc.constantFrom("2026-10-01", "2026-10-02"),
    dueDate: fc.constantFrom(...days),
    vendorEmail: fc.constantFrom("ap@globex.example", "AP@globex.example", "pay@initech.example"),
  }),
  fc.record({
    kind: fc.constant("status" as const),
    at: fc.nat(),
    status: fc.constantFrom(...statuses),
    marked: fc.boolean(),
  }),
  fc.record({ kind: fc.constant("received" as const), at: fc.nat(), amount: fc.bigInt(0n, 3_000_000_000n) }),
  fc.record({ kind: fc.constant("settled" as const), at: fc.nat(), amount: fc.bigInt(0n, 3_000_000_000n) }),
  fc.record({
    kind: fc.constant("transfer" as const),
    at: fc.nat(),
    amount: fc.bigInt(1n, 5_000_000n),
    madeAt: fc.integer({ min: 0, max: 5 * quarterMs }),
    confirmed: fc.integer({ min: 0, max: 1 }),
  }),
  fc.record({
    kind: fc.constant("confirm" as const),
    confirmed: fc.integer({ min: 0, max: 1 }),
    below: fc.nat(40),
  }),
  fc.record({ kind: fc.constant("remove" as const), above: fc.nat(40) }),
  fc.record({ kind: fc.constant("quoted" as const), at: fc.nat(), amount: fc.bigInt(1n, 3_000_000_000n) }),
  fc.record({
    kind: fc.constant("credited" as const),
    at: fc.nat(),
    percent: fc.bigInt(1n, 100n),
    returned: fc.bigInt(0n, 100n),
  }),
);

// Below a cent nothing has come.
const left = "max(0, due_amount - CASE WHEN received_amount < 10000 THEN 0 ELSE received_amount END)";

const added = `SELECT due_date, issue_date, count(*) AS invoices, sum(${left}) AS amount
  FROM invoice JOIN receivable USING (deposit_index) WHERE status IN ('draft', 'sent', 'partial') GROUP BY 1, 2 ORDER BY 1, 2`;
const addedQuarters = `SELECT made_at / ${quarterMs} AS quarter, sum(amount) AS amount FROM transfer
  WHERE confirmed = 1 GROUP BY 1 ORDER BY 1`;

const sums = `sum(received_amount) AS received, sum(settled_amount) AS settled,
  sum(max(received_amount - settled_amount, 0)) AS waiting, sum(received_amount > settled_amount) AS deposits`;
const kept = `SELECT wallet, received_amount AS received, settled_amount AS settled, waiting_amount AS waiting,
  waiting_deposits AS deposits FROM payout WHERE wallet = '' OR received_amount + settled_amount > 0 ORDER BY 1`;
const addedWallets = `SELECT '' AS wallet, ${sums} FROM receivable
  UNION ALL SELECT payout_wallet, ${sums} FROM receivable GROUP BY payout_wallet
    HAVING sum(received_amount + settled_amount) > 0 ORDER BY 1`;

const keptCustomers =
  "SELECT key, last_sequence, invoices, open_amount, paid_amount FROM customer ORDER BY 1";
const addedCustomers = `SELECT lower(vendor_email) AS key, max(sequence) AS last_sequence, count(*) AS invoices,
    sum(CASE WHEN status IN ('draft', 'sent', 'partial') THEN ${left} ELSE 0 END)
      AS open_amount,
    sum(CASE WHEN marked_paid_at IS NULL THEN received_amount ELSE max(due_amount, received_amount) END)
      AS paid_amount
  FROM invoice JOIN receivable USING (deposit_index) GROUP BY 1 ORDER BY 1`;

test("what is kept beside invoices and transfers is always what adding them up gives", () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      db.transaction(() => {
        for (const table of [
          "transfer",
          "line_item",
          "invoice",
          "receivable",
          "received",
          "owed",
          "customer",
        ])
          db.run(`DELETE FROM ${table}`);
        db.run("DELETE FROM payout WHERE wallet <> ''");
        db.run(
          "UPDATE payout SET received_amount = 0, settled_amount = 0, waiting_amount = 0, waiting_deposits = 0",
        );
        const indexes: number[] = [];
        let block = 0;
        for (const step of steps) {
          const index = "at" in step ? (indexes[step.at % indexes.length] ?? null) : null;
          if (step.kind === "invoice") indexes.push(storeInvoice(db, step).deposit.index);
          else if (step.kind === "confirm")
            db.query("UPDATE transfer SET confirmed = ? WHERE block_number < ?").run(
              step.confirmed,
              step.below,
            );
          else if (step.kind === "remove")
            db.query("DELETE FROM transfer WHERE block_number > ?").run(step.above);
          else if (index === null) continue;
          else if (step.kind === "status") {
            const closed = {
              voidedAt: step.status === "void" ? 1 : null,
              voidReason: null,
              markedPaidAt: step.marked && step.status !== "void" ? 1 : null,
            };
            ReceivableStore.setClosed(db, { kind: "invoice", depositIndex: index }, closed, step.status);
          } else if (step.kind === "quoted")
            db.query(
              "UPDATE receivable SET expected_amount = ? WHERE deposit_index = ? AND credited_amount = 0",
            ).run(step.amount, index);
          else if (step.kind === "credited")
            db.query(
              `UPDATE receivable SET credited_amount = credited_amount + usdc, return_amount = return_amount + usdc * ?3 / 100
               FROM (SELECT (expected_amount - credited_amount) * ?2 / 100 AS usdc FROM receivable WHERE deposit_index = ?1)
               WHERE deposit_index = ?1`,
            ).run(index, step.percent, step.returned);
          else if (step.kind === "received" || step.kind === "settled")
            db.query(`UPDATE receivable SET ${step.kind}_amount = ? WHERE deposit_index = ?`).run(
              step.amount,
              index,
            );
          else
            db.query(
              `INSERT INTO transfer (block_hash, log_index, block_number, tx_hash, deposit_index, payer, amount, confirmed,
                 made_at, seen_at, opinion) VALUES ('0x' || ?1, 0, ?1, '0x', ?2, '0x', ?3, ?4, ?5, ?5, 'none')`,
            ).run(++block, index, step.amount, step.confirmed, step.madeAt);
        }
      })();
      expect(db.query("SELECT * FROM owed ORDER BY 1, 2").all()).toEqual(db.query(added).all());
      expect(db.query("SELECT * FROM received WHERE amount <> 0 ORDER BY 1").all()).toEqual(
        db.query(addedQuarters).all(),
      );
      expect(db.query(keptCustomers).all()).toEqual(db.query(addedCustomers).all());
      const empty = { wallet: "", received: 0n, settled: 0n, waiting: 0n, deposits: 0n };
      const [all, ...wallets] = db.query<Record<string, unknown>, []>(addedWallets).all();
      expect(db.query(kept).all()).toEqual([all?.["received"] === null ? empty : (all ?? empty), ...wallets]);
    }),
    { seed: 1, numRuns: 200 },
  );
});

test("what was billed beyond 64 bits stops nobody who is billed, pays, marks, moves, voids or looks", () => {
  const vendorEmail = "max@globex.example";
  const days = { dueDate: "2031-01-01", issueDate: "2030-12-01" };
  const [first, second] = [
    storeInvoice(db, { vendorEmail, ...days }),
    storeInvoice(db, { vendorEmail, ...days }),
  ];
  const full = 2n ** 63n - 1n;
  db.query("UPDATE customer SET open_amount = ?1, paid_amount = ?1 WHERE key = ?2").run(full, vendorEmail);
  db.query("UPDATE owed SET amount = ? WHERE due_date = ?").run(full, days.dueDate);
  storeInvoice(db, { vendorEmail, ...days });
  const markedAs = (markedPaidAt: number | null, voidedAt: number | null) =>
    ReceivableStore.setClosed(
      db,
      { kind: "invoice", depositIndex: second.deposit.index },
      { markedPaidAt, voidedAt, voidReason: null },
      voidedAt === null ? "sent" : "void",
    );
  markedAs(1, null);
  const received = "UPDATE receivable SET received_amount = 40000000 WHERE deposit_index = ?";
  db.query(received).run(first.deposit.index);
  db.query("UPDATE invoice SET due_date = '2031-02-01' WHERE sequence = ?").run(first.sequence);
  db.query("UPDATE invoice SET vendor_email = 'min@globex.example' WHERE sequence = ?").run(first.sequence);
  markedAs(null, 2);
  const said = () => CustomerStore.byEmail(db, vendorEmail);
  for (const sum of [said()?.open, said()?.paid]) expect(sum).toBeGreaterThan(2n ** 62n);
  expect(CustomerStore.byEmail(db, "min@globex.example")).toMatchObject({
    open: 60_000_000n,
    paid: 40_000_000n,
  });

  // Each of them fits, and their sum does not.
  db.query("UPDATE owed SET amount = ?").run(full);
  db.run("UPDATE receivable SET elsewhere_amount = ?", [full / 2n]);
  expect(owed(db).amount).toBeGreaterThan(full);
  expect(RefundStore.sumOwing(db).amount).toBeGreaterThan(full);

  // Of a sum that was too large, rounding left less than nothing.
  db.run("UPDATE customer SET open_amount = -1024.0");
  expect(said()?.open).toBe(Usdc.zero);
});
