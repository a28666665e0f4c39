import { Readable } from "node:stream";
import type SMTPConnection from "nodemailer/lib/smtp-connection";
import type { ComposedMail } from "./compose.ts";
import { type Certificate, certificateOf, openLogin, type SmtpLimits } from "./connection.ts";
import type { Lookup } from "./dial.ts";
import { type MailOutcome, outcomeOfSilence, redact } from "./outcome.ts";
import type { SmtpServer } from "./smtp-url.ts";

/** How long the answer to QUIT is waited for: the mail is sent already. */
const quitTimeoutMs = 500;

export type DeliveryOptions = SmtpLimits & {
  /** Breaks off what is not sent yet. */
  stopping: AbortSignal;
  /** Told before the first byte of the content leaves; when it throws, nothing does. */
  onContent: () => void;
  /** Told of each connection. */
  onCertificate: (certificate: Certificate | null) => void;
  /** The system's look-up unless given. */
  resolve?: Lookup | undefined;
};

/**
 * Sends one mail over a connection of its own, within its limits. What the outside does is an outcome; it rejects only
 * for a mistake in Till or in the mail library, and for what `onContent` throws. Once it is settled, the socket and all
 * timers are gone. The library asks for the content only after the server has answered 354 to DATA.
 */
export function deliver(
  mail: ComposedMail,
  server: SmtpServer,
  delivery: DeliveryOptions,
): Promise<MailOutcome> {
  const { stopping, onContent, onCertificate, resolve: lookUp, ...limits } = delivery;
  return new Promise((resolve, reject) => {
    let sent: MailOutcome | null = null;
    let ended = false;
    let quitting: Timer | undefined;
    const login = openLogin(server, limits, lookUp);
    const settle = (tell: () => void) => {
      if (ended) return;
      ended = true;
      clearTimeout(quitting);
      stopping.removeEventListener("abort", onStopping);
      login.close();
      tell();
    };
    const end = (outcome: MailOutcome) => settle(() => resolve(sent ?? outcome));
    const broken = (thrown: unknown) => settle(() => reject(thrown));
    const onStopping = () => end(outcomeOfSilence("Till is stopping", login.step));

    const hangUp = (connection: SMTPConnection, response: string) => {
      sent = { kind: "sent", response: redact(response, server.secrets) };
      quitting = setTimeout(end, quitTimeoutMs, sent);
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
