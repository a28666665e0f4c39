import { expect, test } from "bun:test";
import { routes } from "../../../src/http/routes.ts";
import { shared } from "../../support/per-file.ts";
import { startTestTill } from "../../support/till/till.ts";

/** A body of many levels, through which code that calls itself for each one runs out of stack: that takes it a second. */

const till = shared(() => startTestTill({ rpcUrl: "http://127.0.0.1:9" }));

const nested = (depth: number) => `{"a":${"[".repeat(depth - 1)}${"]".repeat(depth - 1)}}`;
const rows = routes.filter(({ method, takesText, isPaid }) => method !== "get" && !takesText && !isPaid);
const key = { "idempotency-key": "deep" };
const codeOf = async (method: string, path: string, body: string) => {
  const answer = await till.api(method.toUpperCase(), path.replaceAll(/:\w+/g, "x"), body, key);
  return [answer.status, answer.body.code];
};

test("is refused unread by every call, to agents, and on the pages where payers sign", async () => {
  const others = ["/mcp", "/i/x/authorization", "/i/x/relay", "/pay/x/authorization", "/pay/x/relay"];
  const paths = [
    ...rows.map(({ method, path }) => [method, path]),
    ...others.map((path) => ["post", path]),
  ] as [string, string][];
  for (const [method, path] of paths)
    for (const depth of [33, 8_000]) {
      const [status, code] = await codeOf(method, path, nested(depth));
      // A key has to make keys, on this machine too.
      expect([path, status, code]).toEqual(
        path.startsWith("/api/keys") ? [path, 401, "key_required"] : [path, 400, "malformed_json"],
      );
    }
  for (const body of [`${"[".repeat(170_000)}${"]".repeat(170_000)}`, '{"a":'.repeat(50_000)])
    expect(await codeOf("post", "/api/invoices", body + (body.endsWith(":") ? 1 : ""))).toEqual([
      400,
      "malformed_json",
    ]);
});

test("is read as any other as long as it is no deeper than any call's could be", async () => {
  expect(await codeOf("post", "/api/links", nested(32))).toEqual([400, "validation_failed"]);
});
