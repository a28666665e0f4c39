import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import PostalMime, { type Address } from "postal-mime";
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from "smtp-server";
import { randomName } from "../lib/crypto.ts";
import { world } from "../lib/world.ts";

type CaughtMail = Readonly<{
  id: string;
  /** Unix time in milliseconds. */
  receivedAt: number;
  /** The header, with its display name. */
  from: string;
  /** The recipients of the envelope: who would have got it, whatever the header says. */
  to: readonly string[];
  replyTo: string | null;
  messageId: string | null;
  subject: string;
  text: string;
  html: string;
  attachments: readonly Readonly<{ name: string; mediaType: string; bytes: Uint8Array }>[];
  /** As it is kept, with the trace headers. */
  sizeBytes: number;
}>;

export type Catcher = {
  /** For TILL_SMTP_URL. */
  readonly smtpUrl: string;
  /** Newest first. */
  list(): CaughtMail[];
  get(id: string): CaughtMail | null;
  /** Ends all connections and frees the port. */
  stop(): Promise<void>;
};

/** How many mails are kept; the oldest gives way to a new one. */
export const mailsMax = 100;

/** The largest mail that is taken. */
const mailBytesMax = 5 * 1024 * 1024;

/** How long a connection may go on once the catcher is stopped. */
const closeTimeoutMs = 500;

/**
 * A mail server for development on 127.0.0.1 (`port` 0: any free one) that takes every mail, with any login or
 * none, and delivers nothing. With a `directory` the mails are kept there as .eml files and are there again in
 * the next run. Throws when the port is taken or the directory cannot be used.
 */
export async function startCatcher(settings: { port: number; directory?: string | null }): Promise<Catcher> {
  const mailbox = openMailbox(settings.directory ?? null, mailsMax);
  const mails = new Map<string, CaughtMail>();
  for (const { id, receivedAt, raw } of mailbox.readAll()) mails.set(id, await read(id, receivedAt, raw));

  async function take(raw: Uint8Array): Promise<string> {
    const { id, receivedAt } = mailbox.add(raw);
    mails.set(id, await read(id, receivedAt, raw));
    const [oldest] = mails.keys();
    if (mails.size > mailsMax && oldest !== undefined) {
      mails.delete(oldest);
      mailbox.remove(oldest);
    }
    return id;
  }

  const server = new SMTPServer({
    authOptional: true,
    onAuth: (_auth, _session, callback) => callback(null, { user: "anyone" }),
    allowInsecureAuth: true,
    disabledCommands: ["STARTTLS"],
    disableReverseLookup: true,
    size: mailBytesMax,
    closeTimeout: closeTimeoutMs,
    onData(stream, session, callback) {
      receive(stream, session)
        .then(take)
        .then((id) => callback(null, `Caught as ${id}`), callback);
    },
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(settings.port, "127.0.0.1", () => {
      server.off("error", reject);
      // A client that drops its connection: nothing here waits for it.
      server.on("error", () => {});
      resolve();
    });
  });
  const { port } = server.server.address() as AddressInfo;
  return {
    smtpUrl: `smtp://127.0.0.1:${port}`,
    list: () => Array.from(mails.values()).reverse(),
    get: (id) => mails.get(id) ?? null,
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

/** The mail as it came, under the trace headers that a mail server adds when it delivers (RFC 5321 section 4.4). */
async function receive(stream: SMTPServerDataStream, session: SMTPServerSession): Promise<Uint8Array> {
  const { mailFrom, rcptTo } = session.envelope;
  const trace = [
    `Return-Path: <${mailFrom ? mailFrom.address : ""}>`,
    ...rcptTo.map(({ address }) => `Delivered-To: ${address}`),
  ];
  const parts = [Buffer.from(`${trace.join("\r\n")}\r\n`)];
  for await (const part of stream) parts.push(part);
  if (stream.sizeExceeded) throw Object.assign(new Error("The mail is too large"), { responseCode: 552 });
  return Buffer.concat(parts);
}

async function read(id: string, receivedAt: number, raw: Uint8Array): Promise<CaughtMail> {
  const mail = await PostalMime.parse(raw);
  return {
    id,
    receivedAt,
    from: mailboxText(mail.from),
    to: mail.headers.filter(({ key }) => key === "delivered-to").map(({ value }) => value),
    replyTo: mailboxText(mail.replyTo?.[0]) || null,
    messageId: mail.messageId ?? null,
    subject: mail.subject ?? "",
    text: mail.text ?? "",
    html: mail.html ?? "",
    attachments: mail.attachments.map(({ filename, mimeType, content }) => ({
      name: filename ?? "",
      mediaType: mimeType,
      bytes: typeof content === "string" ? new TextEncoder().encode(content) : new Uint8Array(content),
    })),
    sizeBytes: raw.length,
  };
}

function mailboxText(entry: Address | undefined): string {
  const address = entry?.address ?? "";
  return entry?.name ? `${entry.name} <${address}>` : address;
}

/** An id is the time of arrival and a random end, so that the names of the files sort by time. */
const fileForm = /^(\d{13})-[a-z0-9]+\.eml$/;

/** Mails as files `<id>.eml` in a directory, which is made if it is missing. Null: nothing is kept. */
function openMailbox(directory: string | null, mailsMax: number) {
  if (directory !== null) mkdirSync(directory, { recursive: true, mode: 0o700 });
  let last = 0;
  const pathOf = (id: string) => (directory === null ? null : join(directory, `${id}.eml`));
  return {
    /** Oldest first, at most as many as are kept; what is beyond that is removed. */
    readAll() {
      if (directory === null) return [];
      const names = readdirSync(directory)
        .filter((name) => fileForm.test(name))
        .sort();
      const newest = names.slice(-mailsMax);
      for (const name of names.slice(0, -mailsMax)) rmSync(join(directory, name), { force: true });
      return newest.map((name) => {
        const receivedAt = Number(fileForm.exec(name)?.[1]);
        last = Math.max(last, receivedAt);
        return { id: name.slice(0, -".eml".length), receivedAt, raw: readFileSync(join(directory, name)) };
      });
    },
    add(raw: Uint8Array) {
      // Two mails in one millisecond, or a clock that was set back, still come in the order of their arrival.
      const receivedAt = Math.max(world.now(), last + 1);
      last = receivedAt;
      const id = `${receivedAt}-${randomName(6)}`;
      const path = pathOf(id);
      if (path !== null) {
        // Under another name first: what has the name of a mail is a whole mail.
        writeFileSync(`${path}.part`, raw, { mode: 0o600 });
        renameSync(`${path}.part`, path);
      }
      return { id, receivedAt };
    },
    remove(id: string): void {
      const path = pathOf(id);
      if (path !== null) rmSync(path, { force: true });
    },
  };
}
