import { Database } from "bun:sqlite";
import { afterAll, describe, expect, test } from "bun:test";
import * as Quantity from "../../src/domain/bill/quantity.ts";
import {
  bigInteger,
  boolean,
  columns,
  decimalText,
  integer,
  join,
  orNull,
  quantity,
  type Row,
  text,
  usdc,
} from "../../src/store/columns.ts";
import { usdc as amount } from "../support/usdc.ts";

const db = new Database(":memory:", { strict: true, safeIntegers: true });
afterAll(() => db.close());
db.run(
  `CREATE TABLE parcel (id INTEGER PRIMARY KEY, sent_to TEXT NOT NULL, total_amount INTEGER NOT NULL, count INTEGER,
     is_heavy INTEGER NOT NULL, gas INTEGER NOT NULL, fee_wei TEXT, noted_at INTEGER) STRICT;
   CREATE TABLE label (parcel_id INTEGER NOT NULL, id TEXT) STRICT`,
);

const parcel = columns("parcel", {
  id: integer(),
  sentTo: text(),
  total: usdc("total_amount"),
  count: orNull(quantity()),
  isHeavy: boolean(),
  gas: bigInteger(),
  fee: orNull(decimalText("fee_wei")),
});
type Parcel = ReturnType<typeof parcel.fromRow>;
const label = columns("label", { parcelId: integer(), id: orNull(text()) });

const heavy: Parcel = {
  id: 1,
  sentTo: "Acme",
  total: amount("9999999999.99"),
  count: Quantity.fromMillionths(2_500_000n),
  isHeavy: true,
  gas: 9_007_199_254_740_993n,
  fee: 123_456_789_012_345_678_901_234_567_890n,
};
const light: Parcel = { ...heavy, id: 2, count: null, isHeavy: false, fee: null };

describe("columns", () => {
  test("name each column for its property, with the table, or as it is said", () => {
    expect(parcel.list).toBe(
      "parcel.id, parcel.sent_to, parcel.total_amount, parcel.count, parcel.is_heavy, parcel.gas, parcel.fee_wei",
    );
  });

  test("give back what was stored, exactly", () => {
    for (const value of [heavy, light]) {
      db.query(parcel.insert({ noted_at: "1 + 1" })).run(parcel.values(value));
    }
    const rows = db.query<Row<Parcel>, []>(`SELECT ${parcel.list} FROM parcel ORDER BY id`).all();
    expect(rows.map(parcel.fromRow)).toEqual([heavy, light]);
    expect(db.query("SELECT DISTINCT noted_at FROM parcel").all()).toEqual([{ noted_at: 2n }]);
  });

  test("can be picked and left out, and joined with others", () => {
    db.query(label.insert()).run({ parcelId: 1, id: null });
    const some = parcel.pick("sentTo", "total");
    const row = db
      .query<Row<Pick<Parcel, "sentTo" | "total">> & Row<{ parcelId: number }>, []>(
        `SELECT ${some.list}, ${label.omit("id").list} FROM label JOIN parcel ON parcel.id = parcel_id`,
      )
      .get();
    expect(row && { ...some.fromRow(row), ...label.omit("id").fromRow(row) }).toEqual({
      sentTo: "Acme",
      total: heavy.total,
      parcelId: 1,
    });
  });

  test("join those of two tables into one record, empty where there is no row", () => {
    const both = join(parcel.pick("sentTo"), columns("label", { labelId: orNull(text("id")) }));
    const rows = db
      .query<Row<ReturnType<typeof both.fromRow>>, []>(
        `SELECT ${both.list} FROM parcel LEFT JOIN label ON label.id = parcel.sent_to WHERE parcel.id = 1`,
      )
      .all();
    expect(rows.map(both.fromRow)).toEqual([{ sentTo: "Acme", labelId: null }]);
  });

  test("refuse a row without one of them, and an empty one that must not be", () => {
    const without = db.query<Row<Parcel>, []>("SELECT id, sent_to FROM parcel").get();
    expect(() => without && parcel.fromRow(without)).toThrow("parcel.total_amount is not in the row");
    const empty = db
      .query<Row<Parcel>, []>(`SELECT ${parcel.list} FROM (SELECT 1) LEFT JOIN parcel ON 0`)
      .get();
    expect(() => empty && parcel.fromRow(empty)).toThrow("parcel.id is empty");
  });

  test("cannot be stored with one left out", () => {
    const { sentTo: _, ...rest } = heavy;
    // @ts-expect-error: this line does not compile without it.
    expect(() => db.query(parcel.insert()).run(parcel.values({ ...rest, id: 3 }))).toThrow();
  });
});
