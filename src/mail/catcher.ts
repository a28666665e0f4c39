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
  /** The From header, with its display name. */
  from: string;
  /** The envelope's recipients, who would have received it whatever the header says. */
  to: readonly string[];
  replyTo: string | null;
  messageId: string | null;
  subject: string;
  text: string;
  html: string;
  attachments: readonly Readonly<{ name: string; mediaType: string; bytes: Uint8Array }>[];
  /** Size as stored, with the trace headers. */
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

/** Maximum number of mails kept; the oldest is removed for a new one. */
export const mailsMax = 100;

const mailBytesMax = 5 * 1024 * 1024;

/** Time for open connections to end once the catcher is stopped. */
const closeTimeoutMs = 500;

/**
 * Starts a mail server for development on 127.0.0.1 (`port` 0: any free one) that accepts every mail, with any login or
 * none, and delivers nothing. With a `directory`, mails are kept there as .eml files and are back in the next run.
 * Throws if the port is taken or the directory cannot be used.
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
      // A client dropped its connection; nothing here waits for it.
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

/** Returns the mail as received, under the trace headers that a mail server adds on delivery (RFC 5321 section 4.4). */
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

/** An id is the time of arrival and a random suffix, so that file names sort by time. */
const fileForm = /^(\d{13})-[a-z0-9]+\.eml$/;

/** Stores mails as files `<id>.eml` in a directory, which is created if missing. For null, nothing is stored. */
function openMailbox(directory: string | null, mailsMax: number) {
  if (directory !== null) mkdirSync(directory, { recursive: true, mode: 0o700 });
  let last = 0;
  const pathOf = (id: string) => (directory === null ? null : join(directory, `${id}.eml`));
  return {
    /** Oldest first, up to the maximum; older ones are deleted. */
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
      // Two mails in one millisecond, or after the clock was set back, still sort in order of arrival.
      const receivedAt = Math.max(world.now(), last + 1);
      last = receivedAt;
      const id = `${receivedAt}-${randomName(6)}`;
      const path = pathOf(id);
      if (path !== null) {
        // Written under another name first, so that a file with a mail's name is always complete.
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
