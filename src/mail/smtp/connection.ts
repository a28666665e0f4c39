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

/** In bytes: a reply of a mail server is a few lines. */
const responseBytesMax = 64 * 1024;

export type SmtpLimits = {
  /** How long all of it may take, from looking the server up to its last answer. */
  timeoutMs: number;
  /** How long it may take until the server wants the content. */
  contentWithinMs?: number | undefined;
};

type SmtpCallback = {
  /** Connected and logged in. */
  ready: (connection: SMTPConnection) => void;
  /** Also told of failures after that. */
  failed: (failure: MailFailure) => void;
  /** A mistake in Till or in the mail library. */
  broken: (thrown: unknown) => void;
};

/** When a mail server's certificate began and ends, in Unix ms. */
export type Certificate = { from: number; to: number };

/** The certificate that was checked; null without encryption, or where any is taken. */
export function certificateOf({ _socket: socket }: SMTPConnection): Certificate | null {
  if (!(socket instanceof TLSSocket) || !socket.authorized) return null;
  const { valid_from, valid_to } = socket.getPeerCertificate();
  const certificate = { from: Date.parse(valid_from), to: Date.parse(valid_to) };
  return Number.isNaN(certificate.from + certificate.to) ? null : certificate;
}

/**
 * A connection of one's own to a mail server. The library reports a broken connection in the same way at every stage,
 * so the stages are kept track of here.
 */
export function openLogin(
  server: SmtpServer,
  { timeoutMs, contentWithinMs = timeoutMs }: SmtpLimits,
  resolve: Lookup = resolveBySystem,
) {
  const timers: Timer[] = [];
  let hangUp = () => {};
  /** Whether it waits for TLS perhaps, where it should greet. */
  let isMute = () => false;
  let closed = false;
  const login = {
    /** What a failure from now on interrupts. */
    step: "looking up its name" as SmtpStep,
    /** What an error means just now. */
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

      /** Nothing catches what is thrown in a callback of a socket. */
      const guarded = (work: () => void) => {
        try {
          if (!closed) work();
        } catch (thrown) {
          broken(thrown);
        }
      };
      const logIn = (connection: SMTPConnection) => {
        // A server that offers no login wants none.
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
        // A connection that ends without an error: after QUIT, or when the server drops it between two commands.
        // Its callback comes a moment later when there is an answer to tell (421), and knows more.
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
    /** Ends the connection and its deadlines. */
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
    // Longer than the deadlines above, which speak for all of them.
    connectionTimeout: 2 * timeoutMs,
    greetingTimeout: 2 * timeoutMs,
    socketTimeout: 2 * timeoutMs,
    // Destroys the socket at once instead of leaving it half open for a server that does not close.
    socketCloseTimeout: 0,
    maxResponseSize: responseBytesMax,
  });
}

/** All addresses of a host name or of an address, the preferred one first. Rejects when the name has none. */
export type Lookup = (host: string) => Promise<readonly LookupAddress[]>;

/** Asks the system, which knows the local names as well; the mail library would ask a DNS server for `localhost`. */
const resolveBySystem: Lookup = promisify<string, LookupAddress[]>((host, done) => world.lookup(host, done));

/**
 * Begins to connect to `port` of the first of these addresses, at least one, that takes a connection (RFC 8305). The
 * socket tells with `connect` or `error` what came of it.
 */
function dial(addresses: readonly LookupAddress[], port: number): Socket {
  const lookup: LookupFunction = (_host, _options, done) => done(null, [...addresses]);
  // What is looked up is never a name here: the addresses are there already.
  return world.connect({ host: "mail-server.invalid", port, autoSelectFamily: true, lookup });
}

const verifyTimeoutMs = 10_000;

/**
 * Connects to the mail server and logs in as for a mail, and sends none. Returns why that fails, without the
 * credentials, or null when it does not; and the certificate. Throws an InvalidSmtpUrlError.
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
  /** Everything that a mail server could repeat of the credentials, to be taken out of what it says. */
  secrets: readonly string[];
}>;

/**
 * Reads `smtp://user:password@host:port` (port 587; STARTTLS when the server offers it) or `smtps://…` (port
 * 465). The query may set `requireTLS`, `ignoreTLS`, `name` (what EHLO says) and `tls.rejectUnauthorized`;
 * everything else in it is ignored. Credentials leave this machine only over an encrypted connection, unless
 * `ignoreTLS=true` says otherwise. Throws an InvalidSmtpUrlError, which does not repeat the URL.
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

/** No token is made like that: `user`, `apikey`, `postmaster`. */
const everydayWord = /^\p{L}{1,15}$/u;

/**
 * AUTH PLAIN and AUTH LOGIN (RFC 4616) send Base64 of the credentials, and some servers quote what they got. A user
 * name that is an everyday word is no secret, and without it nobody understands what the server says.
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
