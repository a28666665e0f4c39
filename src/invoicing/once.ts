import { createHash } from "node:crypto";
import type { Db } from "../store/database.ts";
import { onDisk } from "../store/log.ts";
import * as IdempotencyStore from "../store/tables/installation/idempotency.ts";
import { type Outcome, refused } from "./outcome.ts";

/** Printable ASCII, as headers allow. */
export const keyForm = /^[\x21-\x7e]{1,255}$/;

/**
 * The caller of a use case: its idempotency key, if any; `merchant`: the only one for whom it may act, as a normalised
 * mail address; null or absent for any; `who`: the name by which owners know it.
 */
export type Caller = { key: string | null; merchant?: string | null; who?: string };

/** True to find out only if it could be done, apart from limits on mails, without doing it. */
export type Trial = { isTrial?: boolean };

/**
 * Does something once per key: a caller who got no answer asks again, and nothing is created twice. `input` names the
 * use case and its arguments. `make` stores the claim with the name of what it creates, in the same transaction;
 * `again` finds that by its name, or null if it was deleted since. A refusal frees the key for the corrected request.
 */
export type Once = <T>(
  key: string | null,
  input: readonly unknown[],
  make: Make<T>,
  again: FindMade<T>,
) => Promise<Outcome<T>>;

type Make<T> = (claim: IdempotencyStore.Claim | null) => Promise<Outcome<T>>;
type FindMade<T> = (name: string) => T | null | Promise<T | null>;

export function createOnce(db: Db, now: () => number): Once {
  const running = new Map<string, { requestHash: string; outcome: Promise<Outcome<unknown>> }>();

  return async <T>(
    key: string | null,
    input: readonly unknown[],
    make: Make<T>,
    again: FindMade<T>,
  ): Promise<Outcome<T>> => {
    if (key === null) return make(null);
    if (!keyForm.test(key)) return refused({ kind: "invalid_key" });
    const requestHash = hashOf(input);
    const current = running.get(key);
    if (current) {
      if (current.requestHash !== requestHash) return refused({ kind: "key_used" });
      const outcome = (await current.outcome) as Outcome<T>;
      return outcome.ok ? { ...outcome, isAgain: true } : outcome;
    }
    const earlier = IdempotencyStore.find(db, key, now());
    if (earlier) {
      if (earlier.requestHash !== requestHash) return refused({ kind: "key_used" });
      // The first request may have failed because of the disk.
      await onDisk(db);
      const value = await again(earlier.resource);
      return value === null ? refused({ kind: "endpoint_gone" }) : { ok: true, value, isAgain: true };
    }
    const outcome = make({ key, requestHash });
    running.set(key, { requestHash, outcome });
    try {
      return await outcome;
    } finally {
      running.delete(key);
    }
  };
}

const hashOf = (input: readonly unknown[]): string =>
  createHash("sha256").update(JSON.stringify(input)).digest("hex");
