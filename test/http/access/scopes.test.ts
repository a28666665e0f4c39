import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type Scope, scopes } from "../../../src/domain/party/api-key.ts";
import { createApiKey } from "../../../src/http/access/api-key.ts";
import type { Route } from "../../../src/http/route/route.ts";
import { routes } from "../../../src/http/routes.ts";
import * as ApiKeyStore from "../../../src/store/tables/installation/api-key.ts";
import { invoiceRequest, linkRequest, startTestTill, type TestTill } from "../../support/till/till.ts";

const node = { rpcUrl: "http://127.0.0.1:9" };
const base = { TILL_BASE_URL: "https://pay.example.com" };

let till: TestTill;
let clockMs = Date.now();
let shop: Record<Scope, string>;
beforeAll(async () => {
  till = await startTestTill(node, base, { now: () => clockMs });
  const keyOf = (scope: Scope) => createApiKey(till.db, scope, clockMs, { scope }).key;
  shop = { read: keyOf("read"), shop: keyOf("shop"), full: keyOf("full"), metrics: keyOf("metrics") };
});
afterAll(() => till.stop());

const bearer = (key: string) => ({ authorization: `Bearer ${key}` });
const withKey = (scope: Scope) => bearer(shop[scope]);

/** What each scope may call, by the scopes of the rows. */
const mayCall: Record<Scope, readonly Route["scope"][]> = {
  read: ["open", "read"],
  shop: ["open", "read", "shop"],
  full: ["open", "read", "shop", "full", "metrics"],
  metrics: ["open", "metrics"],
};

/** Nothing has these names, so that a call that is let in changes nothing. */
const pathOf = ({ path }: Route) => path.replace(":email", "no@one.example").replace(/:\w+/, "nothing");

const ask = (row: Route, headers: Record<string, string>) =>
  till.api(row.method.toUpperCase(), pathOf(row), row.body === undefined ? undefined : {}, headers);

const statusOf = async (method: string, path: string, scope: Scope) =>
  (await fetch(`${till.localUrl}${path}`, { method, headers: withKey(scope) })).status;

const nameOf = ({ method, path }: Route) => `${method.toUpperCase()} ${path}`;

describe.each([...scopes])("a key of the scope %s", (scope) => {
  test.each(routes.map((row) => [nameOf(row), row] as const))("%s", async (_, row) => {
    const isAllowed = mayCall[scope].includes(row.scope) && !(scope === "metrics" && row.keyShowsMore);
    const answer = await ask(row, withKey(scope));
    const head = row.method === "get" ? await statusOf("HEAD", pathOf(row), scope) : answer.status;
    expect(head).toBe(answer.status);
    // A key that is no plugin's has no store.
    if (row.isOfStore) expect(answer).toMatchObject({ status: 403, body: { code: "missing-permission" } });
    else if (isAllowed) expect([401, 403]).not.toContain(answer.status);
    else {
      expect(answer.status).toBe(403);
      expect(answer.body.code).toBe("key_scope");
      expect(answer.body.detail).toContain(`this one has the scope ${scope}`);
      expect(answer.body.detail).toContain("till key create --name NAME --scope");
    }
  });
});

test("every row of the API refuses unknown, revoked and expired keys, and none but the open ones does without", async () => {
  await using till = await startTestTill(node, base, { now: () => clockMs });
  const { id, key: revoked } = createApiKey(till.db, "revoked", clockMs);
  ApiKeyStore.revoke(till.db, id, clockMs);
  const expired = createApiKey(till.db, "expired", clockMs - 1, { expiresAt: clockMs }).key;
  for (const row of routes) {
    for (const key of [null, `till_${"x".repeat(43)}`, revoked, expired]) {
      const body = row.body === undefined ? undefined : {};
      const headers = key === null ? {} : bearer(key);
      const answer = await till.api(row.method.toUpperCase(), pathOf(row), body, headers);
      const isKeyAsked = row.scope !== "open" || (key !== null && row.path.startsWith("/api/"));
      expect([nameOf(row), key, answer.status === 401]).toEqual([nameOf(row), key, isKeyAsked]);
      if (isKeyAsked && key === expired)
        expect(answer.body.detail ?? answer.body.message).toContain(
          `expired at ${new Date(clockMs).toISOString()}`,
        );
    }
  }
  expect(ApiKeyStore.list(till.db).map(({ lastUsedAt }) => lastUsedAt)).toEqual([null, null]);
});

test("a row cannot be reached beside its scope by another spelling of its path", async () => {
  const paths = [
    "/api/keys",
    "/api/keys/",
    "/api/%6beys",
    "//api/keys",
    "/API/keys",
    "/api//keys",
    "/api/keys/%2e",
  ];
  for (const path of [...paths, "/api/./keys", "/api/x/../keys", "/api/keys?a=/status", "/api/keys/1/.."])
    for (const method of ["GET", "HEAD", "POST", "DELETE", "PUT", "PATCH", "OPTIONS"])
      expect([400, 403, 404, 405]).toContain(await statusOf(method, path, "shop"));
  expect(ApiKeyStore.list(till.db).map(({ revokedAt }) => revokedAt)).toEqual(scopes.map(() => null));
});

describe("an expired key", () => {
  test("ends exactly then, and does not open a Till that it had closed", async () => {
    await using closed = await startTestTill(node, {}, { now: () => clockMs });
    const { key } = createApiKey(closed.db, "short", clockMs, { expiresAt: clockMs + 5_000 });
    const list = (headers = {}) => closed.api("GET", "/api/invoices", undefined, headers);
    clockMs += 4_999;
    expect((await list(bearer(key))).status).toBe(200);
    expect((await list()).status).toBe(401);
    clockMs += 1;
    expect((await list(bearer(key))).body).toMatchObject({ status: 401, code: "key_required" });
    expect((await list()).status).toBe(401);
  });
});

describe("/api/keys", () => {
  const make = (body: object, headers = withKey("full")) => till.api("POST", "/api/keys", body, headers);
  const listed = async () => (await till.api("GET", "/api/keys", undefined, withKey("full"))).body.data;

  test("makes a key, shows it once, and revokes it", async () => {
    const { status, body, headers } = await make({
      name: "shop of Mara",
      scope: "shop",
      merchant_email: "Mara@Shop.example",
      expires_at: "2031-06-30",
    });
    expect([status, headers.get("cache-control")]).toEqual([201, "no-store"]);
    const { key, ...record } = body;
    expect(record).toEqual({
      id: expect.any(Number),
      name: "shop of Mara",
      scope: "shop",
      merchant_email: "mara@shop.example",
      created_at: new Date(clockMs).toISOString(),
      last_used_at: null,
      expires_at: "2031-07-01T00:00:00.000Z",
      revoked_at: null,
    });
    expect((await till.api("GET", "/api/links", undefined, bearer(key))).status).toBe(200);
    const all = await listed();
    expect(all.at(-1)).toEqual({ ...record, last_used_at: new Date(clockMs).toISOString() });
    expect(JSON.stringify(all)).not.toContain("till_");
    const revoke = () => till.api("DELETE", `/api/keys/${record.id}`, undefined, withKey("full"));
    expect((await revoke()).body).toEqual({ ok: true });
    expect(await revoke()).toMatchObject({ status: 404, body: { code: "not_found" } });
    expect((await till.api("GET", "/api/links", undefined, bearer(key))).status).toBe(401);
    const audit = till.db
      .query<{ action: string; subject: string; person_name: string }, []>(
        "SELECT action, subject, person_name FROM audit ORDER BY id DESC LIMIT 2",
      )
      .all();
    expect(audit).toEqual([
      { action: "key.revoke", subject: "shop of Mara", person_name: "API key full" },
      { action: "key.create", subject: "shop of Mara", person_name: "API key full" },
    ]);
  });

  test("names every fault at once", async () => {
    const wrong = { name: "a/b", scope: "all", merchant_email: "nobody", expires_at: "soon", more: 1 };
    const { status, body } = await make(wrong);
    expect([status, body.errors.map(({ field }: { field: string }) => field).sort()]).toEqual([
      400,
      ["expires_at", "merchant_email", "more", "name", "scope"],
    ]);
    for (const scope of ["full", "metrics"])
      expect((await make({ name: "a", scope, merchant_email: "a@b.example" })).body.errors).toEqual([
        {
          field: "merchant_email",
          message: `must be omitted with ${scope}: only read and shop are for one merchant`,
        },
      ]);
    for (const expires_at of ["2020-01-01", "2026-02-30", "2099-01-01", new Date(clockMs).toISOString()])
      expect((await make({ name: "a", scope: "read", expires_at })).body.errors[0].field).toBe("expires_at");
  });

  test("makes no key that outlives the one that makes it", async () => {
    const expiresAt = clockMs + 3_600_000;
    const { key } = createApiKey(till.db, "for an hour", clockMs, { expiresAt });
    const later = new Date(expiresAt + 1).toISOString();
    const made = (expires_at?: string) => make({ name: "heir", scope: "full", expires_at }, bearer(key));
    expect((await made(later)).body.errors).toEqual([
      {
        field: "expires_at",
        message: `must be ${new Date(expiresAt).toISOString()} at the latest, when the key that makes it ends`,
      },
    ]);
    expect((await made()).body.expires_at).toBe(new Date(expiresAt).toISOString());
  });

  test("asks for a key where nothing else does, so that nobody makes one who could not stay", async () => {
    for (const settings of [{}, { ...base, TILL_OPEN_API: "true" }]) {
      await using open = await startTestTill(node, settings);
      expect((await open.api("POST", "/api/links", linkRequest)).status).toBe(201);
      const refused = await open.api("POST", "/api/keys", { name: "mine", scope: "full" });
      expect(refused).toMatchObject({ status: 401, body: { code: "key_required" } });
      expect(refused.body.detail).toContain("Create one with: till key create");
      expect((await open.api("GET", "/api/keys")).status).toBe(401);
      expect(ApiKeyStore.list(open.db)).toEqual([]);
    }
  });
});

test("a key of the scope metrics sees of health and receipts what everybody sees", async () => {
  const invoice = await till.api(
    "POST",
    "/api/invoices",
    { ...invoiceRequest, send_now: false },
    withKey("shop"),
  );
  expect(invoice.status).toBe(201);
  const health = (headers = {}) => till.api("GET", "/health/ready", undefined, headers);
  const [asPublic, asMetrics, asRead] = [
    await health(),
    await health(withKey("metrics")),
    await health(withKey("read")),
  ];
  expect(asMetrics.body).toEqual(asPublic.body);
  expect(asRead.body).not.toEqual(asPublic.body);
});
