import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { createServer, type Server } from "node:net";
import { createTransport, type Transport } from "../../src/mail/smtp/transport.ts";
import { type ScriptedServer, type Stage, startScriptedServer } from "../mail/scripted-server.ts";
import { ownPort } from "../support/http/port.ts";
import { openOutbox } from "../support/mail/mailer.ts";
import { answering, startSmtpServer } from "../support/mail/smtp-server.ts";
import { db, makeDatabase, removeDatabase } from "../support/till/database.ts";

beforeEach(makeDatabase);
afterEach(removeDatabase);

/** What hangs takes all of it. Where the stage matters, a busy machine must have the time to reach it. */
const shortMs = 300;
const hangMs = 5_000;
/** Far longer than any session here. */
const patientMs = 60_000;

/** Sends a new invoice's first mail by the outbox, then works the outbox off for a day. Returns the mail's state. */
async function sendByOutbox(
  port: number,
  timeoutMs = patientMs,
): Promise<{ state: string | undefined; sentAt: number | null }> {
  const transport = createTransport({
    smtpUrl: `smtp://jo:s3cret@127.0.0.1:${port}`,
    from: "till@example.com",
  });
  const hurried: Transport = {
    send: (message) => transport.send(message, { timeoutMs }),
    close: transport.close,
  };
  const outbox = openOutbox(db, hurried, { creationWaitMs: patientMs });
  const { id, invoice } = await outbox.create();
  const first = outbox.state(id);
  await outbox.sendLater(86_400_000);
  outbox.close();
  const state = outbox.state(id);
  // Once nobody knows, or the mail is out, a day changes nothing.
  if (first !== "queued") expect(state).toBe(first);
  return { state, sentAt: outbox.sentAt(invoice.sequence) };
}

const stages: Stage[] = ["greeting", "EHLO", "AUTH", "MAIL", "RCPT", "DATA", "content"];
const faults = ["close", "reset", "hang"] as const;

describe("a mail server that fails", () => {
  for (const stage of stages) {
    test.each(faults)(`at ${stage}: %s`, async (fault) => {
      const server: ScriptedServer = await startScriptedServer({ [stage]: fault });
      try {
        const handedOver = stage === "content";
        const hungMs = handedOver ? hangMs : shortMs;
        const { state, sentAt } = await sendByOutbox(server.port, fault === "hang" ? hungMs : patientMs);
        // A mail that may have arrived is left to the merchant; any other is tried again, a day later once more.
        expect([state, sentAt]).toEqual([handedOver ? "unknown" : "queued", null]);
        expect(server.contents).toHaveLength(handedOver ? 1 : 0);
        const tries = server.commands.filter((line) => line.startsWith("EHLO")).length;
        if (stage !== "greeting" && fault !== "hang") expect(tries).toBe(handedOver ? 1 : 2);
      } finally {
        await server.stop();
      }
    });
  }

  test("because nothing listens", async () => {
    expect((await sendByOutbox(ownPort())).state).toBe("queued");
  });

  test("by taking connections and never speaking, however many", async () => {
    const silent: Server = createServer(() => {});
    await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
    const address = silent.address();
    const port = typeof address === "object" ? (address?.port ?? 0) : 0;
    expect((await sendByOutbox(port, shortMs)).state).toBe("queued");
    const [mail] = db.query<{ reason: string }, []>("SELECT reason FROM mail").all();
    expect(mail?.reason).toContain("took longer than 0.3 s");
    silent.close();
  });

  test("by being slow, but not too slow", async () => {
    const slowly = (done: () => void) => void setTimeout(done, 25);
    const server = await startSmtpServer({
      ...answering(slowly),
      onConnect: (_session, done) => slowly(done),
      onAuth: (_auth, _session, done) => slowly(() => done(null, { user: "jo" })),
      onMailFrom: (_address, _session, done) => slowly(done),
      onRcptTo: (_address, _session, done) => slowly(done),
    });
    const { state, sentAt } = await sendByOutbox(server.port);
    expect([state, typeof sentAt]).toEqual(["sent", "number"]);
    await server.stop();
  });
});
