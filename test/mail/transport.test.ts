import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Message } from "../../src/mail/smtp/message.ts";
import type { MailOutcome } from "../../src/mail/smtp/outcome.ts";
import { createTransport } from "../../src/mail/smtp/transport.ts";
import { ownPort } from "../support/http/port.ts";
import { until } from "../support/till/till.ts";
import { type Reaction, type ScriptedServer, type Stage, startScriptedServer } from "./scripted-server.ts";

const message: Message = {
  to: "vendor@example.net",
  replyTo: "merchant@example.org",
  fromName: "Acme Ltd",
  subject: "Invoice INV-0001",
  text: "Hello\n.\nBye",
  html: "<p>Hello</p>",
  messageId: "invoice-1@pay.example.org",
};

/** Where a server hangs: so long that a busy machine comes to that place before. */
const hangMs = 6_000;

/** Far longer than any session here, so that a busy machine changes no outcome. */
const patientMs = 60_000;

const secret = "s3cret/päss word";
const loginUrl = `smtp://jo%40example.com:${encodeURIComponent(secret)}@127.0.0.1`;

const running: ScriptedServer[] = [];

async function start(
  script: Partial<Record<Stage, Reaction>>,
  extensions?: string[],
): Promise<ScriptedServer> {
  const server = await startScriptedServer(script, extensions);
  running.push(server);
  return server;
}

afterAll(async () => {
  await Promise.all(running.map((server) => server.stop()));
});

function transportTo(server: { port: number }, url = "smtp://127.0.0.1") {
  return createTransport({ smtpUrl: `${url}:${server.port}`, from: "Till <till@example.com>" });
}

/** Nothing is left open. */
const allClosed = (server: ScriptedServer) => until(server.openSockets, (open) => open === 0);

const sent = { kind: "sent", response: "250 2.0.0 queued as 4711" } as const;
const later = { kind: "rejected", permanent: false } as const;
const never = { kind: "rejected", permanent: true } as const;
const unknown = { kind: "unknown" } as const;

const say = (text: string, thenClose = false): Reaction => ({ say: text, thenClose });

const failures: [string, Stage, Reaction, Partial<MailOutcome>, string][] = [
  ["closes instead of greeting", "greeting", "close", later, "closed the connection"],
  ["resets instead of greeting", "greeting", "reset", later, "connect"],
  ["never greets", "greeting", "hang", later, "took longer than 6 s to say anything"],
  ["greets with a refusal", "greeting", say("554 5.3.2 not you\r\n"), later, "554 5.3.2 not you"],
  [
    "is something else than a mail server",
    "greeting",
    say("HTTP/1.1 400 Bad\r\n"),
    later,
    "not part of SMTP",
  ],
  ["closes after EHLO", "EHLO", "close", later, "closed the connection"],
  ["shuts down at EHLO", "EHLO", say("421 4.3.2 closing\r\n", true), later, "421 4.3.2"],
  ["hangs after EHLO", "EHLO", "hang", later, "while connecting"],
  ["puts the sender off", "MAIL", say("451 4.3.0 later\r\n"), later, "refused the sender: 451 4.3.0 later"],
  ["refuses the sender", "MAIL", say("550 5.7.1 not yours\r\n"), later, "refused the sender: 550"],
  ["wants a login first", "MAIL", say("530 5.7.0 log in\r\n"), later, "530 5.7.0 log in"],
  ["hangs at MAIL FROM", "MAIL", "hang", later, "while naming the recipient"],
  ["puts the recipient off", "RCPT", say("450 4.2.0 greylisted\r\n"), later, "the recipient: 450 4.2.0"],
  ["refuses the recipient", "RCPT", say("550 5.1.1 no such user\r\n"), never, "550 5.1.1 no such user"],
  ["closes with the reason at RCPT TO", "RCPT", say("421 4.7.0 slow\r\n", true), later, "421 4.7.0 slow"],
  ["closes at RCPT TO", "RCPT", "close", later, "closed the connection"],
  ["refuses DATA for now", "DATA", say("451 4.3.0 disk full\r\n"), later, "451 4.3.0 disk full"],
  ["refuses DATA", "DATA", say("554 5.5.0 no valid recipients\r\n"), never, "554 5.5.0"],
  ["closes at DATA", "DATA", "close", later, "closed the connection"],
  ["hangs at DATA", "DATA", "hang", later, "while naming the recipient"],
  ["closes once it wants the content", "DATA", say("354 go on\r\n", true), unknown, "handing over"],
  ["closes after the final dot", "content", "close", unknown, "while handing over the message"],
  ["resets after the final dot", "content", "reset", unknown, "while handing over the message"],
  ["hangs after the final dot", "content", "hang", unknown, "while handing over the message"],
  ["puts the content off", "content", say("451 4.7.1 try later\r\n"), later, "message: 451 4.7.1 try later"],
  ["shuts down instead of taking it", "content", say("421 4.3.2 closing\r\n", true), later, "421 4.3.2"],
  ["refuses the content", "content", say("554 5.7.1 spam\r\n"), never, "message: 554 5.7.1 spam"],
  ["answers half a line after the final dot", "content", say("25", true), unknown, "closed the connection"],
  ["breaks off within a refusal", "content", say("451 4.3.0 sto", true), unknown, "451 4.3.0 sto"],
  ["answers nonsense after the final dot", "content", say("banana\r\n"), unknown, "banana"],
];

/** A mail to a server that departs so, and what became of it. */
async function sendTo(stage: Stage, reaction: Reaction, extensions: string[], url?: string) {
  const server = await start({ [stage]: reaction }, extensions);
  const timeoutMs = reaction === "hang" ? hangMs : patientMs;
  return { server, result: await transportTo(server, url).send(message, { timeoutMs }) };
}

/** It takes long, as those do that hang below: it begins with them. */
let hangingLogin: ReturnType<typeof sendTo>;
beforeAll(() => {
  hangingLogin = sendTo("AUTH", "hang", ["AUTH PLAIN LOGIN"], loginUrl);
});

describe("send", () => {
  for (const extensions of [["SIZE 1000000"], ["PIPELINING", "SIZE 1000000"]]) {
    /** All of those that hang, at once: it takes long. */
    const hanging = new Map<Stage, ReturnType<typeof sendTo>>();
    beforeAll(() => {
      for (const [, stage, reaction] of failures)
        if (reaction === "hang") hanging.set(stage, sendTo(stage, reaction, extensions));
    });

    describe(
      extensions.includes("PIPELINING") ? "to a server with pipelining" : "to a server without",
      () => {
        test("says what the server answered, and hands over the content unchanged", async () => {
          const server = await start({}, extensions);
          expect(await transportTo(server).send(message)).toEqual(sent);
          expect(server.contents).toHaveLength(1);
          expect(server.contents[0]).toContain("Message-ID: <invoice-1@pay.example.org>");
          await until(
            () => server.commands.at(-1),
            (command) => command === "QUIT",
          );
          await allClosed(server);
        });

        test.each(failures)("a server that %s", async (_title, stage, reaction, outcome, reason) => {
          const sending = reaction === "hang" ? hanging.get(stage) : sendTo(stage, reaction, extensions);
          if (sending === undefined) throw new Error("It is not sent");
          const { server, result } = await sending;
          expect(result).toMatchObject(outcome);
          expect("reason" in result && result.reason).toContain(reason);
          expect("reason" in result && result.reason.includes("took longer than 6 s")).toBe(
            reaction === "hang",
          );
          // What was handed over whole may be claimed as not delivered only with the server's word for it.
          if (server.contents.length > 0 && result.kind === "rejected") expect(stage).toBe("content");
          await allClosed(server);
        });
      },
    );
  }

  test.each(["close", "hang", "reset"] as const)(
    "counts as sent when only the farewell fails (%s)",
    async (reaction) => {
      const server = await start({ QUIT: reaction });
      expect(await transportTo(server).send(message, { timeoutMs: patientMs })).toEqual(sent);
      await allClosed(server);
    },
  );

  test("is rejected for now when nothing listens", async () => {
    const outcome = await transportTo({ port: ownPort() }).send(message);
    expect(outcome).toMatchObject({ ...later, reason: expect.stringContaining("failed while connecting") });
  });

  test("is rejected for now when the server's name does not exist", async () => {
    const transport = transportTo({ port: 25 }, "smtp://mail.invalid");
    expect(await transport.send(message, { timeoutMs: patientMs })).toMatchObject(later);
  });

  test("sends many at a time, each once", async () => {
    const server = await start({});
    const transport = transportTo(server);
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => transport.send(message)));
    expect(outcomes).toEqual(Array.from({ length: 20 }, () => sent));
    expect(server.contents).toHaveLength(20);
  });
});

describe("send with a login", () => {
  const url = loginUrl;
  const plain = Buffer.from(`\0jo@example.com\0${secret}`).toString("base64");

  test("logs in with the decoded user and password of the URL", async () => {
    const server = await start({});
    expect(await transportTo(server, url).send(message)).toEqual(sent);
    expect(server.commands).toContain(`AUTH PLAIN ${plain}`);
  });

  test("is rejected for now when the login fails, and repeats nothing of the login", async () => {
    const echo = `535 5.7.8 jo@example.com ${secret} ${plain} ${Buffer.from(secret).toString("base64")} no\r\n`;
    const server = await start({ AUTH: { say: echo } });
    const outcome = await transportTo(server, url).send(message);
    expect(outcome).toEqual({
      ...later,
      isOutage: true,
      reason: "The mail server refused the login: 535 5.7.8 *** *** *** *** no",
    });
    expect(server.contents).toHaveLength(0);
  });

  test.each(["close", "hang"] as const)(
    "is rejected for now when the server fails at the login (%s)",
    async (reaction) => {
      const { server, result } = await (reaction === "hang"
        ? hangingLogin
        : sendTo("AUTH", reaction, ["AUTH PLAIN LOGIN"], url));
      expect(result).toMatchObject({ ...later, reason: expect.stringContaining("while logging in") });
      await allClosed(server);
    },
  );

  test("repeats nothing of the login when a later answer quotes it", async () => {
    const server = await start({ content: { say: `554 5.7.1 ${secret}\r\n` } });
    const outcome = await transportTo(server, url).send(message);
    expect(outcome).toEqual({ ...never, reason: "The mail server refused the message: 554 5.7.1 ***" });
  });

  test.each([
    ["user", "s3cret", "550 5.1.1 No such user: user s3cret", "550 5.1.1 No such user: user ***"],
    ["postmaster", "mail", "550 5.1.1 ask the Postmaster for mail", "550 5.1.1 ask the Postmaster for ***"],
    ["user7", "user", "550 5.1.1 No such user: user7", "550 5.1.1 No such ***: ***"],
  ])(
    "leaves words alone with the login %s and %s, and takes out the password",
    async (user, pass, said, told) => {
      const server = await start({ RCPT: { say: `${said}\r\n` } });
      const outcome = await transportTo(server, `smtp://${user}:${pass}@127.0.0.1`).send(message);
      expect(outcome).toEqual({ ...never, reason: `The mail server refused the recipient: ${told}` });
    },
  );

  test("keeps the password to itself when another machine offers no encryption", async () => {
    // 0.0.0.0 reaches this machine, and is not one of its loopback names.
    const server = await start({});
    const outcome = await transportTo(server, url.replace("127.0.0.1", "0.0.0.0")).send(message);
    expect(outcome).toMatchObject({ ...later, reason: expect.stringContaining("could not be encrypted") });
    expect(server.commands.filter((line) => line.startsWith("AUTH"))).toEqual([]);
  });
});

test("what another service says that listens there is not passed on", async () => {
  for (const banner of [
    "-ERR Authentication required (redis 7.2)",
    "SSH-2.0-OpenSSH_9.2",
    "HTTP/1.1 400 secret",
  ]) {
    const server = await start({ greeting: say(`${banner}\r\n`) });
    const { reason } = (await transportTo(server).send(message)) as { reason: string };
    expect(reason).toBe("The mail server gave an answer that is not part of SMTP while connecting");
  }
});

describe("close", () => {
  test("breaks off what is being sent, and tells how far it was", async () => {
    const early = await start({ greeting: "hang" });
    const late = await start({ content: "hang" });
    const transports = [transportTo(early), transportTo(late)];
    const outcomes = transports.map((transport) => transport.send(message));
    await until(() => late.contents.length, Boolean);
    for (const transport of transports) transport.close();
    expect(await Promise.all(outcomes)).toMatchObject([later, unknown]);
    await allClosed(early);
    await allClosed(late);
  });

  test("refuses what comes later without connecting", async () => {
    const server = await start({});
    const transport = transportTo(server);
    transport.close();
    expect(await transport.send(message)).toMatchObject({
      ...later,
      reason: expect.stringContaining("stopping"),
    });
    expect(server.commands).toEqual([]);
  });
});

describe("createTransport", () => {
  test.each(["", "mail.example.com", "http://mail.example.com", "smtp://", "smtp://jo:s3cret@exa mple"])(
    "refuses the SMTP URL %p without repeating it",
    (smtpUrl) => {
      const create = () => createTransport({ smtpUrl, from: "till@example.com" });
      expect(create).toThrow("smtp://user:password@mail.example.com:587");
      expect(create).not.toThrow("s3cret");
    },
  );

  test.each(["", "Till", "Till <till>", "a@b.com, c@d.com", "group: a@b.com;"])(
    "refuses the sender %p",
    (from) => {
      expect(() => createTransport({ smtpUrl: "smtp://127.0.0.1:1", from })).toThrow("one mailbox");
    },
  );
});
