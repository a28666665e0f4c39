import { afterEach, describe, expect, test } from "bun:test";
import type { SMTPServerOptions } from "smtp-server";
import { createTransport } from "../../src/mail/smtp/transport.ts";
import { makeCertificates } from "../support/http/certificates.ts";
import { type RealServer, startSmtpServer } from "../support/mail/smtp-server.ts";
import { until } from "../support/till/till.ts";
import { startScriptedServer } from "./scripted-server.ts";

const message = {
  to: "vendor@example.net",
  replyTo: null,
  fromName: null,
  subject: "Hello",
  text: "Hello",
  html: "<p>Hello</p>",
};
/** Far longer than any session here, so that a busy machine changes no outcome. */
const timeoutMs = 30_000;
/** Long enough for a busy machine to come to where a server says nothing. */
const silenceMs = 5_000;
const stops: (() => Promise<void>)[] = [];

afterEach(async () => {
  await Promise.all(stops.splice(0).map((stop) => stop()));
});

/** A real mail server, with the library's own certificate, which nobody should trust. */
async function start(options: SMTPServerOptions): Promise<RealServer> {
  const server = await startSmtpServer({ authOptional: false, allowInsecureAuth: false, ...options });
  stops.push(server.stop);
  return server;
}

const transport = (smtpUrl: string) => createTransport({ smtpUrl, from: "till@example.com" });

describe("send over TLS", () => {
  test.each([
    ["with STARTTLS before it logs in", "smtp", {}],
    ["with TLS from the start to smtps://", "smtps", { secure: true }],
    ["with LOGIN where that is all that is offered", "smtp", { authMethods: ["LOGIN"] }],
  ])("works %s", async (_title, scheme, options) => {
    const { port, received } = await start(options);
    const url = `${scheme}://jo:s3cret@127.0.0.1:${port}/?tls.rejectUnauthorized=false`;
    expect(await transport(url).send(message, { timeoutMs })).toMatchObject({ kind: "sent" });
    expect(received).toMatchObject([{ encrypted: true, user: "jo" }]);
  });

  test("says which URL a server wants that begins with TLS, or does not", async () => {
    const tries = [
      [true, "smtp", "write smtps://"],
      [false, "smtps", "write smtp://"],
    ] as const;
    // Both at once: each waits until the server has said nothing for long.
    const sending = tries.map(async ([secure, scheme, advice]) => {
      const { port, received } = await start({ secure });
      const url = `${scheme}://jo:s3cret@127.0.0.1:${port}/?tls.rejectUnauthorized=false`;
      const outcome = await transport(url).send(message, { timeoutMs: silenceMs });
      expect(outcome).toMatchObject({ kind: "rejected", permanent: false, isOutage: true });
      expect("reason" in outcome && outcome.reason).toContain(advice);
      expect(received).toEqual([]);
    });
    await Promise.all(sending);
  });

  test.each([
    ["STARTTLS", "smtp", false],
    ["TLS from the start", "smtps", true],
  ])("does not send to a server whose certificate cannot be trusted (%s)", async (_title, scheme, secure) => {
    const { port, received } = await start({ secure, authOptional: true });
    const outcome = await transport(`${scheme}://127.0.0.1:${port}`).send(message, { timeoutMs });
    expect(outcome).toMatchObject({ kind: "rejected", permanent: false });
    expect("reason" in outcome && outcome.reason).toContain("certificate");
    expect(received).toEqual([]);
  });

  test("says how to trust a certificate of the operator's own authority", async () => {
    const certificates = makeCertificates();
    const { port } = await start({ ...certificates.issue("localhost"), secure: true, authOptional: true });
    const outcome = await transport(`smtps://localhost:${port}`).send(message, { timeoutMs });
    certificates.remove();
    expect("reason" in outcome && outcome.reason).toMatch(
      /^The mail server's certificate is not valid \(.* in NODE_EXTRA_CA_CERTS; .*tls.rejectUnauthorized=false .*\): \S/,
    );
  });

  test("gives up in time on a server that goes silent within the handshake", async () => {
    const server = await startScriptedServer({ STARTTLS: { say: "220 go on\r\n" } }, ["STARTTLS"]);
    stops.push(() => server.stop());
    const outcome = await transport(`smtp://127.0.0.1:${server.port}`).send(message, { timeoutMs: 300 });
    expect(outcome).toMatchObject({ kind: "rejected", permanent: false });
    expect("reason" in outcome && outcome.reason).toContain("took longer than 0.3 s");
    await until(server.openSockets, (open) => open === 0);
  });

  test("does not send when encryption is asked for and the server has none", async () => {
    const { port, received } = await start({ disabledCommands: ["STARTTLS"], authOptional: true });
    const outcome = await transport(`smtp://127.0.0.1:${port}/?requireTLS=true`).send(message, { timeoutMs });
    expect(outcome).toMatchObject({ kind: "rejected", permanent: false });
    expect(received).toEqual([]);
  });

  test("sends to another machine in the clear only when the URL says so", async () => {
    const { port, received } = await start({ disabledCommands: ["STARTTLS"], allowInsecureAuth: true });
    const url = `smtp://jo:s3cret@0.0.0.0:${port}`;
    expect(await transport(url).send(message, { timeoutMs })).toMatchObject({ kind: "rejected" });
    expect(await transport(`${url}/?ignoreTLS=true`).send(message, { timeoutMs })).toMatchObject({
      kind: "sent",
    });
    expect(received).toMatchObject([{ encrypted: false, user: "jo" }]);
  });
});
