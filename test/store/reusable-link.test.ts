import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import fc from "fast-check";
import * as Link from "../../src/domain/link/link.ts";
import type { Deposit } from "../../src/domain/payment/deposit.ts";
import * as Common from "../../src/domain/receivable/common.ts";
import type { Db } from "../../src/store/database.ts";
import * as DepositStore from "../../src/store/tables/invoicing/deposit.ts";
import * as LinkStore from "../../src/store/tables/invoicing/link.ts";
import * as ReusableStore from "../../src/store/tables/invoicing/reusable-link.ts";
import { db, makeDatabase, removeDatabase } from "../support/till/database.ts";
import { cross, sign } from "../support/till/moves.ts";
import { storeInvoice, storeReusable } from "../support/till/records.ts";

let sample: Deposit;

beforeAll(() => {
  makeDatabase();
  sample = storeInvoice(db).deposit;
});
afterAll(removeDatabase);

const fields = {
  merchantEmail: "owner@corner.example",
  businessName: "Corner Shop",
  productDescription: null,
  successUrl: null,
  embedOrigins: [],
  webhookUrl: null,
  walletType: "byo" as const,
  currency: null,
  createdAt: 1,
  expiresAt: null,
};

let made = 0;
function storeChild(reusable: { id: number; slug: string } | null, createdAt = 1): number {
  made += 1;
  const index = DepositStore.nextIndex(db);
  const deposit = { ...sample, index, salt: `0x${index}`, address: `0x${index}` } as Deposit;
  const parent = reusable
    ? { reusableId: reusable.id, reusableSlug: reusable.slug, quantity: 1 }
    : Link.alone;
  const link = {
    ...fields,
    ...Common.defaults,
    ...parent,
    payerEmail: null,
    ...unbilled,
    status: "pending" as const,
  };
  LinkStore.insert(db, { ...link, slug: `child${made}`, createdAt, deposit }, null);
  return index;
}

const unbilled = { bill: null, collect: null, payerDetails: null, receiptNumber: null };

const totalsOf = (slug: string) => ReusableStore.list(db, { limit: 1, slug }).rows[0]?.totals;

describe("the totals of a reusable link", () => {
  test("are those of its payments, whatever becomes of them in whatever order", () => {
    const step = fc.record({
      kind: fc.constantFrom("begin", "status", "money", "other"),
      which: fc.nat(),
      status: fc.constantFrom(...Link.statuses),
      received: fc.bigInt({ min: 0n, max: 10n ** 15n }),
    });
    let run = 0;
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
        run += 1;
        const links = [`a${run}`, `b${run}`].map((slug) => ({ slug, id: storeReusable(db, { slug: slug }) }));
        const children: number[] = [];
        for (const { kind, which, status, received } of steps) {
          const index = children[which % Math.max(1, children.length)];
          if (kind === "begin") children.push(storeChild(links[which % 2] ?? null));
          if (kind === "other") children.push(storeChild(null));
          if (index === undefined) continue;
          if (kind === "status")
            db.query("UPDATE link SET status = ? WHERE deposit_index = ?").run(status, index);
          if (kind === "money")
            db.query("UPDATE receivable SET received_amount = ? WHERE deposit_index = ?").run(
              received,
              index,
            );
        }
        for (const { slug, id } of links) {
          const counted = db
            .query<{ begun: bigint; paid: bigint; received: bigint }, [number]>(
              `SELECT count(*) AS begun, count(*) FILTER (WHERE status IN ('confirmed', 'excess')) AS paid,
                 coalesce(sum(received_amount), 0) AS received
               FROM link JOIN receivable USING (deposit_index) WHERE reusable_id = ?`,
            )
            .get(id);
          expect(totalsOf(slug)).toEqual({
            begun: Number(counted?.begun),
            paid: Number(counted?.paid),
            received: (counted?.received ?? 0n) as never,
          });
        }
      }),
      { seed: 1, numRuns: 60 },
    );
  });
});

describe("with very many payments", () => {
  const plan = (sql: string) =>
    db
      .query<{ detail: string }, []>(`EXPLAIN QUERY PLAN ${sql}`)
      .all()
      .map(({ detail }) => detail);
  /** What is asked of the database by `work`. */
  function queriesOf(work: (db: Db) => unknown): string[] {
    const queries: string[] = [];
    const listening = new Proxy(db, {
      get(target, name) {
        const value = Reflect.get(target, name, target);
        if (typeof value !== "function") return value;
        return (...args: unknown[]) => {
          if (name === "query") queries.push(String(args[0]));
          return Reflect.apply(value, target, args);
        };
      },
    });
    work(listening);
    return queries;
  }

  test("reads only the page of them that is asked for, in the order of an index", () => {
    const [sql = ""] = queriesOf((db) => LinkStore.list(db, { limit: 20, reusableId: 1 }));
    expect(plan(sql).join("\n")).toContain("link_by_reusable");
    expect(plan(sql).join("\n")).not.toContain("TEMP B-TREE");
  });

  test("counts the unpaid of a day by an index of them alone, and only so many", () => {
    const [sql = ""] = queriesOf((db) => ReusableStore.unpaidSince(db, 1, 0, 10));
    expect(plan(sql).join("\n")).toContain("link_unpaid");
    const reusable = { slug: "busy", id: storeReusable(db, { slug: "busy" }) };
    for (const at of [5, 6, 7, 8]) storeChild(reusable, at);
    expect(ReusableStore.unpaidSince(db, reusable.id, 6, 10)).toBe(3);
    expect(ReusableStore.unpaidSince(db, reusable.id, 6, 2)).toBe(2);
    db.run("UPDATE link SET status = 'confirmed' WHERE created_at = 7");
    expect(ReusableStore.unpaidSince(db, reusable.id, 6, 10)).toBe(2);
    ReusableStore.expireOldest(db, reusable.id, 6, 9);
    expect(ReusableStore.unpaidSince(db, reusable.id, 6, 10)).toBe(1);
    const expired = db.query("SELECT created_at FROM link WHERE expires_at = 9").values();
    expect(expired).toEqual([[6n]]);
    const last = LinkStore.list(db, { limit: 1, reusableId: reusable.id }).rows[0]?.deposit.index ?? 0;
    const onItsWay = [
      ["UPDATE receivable SET pending_amount = 1", "UPDATE receivable SET pending_amount = 0"],
      [() => sign(db, last, 25_000_000n, 8), "DELETE FROM relay"],
      [() => cross(db, last, 25_000_000n, 8), "DELETE FROM crossing"],
    ] as const;
    for (const [comes, ends] of onItsWay) {
      if (typeof comes === "string") db.run(comes);
      else comes();
      ReusableStore.expireOldest(db, reusable.id, 6, 9);
      expect(ReusableStore.unpaidSince(db, reusable.id, 6, 10)).toBe(1);
      db.run(ends);
    }
    ReusableStore.expireOldest(db, reusable.id, 6, 9);
    expect(ReusableStore.unpaidSince(db, reusable.id, 6, 10)).toBe(0);
  });

  test("lists reusable links with their totals without a look at the payments", () => {
    for (const sql of queriesOf((db) => ReusableStore.list(db, { limit: 20 }))) {
      expect(plan(sql).join("\n")).not.toMatch(/\b(link|deposit)\b/);
    }
  });
});
