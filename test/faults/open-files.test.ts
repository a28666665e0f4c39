import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import { startTestChain } from "../support/chain/chain.ts";
import { ownPort } from "../support/http/port.ts";
import { shared } from "../support/per-file.ts";
import { install, makeDataDir, passphrase } from "../support/till/data-dir.ts";
import { endProcesses, program, startProcess, type TillProcess } from "../support/till/process.ts";
import { until } from "../support/till/till.ts";

/** How many files and connections Till has room for. */
const filesMax = 128;

const dir = makeDataDir();
const chain = shared(startTestChain);
const port = ownPort();
let till: TillProcess;
beforeAll(async () => {
  await install(join(dir.path, "data"));
  till = startProcess(["sh", "-c", `ulimit -n ${filesMax}; exec "$@"`, "sh", ...program, "serve"], {
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
});
afterAll(async () => {
  await endProcesses();
  dir.remove();
});

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

test("more silent connections than there is room for hold Till up until they are dropped, and do it no harm", async () => {
  const silent = await open(100, "");
  // Time itself: what has no room tries again and again, for as long as those before it may be silent.
  await Bun.sleep(7_000);
  const more = await open(200, "");
  await until(
    () => silent.closed() + more.closed(),
    (count) => count > 50,
    40_000,
  );
  silent.end();
  more.end();
  const { status } = await until(
    () => health(),
    (answer) => answer.status === 200,
    40_000,
  );
  expect(status).toBe(200);
  // The log comes by a pipe of its own.
  await till.line((line) => /\[connections\.crowded\] .* count=\d+ limit=128/.test(line));
  expect(till.output().match(/\[connections\.crowded\]/g)).toHaveLength(1);
  expect(till.output()).not.toContain("SystemError");
});

test("connections whose work is done go first when there is nearly no room for another", async () => {
  const done = await open(90, "GET /health/live HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n");
  const startedAt = performance.now();
  await until(done.closed, (count) => count === 90);
  // A connection may be silent for ten seconds otherwise.
  expect(performance.now() - startedAt).toBeLessThan(9_500);
  expect((await health()).text).toContain("128 files and connections");
  expect(await till.end()).toBe(0);
});
