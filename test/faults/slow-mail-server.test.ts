import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { type AddressInfo, createServer } from "node:net";
import type { Db } from "../../src/store/database.ts";
import * as IdempotencyStore from "../../src/store/tables/installation/idempotency.ts";
import { type Reaction, type Stage, startScriptedServer } from "../mail/scripted-server.ts";
import { openOutbox as open } from "../support/mail/mailer.ts";
import { startSmtpServer } from "../support/mail/smtp-server.ts";
import { db, makeDatabase, removeDatabase } from "../support/till/database.ts";
import { until } from "../support/till/till.ts";

const stops: (() => unknown)[] = [];
beforeEach(makeDatabase);
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop();
  removeDatabase();
});

/** What a creation waits for its mail, instead of 5 s. */
const shortWaitMs = 1_000;
/** Where the content must be with the mail server by then, on a busy machine. */
const longWaitMs = 6_000;
/** The mail by itself may take longer than this. */
const creationMsMax = 25_000;
const openOutbox = (db: Db, server: Parameters<typeof open>[1], creationWaitMs = shortWaitMs) =>
  open(db, server, { creationWaitMs });

async function scripted(script: Partial<Record<Stage, Reaction>>, extensions?: string[]): Promise<number> {
  const server = await startScriptedServer(script, extensions);
  stops.push(server.stop);
  return server.port;
}

/** Says one more line of an answer that never ends, every 200 ms. */
async function dripping(before: string[], line: string): Promise<number> {
  const server = createServer((socket) => {
    const answers = [...before];
    socket.on("error", () => socket.destroy());
    const next = (): void => {
      const answer = answers.shift();
      if (answer !== undefined) return void socket.write(answer);
      const drip = setInterval(() => socket.write(line), 200);
      socket.on("close", () => clearInterval(drip));
    };
    next();
    socket.on("data", next);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  stops.push(() => server.close());
  return (server.address() as AddressInfo).port;
}

describe("a creation waits for a limited time for a mail server", () => {
  test("that is silent or drips its answers, at any stage, and the mail stays in the outbox", async () => {
    const hello = "250 hello\r\n";
    const stages: [string, number | Promise<number>, "queued" | "sending"][] = [
      ...(["greeting", "EHLO", "AUTH", "MAIL", "RCPT", "DATA"] as const).map(
        (stage): [string, Promise<number>, "queued"] => [stage, scripted({ [stage]: "hang" }), "queued"],
      ),
      ["STARTTLS", scripted({ STARTTLS: { say: "220 go on\r\n" } }, ["STARTTLS"]), "queued"],
      ["a dripped greeting", dripping([], "220-still here\r\n"), "queued"],
      ["a dripped EHLO", dripping(["220 hi\r\n"], "250-still here\r\n"), "queued"],
      ["a dripped MAIL", dripping(["220 hi\r\n", hello], "250-still here\r\n"), "queued"],
      // The mail server has it all: its answer is waited for, but not by the creation.
      ["content", scripted({ content: "hang" }), "sending"],
    ];
    const outcomes = await Promise.all(
      stages.map(async ([stage, port, state]) => {
        const host = stage === "AUTH" ? "jo:s3cret@localhost" : "localhost";
        const waitMs = state === "queued" ? shortWaitMs : longWaitMs;
        const outbox = openOutbox(db, { smtpUrl: `smtp://${host}:${await port}` }, waitMs);
        const { id, tookMs } = await outbox.create();
        // The attempt has a limit of its own, which began a moment later.
        if (state === "queued") await outbox.mailer.finish();
        const found = [stage, outbox.state(id), tookMs < creationMsMax];
        outbox.close();
        await outbox.mailer.finish();
        return { found, expected: [stage, state, true], logged: outbox.logged.join("\n") };
      }),
    );
    expect(outcomes.map(({ found }) => found)).toEqual(outcomes.map(({ expected }) => expected));
    // In words for people: a whole number of seconds.
    for (const { logged, expected } of outcomes)
      if (expected[1] === "queued") expect(logged).toMatch(/took longer than 1 s .*\(while [\w ]+\)/);
  });

  test("whose name is never found, or whose implicit TLS never begins", async () => {
    const silent = await scripted({ greeting: "hang" });
    const settings = [
      { smtpUrl: "smtp://mail.example:25", resolve: () => new Promise<never>(() => {}) },
      { smtpUrl: `smtps://localhost:${silent}` },
    ];
    const outboxes = settings.map((each) => openOutbox(db, each));
    const made = await Promise.all(outboxes.map((outbox) => outbox.create()));
    for (const { mailer } of outboxes) await mailer.finish();
    for (const [index, { id, tookMs }] of made.entries()) {
      expect([outboxes[index]?.state(id), tookMs < creationMsMax]).toEqual(["queued", true]);
    }
  });

  test("that hangs, with a hundred mails at most: others wait in the outbox", async () => {
    const port = await scripted({ content: "hang" });
    const outbox = openOutbox(db, { smtpUrl: `smtp://localhost:${port}` }, 60_000);
    const making = Array.from({ length: 110 }, () => outbox.create());
    const handedOver = db.query<{ id: string }, []>("SELECT id FROM mail WHERE content_at IS NOT NULL");
    await until(
      () => handedOver.all().length,
      (count) => count === 100,
    );
    const waiting = making.slice(100).map(async (made) => outbox.state((await made).id));
    expect(await Promise.all(waiting)).toEqual(Array(10).fill("queued"));
    outbox.close();
    await Promise.all([outbox.mailer.finish(), ...making]);
  });

  test("that takes its time over the content: the mail counts as sent once it is taken, and goes out once, whoever asks for it meanwhile", async () => {
    const answers: (() => void)[] = [];
    const server = await startSmtpServer({
      onData: (stream, _session, done) => {
        stream.on("end", () => {
          answers.push(() => done(null));
        });
        stream.resume();
      },
    });
    stops.push(server.stop);
    const smtpUrl = `smtp://localhost:${server.port}/?ignoreTLS=true`;
    const outbox = openOutbox(db, { smtpUrl }, longWaitMs);
    const { id, invoice, tookMs } = await outbox.create();
    expect([tookMs < creationMsMax, outbox.state(id), outbox.sentAt(invoice.sequence)]).toEqual([
      true,
      "sending",
      null,
    ]);
    await outbox.sendLater(86_400_000);
    const claim = { key: "again", requestHash: "" };
    const byHand = [claim, null].map((claim) => outbox.mailer.sendByHand("invoice", invoice, claim));
    // Corrected, it is another mail.
    const corrected = outbox.mailer.sendByHand("invoice", { ...invoice, correctedAt: 1 }, null);
    await until(
      () => answers.length,
      (count) => count === 2,
    );
    for (const answer of answers) answer();
    for (const outcome of await Promise.all([...byHand, corrected])) expect(outcome.kind).toBe("sent");
    expect(IdempotencyStore.find(db, "again", outbox.now())?.resource).toBe(id);
    // Two presses at once are one mail as well.
    const twice = [1, 2].map(() => outbox.mailer.sendByHand("invoice", invoice, null));
    (await until(() => answers[2], Boolean))?.();
    for (const outcome of await Promise.all(twice)) expect(outcome.kind).toBe("sent");
    await outbox.mailer.finish();
    expect(answers).toHaveLength(3);
    expect(outbox.state(id)).toBe("sent");
    expect(outbox.sentAt(invoice.sequence)).toBeNumber();
  });
});

describe("an unexpected error while a mail is sent", () => {
  const thrower = (begin: boolean) => ({
    async send(_message: unknown, { onContent }: { onContent?: () => void } = {}) {
      if (begin) onContent?.();
      throw new TypeError("options.timeout must be an integer");
    },
    close() {},
  });

  test("before the content is an outcome: the mail waits, the log has it, and it is tried again", async () => {
    const outbox = openOutbox(db, thrower(false));
    const { id } = await outbox.create();
    expect(outbox.state(id)).toBe("queued");
    expect(outbox.logged.join("\n")).toMatch(/error.*\[mail\.broken\].*options\.timeout/i);
    const server = await startSmtpServer();
    stops.push(server.stop);
    const repaired = openOutbox(db, { smtpUrl: `smtp://localhost:${server.port}/?ignoreTLS=true` });
    await repaired.sendLater(86_400_000);
    expect([repaired.state(id), server.received.length]).toEqual(["sent", 1]);
  });

  test("after the content has begun does not repeat the mail", async () => {
    const outbox = openOutbox(db, thrower(true));
    const { id } = await outbox.create();
    await outbox.sendLater(86_400_000);
    expect(outbox.state(id)).toBe("unknown");
    expect(outbox.logged.filter((line) => line.includes("[mail.broken]"))).toHaveLength(1);
  });

  test("while the merchant waits for another mail is an answer", async () => {
    const outbox = openOutbox(db, thrower(false));
    const { invoice } = await outbox.create();
    expect(await outbox.mailer.sendByHand("invoice", invoice, null)).toMatchObject({
      kind: "rejected",
      permanent: false,
      reason: expect.not.stringContaining("options.timeout"),
    });
  });
});
