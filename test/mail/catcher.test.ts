import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Catcher, mailsMax, startCatcher } from "../../src/mail/catcher.ts";
import { createTransport } from "../../src/mail/smtp/transport.ts";

let directory: string;
const running: Catcher[] = [];

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "till-mail-"));
});

afterEach(async () => {
  await Promise.all(running.splice(0).map((catcher) => catcher.stop()));
  rmSync(directory, { recursive: true });
});

async function start(kept: string | null = null): Promise<Catcher> {
  const catcher = await startCatcher({ port: 0, directory: kept });
  running.push(catcher);
  return catcher;
}

async function send(catcher: Catcher, subject: string, smtpUrl = catcher.smtpUrl): Promise<void> {
  const transport = createTransport({ smtpUrl, from: "Till <till@localhost>" });
  const outcome = await transport.send({
    to: "vendor@example.net",
    replyTo: "merchant@example.org",
    fromName: "Acme Ltd",
    subject,
    text: `Text of ${subject}`,
    html: `<p>${subject}</p>`,
    messageId: "1@localhost",
  });
  expect(outcome.kind).toBe("sent");
}

describe("startCatcher", () => {
  test("shows what a mail says, and when it came", async () => {
    const catcher = await start();
    const before = Date.now();
    await send(catcher, "Rechnung für 株式会社");
    const [mail, ...more] = catcher.list();
    expect(more).toEqual([]);
    expect(mail).toMatchObject({
      from: "Acme Ltd via Till <till@localhost>",
      to: ["vendor@example.net"],
      replyTo: "merchant@example.org",
      messageId: "<1@localhost>",
      subject: "Rechnung für 株式会社",
      text: expect.stringMatching(/^Text of Rechnung für 株式会社\s*$/),
      html: expect.stringMatching(/^<p>Rechnung für 株式会社<\/p>\s*$/),
    });
    expect(mail?.receivedAt).toBeWithin(before, Date.now() + 1);
    expect(mail?.sizeBytes).toBeGreaterThan(300);
    expect(catcher.get(mail?.id ?? "")).toEqual(mail ?? null);
  });

  test("lists the newest first and knows no other id", async () => {
    const catcher = await start();
    for (const subject of ["one", "two", "three"]) await send(catcher, subject);
    expect(catcher.list().map(({ subject }) => subject)).toEqual(["three", "two", "one"]);
    expect(catcher.get("../../etc/passwd")).toBeNull();
  });

  test("takes any login", async () => {
    const catcher = await start();
    await send(catcher, "logged in", catcher.smtpUrl.replace("//", "//anyone:anything@"));
    expect(catcher.list()).toHaveLength(1);
  });

  test("is reachable from this machine only", async () => {
    const catcher = await start();
    expect(catcher.smtpUrl).toMatch(/^smtp:\/\/127\.0\.0\.1:\d+$/);
    const port = Number(new URL(catcher.smtpUrl).port);
    const refused = await new Promise((resolve) => {
      const socket = connect({ host: "127.0.0.2", port }, () => resolve(false));
      socket.on("error", () => resolve(true)).on("connect", () => socket.destroy());
    });
    expect(refused).toBe(true);
  });

  test("has the mails of the last run again, in files that only the owner can read", async () => {
    const first = await start(directory);
    for (const subject of ["one", "two"]) await send(first, subject);
    const listed = first.list();
    await first.stop();
    const [name = ""] = readdirSync(directory);
    expect(name).toEndWith(".eml");
    expect(statSync(join(directory, name)).mode & 0o077).toBe(0);
    expect((await start(directory)).list()).toEqual(listed);
  });

  test("leaves files alone that it did not write", async () => {
    writeFileSync(join(directory, "notes.txt"), "mine");
    writeFileSync(join(directory, "other.eml"), "Subject: mine\r\n\r\n");
    expect((await start(directory)).list()).toEqual([]);
    expect(readdirSync(directory).sort()).toEqual(["notes.txt", "other.eml"]);
  });

  test(`keeps the last ${mailsMax}, in memory and as files`, async () => {
    for (let i = 0; i < mailsMax + 5; i++) {
      writeFileSync(join(directory, `${1_700_000_000_000 + i}-abc.eml`), `Subject: ${i}\r\n\r\nHello\r\n`);
    }
    const catcher = await start(directory);
    expect(catcher.list().at(-1)?.subject).toBe("5");
    await send(catcher, "the newest");
    expect(catcher.list()).toHaveLength(mailsMax);
    expect(catcher.list()[0]?.subject).toBe("the newest");
    expect(catcher.list().at(-1)?.subject).toBe("6");
    expect(readdirSync(directory)).toHaveLength(mailsMax);
  });

  test("frees its port, also while a client stays connected", async () => {
    const catcher = await start();
    const port = Number(new URL(catcher.smtpUrl).port);
    const client = connect(port, "127.0.0.1");
    await new Promise((resolve) => client.once("data", resolve));
    client.on("error", () => {});
    await catcher.stop();
    client.destroy();
    running.splice(0);
    running.push(await startCatcher({ port }));
  });

  test("says so when the port is taken", async () => {
    const catcher = await start();
    const port = Number(new URL(catcher.smtpUrl).port);
    expect(startCatcher({ port })).rejects.toThrow();
  });
});
