import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { type Certificates, makeCertificates } from "../support/http/certificates.ts";
import { type RealServer, startSmtpServer } from "../support/mail/smtp-server.ts";
import { endProcesses, startServedTill } from "../support/till/process.ts";
import { invoiceRequest } from "../support/till/till.ts";

/** As on a server: what Till talks to has a name, and a certificate that the machine trusts. */

const noNode = { rpcUrl: "http://127.0.0.1:9", wsUrl: "ws://127.0.0.1:9" };

let certificates: Certificates;
let ours: { key: string; cert: string };
let foreign: { key: string; cert: string };
beforeAll(() => {
  certificates = makeCertificates();
  ours = certificates.issue("localhost");
  foreign = certificates.issue("mail.example");
});
afterAll(async () => {
  await endProcesses();
  certificates.remove();
});

const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop();
});

async function serve(smtpUrl: (port: number) => string, server: RealServer) {
  stops.push(server.stop);
  const till = await startServedTill(noNode, {
    TILL_SMTP_URL: smtpUrl(server.port),
    TILL_MAIL_FROM: "Till <till@example.com>",
    TILL_MAIL_ATTACH_PDF: "false",
    NODE_EXTRA_CA_CERTS: certificates.caFile,
  });
  stops.push(till.stop);
  return till;
}

describe("an invoice is mailed through a server with a name", () => {
  test.each([
    ["with STARTTLS", "smtp://jo:s3cret@localhost", {}],
    ["with TLS from the start", "smtps://jo:s3cret@localhost", { secure: true }],
  ])("%s", async (_title, url, options) => {
    const server = await startSmtpServer({ ...ours, ...options });
    const till = await serve((port) => `${url}:${port}`, server);
    const { status, body } = await till.api("POST", "/api/invoices", invoiceRequest);
    expect(status).toBe(201);
    expect(body.sent_at).toBeString();
    expect(server.received).toMatchObject([
      { encrypted: true, to: [invoiceRequest.vendor_email], user: "jo" },
    ]);
    expect(await till.api("POST", `/api/invoices/${body.invoice_id}/send`)).toMatchObject({
      status: 200,
      body: { ok: true },
    });
    expect(server.received).toHaveLength(2);
  });

  test.each([
    ["STARTTLS", "smtp://localhost", {}],
    ["TLS from the start", "smtps://localhost", { secure: true }],
  ])("but not when its certificate is for another name (%s)", async (_title, url, options) => {
    const server = await startSmtpServer({ ...foreign, ...options });
    const till = await serve((port) => `${url}:${port}`, server);
    const { status, body } = await till.api("POST", "/api/invoices", invoiceRequest);
    expect([status, body.sent_at]).toEqual([201, null]);
    const again = await till.api("POST", `/api/invoices/${body.invoice_id}/send`);
    expect(again.body.ok).toBe(false);
    expect(again.body.detail).toContain(
      "certificate is not valid (the SMTP URL must call the server as its certificate does): ",
    );
    expect(server.received).toEqual([]);
  });
});

test("a webhook reaches a receiver with a name and a certificate that this machine trusts", async () => {
  const bodies: string[] = [];
  const receiver = createServer(ours, async (request, answer) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part);
    bodies.push(Buffer.concat(parts).toString());
    answer.end();
  });
  await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
  const { port } = receiver.address() as AddressInfo;
  const script = `
    const { postEvent } = await import(${JSON.stringify(join(import.meta.dir, "../../src/outbox/webhook/post.ts"))});
    const url = "https://localhost:${port}/hook";
    console.log(JSON.stringify(await postEvent({ url, headers: {}, body: "{}", publicOnly: false })));`;
  const post = async (env: Record<string, string>) => {
    const child = Bun.spawn([process.execPath, "-e", script], { env, stdout: "pipe", stderr: "inherit" });
    return JSON.parse(await new Response(child.stdout).text());
  };
  try {
    expect(await post({ NODE_EXTRA_CA_CERTS: certificates.caFile })).toMatchObject({ kind: "acknowledged" });
    expect(await post({})).toMatchObject({ kind: "failed", reason: expect.stringContaining("certificate") });
    expect(bodies).toEqual(["{}"]);
  } finally {
    receiver.closeAllConnections();
    receiver.close();
  }
});
