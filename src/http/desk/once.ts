import { createHash } from "node:crypto";
import { newSlug } from "../../lib/crypto/id.ts";
import type { Claim } from "../../store/tables/installation/idempotency.ts";
import type { HttpDeps } from "../deps.ts";

/** The field `once` of a new form: sending the form twice creates one thing. */
export const newOnce = newSlug;

/** Fields that do not count as part of the request. */
const ownFields = new Set(["form"]);

/**
 * Creates what a form asks for, once: the same form with the same fields, resent within a day, returns the name of what
 * it created before. `make` passes the claim to the transaction that stores the thing, and returns its name: an id or a
 * slug.
 */
export function createOnce({ idempotent, baseUrl }: Pick<HttpDeps, "idempotent" | "baseUrl">) {
  type Context = { request: Request; body: unknown; make: (claim: Claim) => Promise<string> };
  const answer = (name: string) => ({ status: 201, body: { name } });
  const run = idempotent<Context>(
    async ({ make }, claim) => answer(await make(claim as Claim)),
    (resource) => answer(resource),
  );
  return async (form: URLSearchParams, make: Context["make"]): Promise<string> => {
    const fields = [...form].filter(([name]) => !ownFields.has(name));
    const key = createHash("sha256").update(JSON.stringify(fields)).digest("base64url");
    const request = new Request(`${baseUrl}/desk`, {
      method: "POST",
      headers: { "idempotency-key": `desk-${key}` },
    });
    const { name } = (await (await run({ request, body: null, make })).json()) as { name: string };
    return name;
  };
}
