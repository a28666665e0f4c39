import { beforeAll, expect, test } from "bun:test";
import { createApiKey } from "../../../src/http/access/api-key.ts";
import { bodyBytesMax } from "../../../src/http/access/guard.ts";
import * as ApiKeyStore from "../../../src/store/tables/installation/api-key.ts";
import { sendRaw } from "../../support/http/raw-http.ts";
import { bearer, connect, overHttp } from "../../support/mcp/agent.ts";
import { shared } from "../../support/per-file.ts";
import { linkRequest, startTestTill, type TestTill } from "../../support/till/till.ts";

const node = { rpcUrl: "http://127.0.0.1:9" };

const open = shared(() => startTestTill(node));
const till = shared(() =>
  startTestTill(
    node,
    {
      TILL_BASE_URL: "https://pay.example.com",
      TILL_TRUST_PROXY: "127.0.0.1",
      TILL_LIMIT_WRITES: "3",
      TILL_LIMIT_FAILED_KEYS: "2",
    },
    // No limit lets anybody in again while a test goes on.
    { limitClock: () => 0 },
  ),
);
let key: string;
beforeAll(async () => {
  key = createApiKey(till.db, "agent", Date.now(), { scope: "shop" }).key;
});

const list = { jsonrpc: "2.0", id: 1, method: "tools/list" };

const say = (of: TestTill, headers: Record<string, string>, body: string = JSON.stringify(list)) =>
  fetch(`${of.localUrl}/mcp`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      ...headers,
    },
    body,
  });

const refusalOf = async (answer: Response) => [
  answer.status,
  ((await answer.json()) as { code: string }).code,
];

test("a public Till takes no message without a valid key, and counts the wrong ones", async () => {
  const from = { "x-forwarded-for": "203.0.113.9" };
  expect(await refusalOf(await say(till, from))).toEqual([401, "key_required"]);
  const { id, key: revoked } = createApiKey(till.db, "revoked", Date.now());
  ApiKeyStore.revoke(till.db, id, Date.now());
  for (const wrong of [revoked, `till_${"x".repeat(43)}`])
    expect(await refusalOf(await say(till, { ...from, ...bearer(wrong) }))).toEqual([401, "key_required"]);
  expect(await refusalOf(await say(till, { ...from, ...bearer(revoked) }))).toEqual([429, "rate_limited"]);
  const metrics = createApiKey(till.db, "metrics", Date.now(), { scope: "metrics" }).key;
  expect(await refusalOf(await say(till, bearer(metrics)))).toEqual([403, "key_scope"]);
  for (const method of ["GET", "DELETE"]) {
    expect((await fetch(`${till.localUrl}/mcp`, { method })).status).toBe(401);
    expect((await fetch(`${till.localUrl}/mcp`, { method, headers: bearer(key) })).status).toBe(405);
  }
});

test("a page of another site gets nothing done, with a key either", async () => {
  for (const origin of [
    "https://evil.example",
    "null",
    "http://127.0.0.1:1",
    "https://pay.example.com.evil.example",
  ])
    for (const [of, headers] of [
      [open, {}],
      [till, bearer(key)],
    ] as const)
      expect(await refusalOf(await say(of, { ...headers, origin }))).toEqual([403, "foreign_origin"]);
  expect((await say(till, { ...bearer(key), origin: "https://pay.example.com" })).status).toBe(200);
  expect((await say(open, { origin: open.localUrl })).status).toBe(200);
  expect(await refusalOf(await say(open, { "sec-fetch-site": "cross-site" }))).toEqual([
    403,
    "foreign_origin",
  ]);
  const text = JSON.stringify(list);
  const raw = `POST /mcp HTTP/1.1\r\nHost: evil.example\r\nContent-Type: application/json\r\nContent-Length: ${text.length}\r\n\r\n${text}`;
  expect(await sendRaw(Number(new URL(open.localUrl).port), raw)).toContain("foreign_host");
});

test("each call counts as the API's own, and what calls nothing counts as no write", async () => {
  const agent = await connect(overHttp(till.localUrl, key), "2026-07-28");
  for (let time = 0; time < 10; time++) await agent.call("list_invoices");
  const made = [];
  for (let time = 0; time < 5; time++) made.push((await agent.call("create_payment_link", linkRequest)).text);
  expect(made.map((text) => text.startsWith("429 rate_limited"))).toEqual([false, false, false, true, true]);
});

test("what is no message is refused, and so are many at once", async () => {
  const answers = async (body: string, headers: Record<string, string> = {}) =>
    (await say(open, headers, body)).status;
  expect(await answers(JSON.stringify([list, list]))).toBe(400);
  expect(await answers("{")).toBe(400);
  expect(await answers("null")).toBe(400);
  expect(await answers("7")).toBe(400);
  expect(await answers("{}")).toBe(400);
  expect(await answers(JSON.stringify({ ...list, params: "x".repeat(bodyBytesMax) }))).toBe(413);
  expect(await answers("a=b", { "content-type": "application/x-www-form-urlencoded" })).toBe(415);
  expect(await answers("[".repeat(100_000))).toBe(400);
  for (const params of [null, 7, "x", {}, { capabilities: null }, { capabilities: { elicitation: null } }])
    expect(await answers(JSON.stringify({ ...list, method: "initialize", params }))).toBeLessThan(500);
  const body = JSON.stringify({ ...list, method: "subscriptions/listen" });
  expect(await (await say(open, {}, body)).text()).toContain("-32601");
});

test("a failing part of Till says nothing of itself", async () => {
  const broken = await startTestTill(node);
  const agent = await connect(overHttp(broken.localUrl, null), "2026-07-28");
  broken.db.run("ALTER TABLE invoice RENAME TO gone");
  const { isError, text } = await agent.call("list_invoices");
  expect([isError, text]).toEqual([true, expect.stringMatching(/^500 internal_error/)]);
  expect(text).not.toContain("gone");
  broken.db.run("ALTER TABLE gone RENAME TO invoice");
  await broken.stop();
});
