import { type Db, transact } from "./database.ts";

/** What is searched by words: each has a view `…_words` of them, and an index `…_search`. */
export type SearchKind = "invoice" | "customer" | "credit_note" | "link" | "reusable_link";

/**
 * New rows are put into the index so many at a time: with each row alone, the index would cost more than all else that is
 * written. What has come since is put there before somebody searches.
 */
const batchRows = 64;

/** After a row was stored, in its transaction: every so often the new rows of these tables are put into their index. */
export function indexInTurn(db: Db, id: number, tables: readonly SearchKind[]): void {
  if (id % batchRows === 0) for (const searched of tables) index(db, searched);
}

/**
 * Puts the next rows into the index, and says whether all are there. Twice as many as a batch, so that it comes to an
 * end.
 */
export function index(db: Db, searched: SearchKind): boolean {
  const limit = 2 * batchRows;
  const rows = db
    .query<{ id: bigint; words: string }, [number]>(
      `SELECT id, words FROM ${searched}_words WHERE ${isMissing(searched)} ORDER BY id LIMIT ?`,
    )
    .all(limit);
  const insert = db.query(`INSERT INTO ${searched}_search (rowid, words) VALUES (?, ?)`);
  for (const { id, words } of rows) {
    if (searched === "customer") {
      db.query("DELETE FROM customer_search WHERE rowid = ?").run(id);
      db.query("DELETE FROM customer_unindexed WHERE id = ?").run(id);
    }
    insert.run(id, marked(words, markOf(partOf(Number(id)))));
  }
  return rows.length < limit;
}

const isMissing = (searched: SearchKind): string =>
  searched === "customer"
    ? "id IN (SELECT id FROM customer_unindexed)"
    : `id > coalesce((SELECT max(rowid) FROM ${searched}_search), 0)`;

/**
 * A table is searched part by part: in search of a row that has several words SQLite reads all the rows that have one of
 * them. Each word begins with the mark of its row's part, a letter that nobody types, so that the parts share no word.
 */
const partRows = 32_768;
const partOf = (id: number) => Math.floor(id / partRows);

/** The letters for private use. Parts with the same one are told apart by their ids. */
const marks = { first: 0xe000, count: 6_400 };
const markOf = (part: number) => String.fromCodePoint(marks.first + (part % marks.count));

const marked = (text: string, mark: string) =>
  text.replaceAll(/\p{Co}/gu, " ").replaceAll(/[\p{L}\p{N}\p{M}]+/gu, `${mark}$&`);

/** A search blocks others no longer than this at a time, in ms. */
const turnMs = 5;

/**
 * The ids of the newest rows with these words, as `matchOf` makes them, newest first: at most `limit`, and of those
 * before `before`. Others are answered in between. Throws when what has come since the last search cannot be stored.
 */
export async function find(
  db: Db,
  searched: SearchKind,
  match: string,
  { before = Number.MAX_SAFE_INTEGER, limit }: { before?: number | undefined; limit: number },
): Promise<number[]> {
  let turnAt = performance.now();
  const rest = async () => {
    if (performance.now() - turnAt < turnMs) return;
    await new Promise(setImmediate);
    turnAt = performance.now();
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
  return db.query(`SELECT 1 FROM ${searched}_words WHERE ${isMissing(searched)} LIMIT 1`).get() !== null;
}

/** The first and the last id in the index; when there is none, a last one that is before the first. */
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

/** Stands in a query for the mark of each part in turn. */
const anyMark = markOf(0);

/**
 * What somebody typed as a query for `find`: every word of it begins one in the text. `others`: other spellings of the
 * whole, any of which will do. Null when there is no word in it.
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
