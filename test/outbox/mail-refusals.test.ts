import { afterEach, describe, expect, test } from "bun:test";
import { createServer } from "node:net";
import type { SMTPServerOptions } from "smtp-server";
import { closeDatabase } from "../../src/store/database.ts";
import { startScriptedServer } from "../mail/scripted-server.ts";
import { ownPort } from "../support/http/port.ts";
import { openOutbox } from "../support/mail/mailer.ts";
import { type RealServer, startSmtpServer } from "../support/mail/smtp-server.ts";
import { makeDataDir, openNewDatabase } from "../support/till/data-dir.ts";
import { callTill, runTill } from "../support/till/run-till.ts";
import { invoiceRequest, startTestTill, type TestTill } from "../support/till/till.ts";

const noNode = { rpcUrl: "http://127.0.0.1:9" };
const stops: (() => unknown)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop();
});

type Script = Parameters<typeof startScriptedServer>[0];

async function startTill(smtpUrl: string, changes: Record<string, string> = {}): Promise<TestTill> {
  const till = await startTestTill(noNode, { TILL_SMTP_URL: smtpUrl, ...changes });
  stops.push(till.stop);
  return till;
}

async function tillWith(script: Script, changes: Record<string, string> = {}): Promise<TestTill> {
  const server = await startScriptedServer(script, []);
  stops.push(server.stop);
  return startTill(`smtp://localhost:${server.port}`, changes);
}

async function realServer(options: SMTPServerOptions): Promise<RealServer & { url: string }> {
  const server = await startSmtpServer({ disabledCommands: ["STARTTLS"], ...options });
  stops.push(server.stop);
  return { ...server, url: `smtp://localhost:${server.port}` };
}

const create = (till: TestTill, headers: Record<string, string> = {}) =>
  till.api("POST", "/api/invoices", invoiceRequest, headers);
const ready = async (till: TestTill) => (await till.api("GET", "/health/ready")).body;

describe("a mail that the server refuses for good", () => {
  const refusal = "The mail server refused the recipient: 550 5.1.1 no such user";
  const refusing: Script = { RCPT: { say: "550 5.1.1 no such user\r\n" } };

  test("is said in the answer of the creation, and in that of its repetition", async () => {
    const till = await tillWith(refusing);
    const key = { "idempotency-key": "order-1" };
    const { status, body } = await create(till, key);
    expect(status).toBe(201);
    expect(body).toMatchObject({ sent_at: null, mail: { state: "refused", reason: refusal } });
    expect((await create(till, key)).body).toEqual(body);
    // Also when the answer was lost and is made up again.
    till.db.run("UPDATE idempotency SET answer_status = NULL, answer_body = NULL");
    expect((await create(till, key)).body).toEqual(body);
  });

  test("is said when it is sent by hand, in words and for programs", async () => {
    const till = await tillWith(refusing);
    const { invoice_id } = (await create(till)).body;
    const send = () =>
      till.api("POST", `/api/invoices/${invoice_id}/send`, undefined, { "idempotency-key": "send-1" });
    const { status, body } = await send();
    expect([status, body.ok, body.code]).toEqual([200, false, "mail_refused"]);
    expect(body.detail).toStartWith(
      `No mail was sent, and a repetition would be refused as well: ${refusal}.`,
    );
    till.db.run("UPDATE idempotency SET answer_status = NULL, answer_body = NULL");
    expect((await send()).body).toEqual(body);
  });

  test("is said by till invoice and till send", async () => {
    const till = await tillWith(refusing);
    const env = { TILL_BASE_URL: till.baseUrl };
    const made = await runTill(["invoice", "--json", "-"], { env, stdin: JSON.stringify(invoiceRequest) });
    expect(JSON.parse(made.stdout).mail).toEqual({ state: "refused", reason: refusal });
    const sent = await callTill(["send", "INV-0001"], { env });
    expect(sent.exitCode).toBe(1);
    expect(sent.stderr).toContain("550 5.1.1 no such user");
    expect(sent.stderr).toContain("link of the invoice");
  });

  test("is named by health as given up until it was sent or its invoice is paid", async () => {
    const till = await tillWith(refusing);
    await create(till);
    expect((await ready(till)).warnings.join("\n")).toMatch(
      /^1 mail given up since \S+Z \(INV-0001\): The mail server refused the recipient: 550 .*till send/m,
    );
    // Two mails of one invoice are of one invoice.
    const { id } = (await till.api("GET", "/api/invoices")).body.data[0];
    await till.api("POST", `/api/invoices/${id}/send`);
    expect((await ready(till)).warnings.join("\n")).toMatch(/^2 mails given up since \S+Z \(INV-0001\): /m);
    till.db.run("UPDATE invoice SET status = 'paid'");
    expect((await ready(till)).warnings).toBeUndefined();
  });

  test("with a credit note is named until that was sent", async () => {
    let isFull = true;
    const full = Object.assign(new Error("mailbox full"), { responseCode: 552 });
    const { url } = await realServer({ onRcptTo: (_, __, done) => done(isFull ? full : null) });
    const till = await startTill(url);
    const { invoice_id } = (await till.api("POST", "/api/invoices", { ...invoiceRequest, send_now: false }))
      .body;
    const asked = { reason: "Sorry", amounts: [{ amount: "1.00" }], send_now: false };
    const notes = `/api/invoices/${invoice_id}/credit-notes`;
    const [one, other] = [await till.api("POST", notes, asked), await till.api("POST", notes, asked)];
    const send = ({ body }: typeof one) => till.api("POST", `/api/credit-notes/${body.id}/send`);
    expect((await send(one)).body.code).toBe("mail_refused");
    await send(other);
    expect((await ready(till)).warnings.join("\n")).toMatch(
      /^2 mails given up .*; correct the cause and send it again/,
    );
    isFull = false;
    expect((await send(one)).body).toEqual({ ok: true });
    expect((await ready(till)).warnings.join("\n")).toMatch(/^1 mail given up/);
    await send(other);
    expect((await ready(till)).warnings).toBeUndefined();
  });

  test("other answers have no such field", async () => {
    const till = await tillWith({ RCPT: { say: "451 4.7.1 greylisted\r\n" } });
    expect(Object.keys((await create(till)).body)).not.toContain("mail");
    expect(Object.keys((await till.createInvoice()) as object)).not.toContain("mail");
  });
});

describe("mails that keep failing", () => {
  test("are warned of: how many, since when, why and what to do", async () => {
    const till = await startTill(`smtp://localhost:${ownPort()}`);
    await create(till);
    await create(till);
    const { warnings } = await ready(till);
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toMatch(
      /^2 mails could not be sent since \S+Z \(INV-0001, INV-0002\): The connection to the mail server failed while connecting: .*; Till keeps trying for two days; check TILL_SMTP_URL/,
    );
  });

  test("are warned of by a public Till without a host, a name or the server's words", async () => {
    const till = await tillWith(
      { RCPT: { say: "451 4.3.0 mx7.internal.example is full\r\n" } },
      { TILL_BASE_URL: "https://pay.example.com", TILL_OPEN_API: "true" },
    );
    await till.createInvoice({ send_now: true });
    const { warnings } = await ready(till);
    expect(warnings).toEqual(["mails need to be looked at"]);
  });

  test("are named by till doctor", async () => {
    const till = await tillWith({ RCPT: { say: "451 4.3.0 mx7 is full\r\n" } });
    await create(till);
    const { dataDir, smtpUrl, walletPassphrase } = till.config;
    const env = {
      TILL_CHAIN: "anvil",
      TILL_RPC_URL: noNode.rpcUrl,
      TILL_DATA_DIR: dataDir,
      TILL_SMTP_URL: smtpUrl ?? "",
      TILL_MAIL_FROM: "till@example.com",
      TILL_WALLET_PASSPHRASE: walletPassphrase,
      TILL_BASE_URL: till.baseUrl,
    };
    const { stdout } = await callTill(["doctor"], { env });
    expect(stdout).toMatch(
      /! remark mail: 1 mail could not be sent since \S+Z \(INV-0001\): .*451 4\.3\.0 mx7 is full\./,
    );
    expect(stdout).toContain("→ Till keeps trying for two days; check TILL_SMTP_URL and the mail server.");
  });
});

describe("a mail server as they are found on the Internet", () => {
  test("takes no mail as large as one with a PDF: it goes out without, and does not speak of it", async () => {
    const server = await realServer({ size: 20_000 });
    const till = await startTill(server.url, { TILL_MAIL_ATTACH_PDF: "true" });
    expect((await create(till)).body.sent_at).toBeString();
    expect(server.received).toHaveLength(1);
    expect(server.received[0]?.content).not.toContain("application/pdf");
    expect(server.received[0]?.content).not.toContain("attached");
    expect(till.logged.join("\n")).toContain("[mail.without_pdf]");
  });

  test("finds only at the end that a mail is too large", async () => {
    const server = await realServer({
      onData(stream, _session, done) {
        let bytes = 0;
        stream.on("data", (part: Buffer) => {
          bytes += part.length;
        });
        stream.on("end", () =>
          done(bytes > 20_000 ? Object.assign(new Error("5.3.4 too big"), { responseCode: 552 }) : null),
        );
      },
    });
    const till = await startTill(server.url);
    expect((await create(till)).body.sent_at).toBeString();
  });

  test("takes no mail at all of the size of ours: that is a refusal", async () => {
    const server = await realServer({ size: 500 });
    const till = await startTill(server.url);
    expect((await create(till)).body.mail).toEqual({
      state: "refused",
      reason: "The mail is larger than the mail server takes",
    });
  });

  test("logs Till in with CRAM-MD5 alone", async () => {
    const server = await realServer({
      authMethods: ["CRAM-MD5"],
      authOptional: false,
      onAuth: ({ username, validatePassword }, _session, done) =>
        validatePassword("s3cret") ? done(null, { user: username }) : done(new Error("wrong")),
    });
    const till = await startTill(server.url.replace("//", "//jo:s3cret@"));
    expect((await create(till)).body.sent_at).toBeString();
    expect(server.received[0]?.user).toBe("jo");
  });

  describe("that a mail waits for", () => {
    async function outboxTo(server: { port: number }) {
      const dir = makeDataDir();
      const db = openNewDatabase(dir.path);
      stops.push(dir.remove, () => closeDatabase(db));
      const outbox = openOutbox(db, { smtpUrl: `smtp://localhost:${server.port}` });
      stops.push(outbox.close);
      return outbox;
    }

    test("greylists: the mail arrives with a later attempt, once", async () => {
      const script: Script = { RCPT: { say: "451 4.7.1 greylisted\r\n" } };
      const server = await startScriptedServer(script, []);
      stops.push(server.stop);
      const outbox = await outboxTo(server);
      const { id } = await outbox.create();
      await outbox.sendLater(120_000);
      expect(outbox.state(id)).toBe("queued");
      delete script.RCPT;
      await outbox.sendLater(600_000);
      expect([outbox.state(id), server.contents.length]).toEqual(["sent", 1]);
    });

    test.each(["554 5.7.1 Relay access denied", "550 5.7.1 Client host blocked"])(
      "does not take mail from Till until somebody repairs that (%s)",
      async (answer) => {
        const script: Script = { RCPT: { say: `${answer}\r\n` } };
        const server = await startScriptedServer(script, []);
        stops.push(server.stop);
        const outbox = await outboxTo(server);
        const { id } = await outbox.create();
        expect(outbox.state(id)).toBe("queued");
        delete script.RCPT;
        await outbox.sendLater(120_000);
        expect(outbox.state(id)).toBe("sent");
      },
    );

    test("has a full mailbox at the end: that is no matter of the mail's size", async () => {
      const server = await startScriptedServer({ content: { say: "552 5.2.2 mailbox full\r\n" } }, []);
      stops.push(server.stop);
      const outbox = await outboxTo(server);
      const { id } = await outbox.create();
      expect([outbox.state(id), server.contents.length]).toEqual(["failed", 1]);
    });

    test("closes the connection as soon as it has the mail", async () => {
      const server = createServer((socket) => {
        let inContent = false;
        socket.on("error", () => socket.destroy());
        socket.write("220 hi\r\n");
        socket.on("data", (chunk) => {
          const text = chunk.toString("latin1");
          if (inContent) return void (text.endsWith("\r\n.\r\n") && socket.end("250 2.0.0 queued\r\n"));
          inContent = text.startsWith("DATA");
          socket.write(inContent ? "354 go on\r\n" : "250 ok\r\n");
        });
      });
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      stops.push(() => server.close());
      const address = server.address();
      const outbox = await outboxTo({ port: typeof address === "object" ? (address?.port ?? 0) : 0 });
      const { id } = await outbox.create();
      expect(outbox.state(id)).toBe("sent");
    });
  });
});
