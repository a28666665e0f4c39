import { describe, expect, test } from "bun:test";
import type { Socket } from "node:net";
import { limitMsDefault } from "../../src/outbox/webhook/post.ts";
import { headersFor } from "../../src/outbox/webhook/signature.ts";
import { newSecret } from "../../src/store/secrets.ts";
import { ownPort } from "../support/http/port.ts";
import { allClosed, body, limitMs, post, stopAfterEach } from "./delivery.ts";
import { answering, tcpReceiver } from "./receivers.ts";

const use = stopAfterEach();

describe("postEvent, no answer", () => {
  const failure = { kind: "failed", httpStatus: null };

  test("says that the connection was refused", async () => {
    expect(await post(`http://127.0.0.1:${ownPort()}/hook`)).toMatchObject({
      ...failure,
      reason: "connection refused",
    });
  });

  test("says that the host name was not found", async () => {
    expect(await post("http://no-such-host.invalid/")).toMatchObject({
      ...failure,
      reason: "host name not found",
    });
  });

  test("says that the connection was closed: at once, after the request, in the middle of the headers", async () => {
    const reason = "the connection was closed before an answer came";
    const breaks: ((socket: Socket) => void)[] = [
      (socket) => socket.destroy(),
      (socket) => socket.once("data", () => socket.end()),
      (socket) => socket.once("data", () => socket.resetAndDestroy()),
      (socket) => socket.once("data", () => socket.end("HTTP/1.1 200 OK\r\nX: ")),
    ];
    for (const breakOff of breaks) {
      const receiver = await use(tcpReceiver(breakOff));
      expect(await post(receiver.url)).toMatchObject({ ...failure, reason });
    }
  });

  test("says that the answer is not HTTP, or has endless headers", async () => {
    const garbage = await use(answering("SSH-2.0-OpenSSH_9.2\r\n\r\n"));
    expect(await post(garbage.url)).toMatchObject({ ...failure, reason: "the answer is not valid HTTP" });
    const endless = await use(answering(`HTTP/1.1 200 OK\r\nX: ${"a".repeat(1e6)}`));
    expect(await post(endless.url)).toMatchObject({
      ...failure,
      reason: "the answer's headers are too long",
    });
  });

  test("gives up on a receiver that hangs at any stage, and closes the connection", async () => {
    const stages = [() => undefined, answerWith("HTTP/1.1 20"), answerWith("HTTP/1.1 200 OK\r\nX: ")];
    for (const stage of stages) {
      const receiver = await use(tcpReceiver(stage));
      const outcome = await post(receiver.url, { limitMs: 300 });
      expect(outcome).toMatchObject({ ...failure, reason: "no answer within 0.3 s" });
      expect(outcome.durationMs).toBeGreaterThanOrEqual(290);
      await allClosed(receiver);
    }
  });

  test("gives up on a receiver that drips its headers", async () => {
    const receiver = await use(
      tcpReceiver((socket) => {
        socket.write("HTTP/1.1 200 OK\r\n");
        const drip = setInterval(() => socket.write("X: a\r\n"), 20);
        socket.on("close", () => clearInterval(drip));
      }),
    );
    expect(await post(receiver.url, { limitMs: 300 })).toMatchObject({ reason: "no answer within 0.3 s" });
    await allClosed(receiver);
  });

  test("waits 15 s for an answer when nothing else is said", () => {
    expect(limitMsDefault).toBe(15_000);
  });

  test("stops at once when it is told to, before and during a delivery", async () => {
    const stop = new AbortController();
    const receiver = await use(tcpReceiver((socket) => socket.once("data", () => stop.abort())));
    const early = await post(receiver.url, { signal: AbortSignal.abort() });
    expect(early).toMatchObject({ ...failure, reason: "stopped before it was sent" });
    expect(receiver.connections()).toBe(0);
    const late = await post(receiver.url, { signal: stop.signal });
    expect(late).toMatchObject({ ...failure, reason: "stopped before an answer came" });
    expect(late.durationMs).toBeLessThan(limitMs);
    await allClosed(receiver);
  });

  test("puts nothing of what was sent into the reason", async () => {
    const secret = newSecret();
    const headers = headersFor({ secret, eventId: "evt_1", timestampSec: 1, body });
    const garbage = await use(answering("garbage\r\n\r\n"));
    for (const url of [`http://127.0.0.1:${ownPort()}/?token=hunter2`, `${garbage.url}?token=hunter2`]) {
      const text = JSON.stringify(await post(url, { headers }));
      for (const part of ["hunter2", secret, "sha256", "invoice.paid"]) expect(text).not.toContain(part);
    }
  });
});

function answerWith(text: string) {
  return (socket: Socket) => void socket.once("data", () => socket.write(text));
}
