import { keyForm } from "../../invoicing/once.ts";
import type { Outcome } from "../../invoicing/outcome.ts";
import { tokenHash, type Vault } from "../../lib/crypto.ts";
import { type Db, ifStorable } from "../../store/database.ts";
import { onDisk } from "../../store/log.ts";
import { placeOf } from "../../store/secrets.ts";
import * as IdempotencyStore from "../../store/tables/installation/idempotency.ts";
import { callerOf } from "../access/api-key.ts";
import type { Limits } from "../access/limits.ts";
import { refusalAnswer } from "../problem/problem.ts";

export type JsonAnswer = { status: number; body: object };

/**
 * Responds to a request for which `work` calls a use case with the request's Idempotency-Key, and `says` writes the
 * result. A repetition gets the first response byte for byte, or a newly written one if the process ended before it was
 * stored.
 */
export type Act = <T>(
  request: Request,
  work: (key: string | null) => Promise<Outcome<T>>,
  says: (value: T) => JsonAnswer,
) => Promise<Response>;

/** Separates the keys of callers confined to a merchant: nobody learns what another merchant requested. */
function onceKeyOf(request: Request): string | null {
  const key = request.headers.get("idempotency-key");
  const merchant = callerOf(request)?.merchant ?? null;
  return key === null || merchant === null || !keyForm.test(key) ? key : tokenHash(`${merchant} ${key}`);
}

type ActDeps = {
  db: Db;
  now: () => number;
  vault: () => Promise<Vault>;
  limits: Pick<Limits, "refusal">;
};

/** Stored responses are sealed, as they may contain a secret. */
export function createAct({ db, now, vault, limits }: ActDeps): Act {
  return async (request, work, says) => {
    const key = onceKeyOf(request);
    const outcome = await work(key);
    if (!outcome.ok) return refusalAnswer(outcome.refusal, request, limits);
    const kept = key !== null && outcome.isAgain ? IdempotencyStore.find(db, key, now())?.answer : null;
    if (key !== null && kept)
      return jsonResponse({ ...kept, body: (await vault()).open(kept.sealedBody, placeOf.answer(key)) });
    const { status, body } = says(outcome.value);
    const answer = { status, body: JSON.stringify(body) };
    if (key !== null && !outcome.isAgain) await remember(key, answer);
    return jsonResponse(answer);
  };

  /** The created thing is stored already. If its response cannot be stored, a repetition writes it anew. */
  async function remember(key: string, { status, body }: { status: number; body: string }): Promise<void> {
    const sealedBody = (await vault()).seal(body, placeOf.answer(key));
    ifStorable(db, () => IdempotencyStore.setAnswer(db, key, { status, sealedBody }));
    await onDisk(db);
  }
}

function jsonResponse({ status, body }: { status: number; body: string }): Response {
  return new Response(body, {
    status,
    headers: { "content-type": "application/json", "cache-control": "no-store" },
  });
}
