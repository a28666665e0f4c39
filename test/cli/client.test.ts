import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { createClient, NoAnswer } from "../../src/cli/client.ts";
import { type LossyProxy, startLossyProxy } from "../support/lossy-proxy.ts";
import { invoiceRequest, startTestTill, type TestTill } from "../support/till.ts";

let till: TestTill;
let proxy: LossyProxy;

beforeAll(async () => {
  // Making an invoice needs no node.
  till = await startTestTill({ rpcUrl: "http://127.0.0.1:9" });
});
afterAll(() => till.stop());
beforeEach(() => {
  proxy = startLossyProxy(till.baseUrl);
});
afterEach(() => proxy.stop());

const invoiceCount = async () => (await till.api("GET", "/api/invoices?limit=100")).body.data.length;
const client = () => createClient({ TILL_BASE_URL: proxy.url }, { writeTimeoutMs: 4_000 });

describe("post", () => {
  test("repeats a write that got no answer in time, with the same key, so that it is done once", async () => {
    const before = await invoiceCount();
    proxy.holdAnswers(1);
    const made = await client().post<{ invoice_id: string }>("/api/invoices", invoiceRequest, "held");
    expect(proxy.writes()).toBe(2);
    expect(await invoiceCount()).toBe(before + 1);
    expect((await till.api("GET", `/api/invoices/${made.invoice_id}`)).status).toBe(200);
  });

  test("gives up after some attempts, and says that it is not known what came of it", async () => {
    proxy.loseAnswers(100);
    const failure = await client()
      .post("/api/invoices", invoiceRequest, "lost")
      .catch((thrown: unknown) => thrown);
    expect(failure).toBeInstanceOf(NoAnswer);
    expect((failure as NoAnswer).nothingSent).toBe(false);
    expect(proxy.writes()).toBe(3);
  });

  test("does not repeat what nothing heard", async () => {
    const started = performance.now();
    const nowhere = createClient({ TILL_BASE_URL: "http://127.0.0.1:9" });
    const failure = await nowhere.post("/api/invoices", {}, "key").catch((thrown: unknown) => thrown);
    expect((failure as NoAnswer).nothingSent).toBe(true);
    expect(performance.now() - started).toBeLessThan(900);
  });
});
