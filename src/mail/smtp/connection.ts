import type { LookupAddress } from "node:dns";
import type { LookupFunction, Socket } from "node:net";
import { TLSSocket } from "node:tls";
import { promisify } from "node:util";
import { parseConnectionUrl } from "nodemailer/lib/shared";
import type { SMTPConnectionOptions } from "nodemailer/lib/smtp-connection";
import SMTPConnection from "nodemailer/lib/smtp-connection";
import { messageOf } from "../../lib/error.ts";
import { isLoopbackHost } from "../../lib/net/host.ts";
import { type Timer, world } from "../../lib/world.ts";
import { type MailFailure, outcomeOf, outcomeOfSilence, type SmtpStep } from "./outcome.ts";

/** In bytes: a mail server's reply is a few lines. */
const responseBytesMax = 64 * 1024;

export type SmtpLimits = {
  /** Time limit for everything, from the DNS lookup to the server's last reply. */
  timeoutMs: number;
  /** Time limit until the server asks for the content. */
  contentWithinMs?: number | undefined;
};

type SmtpCallback = {
  /** Called once connected and logged in. */
  ready: (connection: SMTPConnection) => void;
  /** Also called for failures after `ready`. */
  failed: (failure: MailFailure) => void;
  /** Called for a bug in Till or in the mail library. */
  broken: (thrown: unknown) => void;
};

/** Validity period of a mail server's certificate, in Unix ms. */
export type Certificate = { from: number; to: number };

/** Returns the verified certificate; null without encryption, or where any certificate is accepted. */
export function certificateOf({ _socket: socket }: SMTPConnection): Certificate | null {
  if (!(socket instanceof TLSSocket) || !socket.authorized) return null;
  const { valid_from, valid_to } = socket.getPeerCertificate();
  const certificate = { from: Date.parse(valid_from), to: Date.parse(valid_to) };
  return Number.isNaN(certificate.from + certificate.to) ? null : certificate;
}

/**
 * Opens a separate connection to a mail server. The library reports a broken connection in the same way at every stage,
 * so the stages are tracked here.
 */
export function openLogin(
  server: SmtpServer,
  { timeoutMs, contentWithinMs = timeoutMs }: SmtpLimits,
  resolve: Lookup = resolveBySystem,
) {
  const timers: Timer[] = [];
  let hangUp = () => {};
  /** True if the server has sent nothing yet, perhaps because it waits for TLS. */
  let isMute = () => false;
  let closed = false;
  const login = {
    /** The step that a failure would interrupt. */
    step: "looking up its name" as SmtpStep,
    /** Returns the outcome of an error in the current step. */
    failureOf: (error: Parameters<typeof outcomeOf>[0]): MailFailure =>
      outcomeOf(error, login.step, server.secrets),
    /** Connects and logs in. Called once. */
    start({ ready, failed, broken }: SmtpCallback): void {
      const silent = (reason: string) => failed(outcomeOfSilence(reason, login.step));
      const late = (ms: number) =>
        silent(`The mail server took longer than ${ms / 1000} s${isMute() ? muteAdvice : ""}`);
      timers.push(world.setTimeout(() => late(timeoutMs), timeoutMs));
      timers.push(
        world.setTimeout(() => {
          if (login.step !== "handing over the message") late(contentWithinMs);
        }, contentWithinMs),
      );
      const failedAs = (code: string) => (error: unknown) =>
        failed(login.failureOf(Object.assign(new Error(messageOf(error)), { code })));

      /** Catches errors in socket callbacks, where nothing else would. */
      const guarded = (work: () => void) => {
        try {
          if (!closed) work();
        } catch (thrown) {
          broken(thrown);
        }
      };
      const logIn = (connection: SMTPConnection) => {
        // A server that offers no login needs none.
        if (!server.credentials || !connection.allowsAuth) return ready(connection);
        login.step = "logging in";
        connection.login({ credentials: server.credentials }, (error) => {
          if (error) failed(login.failureOf(error));
          else guarded(() => ready(connection));
        });
      };
      const converse = (socket: ReturnType<typeof dial>) => {
        isMute = () => !server.options.secure && socket.bytesRead === 0;
        const connection = connectionOver(socket, server, timeoutMs);
        hangUp = () => connection.close();
        connection.on("error", (error) => failed(login.failureOf(error)));
        // The connection ended without an error: after QUIT, or because the server dropped it between two commands. If
        // there is a reply to report (421), its callback comes a moment later and knows more.
        connection.on("end", () => world.setImmediate(() => silent("The mail server closed the connection")));
        connection.connect((error) => {
          if (error) failed(login.failureOf(error));
          else guarded(() => logIn(connection));
        });
      };
      const notFound = failedAs("EDNS");
      resolve(server.host).then(
        (addresses) =>
          guarded(() => {
            if (addresses.length === 0) return notFound(new Error("it has no address"));
            login.step = "connecting";
            const socket = dial(addresses, server.port);
            hangUp = () => socket.destroy();
            const unreachable = failedAs("ESOCKET");
            socket.once("error", unreachable);
            socket.once("connect", () => {
              socket.off("error", unreachable);
              guarded(() => converse(socket));
            });
          }),
        notFound,
      );
    },
    /** Ends the connection and its timers. */
    close(): void {
      closed = true;
      for (const timer of timers) world.clearTimeout(timer);
      hangUp();
    },
  };
  return login;
}

const muteAdvice = " to say anything; where TLS comes first, as at port 465, write smtps:// in the SMTP URL";

function connectionOver(connection: ReturnType<typeof dial>, server: SmtpServer, timeoutMs: number) {
  return new SMTPConnection({
    ...server.options,
    host: server.host,
    connection,
    // Longer than the timers above, which cover all of them.
    connectionTimeout: 2 * timeoutMs,
    greetingTimeout: 2 * timeoutMs,
    socketTimeout: 2 * timeoutMs,
    // Destroys the socket at once instead of leaving it half open for a server that does not close.
    socketCloseTimeout: 0,
    maxResponseSize: responseBytesMax,
  });
}

/** Resolves a host name or an address to all its addresses, the preferred one first. Rejects if there is none. */
export type Lookup = (host: string) => Promise<readonly LookupAddress[]>;

/** Asks the system, which also knows local names; the mail library would ask a DNS server for `localhost`. */
const resolveBySystem: Lookup = promisify<string, LookupAddress[]>((host, done) => world.lookup(host, done));

/**
 * Starts connecting to `port` of the first of these addresses (at least one) that accepts (RFC 8305). The socket
 * reports the result with `connect` or `error`.
 */
function dial(addresses: readonly LookupAddress[], port: number): Socket {
  const lookup: LookupFunction = (_host, _options, done) => done(null, [...addresses]);
  // This name is never looked up: `lookup` returns the known addresses.
  return world.connect({ host: "mail-server.invalid", port, autoSelectFamily: true, lookup });
}

const verifyTimeoutMs = 10_000;

/**
 * Connects to the mail server and logs in without sending a mail. Returns the reason for a failure, without the
 * credentials, or null; and the certificate. Throws an InvalidSmtpUrlError.
 */
export function verifyLogin(
  smtpUrl: string,
): Promise<{ reason: string | null; certificate: Certificate | null }> {
  const login = openLogin(parseSmtpUrl(smtpUrl), { timeoutMs: verifyTimeoutMs });
  return new Promise((resolve, reject) => {
    const end = (reason: string | null, certificate: Certificate | null = null) => {
      login.close();
      resolve({ reason, certificate });
    };
    login.start({
      ready: (connection) => end(null, certificateOf(connection)),
      failed: ({ reason }) => end(reason),
      broken: reject,
    });
  });
}

export type SmtpServer = Readonly<{
  /** A name, or an address without brackets. */
  host: string;
  port: number;
  options: SMTPConnectionOptions;
  credentials: { readonly user: string; readonly pass: string } | null;
  /** Every form of the credentials that a mail server could quote, to be redacted from its replies. */
  secrets: readonly string[];
}>;

/**
 * Parses `smtp://user:password@host:port` (port 587; STARTTLS if the server offers it) or `smtps://…` (port 465). The
 * query may set `requireTLS`, `ignoreTLS`, `name` (for EHLO) and `tls.rejectUnauthorized`; the rest of it is ignored.
 * Credentials leave this machine only over an encrypted connection, unless `ignoreTLS=true`. Throws an
 * InvalidSmtpUrlError, which does not repeat the URL.
 */
export function parseSmtpUrl(url: string): SmtpServer {
  if (!/^smtps?:\/\/./i.test(url) || !URL.canParse(url)) throw new InvalidSmtpUrlError();
  const { host, port, secure, auth, requireTLS, ignoreTLS, name, tls = {} } = parseConnectionUrl(url);
  const { rejectUnauthorized } = tls;
  if (!host) throw new InvalidSmtpUrlError();
  const user = auth?.user ?? "";
  const pass = auth?.pass ?? "";
  const mustEncrypt =
    requireTLS === true || (auth !== undefined && ignoreTLS !== true && !isLoopbackHost(host));
  const options: SMTPConnectionOptions = {
    secure: secure === true,
    requireTLS: mustEncrypt && secure !== true,
    ignoreTLS: ignoreTLS === true,
    ...(typeof name === "string" && { name }),
    ...(rejectUnauthorized === false && { tls: { rejectUnauthorized: false } }),
  };
  return {
    host,
    port: port ?? (secure ? 465 : 587),
    options,
    credentials: auth ? { user, pass } : null,
    secrets: auth ? secretForms(user, pass) : [],
  };
}

/** No token looks like that: `user`, `apikey`, `postmaster`. */
const everydayWord = /^\p{L}{1,15}$/u;

/**
 * Lists every form of the credentials: AUTH PLAIN and AUTH LOGIN (RFC 4616) send them in Base64, and some servers quote
 * that. A user name that is an everyday word is not secret, and without it the server's reply would be unintelligible.
 */
function secretForms(user: string, pass: string): string[] {
  const base64 = (text: string) => Buffer.from(text, "utf8").toString("base64");
  const names = everydayWord.test(user) ? [] : [user];
  return [base64(`\0${user}\0${pass}`), base64(pass), base64(user), encodeURIComponent(pass), pass, ...names]
    .filter((form, index, all) => form !== "" && all.indexOf(form) === index)
    .sort((a, b) => b.length - a.length);
}

class InvalidSmtpUrlError extends Error {
  override readonly name = "InvalidSmtpUrlError";
  constructor() {
    super(
      "The SMTP URL must look like smtp://user:password@mail.example.com:587 or smtps://… (not repeated here)",
    );
  }
}
