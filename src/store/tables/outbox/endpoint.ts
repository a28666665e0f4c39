import type { Format } from "../../../domain/event/chat.ts";
import type * as Endpoint from "../../../domain/event/endpoint.ts";
import type { FullType } from "../../../domain/event/event.ts";
import { columns, integer, json, orNull, selectAll, selectOne, text } from "../../columns.ts";
import type { Db } from "../../database.ts";

const stored = columns("webhook_endpoint", {
  id: text(),
  format: text<Format>(),
  url: text(),
  types: orNull(json<readonly FullType[]>()),
  description: orNull(text()),
  merchantEmail: orNull(text()),
  storeId: orNull(text()),
  storeTypes: orNull(json<readonly string[]>()),
  createdAt: integer(),
  pausedAt: orNull(integer()),
  pauseCause: orNull(text<Endpoint.PauseCause>()),
  failingSince: orNull(integer()),
  failedAt: orNull(integer()),
  failure: orNull(text()),
  failingMs: integer(),
});

/** Sealed secrets, each for its endpoint. */
export type SealedSecrets = {
  secret: string;
  /** Previous secrets, newest first, with the time until which they also sign. */
  oldSecrets: readonly { sealed: string; until: number }[];
};

const secrets = columns("webhook_endpoint", {
  secret: text(),
  oldSecrets: json<SealedSecrets["oldSecrets"]>(),
});

export function insert(db: Db, endpoint: Endpoint.Endpoint, secret: string): void {
  const sql = stored.insert({ secret: "$secret", old_secrets: "'[]'" });
  db.query(sql).run({ ...stored.values(endpoint), secret });
}

/** Endpoints that were not deleted, oldest first. */
export const list = (db: Db): Endpoint.Endpoint[] =>
  selectAll(db, stored, "WHERE deleted_at IS NULL ORDER BY created_at, id");

const isOwn = ({ storeId }: Endpoint.Endpoint) => storeId === null;

/** Endpoints that the merchant made. */
export const listOwn = (db: Db): Endpoint.Endpoint[] => list(db).filter(isOwn);

/** Endpoints that receive new events. */
export const listActive = (db: Db): Endpoint.Endpoint[] =>
  selectAll(db, stored, "WHERE deleted_at IS NULL AND paused_at IS NULL ORDER BY created_at, id");

/** Null if there is none, or it was deleted. */
export const find = (db: Db, id: string): Endpoint.Endpoint | null =>
  selectOne(db, stored, "WHERE id = ? AND deleted_at IS NULL", id);

export const findOwn = (db: Db, id: string): Endpoint.Endpoint | null =>
  [find(db, id)].find((each) => each !== null && isOwn(each)) ?? null;

export const secretsOf = (db: Db, id: string): SealedSecrets | null =>
  selectOne(db, secrets, "WHERE id = ? AND deleted_at IS NULL", id);

export function update(db: Db, endpoint: Endpoint.Endpoint): void {
  db.query(
    `UPDATE webhook_endpoint SET url = $url, types = $types, description = $description,
       merchant_email = $merchantEmail, store_types = $storeTypes, paused_at = $pausedAt, pause_cause = $pauseCause,
       failing_since = $failingSince, failed_at = $failedAt, failure = $failure, failing_ms = $failingMs
     WHERE id = $id`,
  ).run(stored.omit("createdAt", "storeId", "format").values(endpoint));
}

export function setSecrets(db: Db, id: string, to: SealedSecrets): void {
  const sql = "UPDATE webhook_endpoint SET secret = $secret, old_secrets = $oldSecrets WHERE id = $id";
  db.query(sql).run({ ...secrets.values(to), id });
}

/** Deletes an endpoint with its secrets. Returns false if there is none. */
export function remove(db: Db, id: string, now: number): boolean {
  const sql = `UPDATE webhook_endpoint SET deleted_at = ?, secret = '', old_secrets = '[]'
    WHERE id = ? AND deleted_at IS NULL`;
  return db.query(sql).run(now, id).changes > 0;
}
