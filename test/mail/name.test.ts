import { afterEach, describe, expect, test } from "bun:test";
import type { LookupAddress } from "node:dns";
import { type AddressInfo, createServer } from "node:net";
import type { Lookup } from "../../src/mail/smtp/connection.ts";
import { createTransport } from "../../src/mail/smtp/transport.ts";
import { ownPort } from "../support/http/port.ts";
import { until } from "../support/till/till.ts";
import { type ScriptedServer, startScriptedServer } from "./scripted-server.ts";

const message = {
  to: "vendor@example.net",
  replyTo: null,
  fromName: null,
  subject: "Hello",
  text: "Hello",
  html: "<p>Hello</p>",
};

const stops: (() => unknown)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

async function start(): Promise<ScriptedServer> {
  const server = await startScriptedServer({}, []);
  stops.push(server.stop);
  return server;
}

/** Sends to a server with a name that `resolve` knows; without it, to one that the system knows. */
function send(port: number, resolve?: Lookup, timeoutMs = 30_000) {
  const host = resolve ? "mail.example" : "localhost";
  const settings = { smtpUrl: `smtp://${host}:${port}`, from: "till@example.com" };
  return createTransport({ ...settings, ...(resolve ? { resolve } : {}) }).send(message, { timeoutMs });
}

const v4 = (address: string): LookupAddress => ({ address, family: 4 });
const v6: LookupAddress = { address: "::1", family: 6 };
/** Nothing listens there. */
const dead = v4("127.0.0.9");
const alive = v4("127.0.0.1");

describe("a mail server with a name", () => {
  test("is found by the system, also when no DNS server knows its name", async () => {
    const server = await start();
    expect(await send(server.port)).toMatchObject({ kind: "sent" });
    expect(server.contents).toHaveLength(1);
  });

  test.each([
    ["of which the first is dead", [dead, alive]],
    ["of which only the last works", [dead, v4("127.0.0.8"), alive]],
    ["of which the first is of IPv6, where nothing listens", [v6, alive]],
    ["of which the first works", [alive, dead]],
  ])("has several addresses, %s", async (_title, addresses) => {
    const server = await start();
    expect(await send(server.port, async () => addresses)).toMatchObject({ kind: "sent" });
    expect(server.contents).toHaveLength(1);
  });

  test("is reached by IPv6 when that comes first", async () => {
    const families: (string | undefined)[] = [];
    const server = createServer((socket) => {
      families.push(socket.remoteFamily);
      socket.end("421 4.3.2 not now\r\n");
    });
    await new Promise<void>((resolve) => server.listen(0, "::1", resolve));
    stops.push(() => server.close());
    const { port } = server.address() as AddressInfo;
    expect(await send(port, async () => [v6, alive])).toMatchObject({
      kind: "rejected",
      reason: expect.stringContaining("421 4.3.2 not now"),
    });
    expect(families).toEqual(["IPv6"]);
  });

  test("has only dead addresses: the reason names each, and it is tried later", async () => {
    const outcome = await send(ownPort(), async () => [dead, v4("127.0.0.8")]);
    expect(outcome).toMatchObject({ kind: "rejected", permanent: false });
    const reason = "reason" in outcome ? outcome.reason : "";
    expect(reason).toStartWith("The connection to the mail server failed while connecting: ");
    for (const address of ["127.0.0.9", "127.0.0.8"]) expect(reason).toContain(address);
  });

  test("cannot be found: it is tried later", async () => {
    const unknown = Object.assign(new Error("getaddrinfo ENOTFOUND mail.example"), { code: "ENOTFOUND" });
    expect(await send(25, () => Promise.reject(unknown))).toEqual({
      kind: "rejected",
      permanent: false,
      reason: "The mail server's name could not be resolved: getaddrinfo ENOTFOUND mail.example",
      isOutage: true,
    });
    expect(await send(25, async () => [])).toMatchObject({ kind: "rejected", permanent: false });
  });

  test("is found too late: nobody connects any more", async () => {
    const server = await start();
    const found = Promise.withResolvers<LookupAddress[]>();
    expect(await send(server.port, () => found.promise, 100)).toEqual({
      kind: "rejected",
      permanent: false,
      reason: "The mail server took longer than 0.1 s (while looking up its name)",
      isOutage: true,
    });
    found.resolve([alive]);
    // One that is found later connects, and is alone.
    expect(await send(server.port, async () => [alive])).toMatchObject({ kind: "sent" });
    expect(server.commands.filter((line) => line.startsWith("EHLO"))).toHaveLength(1);
    await until(server.openSockets, (open) => open === 0);
  });

  test("is found slowly, but in time", async () => {
    const server = await start();
    const slowly: Lookup = async () => {
      // Time itself: the look-up takes so long.
      await Bun.sleep(300);
      return [alive];
    };
    expect(await send(server.port, slowly)).toMatchObject({ kind: "sent" });
  });

  test("may be an IPv6 address", async () => {
    const server = createServer((socket) => socket.end("421 4.3.2 not now\r\n"));
    await new Promise<void>((resolve) => server.listen(0, "::1", resolve));
    stops.push(() => server.close());
    const smtpUrl = `smtp://[::1]:${(server.address() as AddressInfo).port}`;
    const outcome = await createTransport({ smtpUrl, from: "till@example.com" }).send(message);
    expect(outcome).toMatchObject({ reason: expect.stringContaining("421 4.3.2") });
  });
});
