import { columns, integer, json, orNull, type Row, selectAll, text } from "../../columns.ts";
import type { Db } from "../../database.ts";

/** A key that a person's device holds. */
export type Passkey = {
  id: number;
  personId: number;
  /** Base64url, as browsers send it. */
  credentialId: string;
  /** Number of signatures so far; 0 if the device does not count. */
  counter: number;
  /** How browsers can reach it. */
  transports: readonly string[];
  /** The name its owner gave it. */
  name: string;
  /** Unix times in milliseconds. */
  createdAt: number;
  usedAt: number | null;
};

const passkey = columns("passkey", {
  id: integer(),
  personId: integer(),
  credentialId: text(),
  counter: integer(),
  transports: json<readonly string[]>(),
  name: text(),
  createdAt: integer(),
  usedAt: orNull(integer()),
});

/** Returns the id. */
export function insert(
  db: Db,
  passkey: Omit<Passkey, "id" | "transports" | "usedAt"> & {
    publicKey: Uint8Array;
    transports: readonly string[];
  },
): number {
  const { lastInsertRowid } = db
    .query(
      `INSERT INTO passkey (person_id, credential_id, public_key, counter, transports, name, created_at)
       VALUES ($personId, $credentialId, $publicKey, $counter, $transports, $name, $createdAt)`,
    )
    .run({ ...passkey, transports: JSON.stringify(passkey.transports) });
  return Number(lastInsertRowid);
}

export const listOf = (db: Db, personId: number): Passkey[] =>
  selectAll(db, passkey, "WHERE person_id = +? ORDER BY id", personId);

/** The passkey of this credential and its public key, unless its person was removed. */
export function byCredential(
  db: Db,
  credentialId: string,
): (Passkey & { publicKey: Uint8Array<ArrayBuffer> }) | null {
  const row = db
    .query<Row<Passkey>, [string]>(
      `SELECT ${passkey.list}, public_key FROM passkey JOIN person ON person.id = passkey.person_id
       WHERE credential_id = ? AND removed_at IS NULL`,
    )
    .get(credentialId);
  if (!row) return null;
  const { public_key } = row as unknown as { public_key: Uint8Array };
  return { ...passkey.fromRow(row), publicKey: new Uint8Array(public_key) };
}

/** Records a signature. Returns false when the stored count is already as high: somebody may have copied the key. */
export function setUsed(
  db: Db,
  id: number,
  { counter, usedAt }: { counter: number; usedAt: number },
): boolean {
  const { changes } = db
    .query(
      `UPDATE passkey SET counter = $counter, used_at = $usedAt
       WHERE id = $id AND (counter < $counter OR (counter = 0 AND $counter = 0))`,
    )
    .run({ id, counter, usedAt });
  return changes > 0;
}

/** Returns false when the person has no such passkey. */
export function rename(
  db: Db,
  { id, personId, name }: { id: number; personId: number; name: string },
): boolean {
  const { changes } = db
    .query("UPDATE passkey SET name = $name WHERE id = $id AND person_id = $personId")
    .run({ id, personId, name });
  return changes > 0;
}

/** Returns false when the person has no such passkey. */
export function remove(db: Db, { id, personId }: { id: number; personId: number }): boolean {
  const { changes } = db.query("DELETE FROM passkey WHERE id = ? AND person_id = ?").run(id, personId);
  return changes > 0;
}

export function removeOf(db: Db, personId: number): void {
  db.query("DELETE FROM passkey WHERE person_id = ?").run(personId);
}
