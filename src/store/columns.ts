import type { SQLQueryBindings } from "bun:sqlite";
import * as Quantity from "../domain/bill/quantity.ts";
import * as Usdc from "../domain/usdc.ts";
import type { Db } from "./database.ts";

/** Values that SQLite accepts and returns. Its integers come back as bigint. */
export type SqlValue = string | number | bigint | null;

/**
 * How a value is stored in a column. Without a name, the column is named after its property: `due_date` for `dueDate`.
 */
type Column<Value> = {
  name: string | null;
  /** SQL of a column that is computed rather than stored. */
  sql?: string;
  mayBeNull: boolean;
  read(stored: NonNullable<SqlValue>): Value;
  write(value: Value): SqlValue;
};

type Spec = Readonly<Record<string, Column<unknown>>>;
type ValuesOf<S extends Spec> = { [K in keyof S]: S[K] extends Column<infer Value> ? Value : never };

declare const holds: unique symbol;
/** A row with the columns of `Values`. Rows of a join are the intersection of the joined rows. */
export type Row<Values> = Readonly<Record<string, SqlValue>> & { readonly [holds]?: Values };

export type Columns<Values> = {
  /** The table. */
  from: string;
  /** The columns for a SELECT or a RETURNING, each with its table. */
  list: string;
  /** Each column with its parameter, `{ due_date: "$dueDate" }`: the `others` of another INSERT into the same table. */
  parameters: Readonly<Record<string, string>>;
  /**
   * An INSERT of all columns, with a parameter for each property: `$dueDate`. `others` are extra columns, each with the
   * SQL of its value.
   */
  insert(others?: Readonly<Record<string, string>>): string;
  /** The parameters of `insert`. */
  values(values: Values): Record<string, SqlValue>;
  /** Throws if a column is missing, or null where it must not be. */
  fromRow(row: Row<Values>): Values;
  pick<K extends keyof Values>(...properties: K[]): Columns<Pick<Values, K>>;
  omit<K extends keyof Values>(...properties: K[]): Columns<Omit<Values, K>>;
};

export type ColumnSelection<Values> = Pick<Columns<Values>, "list" | "fromRow">;

/** Columns with their FROM clause: a table and what is joined to it. */
export type Selectable<Values> = ColumnSelection<Values> & { from: string };

/**
 * The columns of a table, listed once for SELECT, INSERT and the type of a row. A column missing here is missing in
 * that type, so code that builds or returns a record without it does not compile.
 *
 * ```ts
 * const item = columns("line_item", { position: integer(), lineTotal: usdc(), unit: orNull(text("unit_name")) });
 * db.query(item.insert()).run(item.values({ position: 1, lineTotal, unit: null }));
 * selectAll(db, item, "WHERE position > ?", 0);
 * ```
 */
export function columns<S extends Spec>(table: string, spec: S): Columns<ValuesOf<S>> {
  const all = Object.entries(spec).map(([property, column]) => ({
    property,
    column,
    name: column.name ?? property.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
  }));
  const only = (isWanted: (property: string) => boolean) =>
    columns(table, Object.fromEntries(Object.entries(spec).filter(([property]) => isWanted(property))));
  const parameters = Object.fromEntries(all.map(({ name, property }) => [name, `$${property}`]));
  return {
    from: table,
    parameters,
    list: all
      .map(({ name, column: { sql } }) => (sql === undefined ? `${table}.${name}` : `${sql} AS ${name}`))
      .join(", "),
    insert(others = {}) {
      const row = { ...parameters, ...others };
      return `INSERT INTO ${table} (${Object.keys(row).join(", ")}) VALUES (${Object.values(row).join(", ")})`;
    },
    values(values) {
      const stored: Record<string, SqlValue> = {};
      for (const { property, column } of all) stored[property] = column.write(values[property as keyof S]);
      return stored;
    },
    fromRow(row) {
      const values: Record<string, unknown> = {};
      for (const { property, column, name } of all) {
        const stored = row[name];
        if (stored === undefined || (stored === null && !column.mayBeNull))
          throw new Error(`The column ${table}.${name} is ${stored === null ? "empty" : "not in the row"}`);
        values[property] = stored === null ? null : column.read(stored);
      }
      return values as ValuesOf<S>;
    },
    pick: (...properties) => only((property) => properties.includes(property as never)) as never,
    omit: (...properties) => only((property) => !properties.includes(property as never)) as never,
  };
}

/** The columns of several tables; their names must differ. */
export function join<A, B>(a: ColumnSelection<A>, b: ColumnSelection<B>): ColumnSelection<A & B> {
  return {
    list: `${a.list}, ${b.list}`,
    fromRow: (row) => ({ ...a.fromRow(row), ...b.fromRow(row) }),
  };
}

/** Nests columns under one property. */
export const under = <K extends string, T>(
  property: K,
  { list, fromRow }: ColumnSelection<T>,
): ColumnSelection<Record<K, T>> => ({
  list,
  fromRow: (row) => ({ [property]: fromRow(row as Row<never>) }) as Record<K, T>,
});

const selecting = <T>(db: Db, { list, from }: Selectable<T>, rest: string) =>
  db.query<Row<T>, SQLQueryBindings[]>(`SELECT ${list} FROM ${from} ${rest}`);

/** The first row for `rest`, which begins with WHERE or ORDER BY; null if there is none. */
export function selectOne<T>(
  db: Db,
  what: Selectable<T>,
  rest: string,
  ...values: SQLQueryBindings[]
): T | null {
  const row = selecting(db, what, rest).get(...values);
  return row && what.fromRow(row);
}

export const selectAll = <T>(db: Db, what: Selectable<T>, rest: string, ...values: SQLQueryBindings[]): T[] =>
  selecting(db, what, rest)
    .all(...values)
    .map((row) => what.fromRow(row));

/** One row at a time. */
export function* selectEach<T>(
  db: Db,
  what: Selectable<T>,
  rest: string,
  ...values: SQLQueryBindings[]
): Generator<T> {
  for (const row of selecting(db, what, rest).iterate(...values)) yield what.fromRow(row);
}

type Codec<Value> = Pick<Column<Value>, "read" | "write">;

function column<Value>(name: string | null, codec: Codec<Value>): Column<Value> {
  return { name, mayBeNull: false, ...codec };
}

/** Text stored unchanged; `T` narrows it, as the code wrote the value and the schema checks it. */
export const text = <T extends string = string>(name: string | null = null) =>
  column<T>(name, { read: (stored) => stored as T, write: (value) => value });

/** A number up to 2^53: a count, a time in Unix milliseconds, a block. */
export const integer = (name: string | null = null) =>
  column<number>(name, { read: Number, write: (value) => value });

/** A whole number of up to 64 bits. */
export const bigInteger = () => column<bigint>(null, { read: BigInt, write: (value) => value });

/** A whole number above 64 bits, as decimal text. */
export const decimalText = (name: string | null = null) =>
  column<bigint>(name, { read: BigInt, write: String });

export const boolean = () =>
  column<boolean>(null, { read: (stored) => stored === 1n, write: (value) => (value ? 1 : 0) });

/** An amount in an invoice's currency, in millionths. */
export const billed = (name: string | null = null) =>
  column<Usdc.Billed>(name, { read: (stored) => BigInt(stored) as Usdc.Billed, write: (value) => value });

/** An amount in micro-USDC. */
export const usdc = (name: string | null = null) =>
  column<Usdc.Usdc>(name, { read: (stored) => Usdc.fromMicro(BigInt(stored)), write: (value) => value });

/**
 * Reads a sum of what was billed: a bigint, or the number with which SQLite goes on beyond 64 bits and which `total`
 * returns. Rounding can leave a little less than nothing.
 */
export const sumOf = (micro: bigint | number | null | undefined): Usdc.Usdc =>
  Usdc.fromMicro(typeof micro === "number" ? BigInt(Math.max(0, micro)) : (micro ?? 0n));

/** Such a sum, kept in a column. */
export const usdcSum = (name: string | null = null) =>
  column<Usdc.Usdc>(name, { read: (stored) => sumOf(stored as bigint | number), write: (value) => value });

/** A quantity in millionths. */
export const quantity = () =>
  column<Quantity.Quantity>(null, {
    read: (stored) => Quantity.fromMillionths(BigInt(stored)),
    write: (value) => value,
  });

/** A value as JSON text. */
export const json = <Value>() =>
  column<Value>(null, {
    read: (stored) => JSON.parse(String(stored)) as Value,
    write: (value) => JSON.stringify(value),
  });

/** Like `json`, for values with amounts: JSON has no 64-bit integers, so an amount is `{"micro":"1500000"}`. */
export const withAmounts = <Value>() =>
  column<Value>(null, {
    read: (stored) =>
      JSON.parse(String(stored), (_, value) =>
        typeof value?.micro === "string" ? BigInt(value.micro) : value,
      ) as Value,
    write: (value) =>
      JSON.stringify(value, (_, part) => (typeof part === "bigint" ? { micro: `${part}` } : part)),
  });

/** A nullable column, or one of a LEFT JOIN. */
export function orNull<Value>({ name, read, write }: Column<Value>): Column<Value | null> {
  return { name, mayBeNull: true, read, write: (value) => (value === null ? null : write(value)) };
}

/** A column of a SELECT that SQL computes. */
export const computed = <Value>(sql: string, as: Column<Value>): Column<Value> => ({ ...as, sql });
