import { Readable } from "node:stream";
import type SMTPConnection from "nodemailer/lib/smtp-connection";
import { type Timer, world } from "../../lib/world.ts";
import { type ComposedMail, compose, InvalidAddressError, parseSender } from "./compose.ts";
import {
  type Certificate,
  certificateOf,
  type Lookup,
  openLogin,
  parseSmtpUrl,
  type SmtpLimits,
  type SmtpServer,
} from "./connection.ts";
import type { Message } from "./message.ts";
import { type MailOutcome, outcomeOfSilence, redact } from "./outcome.ts";

/** Time limit for one mail, from the DNS lookup to the server's last reply. */
const sendTimeoutMs = 30_000;

type SendOptions = Partial<Pick<DeliveryOptions, "timeoutMs" | "contentWithinMs" | "onContent">>;

export type Transport = {
  /**
   * Sends one mail to one recipient and returns the outcome: a failure is a value. `timeoutMs` limits the whole attempt
   * (default 30 s). Rejects for a bug in Till, such as a malformed Message-ID, and for errors thrown by `onContent`.
   */
  send(message: Message, sending?: SendOptions): Promise<MailOutcome>;
  /** Refuses new mails. Aborts the ones being sent after `finishMs` (default 0), with their outcome. */
  close(finishMs?: number): void;
};

/** The mail server's certificate at the last mail; null before, and if none was checked. */
export type CertificateSeen = { certificate(): Certificate | null };

/**
 * Creates a transport to the mail server at `smtpUrl` for mails from `from` (`Till <till@example.com>`). Connects only
 * to send. Throws an InvalidSmtpUrlError or an InvalidSenderError.
 */
export function createTransport(settings: {
  smtpUrl: string;
  from: string;
  resolve?: Lookup;
}): Transport & CertificateSeen {
  const server = parseSmtpUrl(settings.smtpUrl);
  const sender = parseSender(settings.from);
  let certificate: Certificate | null = null;
  const onCertificate = (found: Certificate | null) => {
    certificate = found;
  };
  const closed = new AbortController();
  const broken = new AbortController();
  return {
    async send(message, { timeoutMs = sendTimeoutMs, contentWithinMs, onContent = () => {} } = {}) {
      const stopping = closed.signal.aborted ? closed.signal : broken.signal;
      try {
        const mail = await compose(message, sender);
        const { resolve } = settings;
        const limits = { timeoutMs, contentWithinMs };
        return await deliver(mail, server, { ...limits, stopping, onContent, onCertificate, resolve });
      } catch (thrown) {
        if (!(thrown instanceof InvalidAddressError)) throw thrown;
        return { kind: "rejected", permanent: true, reason: thrown.message };
      }
    },
    certificate: () => certificate,
    close(finishMs = 0) {
      closed.abort();
      if (finishMs > 0) world.setTimeout(() => broken.abort(), finishMs).unref();
      else broken.abort();
    },
  };
}

/** Time to finish a mail in progress when the mail server's settings change. */
const replacedFinishMs = sendTimeoutMs;

/** The transport to the mail server that `read` returns, which may change at any time or be missing. */
export function createLiveTransport(read: () => { smtpUrl: string | null; mailFrom: string }) {
  let made: { smtpUrl: string; mailFrom: string; transport: Transport & CertificateSeen } | null = null;
  return {
    /** Null without a mail server. */
    current(): (Transport & CertificateSeen) | null {
      const { smtpUrl, mailFrom } = read();
      if (made?.smtpUrl === smtpUrl && made.mailFrom === mailFrom) return made.transport;
      made?.transport.close(replacedFinishMs);
      made =
        smtpUrl === null
          ? null
          : { smtpUrl, mailFrom, transport: createTransport({ smtpUrl, from: mailFrom }) };
      return made?.transport ?? null;
    },
    close: (finishMs: number) => made?.transport.close(finishMs),
  };
}

/** Time to wait for the reply to QUIT: the mail is already sent. */
const quitTimeoutMs = 500;

type DeliveryOptions = SmtpLimits & {
  /** Aborts what is not sent yet. */
  stopping: AbortSignal;
  /** Called before the first byte of the content is sent; if it throws, nothing is. */
  onContent: () => void;
  /** Called for each connection. */
  onCertificate: (certificate: Certificate | null) => void;
  /** The system's lookup by default. */
  resolve?: Lookup | undefined;
};

/**
 * Sends one mail over its own connection, within its limits. External failures are outcomes; it rejects only for a bug
 * in Till or in the mail library, and for errors thrown by `onContent`. Once settled, the socket and all timers are
 * gone. The library asks for the content only after the server has replied 354 to DATA.
 */
function deliver(mail: ComposedMail, server: SmtpServer, delivery: DeliveryOptions): Promise<MailOutcome> {
  const { stopping, onContent, onCertificate, resolve: lookUp, ...limits } = delivery;
  return new Promise((resolve, reject) => {
    let sent: MailOutcome | null = null;
    let ended = false;
    let quitting: Timer | undefined;
    const login = openLogin(server, limits, lookUp);
    const settle = (tell: () => void) => {
      if (ended) return;
      ended = true;
      world.clearTimeout(quitting);
      stopping.removeEventListener("abort", onStopping);
      login.close();
      tell();
    };
    const end = (outcome: MailOutcome) => settle(() => resolve(sent ?? outcome));
    const broken = (thrown: unknown) => settle(() => reject(thrown));
    const onStopping = () => end(outcomeOfSilence("Till is stopping", login.step));

    const hangUp = (connection: SMTPConnection, response: string) => {
      const sentOutcome: MailOutcome = { kind: "sent", response: redact(response, server.secrets) };
      sent = sentOutcome;
      quitting = world.setTimeout(() => end(sentOutcome), quitTimeoutMs);
      connection.quit();
    };
    const send = (connection: SMTPConnection) => {
      onCertificate(certificateOf(connection));
      login.step = "naming the recipient";
      const content = new Readable({
        read() {
          try {
            onContent();
          } catch (thrown) {
            return broken(thrown);
          }
          login.step = "handing over the message";
          this.push(mail.raw);
          this.push(null);
        },
      });
      const envelope = { from: mail.from, to: [mail.to], size: mail.raw.length };
      connection.send(envelope, content, (error, info) => {
        if (error) end(login.failureOf(error));
        else hangUp(connection, info?.response ?? "");
      });
    };

    stopping.addEventListener("abort", onStopping, { once: true });
    login.start({ ready: send, failed: end, broken });
    if (stopping.aborted) onStopping();
  });
}
