import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import PostalMime from "postal-mime";
import * as Email from "../../src/domain/party/email.ts";
import { type Catcher, startCatcher } from "../../src/mail/catcher.ts";
import { compose, parseSender } from "../../src/mail/smtp/compose.ts";
import type { Message } from "../../src/mail/smtp/message.ts";
import { createTransport, type Transport } from "../../src/mail/smtp/transport.ts";
import { startScriptedServer } from "./scripted-server.ts";

const message: Message = {
  to: "vendor@example.net",
  replyTo: "merchant@example.org",
  fromName: "Acme Ltd",
  subject: "Invoice INV-0001",
  text: "Plain Grüße",
  html: "<p>Rich Grüße</p>",
};
const sender = parseSender("Till <till@example.com>");

let catcher: Catcher;
let transport: Transport;

beforeAll(async () => {
  catcher = await startCatcher({ port: 0 });
  transport = createTransport({ smtpUrl: catcher.smtpUrl, from: "Till <till@example.com>" });
});

afterAll(async () => {
  transport.close();
  await catcher.stop();
});

async function parsed(changes: Partial<Message>, from = sender) {
  const { raw } = await compose({ ...message, ...changes }, from);
  const mail = await PostalMime.parse(raw);
  const header = (name: string) => mail.headers.filter(({ key }) => key === name).map(({ value }) => value);
  return { mail, header, raw: raw.toString("latin1") };
}

describe("compose", () => {
  test("is the operator's mail on the merchant's behalf: answers go to the merchant", async () => {
    const { mail } = await parsed({});
    expect(mail.from).toEqual({ name: "Acme Ltd via Till", address: "till@example.com" });
    expect(mail.replyTo).toEqual([{ name: "", address: "merchant@example.org" }]);
    expect(mail.to).toEqual([{ name: "", address: "vendor@example.net" }]);
    expect(mail.text?.trimEnd()).toBe("Plain Grüße");
    expect(mail.html?.trimEnd()).toBe("<p>Rich Grüße</p>");
    expect(mail.attachments).toEqual([]);
  });

  test("has the headers of a mail that no machine should answer, and does not say which program wrote it", async () => {
    const { header } = await parsed({});
    expect(header("auto-submitted")).toEqual(["auto-generated"]);
    expect(header("date")).toHaveLength(1);
    expect(header("mime-version")).toEqual(["1.0"]);
    expect(header("x-mailer")).toEqual([]);
  });

  test("keeps the Message-ID that it is given, and makes one up otherwise", async () => {
    const { mail } = await parsed({ messageId: "mail_1.2@[::1]" });
    expect(mail.messageId).toBe("<mail_1.2@[::1]>");
    expect((await parsed({})).mail.messageId).toMatch(/^<[^<>@\s]+@example\.com>$/);
  });

  test.each(["invoice-1", "<a@b.com>", "a@b.com\r\nBcc: x@y.zz", "a b@c.com", "a@b.com>"])(
    "throws for the Message-ID %p",
    async (messageId) => {
      expect(compose({ ...message, messageId }, sender)).rejects.toThrow(RangeError);
    },
  );

  test("is ASCII in lines that every server takes", async () => {
    const { raw } = await parsed({
      subject: "Rechnung für 株式会社",
      fromName: "Söhne",
      text: "ü".repeat(3000),
    });
    expect(Array.from(raw).filter((character) => character > "~")).toEqual([]);
    expect(Math.max(...raw.split("\r\n").map((line) => line.length))).toBeLessThan(998);
  });

  test.each([
    "Hi\r\nBcc: x@y.zz",
    "Hi\nBcc: x@y.zz",
    "Hi\rBcc: x@y.zz",
    "Hi\u2028Bcc: x@y.zz",
    "Hi\0\u0085Bcc: x@y.zz",
  ])("keeps the subject %p from becoming two headers", async (subject) => {
    const { mail, header } = await parsed({ subject, fromName: subject });
    expect(header("bcc")).toEqual([]);
    expect(mail.bcc).toBeUndefined();
    expect(mail.subject).toMatch(/^Hi +Bcc: x@y\.zz$/);
    expect(mail.from?.address).toBe("till@example.com");
  });

  test.each([
    ["PayPal <service@paypal.com>", "PayPal service paypal.com via Till"],
    ['"Acme", Ltd; group: x', "Acme , Ltd; group: x via Till"],
    ["\u202eevil\u202c Ltd", "evil Ltd via Till"],
    ["x".repeat(100), `${"x".repeat(63)}… via Till`],
    [" \t ", "Till"],
  ])("takes the merchant's name %p for a name only", async (fromName, shown) => {
    const { mail } = await parsed({ fromName });
    expect(mail.from).toEqual({ name: shown, address: "till@example.com" });
  });

  test("names the sender's domain when the operator gave no name", async () => {
    const { mail } = await parsed({}, parseSender("till@example.com"));
    expect(mail.from?.name).toBe("Acme Ltd via example.com");
  });

  test("reads no file and no URL whatever the text is", async () => {
    const { mail } = await parsed({ html: '<img src="file:///etc/passwd"><img src="http://127.0.0.1:1/x">' });
    expect(mail.html).toContain("file:///etc/passwd");
    expect(mail.attachments).toEqual([]);
  });
});

describe("send", () => {
  test("hands the mail to exactly one recipient", async () => {
    expect(await transport.send({ ...message, to: "Jo+tag@example.net" })).toMatchObject({ kind: "sent" });
    expect(catcher.list()[0]?.to).toEqual(["Jo+tag@example.net"]);
  });

  test("names a domain of another script in its ASCII form, which every server takes", async () => {
    const server = await startScriptedServer({});
    const other = createTransport({ smtpUrl: `smtp://127.0.0.1:${server.port}`, from: "till@grüße.example" });
    expect(await other.send({ ...message, to: "jo@münchen.example" })).toMatchObject({ kind: "sent" });
    expect(server.commands).toContain("RCPT TO:<jo@xn--mnchen-3ya.example>");
    expect(server.commands.find((line) => line.startsWith("MAIL"))).toStartWith(
      "MAIL FROM:<till@xn--gre-6ka8l.example>",
    );
    expect(server.contents[0]).toContain("To: jo@xn--mnchen-3ya.example");
    await server.stop();
  });

  test.each([
    "a@b.com, c@d.com",
    "a@b.com;c@d.com",
    "a@b.com\r\nBcc: x@y.zz",
    "a@b.com>\r\nRCPT TO:<x@y.zz",
    '"x" <a@b.com>',
    '"x@y.zz, z" <a@b.com>',
    "friends: a@b.com, c@d.com;",
    "friends:;",
    '"a@evil.example x"@b.com',
    "",
  ])("sends nothing to %p, for good", async (to) => {
    const before = catcher.list().length;
    const outcome = await transport.send({ ...message, to });
    expect(outcome).toMatchObject({ kind: "rejected", permanent: true });
    expect("reason" in outcome && outcome.reason).toStartWith("The recipient must ");
    expect(catcher.list()).toHaveLength(before);
  });

  test("sends nothing with a reply address that is more than one address", async () => {
    const outcome = await transport.send({ ...message, replyTo: "a@b.com, c@d.com" });
    expect(outcome).toMatchObject({ kind: "rejected", permanent: true });
  });
});

describe("a sender", () => {
  const good = [
    "till@example.com",
    "<till@example.com>",
    "Till <till@example.com>",
    '"Acme, Ltd: Billing" <till@example.com>',
    "Zoë's Café <till@localhost>",
  ];
  test.each(good)("that the settings take is one that a mail can come from: %s", (mailbox) => {
    expect(Email.isMailbox(mailbox)).toBe(true);
    expect(parseSender(mailbox).address).toMatch(/^till@/);
  });

  test.each([
    "billing@acme",
    "billing@acme..example",
    "Till",
    "Till <till>",
    "Acme, Ltd <till@example.com>",
    "a@b.co, c@d.co",
    "group: a@b.co;",
    "Till <till@example.com> x",
    "a@b.co <till@example.com>",
  ])("that the settings refuse stops the start: %s", (mailbox) => {
    expect(Email.isMailbox(mailbox)).toBe(false);
  });
});
