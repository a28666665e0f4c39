import { describe, expect, test } from "bun:test";
import { shared } from "../../support/per-file.ts";
import { startTestTill, until, untilIs } from "../../support/till/till.ts";

/** A few for every run of the tests, more when asked for: TEST_SLOW_CONNECTIONS=1000. */
const connections = Number(process.env["TEST_SLOW_CONNECTIONS"] ?? 100);
const dripEveryMs = 500;
/** Till drops a request that is not there after 10 s; its clock looks every few seconds. */
const droppedWithinMs = 30_000;

const till = shared(() => startTestTill({ rpcUrl: "http://127.0.0.1:9" }, {}, { idleSecondsMax: 10 }));

/** Connections that send one byte now and then: half of them in their headers, half in a body. */
async function drip(port: number): Promise<{ open: () => number; dripped: () => number; stop(): void }> {
  let open = 0;
  let dripped = 0;
  const sockets = await Promise.all(
    Array.from({ length: connections }, (_, i) =>
      Bun.connect({
        hostname: "127.0.0.1",
        port,
        socket: {
          open(socket) {
            open += 1;
            const start =
              i % 2 === 0 ? "GET / HTTP/1.1\r\n" : "POST /api/invoices HTTP/1.1\r\nContent-Length: 9999\r\n";
            const type = "Host: 127.0.0.1\r\nContent-Type: application/json\r\n";
            socket.write(`${start}${type}${i % 2 === 0 ? "X-Slow: " : "\r\n"}`);
          },
          data() {},
          close() {
            open -= 1;
          },
        },
      }),
    ),
  );
  const timer = setInterval(() => {
    for (const socket of sockets) socket.write(" ");
    dripped += 1;
  }, dripEveryMs);
  return {
    open: () => open,
    dripped: () => dripped,
    stop() {
      clearInterval(timer);
      for (const socket of sockets) socket.end();
    },
  };
}

describe("slow connections", () => {
  test(`do not keep others waiting, ${connections} of them, and are dropped`, async () => {
    const { invoice_id } = await till.createInvoice();
    const slow = await drip(Number(new URL(till.baseUrl).port));
    try {
      expect(slow.open()).toBe(connections);
      const times: number[] = [];
      for (let i = 0; i < 50 || slow.dripped() < 3; i++) {
        const startedAt = performance.now();
        const { status } =
          i % 5 === 0
            ? await till.api("POST", "/api/invoices", {})
            : await till.api("GET", `/api/invoices/${invoice_id}/status`);
        expect(status).toBe(i % 5 === 0 ? 400 : 200);
        times.push(performance.now() - startedAt);
        // Nobody waited until they were gone.
        expect(slow.open()).toBe(connections);
      }
      const longest = Math.max(...times);
      console.log(
        `With ${connections} slow connections the slowest of ${times.length} answers took ${longest.toFixed(1)} ms.`,
      );
      await untilIs(slow.open, 0, droppedWithinMs);
    } finally {
      slow.stop();
    }
  });
});

test("whoever hangs up in the midst of a body is no failure of Till's", async () => {
  const { hostname, port } = new URL(till.baseUrl);
  const hangUp = async (path: string, type: string, length: string) => {
    const socket = await Bun.connect({ hostname, port: Number(port), socket: { data() {} } });
    socket.write(
      `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nSec-Fetch-Site: same-origin\r\n` +
        `Content-Type: ${type}\r\n${length}\r\n\r\n`,
    );
    socket.write("3\r\nabc\r\n");
    // Who connects later is answered later: by now the beginning of the body has arrived.
    await till.api("GET", "/health/live");
    socket.end();
  };
  const answered = async () =>
    ((await till.api("GET", "/metrics")).body as string)
      .split("\n")
      .filter(
        (line) => line.startsWith("till_http_requests_total") && line.includes('route="/desk/sign-in"'),
      );
  for (const length of ["Content-Length: 1000", "Transfer-Encoding: chunked"]) {
    await hangUp("/api/invoices", "application/json", length);
    await hangUp("/desk/sign-in", "application/x-www-form-urlencoded", length);
  }
  const [line = "", ...others] = await until(answered, (lines) => lines.some((one) => one.endsWith(" 2")));
  expect(line).toContain('status="400"');
  expect(others).toEqual([]);
  expect(till.logged.filter((logged) => logged.includes("[http.failed]"))).toEqual([]);
});
