import { createHash } from "node:crypto";
import type { Vault } from "../../lib/crypto/vault.ts";
import { type Db, ifStorable } from "../../store/database.ts";
import { onDisk } from "../../store/log-sync.ts";
import { openAnswer, sealAnswer } from "../../store/secrets.ts";
import * as IdempotencyStore from "../../store/tables/installation/idempotency.ts";
import { problem } from "../problem/problem.ts";

/** Printable ASCII, as headers allow. */
export const keyForm = /^[\x21-\x7e]{1,255}$/;

export type JsonAnswer = { status: number; body: object };

type Context = { request: Request; body: unknown };

/**
 * A handler that works once per Idempotency-Key. A repetition gets the first answer byte for byte, or `rebuild`'s
 * answer from the stored thing if the process ended before answering. `handler` passes the claim to the transaction
 * that stores the thing; null without a key.
 */
export type IdempotentRoute = <C extends Context>(
  handler: (context: C, claim: IdempotencyStore.Claim | null) => Promise<JsonAnswer | Response>,
  rebuild: (resource: string) => JsonAnswer | Promise<JsonAnswer>,
) => (context: C) => Promise<Response>;

/**
 * Makes writes repeatable: a caller without an answer sends the request again and nothing is made twice. Remembered
 * answers are sealed, as they may contain a secret.
 */
export function createIdempotent(db: Db, now: () => number, vault: () => Promise<Vault>): IdempotentRoute {
  const running = new Map<string, { requestHash: string; answer: Promise<Response> }>();

  return (handler, rebuild) => async (context) => {
    const { request, body } = context;
    const work = (claim: IdempotencyStore.Claim | null) => handler(context, claim);
    const key = request.headers.get("idempotency-key");
    if (key === null) return toResponse(await work(null));
    if (!keyForm.test(key)) {
      return problem(
        "invalid_idempotency_key",
        "Idempotency-Key must be 1 to 255 printable ASCII characters without spaces.",
      );
    }
    const requestHash = hashOf(request, body);
    if (requestHash === null) return toResponse(await work(null));

    const current = running.get(key);
    if (current)
      return current.requestHash === requestHash ? ((await current.answer).clone() as Response) : conflict();
    const remembered = IdempotencyStore.find(db, key, now());
    if (remembered) {
      if (remembered.requestHash !== requestHash) return conflict();
      // The first request may have failed because the disk did.
      await onDisk(db);
      if (!remembered.answer) return toResponse(await rebuild(remembered.resource));
      const { status, sealedBody } = remembered.answer;
      return jsonResponse({ status, body: openAnswer(await vault(), sealedBody, key) });
    }

    const answer = perform({ key, requestHash }, work);
    running.set(key, { requestHash, answer });
    try {
      return (await answer).clone() as Response;
    } finally {
      running.delete(key);
    }
  };

  /** The created thing is stored already. If its answer cannot be, a repetition rebuilds it. */
  async function remember(key: string, { status, body }: { status: number; body: string }): Promise<void> {
    const sealedBody = sealAnswer(await vault(), body, key);
    ifStorable(db, () => IdempotencyStore.setAnswer(db, key, { status, sealedBody }));
    await onDisk(db);
  }

  async function perform(
    claim: IdempotencyStore.Claim,
    work: (claim: IdempotencyStore.Claim) => Promise<JsonAnswer | Response>,
  ): Promise<Response> {
    const result = await work(claim);
    // Nothing was created, so the corrected request may use the same key.
    if (result instanceof Response) return result;
    const answer = { status: result.status, body: JSON.stringify(result.body) };
    await remember(claim.key, answer);
    return jsonResponse(answer);
  }
}

/** What a request created is never deleted, so its absence is a bug here. */
export function existing<T>(resource: T | null): T {
  if (resource === null) throw new Error("What a remembered request created is gone");
  return resource;
}

function toResponse(result: JsonAnswer | Response): Response {
  if (result instanceof Response) return result;
  return jsonResponse({ status: result.status, body: JSON.stringify(result.body) });
}

function jsonResponse({ status, body }: { status: number; body: string }): Response {
  return new Response(body, {
    status,
    headers: { "content-type": "application/json", "cache-control": "no-store" },
  });
}

function conflict(): Response {
  return problem(
    "idempotency_conflict",
    "This Idempotency-Key was already used with a different request. Use a new key.",
  );
}

/**
 * Identifies a request regardless of its JSON's whitespace. Null when it is nested too deeply to be written as JSON: no
 * call takes such a body.
 */
function hashOf(request: Request, body: unknown): string | null {
  const { pathname } = new URL(request.url);
  let json: string | undefined;
  try {
    json = JSON.stringify(body);
  } catch {
    return null;
  }
  return createHash("sha256").update(`${request.method} ${pathname}\n${json}`).digest("hex");
}
