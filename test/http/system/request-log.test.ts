import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { startTestTill, type TestTill } from "../../support/till/till.ts";

const node = { rpcUrl: "http://127.0.0.1:9" };

describe("at the level debug", () => {
  let till: TestTill;
  beforeAll(async () => {
    till = await startTestTill(node, { TILL_LOG_LEVEL: "debug" });
  });
  afterAll(() => till.stop());

  const lines = () => till.logged.filter((line) => line.includes("[http.request]"));

  test("every request has one line, which its answer's id leads to", async () => {
    const { slug = "" } = await till.createInvoice();
    for (const [path, form] of [
      ["/health/live", "method=GET route=/health/live status=200 ms="],
      [`/i/${slug}`, "method=GET route=/i/:slug status=200 ms="],
      ["/i/nobody", "method=GET route=/i/:slug status=404 ms="],
      ["/no/such/path", "method=GET route=other status=404 ms="],
    ] as const) {
      const answer = await till.api("GET", path);
      const id = answer.headers.get("x-request-id");
      const found = lines().filter((line) => line.includes(`request=${id}`));
      expect(found).toHaveLength(1);
      expect(found[0]).toContain(form);
    }
  });

  test("tells nothing of what was asked for or sent along", async () => {
    const before = lines().length;
    const headers = { authorization: "Bearer till_s3cret", cookie: "s3cret", "x-request-id": "s3cret" };
    await till.api("POST", "/api/invoices?q=s3cret", { notes: "s3cret" }, headers);
    await till.api("GET", "/i/s3cret?s3cret=s3cret", undefined, headers);
    expect(lines()).toHaveLength(before + 2);
    expect(lines().join("\n")).not.toContain("s3cret");
  });
});

test("at the level info only answers that refuse or fail have an id, and none has a line", async () => {
  await using till = await startTestTill(node);
  expect((await till.api("GET", "/health/live")).headers.get("x-request-id")).toBeNull();
  expect((await till.api("GET", "/i/nobody")).headers.get("x-request-id")).toMatch(/^[a-z0-9]{12}$/);
  expect(till.logged.filter((line) => line.includes("[http.request]"))).toEqual([]);
});
