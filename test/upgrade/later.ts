import { Database } from "bun:sqlite";
import { schemaSteps } from "../../src/store/migrations.ts";

/** The schema of an invented later Till: a table more, made from old rows; a table that was rebuilt; a column with a value. */
export const laterSteps: readonly string[] = [
  ...schemaSteps,
  `CREATE TABLE gift (id INTEGER PRIMARY KEY, sequence INTEGER NOT NULL REFERENCES invoice) STRICT;
   INSERT INTO gift (sequence) SELECT sequence FROM invoice;
   CREATE INDEX gift_by_invoice ON gift (sequence);`,
  `CREATE TABLE person_rebuilt (id INTEGER PRIMARY KEY, name TEXT NOT NULL,
     role TEXT NOT NULL CHECK (role IN ('owner', 'staff', 'accountant', 'auditor')), language TEXT, email TEXT,
     password_hash TEXT, handle TEXT NOT NULL UNIQUE, created_at INTEGER NOT NULL, removed_at INTEGER,
     brought_back TEXT CHECK (brought_back IN ('removed', 'unknown'))) STRICT;
   INSERT INTO person_rebuilt SELECT * FROM person;
   DROP TABLE person;
   ALTER TABLE person_rebuilt RENAME TO person;
   CREATE UNIQUE INDEX person_by_name ON person (name COLLATE NOCASE) WHERE removed_at IS NULL;`,
  `ALTER TABLE original ADD COLUMN remark TEXT NOT NULL DEFAULT '';
   UPDATE original SET remark = 'No. ' || id;
   ALTER TABLE webhook_event ADD COLUMN region TEXT;
   UPDATE webhook_event SET region = 'EU';`,
];

export type Rows = Record<string, { columns: string[]; rows: string[] }>;

const textOf = (_: string, value: unknown) =>
  value instanceof Uint8Array ? Bun.hash(value).toString() : value;

/** Every row of every table of a database, with all the columns that there are, or those of an earlier reading. */
export function rowsOf(file: string, before?: Rows): Rows {
  using db = new Database(file, { readonly: true });
  const names = (sql: string) =>
    db
      .query<{ name: string }, []>(sql)
      .all()
      .map(({ name }) => name);
  const tables = before
    ? Object.keys(before)
    : names(
        "SELECT name FROM pragma_table_list WHERE type IN ('table', 'shadow') AND schema = 'main' AND name NOT LIKE 'sqlite%'",
      );
  return Object.fromEntries(
    tables.map((table) => {
      const columns = before?.[table]?.columns ?? names(`SELECT name FROM pragma_table_info('${table}')`);
      const rows = db.query(`SELECT ${columns} FROM "${table}"`).values();
      return [table, { columns, rows: rows.map((row) => JSON.stringify(row, textOf)).sort() }];
    }),
  );
}
