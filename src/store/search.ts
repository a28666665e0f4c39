import { turn } from "../lib/loop.ts";
import { world } from "../lib/world.ts";
import { type Db, transact } from "./database.ts";

/** Kinds that can be searched by words: each has a view `…_words` and an index `…_search`. */
export type SearchKind = "invoice" | "customer" | "credit_note" | "link" | "reusable_link";

/**
 * New rows are indexed in batches: indexing each alone would cost more than everything else that is written. A search
 * first indexes the rest.
 */
const batchRows = 64;

/** Call it after storing a row, in its transaction: every 64th row, it indexes the new ones of these tables. */
export function indexInTurn(db: Db, id: number, tables: readonly SearchKind[]): void {
  if (id % batchRows === 0) for (const searched of tables) index(db, searched);
}

/** Indexes the next rows, and returns whether none are left. Takes two batches at a time, so that it catches up. */
export function index(db: Db, searched: SearchKind): boolean {
  const limit = 2 * batchRows;
  const rows = db
    .query<{ id: bigint; words: string }, [number]>(
      `SELECT id, words FROM ${searched}_words WHERE id IN (${missing(searched, limit)}) ORDER BY id LIMIT ?`,
    )
    .all(limit);
  const insert = db.query(`INSERT INTO ${searched}_search (rowid, words) VALUES (?, ?)`);
  for (const { id, words } of rows) {
    if (searched === "customer" || searched === "invoice") {
      db.query(`DELETE FROM ${searched}_search WHERE rowid = ?`).run(id);
      db.query(`DELETE FROM ${searched}_unindexed WHERE id = ?`).run(id);
    }
    insert.run(id, marked(words, markOf(partOf(Number(id)))));
  }
  return rows.length < limit;
}

/**
 * Ids of rows whose current state is not in the index, with at most `limit` new ones. Not one condition with OR, for
 * which SQLite would read all rows.
 */
function missing(searched: SearchKind, limit: number): string {
  if (searched === "customer") return "SELECT id FROM customer_unindexed";
  const added = `SELECT id FROM ${searched}_words
    WHERE id > coalesce((SELECT max(rowid) FROM ${searched}_search), 0) ORDER BY id LIMIT ${limit}`;
  return searched === "invoice"
    ? `SELECT id FROM invoice_unindexed UNION ALL SELECT id FROM (${added})`
    : added;
}

/**
 * A table is searched in parts: for a row with several words, SQLite reads every row that has one of them. Each indexed
 * word starts with its part's mark, a character nobody types, so that no word is in two parts.
 */
const partRows = 32_768;
const partOf = (id: number) => Math.floor(id / partRows);

/** Private-use characters. Parts that share one are told apart by their ids. */
const marks = { first: 0xe000, count: 6_400 };
const markOf = (part: number) => String.fromCodePoint(marks.first + (part % marks.count));

/**
 * Chinese and Japanese write no spaces between words: each character counts as a word, so that a search may begin at
 * any.
 */
const marked = (text: string, mark: string) =>
  text
    .replaceAll(/\p{Co}/gu, " ")
    .replaceAll(/[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}]\p{M}*/gu, " $& ")
    .replaceAll(/[\p{L}\p{N}\p{M}]+/gu, (word) => mark + word.replaceAll(/[ßøł]/gi, unaccented));

/** Letters that SQLite does not decompose, as people without the key type them. */
const unaccented = (letter: string) => ({ ß: "ss", ø: "o", ł: "l" })[letter.toLowerCase()] ?? letter;

/** A search blocks other work for at most this long at a time, in ms. */
const turnMs = 5;

/**
 * The ids of the newest rows that match a query of `matchOf`, newest first: at most `limit`, all below `before`. Lets
 * other work run in between. Throws when rows that are not indexed yet cannot be stored.
 */
export async function find(
  db: Db,
  searched: SearchKind,
  match: string,
  { before = Number.MAX_SAFE_INTEGER, limit }: { before?: number | undefined; limit: number },
): Promise<number[]> {
  let turnAt = world.uptime();
  const rest = async () => {
    if (world.uptime() - turnAt < turnMs) return;
    await turn();
    turnAt = world.uptime();
  };
  while (isBehind(db, searched) && !transact(db, () => index(db, searched))) await rest();

  const { first, last } = ends(db, searched);
  const ids: number[] = [];
  for (let part = partOf(Math.min(last, before - 1)); part >= partOf(first) && ids.length < limit; part--) {
    const rows = db
      .query<{ id: bigint }, Record<string, string | number>>(
        `SELECT rowid AS id FROM ${searched}_search WHERE ${searched}_search MATCH $match
         AND rowid >= $from AND rowid < $before ORDER BY rowid DESC LIMIT $limit`,
      )
      .all({
        match: match.replaceAll(anyMark, markOf(part)),
        from: part * partRows,
        before: Math.min(before, (part + 1) * partRows),
        limit: limit - ids.length,
      });
    ids.push(...rows.map(({ id }) => Number(id)));
    await rest();
  }
  return ids;
}

function isBehind(db: Db, searched: SearchKind): boolean {
  return db.query(`SELECT 1 FROM (${missing(searched, 1)}) LIMIT 1`).get() !== null;
}

/** The first and last id in the index; when it is empty, the last is before the first. */
function ends(db: Db, searched: SearchKind): { first: number; last: number } {
  const row = db
    .query<{ first: bigint | null; last: bigint | null }, []>(
      `SELECT (SELECT min(rowid) FROM ${searched}_search) AS first,
         (SELECT max(rowid) FROM ${searched}_search) AS last`,
    )
    .get();
  return { first: Number(row?.first ?? 0n), last: Number(row?.last ?? -1n) };
}

/** Limits of a word and of a search: nobody types more. */
const wordLengthMax = 100;
const wordsMax = 8;

/** Placeholder in a query for each part's mark in turn. */
const anyMark = markOf(0);

/**
 * A query for `find` from typed text: every word must begin a word of the text. `others` are alternative spellings of
 * the whole, any of which may match. Null if it contains no word.
 */
export function matchOf(typed: string, others: readonly string[] = []): string | null {
  const words = typed
    .split(/\s+/)
    .filter((word) => /[\p{L}\p{N}]/u.test(word))
    .slice(0, wordsMax);
  const phrase = (word: string) =>
    `"${marked(word.slice(0, wordLengthMax).replaceAll('"', " "), anyMark)}" *`;
  const all = words.map(phrase).join(" AND ");
  const spellings = [all, ...others.map(phrase)].filter((part) => part !== "");
  return spellings.length === 0 ? null : spellings.map((part) => `(${part})`).join(" OR ");
}
