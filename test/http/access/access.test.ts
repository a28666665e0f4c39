import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { sendRaw } from "../../support/http/raw-http.ts";
import { passphrase } from "../../support/till/data-dir.ts";
import { program, startProcess } from "../../support/till/process.ts";
import { callTill, runTill } from "../../support/till/run-till.ts";
import { invoiceRequest, linkRequest, startTestTill, type TestTill } from "../../support/till/till.ts";

const node = { rpcUrl: "http://127.0.0.1:9" };

let till: TestTill;
beforeEach(async () => {
  till = await startTestTill(node);
});
afterEach(() => till.stop());

/** Runs `till key …` on the same data directory; what revokes one is a process beside the running server. */
async function key(...args: string[]): Promise<{ exitCode: number; output: string }> {
  const env = { TILL_DATA_DIR: till.config.dataDir };
  const run = args[0] === "revoke" ? runTill : callTill;
  const { exitCode, stdout, stderr } = await run(["key", ...args], { env });
  return { exitCode, output: stdout + stderr };
}

const bearer = (value: string) => ({ authorization: `Bearer ${value}` });
const create = (headers: Record<string, string> = {}) =>
  till.api("POST", "/api/invoices", { ...invoiceRequest, send_now: false }, headers);

describe("API keys", () => {
  test("without any, a loopback Till is open; from the first one on, the API asks for it", async () => {
    const { body: invoice } = await create();
    const made = await key("create", "--name", "webshop");
    expect(made.exitCode).toBe(0);
    const [secret = ""] = made.output.split("\n");
    expect(secret).toMatch(/^till_[\w-]{43}$/);

    const refused = await create();
    expect(refused).toMatchObject({ status: 401, body: { code: "key_required" } });
    expect(made.output).toContain("From now on every call needs one");
    expect(refused.body.detail).toContain("takes no call without one since it has keys");
    expect(refused.headers.get("www-authenticate")).toBe('Bearer realm="Till"');
    expect((await create(bearer(secret))).status).toBe(201);
    expect((await create(bearer(`${secret.slice(0, -1)}_`))).status).toBe(401);
    expect((await create({ authorization: secret })).status).toBe(401);
    for (const path of [`/api/invoices/${invoice.invoice_id}/status`, `/i/${invoice.slug}`])
      expect((await till.api("GET", path)).status).toBe(200);
    // Outside the API nothing is asked for a key, also where a number names nothing.
    expect((await till.api("GET", `/x402/invoices/${invoice.invoice_number}`)).status).toBe(404);
  });

  test("are needed by no page of another site that reads what is open, whatever else it sends", async () => {
    await key("create", "--name", "webshop");
    const headers = { origin: "https://shop.example", "access-control-request-method": "GET" };
    const ask = (path: string) =>
      fetch(`${till.baseUrl}${path}`, {
        method: "OPTIONS",
        headers: { ...headers, "access-control-request-headers": "content-type" },
      });
    for (const path of ["/api/links/x", "/api/payments/status/x"]) {
      const answer = await ask(path);
      expect([answer.status, answer.headers.get("access-control-allow-origin")]).toEqual([204, "*"]);
      // A browser does not take it for Authorization: keys are for no page.
      expect(answer.headers.get("access-control-allow-headers")).toBe("*");
    }
    for (const path of ["/api/links", "/api/invoices/x", "/api/links/x/events"]) {
      const answer = await ask(path);
      expect([answer.status, answer.headers.get("access-control-allow-origin")]).toEqual([401, null]);
    }
  });

  test("are refused when they are unknown, also where none is needed, and other schemes are no keys", async () => {
    const { body: invoice } = await create();
    const paths = ["/api/invoices", `/api/invoices/${invoice.invoice_id}/status`, "/metrics"];
    const page = `/i/${invoice.slug}`;
    const ask = async (authorization: string, asked: TestTill, path: string) =>
      (await asked.api("GET", path, undefined, { authorization })).status;
    const wrong = `till_${"x".repeat(43)}`;
    for (const path of paths)
      for (const [sent, status] of [
        ["Bearer nope", 401],
        [`Bearer ${wrong}`, 401],
        ["token nope", 401],
        ["Basic dXNlcjpwYXNzd29yZA==", 200],
      ] as const)
        expect([path, sent, await ask(sent, till, path)]).toEqual([path, sent, status]);
    expect((await create(bearer("nope"))).status).toBe(401);
    for (const sent of ["Basic dXNlcjpwYXNzd29yZA==", "Bearer nope"])
      for (const path of [page, "/desk", "/health/live"])
        expect([path, await ask(sent, till, path)]).toEqual([path, 200]);
    // A login in front of Till may pass on a token of its own.
    const settings = { TILL_BASE_URL: "https://pay.example.com", TILL_OPEN_API: "true" };
    await using open = await startTestTill(node, settings);
    expect(await ask("Bearer eyJhbGciOi.e30.x", open, "/api/invoices")).toBe(200);
    expect(await ask(`Bearer ${wrong}`, open, "/api/invoices")).toBe(401);
  });

  test("cannot be gone around by a path or a Host header that two readers could read differently", async () => {
    const hosts = ["a", "ab", "abc", "abcd", "pay.example.com", "[::1]", ""];
    const lists = ["/api/links/", "/api/links?a=/status", "/api/invoices/?/pdf", "/metrics/", "/metrics/?a"];
    const paths = ["", "/q", "/qq", "/qqq", "/", "//", "/x/..", "/.", "/api/links/..", "/i/x/..", "\\"];
    await using open = await startTestTill(node, { TILL_BASE_URL: "https://pay.example.com" });
    const port = Number(new URL(open.localUrl).port);
    for (const path of lists) expect((await open.api("GET", path)).status).toBe(401);
    for (const host of hosts) {
      for (const prefix of paths) {
        for (const target of [`${prefix}/api/invoices`, `http://${host || "a"}${prefix}/api/invoices`]) {
          const answer = await sendRaw(port, `GET ${target} HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
          expect([target, host, answer.split(" ")[1]]).not.toEqual([target, host, "200"]);
        }
      }
    }
  });

  test("cannot be gone around by a header that comes twice", async () => {
    const host = new URL(till.localUrl).host;
    const port = Number(host.split(":")[1]);
    const statusOf = async (lines: string[], body = "") =>
      (await sendRaw(port, `${lines.join("\r\n")}\r\n\r\n${body}`)).split(" ")[1];
    const { body: link } = await till.api("POST", "/api/links", linkRequest);
    const paths = [
      "/health/live",
      "/desk",
      "/nothing",
      `/pay/${link.slug}`,
      `/api/payments/status/${link.slug}`,
    ];
    for (const path of paths) {
      for (const target of [path, `http://${host}${path}`]) {
        for (const second of [host, "pay.example.com", "", host.toUpperCase(), "127.0.0.1"]) {
          const requests = [
            [`GET ${target} HTTP/1.1`, `Host: ${host}`, `Host: ${second}`],
            [`GET ${target} HTTP/1.1`, `Host: ${second}`, `Host: ${host}`],
            // As nginx and Caddy pass on what they were asked.
            [`GET ${target} HTTP/1.0`, `host: ${host}`, "X-Forwarded-For: 192.0.2.1", `HOST: ${second}`],
          ];
          for (const lines of requests) expect([lines, await statusOf(lines)]).toEqual([lines, "400"]);
        }
        expect(await statusOf([`GET ${target} HTTP/1.1`, `Host: ${host}`])).not.toBe("400");
      }
    }
    const create = ["POST /api/links HTTP/1.1", `Host: ${host}`, "Content-Type: text/plain"];
    const body = JSON.stringify(linkRequest);
    const length = `Content-Length: ${body.length}`;
    expect(await statusOf([...create, length], body)).toBe("415");
    expect(await statusOf([...create, length, length], body)).toBe("400");
  });

  test("two can be used at once, and a revoked one is refused from then on", async () => {
    const secrets = [];
    for (const name of ["old", "new"])
      secrets.push((await key("create", "--name", name)).output.split("\n")[0] ?? "");
    const [old = "", fresh = ""] = secrets;
    expect([(await create(bearer(old))).status, (await create(bearer(fresh))).status]).toEqual([201, 201]);
    const listed = JSON.parse((await key("list", "--json")).output);
    expect(listed.map((found: { name: string }) => found.name)).toEqual(["old", "new"]);
    expect(JSON.stringify(listed)).not.toContain("till_");
    expect(listed[0].last_used_at).not.toBeNull();
    expect((await key("revoke", "1")).exitCode).toBe(0);
    expect([(await create(bearer(old))).status, (await create(bearer(fresh))).status]).toEqual([401, 201]);
    expect((await key("revoke", "1")).exitCode).toBe(1);
    expect((await key("revoke", "2")).output).toContain("It was the last key");
    expect((await create()).status).toBe(201);
  });

  test("a public Till does not start without one", async () => {
    const env = {
      TILL_CHAIN: "anvil",
      TILL_RPC_URL: node.rpcUrl,
      TILL_WALLET_PASSPHRASE: passphrase,
      TILL_BASE_URL: "https://pay.example.com",
      TILL_PORT: "0",
      TILL_DATA_DIR: `${till.config.dataDir}-public`,
    };
    const refused = startProcess([...program, "serve"], { env });
    expect(await refused.exited).toBe(2);
    expect(refused.output()).toContain("till key create");
    const made = await callTill(["key", "create"], { env: { TILL_DATA_DIR: env.TILL_DATA_DIR } });
    expect(made.exitCode).toBe(0);
    const served = startProcess([...program, "serve"], { env });
    await served.line((line) => line.endsWith("url=https://pay.example.com"));
    expect(await served.end()).toBe(0);
  });
});
