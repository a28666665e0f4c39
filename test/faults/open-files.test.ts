import { afterAll, afterEach, beforeEach, expect, test } from "bun:test";
import { join } from "node:path";
import { startTestChain, type TestChain } from "../support/chain/chain.ts";
import { ownPort } from "../support/http/port.ts";
import { install, makeDataDir, passphrase } from "../support/till/data-dir.ts";
import { endProcesses, program, startProcess } from "../support/till/process.ts";
import { until } from "../support/till/till.ts";

let dir: ReturnType<typeof makeDataDir>;
let chain: TestChain;
let port: number;
beforeEach(async () => {
  dir = makeDataDir();
  chain = await startTestChain();
  port = ownPort();
  await install(join(dir.path, "data"));
});
afterEach(async () => {
  await endProcesses();
  await chain.stop();
  dir.remove();
});
afterAll(endProcesses);

/** Starts Till with room for so many files and connections. */
async function startWith(filesMax: number) {
  const till = startProcess(["sh", "-c", `ulimit -n ${filesMax}; exec "$@"`, "sh", ...program, "serve"], {
    env: {
      TILL_CHAIN: "anvil",
      TILL_TAX_RATES: "off",
      TILL_RPC_URL: chain.rpcUrl,
      TILL_DATA_DIR: join(dir.path, "data"),
      TILL_WALLET_PASSPHRASE: passphrase,
      TILL_PORT: String(port),
    },
  });
  await till.line((line) => line.includes("[ready]"));
  return till;
}

/** Opens connections that say this and nothing more, and counts those that Till ends. */
async function open(count: number, say: string) {
  let closed = 0;
  const sockets = await Promise.all(
    Array.from({ length: count }, () =>
      Bun.connect({
        hostname: "127.0.0.1",
        port,
        socket: {
          open: (socket) => void socket.write(say),
          close() {
            closed += 1;
          },
          data() {},
        },
      }),
    ),
  );
  return { closed: () => closed, end: () => sockets.forEach((socket) => void socket.end()) };
}

const health = async () => {
  const answer = await fetch(`http://127.0.0.1:${port}/health/ready`, { headers: { connection: "close" } });
  return { status: answer.status, text: await answer.text() };
};

test("connections whose work is done go first when there is nearly no room for another", async () => {
  const till = await startWith(128);
  const done = await open(90, "GET /health/live HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n");
  const startedAt = performance.now();
  await until(done.closed, (count) => count === 90);
  // A connection may be silent for ten seconds otherwise.
  expect(performance.now() - startedAt).toBeLessThan(9_500);
  // The log comes by a pipe of its own.
  await till.line((line) => /\[connections\.crowded\] .* count=\d+ limit=128/.test(line));
  expect((await health()).text).toContain("128 files and connections");
});

test("more silent connections than there is room for hold Till up until they are dropped, and do it no harm", async () => {
  const till = await startWith(128);
  const silent = await open(200, "");
  await until(silent.closed, (count) => count > 50, 40_000);
  silent.end();
  const { status } = await until(
    () => health(),
    (answer) => answer.status === 200,
    40_000,
  );
  expect(status).toBe(200);
  expect(till.output().match(/\[connections\.crowded\]/g)).toHaveLength(1);
  expect(till.output()).not.toContain("SystemError");
  expect(await till.end()).toBe(0);
});
