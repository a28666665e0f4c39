import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import { type Certificates, makeCertificates } from "../support/http/certificates.ts";
import { startSmtpServer } from "../support/mail/smtp-server.ts";
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

async function serve(smtpUrl: string) {
  const till = await startServedTill(noNode, {
    TILL_SMTP_URL: smtpUrl,
    TILL_MAIL_FROM: "Till <till@example.com>",
    TILL_MAIL_ATTACH_PDF: "false",
    NODE_EXTRA_CA_CERTS: certificates.caFile,
  });
  stops.push(till.stop);
  return till;
}

test.each([
  ["with STARTTLS", "smtp", {}],
  ["with TLS from the start", "smtps", { secure: true }],
])(
  "an invoice is mailed by a server with its own name, and by no other, %s",
  async (_title, scheme, options) => {
    const wrong = await startSmtpServer({ ...foreign, ...options });
    stops.push(wrong.stop);
    const till = await serve(`${scheme}://jo:s3cret@localhost:${wrong.port}`);
    const { status, body } = await till.api("POST", "/api/invoices", invoiceRequest);
    expect([status, body.sent_at]).toEqual([201, null]);
    const send = () => till.api("POST", `/api/invoices/${body.invoice_id}/send`);
    const refused = await send();
    expect(refused.body.ok).toBe(false);
    expect(refused.body.detail).toContain(
      "certificate is not valid (the SMTP URL must call the server as its certificate does): ",
    );
    expect(wrong.received).toEqual([]);

    await wrong.stop();
    const right = await startSmtpServer({ ...ours, ...options }, wrong.port);
    stops[0] = right.stop;
    expect(await send()).toMatchObject({ status: 200, body: { ok: true } });
    expect(right.received).toMatchObject([
      { encrypted: true, to: [invoiceRequest.vendor_email], user: "jo" },
    ]);
  },
);
