import { boolean, columns, integer, selectAll, selectOne, text } from "../../columns.ts";
import type { Db } from "../../database.ts";

/** The document of an original; a credit note by its number. */
export type OriginalOf = {
  depositIndex: number;
  kind: "invoice" | "credit" | "receipt";
  occasion: string;
  form: "pdf" | "cii" | "ubl" | "factur-x";
  /**
   * When the invoice was last corrected, in Unix ms; 1 for a receipt whose tax was later stated in another currency;
   * otherwise 0.
   */
  version: number;
};

/** A document as it first left Till, identified by the `sha256` of its bytes, in hex. */
export type Original = OriginalOf & {
  sha256: string;
  fileName: string;
  mediaType: string;
  /** Whether the customer may have it, or may have known of the invoice when it left. */
  isKnown: boolean;
  keptAt: number;
};

const stored = columns("original", {
  depositIndex: integer(),
  kind: text<OriginalOf["kind"]>(),
  occasion: text(),
  form: text<OriginalOf["form"]>(),
  version: integer(),
  sha256: text(),
  fileName: text(),
  mediaType: text(),
  isKnown: boolean(),
  keptAt: integer(),
});

const named = "WHERE deposit_index = ? AND kind = ? AND occasion = ? AND form = ? AND version = ?";

export const find = (db: Db, { depositIndex, kind, occasion, form, version }: OriginalOf): Original | null =>
  selectOne(db, stored, named, ...[depositIndex, kind, occasion, form, version]);

/** The originals of an invoice or a link, in the order they were kept. */
export const listOf = (db: Db, depositIndex: number): Original[] =>
  selectAll(db, stored, "WHERE deposit_index = ? ORDER BY id", depositIndex);

export function bytesOf(db: Db, sha256: string): (Original & { bytes: Uint8Array<ArrayBuffer> }) | null {
  const original = selectOne(db, stored, "WHERE sha256 = ?", sha256);
  const row = db
    .query<{ bytes: Uint8Array<ArrayBuffer> }, [string]>("SELECT bytes FROM original WHERE sha256 = ?")
    .get(sha256);
  return original && row && { ...original, ...row };
}

/** Stores a document, replacing one with the same key. */
export function put(db: Db, original: Original, bytes: Uint8Array): void {
  const { depositIndex, kind, occasion, form, version } = original;
  db.query(`DELETE FROM original ${named}`).run(depositIndex, kind, occasion, form, version);
  db.query(stored.insert({ bytes: "$bytes" })).run({ ...stored.values(original), bytes });
}

/** Every document with its bytes, for verification. */
export function* each(db: Db): Generator<{ sha256: string; fileName: string; bytes: Uint8Array }> {
  yield* db
    .query<{ sha256: string; fileName: string; bytes: Uint8Array }, []>(
      "SELECT sha256, file_name AS fileName, bytes FROM original ORDER BY id",
    )
    .iterate();
}

/** Number of documents, and their total size in bytes. */
export function sizeOf(db: Db): { count: number; bytes: number } {
  const row = db
    .query<{ count: bigint; bytes: bigint }, []>(
      "SELECT count(*) AS count, coalesce(sum(length(bytes)), 0) AS bytes FROM original",
    )
    .get();
  return { count: Number(row?.count ?? 0n), bytes: Number(row?.bytes ?? 0n) };
}
