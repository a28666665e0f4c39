import { type Db, numberOf } from "../database.ts";
import { nouns, numbered } from "./nouns.ts";

/** Returns a function that tells whether a table, which a later Till may have changed, still has these columns. */
export function columnsOf(db: Db): (table: string, ...columns: string[]) => boolean {
  const known = db.query<{ name: string }, [string]>("SELECT name FROM pragma_table_xinfo(?, 'main')");
  return (table, ...columns) => {
    const there = new Set(known.all(table).map(({ name }) => name));
    return columns.every((column) => there.has(column));
  };
}

/** The tables with rows that people and the chain make. */
const kinds = Object.entries(nouns).flatMap(([table, noun]) =>
  noun.key === undefined ? [] : [{ table, noun, key: noun.key }],
);

/** The number of each that the other database lacks, by its plural; null where a later Till keeps it in another way. */
export type LeftBehind = Readonly<Record<string, number | null>>;

/**
 * Counts what a database has that a file, with the tables of this Till, lacks: what a restore of that file leaves behind.
 * The database may be a later Till's.
 */
export function countLeftBehind(db: Db, file: string): LeftBehind {
  const isThere = columnsOf(db);
  db.query("ATTACH ? AS other").run(file);
  try {
    return Object.fromEntries(
      kinds.map(({ noun, table, key }) => [
        noun.many,
        isThere(table, ...key) ? countOf(db, table, key) : null,
      ]),
    );
  } finally {
    db.run("DETACH other");
  }
}

function countOf(db: Db, table: string, key: readonly string[]): number {
  const names = key.join(", ");
  const sql = `SELECT count(*) FROM main.${table} WHERE (${names}) NOT IN (SELECT ${names} FROM other.${table})`;
  return numberOf(db, sql) ?? 0;
}

const list = (words: readonly string[]) => new Intl.ListFormat("en-GB").format(words);

/** In sentences. */
export function sentencesOf(left: LeftBehind): string {
  const some = kinds.flatMap(({ noun }) => {
    const count = left[noun.many] ?? 0;
    return count === 0 ? [] : [numbered(count, noun)];
  });
  const uncounted = Object.keys(left).filter((many) => left[many] === null);
  const lacked = some.length > 0 ? `The backup lacks what came since: ${list(some)}.` : "";
  const uncountedText = uncounted.length > 0 ? `This Till cannot count there: ${list(uncounted)}.` : "";
  const nothing = lacked === "" && uncountedText === "" ? "Nothing came since that the backup lacks." : "";
  return [lacked, uncountedText, nothing].filter(Boolean).join(" ");
}
