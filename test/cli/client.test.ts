import { afterEach, beforeEach, describe, expect, spyOn, test } from "bun:test";
import { createClient, NoAnswer } from "../../src/cli/api/client.ts";
import { watch } from "../../src/cli/commands/issue/issue.ts";
import { type LossyProxy, startLossyProxy } from "../support/chain/lossy-proxy.ts";
import { shared } from "../support/per-file.ts";
import { invoiceRequest, startTestTill } from "../support/till/till.ts";

// Making an invoice needs no node.
const till = shared(() => startTestTill({ rpcUrl: "http://127.0.0.1:9" }));
let proxy: LossyProxy;
beforeEach(() => {
  proxy = startLossyProxy(till.baseUrl);
});
afterEach(() => proxy.stop());

const invoiceCount = async () => (await till.api("GET", "/api/invoices?limit=100")).body.data.length;
const client = (writeTimeoutMs = 60_000) => createClient({ TILL_BASE_URL: proxy.url }, { writeTimeoutMs });

describe("post", () => {
  test("repeats a write that got no answer in time, with the same key, so that it is done once", async () => {
    const before = await invoiceCount();
    proxy.holdAnswers(1);
    const made = await client(5_000).post<{ invoice_id: string }>("/api/invoices", invoiceRequest, "held");
    expect(proxy.writes()).toBe(2);
    expect(await invoiceCount()).toBe(before + 1);
    expect((await till.api("GET", `/api/invoices/${made.invoice_id}`)).status).toBe(200);
  });

  test("takes what a reverse proxy says for Till as no answer, and repeats the write", async () => {
    const before = await invoiceCount();
    proxy.replaceAnswers(1);
    const made = await client().post<{ invoice_id: string }>("/api/invoices", invoiceRequest, "gateway");
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
    using asked = spyOn(globalThis, "fetch");
    const nowhere = createClient({ TILL_BASE_URL: "http://127.0.0.1:9" });
    const failure = await nowhere.post("/api/invoices", {}, "key").catch((thrown: unknown) => thrown);
    expect((failure as NoAnswer).nothingSent).toBe(true);
    // Till asks its node as well.
    const posts = asked.mock.calls.filter(([url]) => String(url).endsWith("/api/invoices"));
    expect(posts).toHaveLength(1);
  });
});

describe("baseUrl", () => {
  test.each([
    [{}, "http://127.0.0.1:3000"],
    [{ TILL_PORT: "3001" }, "http://127.0.0.1:3001"],
    [{ TILL_HOST: "::1", TILL_PORT: " 3001 " }, "http://[::1]:3001"],
    [{ TILL_BASE_URL: "https://pay.example.com/", TILL_PORT: "3001" }, "https://pay.example.com"],
  ])("of the settings %j is %s, as for the server", (settings, url) => {
    expect(createClient(settings).baseUrl).toBe(url);
  });

  test("is not guessed from a port that is none", () => {
    expect(() => createClient({ TILL_PORT: "three" })).toThrow("TILL_PORT");
  });
});

describe("watch", () => {
  test("goes on while something in front of Till answers for it", async () => {
    const invoice = (await till.createInvoice()) as Record<string, string>;
    let answers = 0;
    const gateway = Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      async fetch(request) {
        answers += 1;
        if (answers === 1) return new Response("<h1>502</h1>", { status: 502 });
        if (answers === 2) return Response.json({ code: "rate_limited", detail: "slowly" }, { status: 429 });
        const record = await (await fetch(till.baseUrl + new URL(request.url).pathname)).json();
        return Response.json({ ...(record as object), status: "paid" });
      },
    });
    try {
      await watch(
        createClient({ TILL_BASE_URL: gateway.url.origin }),
        { path: `/api/invoices/${invoice["invoice_id"]}`, name: "INV-0001", ids: {} },
        { json: true, pollMs: 10 },
      );
      expect(answers).toBe(3);
    } finally {
      gateway.stop(true);
    }
  });
});
