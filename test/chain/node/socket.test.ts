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

/**
 * By hand with the limits of production: `TEST_SILENCE_MS=30000 TEST_ANSWER_MS=10000`. A machine that is busy, or that
 * stands still for some seconds, must not be taken for a node that does not answer.
 */
const silenceMs = Number(process.env["TEST_SILENCE_MS"] ?? 400);
const answerMs = Number(process.env["TEST_ANSWER_MS"] ?? 8_000);

/** What a busy machine adds. */
const graceMs = 25_000;

test("leaves a connection that is open in name only, and connects anew", async () => {
  let answers = 0;
  const wire = startTcpProxy(Number(new URL(chain.wsUrl).port), () => {
    answers += 1;
  });
  const stop = new AbortController();
  let opened = 0;
  const downs: { reason: string; at: number }[] = [];
  const ended = keepSocket({
    url: `ws://127.0.0.1:${wire.port}`,
    signal: stop.signal,
    limits: { silenceMs, answerMs },
    async onOpen(socket) {
      await socket.call("eth_chainId", []);
      opened += 1;
    },
    onNotification: () => {},
    onDown: (reason) => downs.push({ reason, at: performance.now() }),
  });
  try {
    await until(() => opened, Boolean);
    const before = answers;
    await until(
      () => answers,
      (count) => count >= before + 3,
      silenceMs * 3 + graceMs,
    );
    expect(downs).toEqual([]);
    wire.strand();
    const strandedAt = performance.now();
    const [noticed] = await until(
      () => downs,
      ({ length }) => length > 0,
      silenceMs + answerMs + graceMs,
    );
    console.log(`noticed after ${Math.round((noticed?.at ?? 0) - strandedAt)} ms`);
    expect(noticed?.reason).toContain("eth_chainId was not answered");
    await until(
      () => opened,
      (count) => count > 1,
    );
  } finally {
    stop.abort();
    await ended;
    wire.stop();
  }
}, 150_000);
