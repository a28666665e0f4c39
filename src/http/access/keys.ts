import { type Static, Type } from "@sinclair/typebox";
import * as ApiKey from "../../domain/party/api-key.ts";
import { endKey } from "../../invoicing/endpoints.ts";
import { KeyRequest, parseKeyRequest } from "../../invoicing/request/key.ts";
import { oneOf } from "../../invoicing/request/validation.ts";
import { instant, instantOrNull } from "../../lib/time.ts";
import { stored } from "../../store/group-commit.ts";
import { noteChange } from "../../store/reports/owners.ts";
import * as AuditStore from "../../store/tables/desk/audit.ts";
import * as ApiKeyStore from "../../store/tables/installation/api-key.ts";
import * as Part from "../fields/answer-parts.ts";
import { allOf } from "../fields/answer-schemas.ts";
import { problem, validationProblem } from "../problem/problem.ts";
import { type Route, route } from "../route/route.ts";
import { callerOf, createApiKey, doneBy } from "./api-key.ts";

const KeyRecord = Part.record("ApiKey", {
  id: Type.Integer({ wants: "its number, to revoke it by" }),
  name: Part.text("what it is for"),
  scope: oneOf(ApiKey.scopes, "what it may do"),
  merchant_email: Part.optional(Part.text("the only merchant whose things it sees; null for all")),
  created_at: Part.instant,
  last_used_at: Part.optional(Part.text("when it was used last, to the minute; null for never")),
  expires_at: Part.optional(Part.text("from then on it is refused; null for never")),
  revoked_at: Part.optional(Part.text("since when it is revoked; null while it is not")),
});

/** Returns a key as listed by the API and the command line. */
export const keyRecord = (
  key: Omit<ApiKeyStore.ApiKey, "storeId" | "permissions" | "walletsFrom">,
): Static<typeof KeyRecord> => ({
  id: key.id,
  name: key.name,
  scope: key.scope,
  merchant_email: key.merchant,
  created_at: instant(key.createdAt),
  last_used_at: instantOrNull(key.lastUsedAt),
  expires_at: instantOrNull(key.expiresAt),
  revoked_at: instantOrNull(key.revokedAt),
});

export const keyRoutes: readonly Route[] = [
  route({
    method: "post",
    path: "/api/keys",
    scope: "full",
    summary: "Make an API key, which is shown only in this answer",
    body: KeyRequest,
    status: 201,
    gives: Part.record("CreatedApiKey", {
      ...KeyRecord.properties,
      key: Part.text("the key itself, till_…"),
    }),
    does:
      ({ db, now, config, onMailDue }) =>
      async (input) => {
        const at = now();
        const { expiresAt: until = null, walletsFrom = 0 } = callerOf(input.request) ?? {};
        const parsed = parseKeyRequest(input.body, { now: at, timeZone: config.timeZone, until });
        if (!parsed.ok) return validationProblem(parsed.faults);
        const { name, ...grant } = parsed.value;
        const { id, key } = await stored(db, () => {
          const entry = doneBy(input.request, "key.create", name, at);
          AuditStore.note(db, entry);
          if (ApiKey.mayAct(grant.scope))
            noteChange(db, { kind: "key", subject: name }, entry.personName, at);
          return createApiKey(db, name, at, { ...grant, walletsFrom });
        });
        onMailDue();
        const made = { id, name, ...grant, createdAt: at, lastUsedAt: null, revokedAt: null };
        return Response.json({ ...keyRecord(made), key }, { status: 201 });
      },
  }),
  route({
    method: "get",
    path: "/api/keys",
    scope: "full",
    summary: "List the API keys, the oldest first, without the keys themselves",
    gives: allOf(KeyRecord),
    does:
      ({ db }) =>
      () => ({ data: ApiKeyStore.list(db).map(keyRecord) }),
  }),
  route({
    method: "delete",
    path: "/api/keys/:id",
    scope: "full",
    summary: "Revoke an API key, at once and for good",
    gives: Part.record("RevokedApiKey", { ok: Type.Boolean({ wants: "true: it is refused from now on" }) }),
    does:
      ({ db, now }) =>
      async (input) => {
        const { id } = input.params;
        const key = ApiKeyStore.list(db).find((each) => String(each.id) === id);
        const isDone =
          key !== undefined &&
          (await stored(db, () => {
            const isRevoked = endKey(db, key.id, now());
            if (isRevoked) AuditStore.note(db, doneBy(input.request, "key.revoke", key.name, now()));
            return isRevoked;
          }));
        return isDone ? { ok: true } : problem("not_found", "There is no active API key with this number.");
      },
  }),
];
