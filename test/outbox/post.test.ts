import { describe, expect, test } from "bun:test";
import { createHmac } from "node:crypto";
import { deflateSync, gzipSync, zstdCompressSync } from "node:zlib";
import { headersFor } from "../../src/outbox/webhook/signature.ts";
import { newSecret } from "../../src/store/secrets.ts";
import { allClosed, body, limitMs, post, stopAfterEach } from "./delivery.ts";
import { answering, httpReceiver, tcpReceiver } from "./receivers.ts";

const use = stopAfterEach();

/** Answers anything with this status line and ends the answer properly. */
const status = (line: string) => use(answering(`HTTP/1.1 ${line}\r\nContent-Length: 0\r\n\r\n`));

describe("postEvent, the request", () => {
  test("posts exactly the given bytes, signed, to path and query", async () => {
    const secret = newSecret();
    let seen: { method?: string; url?: string; headers: Record<string, unknown>; raw: Buffer } | undefined;
    const receiver = await use(
      httpReceiver(async (request, answer) => {
        const chunks: Buffer[] = [];
        for await (const chunk of request) chunks.push(chunk);
        const { method = "", url = "", headers } = request;
        seen = { method, url, headers, raw: Buffer.concat(chunks) };
        answer.end("ok");
      }),
    );
    const headers = headersFor({ secret, eventId: "evt_1", timestampSec: 1_700_000_000, body });
    const startedAt = performance.now();
    const outcome = await post(`${receiver.url}?shop=1&b=%20`, { headers });

    expect(outcome).toMatchObject({ kind: "acknowledged", httpStatus: 200 });
    expect(outcome.durationMs).toBeLessThanOrEqual(Math.ceil(performance.now() - startedAt));
    expect(seen).toMatchObject({ method: "POST", url: "/hook?shop=1&b=%20" });
    expect(seen?.raw.toString()).toBe(body);
    const hmac = createHmac("sha256", secret)
      .update(seen?.raw ?? "")
      .digest("hex");
    expect(seen?.headers).toMatchObject({
      "x-service-signature": `sha256=${hmac}`,
      "webhook-id": "evt_1",
      "content-type": "application/json",
      "content-length": `${Buffer.byteLength(body)}`,
      "user-agent": "Till",
      host: `127.0.0.1:${receiver.port}`,
      connection: "close",
    });
  });

  test("sends bytes that are not text as they are", async () => {
    let raw = Buffer.alloc(0);
    const receiver = await use(
      httpReceiver(async (request, answer) => {
        for await (const chunk of request) raw = Buffer.concat([raw, chunk]);
        answer.end();
      }),
    );
    await post(receiver.url, { body: new Uint8Array([0xff, 0, 0xfe]) });
    expect([...raw]).toEqual([0xff, 0, 0xfe]);
  });

  test("closes the connection, whatever the receiver would like", async () => {
    const receiver = await use(answering("HTTP/1.1 204 No Content\r\nConnection: keep-alive\r\n\r\n"));
    expect(await post(receiver.url)).toMatchObject({ kind: "acknowledged", httpStatus: 204 });
    await allClosed(receiver);
  });
});

describe("postEvent, the status line decides", () => {
  test("takes any 2xx as acknowledged, also after an interim answer", async () => {
    for (const line of ["200 OK", "201 Created", "202 Accepted", "299 Odd"]) {
      const receiver = await status(line);
      expect(await post(receiver.url)).toMatchObject({
        kind: "acknowledged",
        httpStatus: Number(line.slice(0, 3)),
      });
    }
    const early = await status("103 Early Hints\r\nLink: a\r\n\r\nHTTP/1.1 200 OK");
    expect(await post(early.url)).toMatchObject({ kind: "acknowledged", httpStatus: 200 });
  });

  test("tells 410 from all other failures", async () => {
    const receiver = await status("410 Gone");
    expect(await post(receiver.url)).toMatchObject({ kind: "gone", httpStatus: 410 });
  });

  test("fails on 4xx, 5xx and 304 with the status", async () => {
    for (const code of [304, 400, 401, 404, 429, 500, 503]) {
      const receiver = await status(`${code} X`);
      expect(await post(receiver.url)).toMatchObject({
        kind: "failed",
        httpStatus: code,
        reason: `answered ${code}`,
      });
    }
  });

  test("never follows a redirect", async () => {
    const target = await use(httpReceiver((_request, answer) => answer.end()));
    for (const code of [301, 302, 303, 307, 308]) {
      const receiver = await status(`${code} X\r\nLocation: ${target.url}`);
      expect(await post(receiver.url)).toMatchObject({
        kind: "failed",
        httpStatus: code,
        reason: `answered ${code}; redirects are not followed`,
      });
    }
    expect(target.connections()).toBe(0);
  });

  test("fails on a protocol switch and lets go of the connection", async () => {
    const receiver = await use(answering("HTTP/1.1 101 Go\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n"));
    expect(await post(receiver.url)).toMatchObject({
      kind: "failed",
      httpStatus: 101,
      reason: "answered 101",
    });
    await allClosed(receiver);
  });
});

describe("postEvent, an answer whose body misbehaves", () => {
  const head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";

  test("is acknowledged when the body drips, and is not waited for", async () => {
    const receiver = await use(
      tcpReceiver((socket) =>
        socket.once("data", () => {
          socket.write(head);
          const drip = setInterval(() => socket.write("1\r\na\r\n"), 50);
          socket.on("close", () => clearInterval(drip));
        }),
      ),
    );
    const startedAt = performance.now();
    const outcome = await post(receiver.url);
    expect(outcome).toMatchObject({ kind: "acknowledged", httpStatus: 200 });
    expect(performance.now() - startedAt).toBeLessThan(limitMs);
    await allClosed(receiver);
  });

  test("is acknowledged when the body never ends, and little of it is taken", async () => {
    let written = 0;
    const chunk = `10000\r\n${"a".repeat(0x10000)}\r\n`;
    const receiver = await use(
      tcpReceiver((socket) => {
        const pour = () => {
          while (!socket.destroyed && written < 1e9) {
            written += chunk.length;
            if (!socket.write(chunk)) return;
          }
        };
        socket.on("drain", pour);
        socket.once("data", () => {
          socket.write(head);
          pour();
        });
      }),
    );
    expect(await post(receiver.url)).toMatchObject({ kind: "acknowledged", httpStatus: 200 });
    await allClosed(receiver);
    expect(written).toBeLessThan(32e6);
  });

  test.each(["gzip", "deflate", "zstd"] as const)("unpacks nothing: a bomb in %s", async (coding) => {
    const pack = { gzip: gzipSync, deflate: deflateSync, zstd: zstdCompressSync }[coding];
    const bomb = pack(Buffer.alloc(128 * 1_024 * 1_024));
    const receiver = await use(
      httpReceiver((request, answer) => {
        expect(request.headers["accept-encoding"]).toBe("identity");
        answer.writeHead(200, { "content-encoding": coding, "content-length": bomb.length }).end(bomb);
      }),
    );
    const before = process.memoryUsage().rss;
    expect(await post(receiver.url)).toMatchObject({ kind: "acknowledged", httpStatus: 200 });
    expect(process.memoryUsage().rss - before).toBeLessThan(64 * 1_024 * 1_024);
  });

  test("is acknowledged when the connection is reset within the body", async () => {
    const receiver = await use(
      tcpReceiver((socket) =>
        socket.once("data", () => {
          socket.write("HTTP/1.1 200 OK\r\nContent-Length: 20\r\n\r\nok");
          setTimeout(() => socket.resetAndDestroy(), 50);
        }),
      ),
    );
    expect(await post(receiver.url)).toMatchObject({ kind: "acknowledged", httpStatus: 200 });
  });
});
