import { type Db, transact } from "./database.ts";

/** What is searched by words: each has a view `…_words` of them, and an index `…_search`. */
export type Searched = "invoice" | "customer" | "link" | "reusable_link";

/**
 * New rows are put into the index so many at a time: with each row alone, the index would cost more than all else that is
 * written. What has come since is put there before somebody searches.
 */
const batchRows = 64;

/** After a row was stored, in its transaction: every so often the new rows of these tables are put into their index. */
export function indexInTurn(db: Db, id: number, tables: readonly Searched[]): void {
  if (id % batchRows === 0) for (const searched of tables) index(db, searched);
}

/** Puts the next rows into the index, and says whether all are there. Twice a batch, so that it comes to the end. */
function index(db: Db, searched: Searched): boolean {
  const { changes } = db
    .query(
      `INSERT INTO ${searched}_search (rowid, words) SELECT id, words FROM ${searched}_words
       WHERE id > coalesce((SELECT max(rowid) FROM ${searched}_search), 0) ORDER BY id LIMIT ?`,
    )
    .run(2 * batchRows);
  return changes < 2 * batchRows;
}

/** The rows of a part of a table share a word of the index, as its views make it: of so many rows, and one of so many. */
const part = { rows: 32_768, names: 6_400, firstName: 0xe000 };

/** So long nobody else is kept waiting by a search, in ms. */
const turnMs = 5;

/**
 * The ids of the newest rows with these words, as `matchOf` makes them, newest first: at most `limit`, and of those
 * before `before`. Others are answered in between. Throws when what has come since the last search cannot be stored.
 */
export async function find(
  db: Db,
  searched: Searched,
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

  const { first, last } = ends(db, `${searched}_search`, "rowid");
  const found: number[] = [];
  // SQLite reads all rows that have one of several words in search of one that has them all: so each part by itself.
  for (
    let at = Math.floor(Math.min(last, before - 1) / part.rows);
    at >= Math.floor(first / part.rows) && found.length < limit;
    at--
  ) {
    const name = String.fromCodePoint(part.firstName + (at % part.names));
    const rows = db
      .query<{ id: bigint }, Record<string, string | number>>(
        `SELECT rowid AS id FROM ${searched}_search WHERE ${searched}_search MATCH $match
         AND rowid >= $from AND rowid < $before ORDER BY rowid DESC LIMIT $limit`,
      )
      .all({
        match: `"${name}" AND (${match})`,
        from: at * part.rows,
        before: Math.min(before, (at + 1) * part.rows),
        limit: limit - found.length,
      });
    found.push(...rows.map(({ id }) => Number(id)));
    await rest();
  }
  return found;
}

function isBehind(db: Db, searched: Searched): boolean {
  return ends(db, `${searched}_search`, "rowid").last < ends(db, `${searched}_words`, "id").last;
}

/** The first and the last id; when there is none, a last one that is before the first. */
function ends(db: Db, table: string, id: string): { first: number; last: number } {
  const row = db
    .query<{ first: bigint | null; last: bigint | null }, []>(
      `SELECT (SELECT min(${id}) FROM ${table}) AS first, (SELECT max(${id}) FROM ${table}) AS last`,
    )
    .get();
  return { first: Number(row?.first ?? 0n), last: Number(row?.last ?? -1n) };
}

/** A word takes no more than this, and a search no more words: nobody types so much. */
const wordLengthMax = 100;
const wordsMax = 8;

/**
 * What somebody typed as a query for FTS5: every word of it begins one in the text. `others`: other spellings of the
 * whole, any of which will do. Null when there is no word in it.
 */
export function matchOf(typed: string, others: readonly string[] = []): string | null {
  const words = typed
    .split(/\s+/)
    .filter((word) => /[\p{L}\p{N}]/u.test(word))
    .slice(0, wordsMax);
  const phrase = (word: string) => `"${word.slice(0, wordLengthMax).replaceAll('"', " ")}" *`;
  const all = words.map(phrase).join(" AND ");
  const spellings = [all, ...others.map(phrase)].filter((part) => part !== "");
  return spellings.length === 0 ? null : spellings.map((part) => `(${part})`).join(" OR ");
}
