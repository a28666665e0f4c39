import { afterAll, beforeAll, expect, test } from "bun:test";
import { keepSocket } from "../../../src/chain/node/socket.ts";
import { startTestChain, type TestChain } from "../../support/chain/chain.ts";
import { startTcpProxy } from "../../support/chain/rpc-proxy.ts";
import { until } from "../../support/till/till.ts";

let chain: TestChain;
beforeAll(async () => {
  chain = await startTestChain();
});
afterAll(() => chain.stop());

/** By hand with the limits of production: `TEST_SILENCE_MS=20000 TEST_ANSWER_MS=10000`. */
const silenceMs = Number(process.env["TEST_SILENCE_MS"] ?? 400);
const answerMs = Number(process.env["TEST_ANSWER_MS"] ?? 600);
/** What a busy machine adds. */
const graceMs = 2_000;

test("leaves a connection that is open in name only, and connects anew", async () => {
  const wire = startTcpProxy(Number(new URL(chain.wsUrl).port));
  const stop = new AbortController();
  let opened = 0;
  let down: { reason: string; at: number } | null = null;
  const ended = keepSocket({
    url: `ws://127.0.0.1:${wire.port}`,
    signal: stop.signal,
    limits: { silenceMs, answerMs },
    async onOpen(socket) {
      await socket.call("eth_chainId", []);
      opened += 1;
    },
    onNotification: () => {},
    onDown: (reason) => {
      down = { reason, at: performance.now() };
    },
  });
  try {
    await until(
      () => opened,
      (count) => count === 1,
    );
    await Bun.sleep(silenceMs * 3);
    expect(down).toBeNull();
    wire.strand();
    const strandedAt = performance.now();
    const noticed = await until(
      () => down,
      (value) => value !== null,
      silenceMs + answerMs + graceMs,
    );
    console.log(`noticed after ${Math.round((noticed?.at ?? 0) - strandedAt)} ms`);
    expect(noticed?.reason).toContain("eth_chainId was not answered");
    await until(
      () => opened,
      (count) => count === 2,
    );
  } finally {
    stop.abort();
    await ended;
    wire.stop();
  }
}, 150_000);
