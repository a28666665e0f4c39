import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createServer as createHttpServer } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import { hostname } from "node:os";
import { join } from "node:path";
import { type DeliveryOutcome, postEvent } from "../../src/outbox/webhook/post.ts";
import { makeCertificates } from "../support/http/certificates.ts";
import { listen, type Receiver, tcpReceiver } from "./receivers.ts";

const send = (url: string, publicOnly: boolean, limitMs = 30_000) =>
  postEvent({ url, headers: {}, body: "{}", publicOnly, limitMs });

describe("postEvent with publicOnly", () => {
  let canary: Receiver;
  beforeAll(async () => {
    canary = await listen(
      createHttpServer((_request, answer) => void answer.end()),
      "http",
      "::",
    );
  });
  afterAll(() => canary.stop());

  const hosts = [
    ...["localhost", "localhost.", "127.0.0.1", "127.1", "0x7f000001", "2130706433", "0177.0.0.1", "0.0.0.0"],
    ...["[::1]", "[::]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]"],
  ];

  test("connects to no private host, however it is written", async () => {
    for (const host of hosts) {
      const outcome = await send(`http://${host}:${canary.port}/`, true);
      expect([host, outcome]).toMatchObject([host, { kind: "failed", httpStatus: null }]);
      expect([host, JSON.stringify(outcome)]).toEqual([
        host,
        expect.stringContaining("not a public address"),
      ]);
    }
    expect(canary.connections()).toBe(0);
  });

  test("connects to no host whose name resolves to a private address", async () => {
    const outcome = await send(`http://${hostname()}:${canary.port}/`, true);
    expect(outcome).toMatchObject({ kind: "failed", httpStatus: null });
    expect(canary.connections()).toBe(0);
  });

  test("tells a merchant the same of a name that is there inside and of one that is not", async () => {
    const inside = await send(`http://${hostname()}:${canary.port}/`, true);
    const nowhere = await send("http://no-such-host.invalid/", true);
    const told = ({ detail: _, ...outcome }: Extract<DeliveryOutcome, { kind: "failed" }>) => outcome;
    if (inside.kind !== "failed" || nowhere.kind !== "failed") throw new Error("delivered");
    expect(told(inside)).toEqual(told(nowhere));
    expect(inside.detail).toContain(`${hostname()} is not a public address`);
    expect(nowhere.detail).toBe("host name not found");
  });

  test("reaches the same receiver without it, so that its silence means something", async () => {
    expect(await send(`http://localhost:${canary.port}/`, false)).toMatchObject({ kind: "acknowledged" });
    expect(await send(`http://[::1]:${canary.port}/`, false)).toMatchObject({ kind: "acknowledged" });
    expect(canary.connections()).toBe(2);
  });
});

describe("postEvent over TLS", () => {
  const certificates = makeCertificates();
  let receiver: Receiver;

  beforeAll(async () => {
    const pair = certificates.issue("localhost");
    receiver = await listen(
      createHttpsServer(pair, (_request, answer) => void answer.end("ok")),
      "https",
    );
  });
  afterAll(async () => {
    await receiver.stop();
    certificates.remove();
  });

  test("fails on a certificate that nobody vouches for, and says so", async () => {
    expect(await send(`https://localhost:${receiver.port}/`, false)).toMatchObject({
      kind: "failed",
      httpStatus: null,
      reason: expect.stringMatching(/^the certificate is not valid: .*verif/),
    });
  });

  test("delivers to a trusted certificate, and fails when it is for another host", async () => {
    const run = async (host: string) => {
      const script = `
        import { type DeliveryOutcome, postEvent } from ${JSON.stringify(join(import.meta.dir, "../../src/outbox/webhook/post.ts"))};
        const url = "https://${host}:${receiver.port}/";
        console.log(JSON.stringify(await postEvent({ url, headers: {}, body: "{}", publicOnly: false })));`;
      const child = Bun.spawn([process.execPath, "-e", script], {
        env: { ...process.env, NODE_EXTRA_CA_CERTS: certificates.caFile },
      });
      return JSON.parse(await new Response(child.stdout).text());
    };
    expect(await run("localhost")).toMatchObject({ kind: "acknowledged", httpStatus: 200 });
    const { kind, reason } = await run("127.0.0.1");
    expect(kind).toBe("failed");
    expect(reason).toStartWith("the certificate is not valid: ");
  });

  test("cannot be talked out of checking the certificate, or into a proxy, by the environment", async () => {
    const proxy = await tcpReceiver(() => undefined);
    const proxyUrl = `http://127.0.0.1:${proxy.port}`;
    const script = `
      import { type DeliveryOutcome, postEvent } from ${JSON.stringify(join(import.meta.dir, "../../src/outbox/webhook/post.ts"))};
      const url = "https://localhost:${receiver.port}/";
      console.log(JSON.stringify(await postEvent({ url, headers: {}, body: "{}", publicOnly: false })));`;
    const child = Bun.spawn([process.execPath, "-e", script], {
      env: {
        ...process.env,
        NODE_TLS_REJECT_UNAUTHORIZED: "0",
        NODE_USE_ENV_PROXY: "1",
        ...{
          HTTPS_PROXY: proxyUrl,
          https_proxy: proxyUrl,
          HTTP_PROXY: proxyUrl,
          ALL_PROXY: proxyUrl,
          NO_PROXY: "",
        },
      },
    });
    const outcome = JSON.parse(await new Response(child.stdout).text());
    proxy.stop();
    expect(outcome.reason).toStartWith("the certificate is not valid");
    expect(proxy.connections()).toBe(0);
  });

  test("gives up on a handshake that hangs, and on a receiver that does not speak TLS", async () => {
    const silent = await tcpReceiver(() => undefined);
    const plain = await tcpReceiver(
      (socket) => void socket.once("data", () => socket.end("HTTP/1.1 400 X\r\n\r\n")),
    );
    expect(await send(`https://127.0.0.1:${silent.port}/`, false, 300)).toMatchObject({
      kind: "failed",
      reason: "no answer within 0.3 s",
    });
    const outcome = await send(`https://127.0.0.1:${plain.port}/`, false);
    silent.stop();
    plain.stop();
    expect(JSON.stringify(outcome)).toContain("no TLS connection could be made");
  });
});
