import { Readable } from "node:stream";
import SMTPConnection from "nodemailer/lib/smtp-connection";
import type { Composed } from "./compose.ts";
import { type MailOutcome, outcomeOf, outcomeOfSilence, redact, type Step } from "./outcome.ts";
import type { SmtpServer } from "./smtp-url.ts";

/** How long the answer to QUIT is waited for: the mail is sent already. */
const quitTimeoutMs = 500;

/** In bytes: a reply of a mail server is a few lines. */
const responseBytesMax = 64 * 1024;

/**
 * Sends one mail over a connection of its own, in at most `timeoutMs`, and never throws. When it resolves, the
 * socket and all timers are gone. The library reports a broken connection in the same way at every stage, so
 * the stages are kept track of here; it asks for the content only after the server has answered 354 to DATA.
 */
export function deliver(
  mail: Composed,
  server: SmtpServer,
  timeoutMs: number,
  stopping: AbortSignal,
): Promise<MailOutcome> {
  return new Promise((resolve) => {
    let step: Step = "connecting";
    let sent: MailOutcome | null = null;
    let ended = false;
    const connection = new SMTPConnection({
      ...server.options,
      // Longer than the deadline below, which speaks for all of them.
      connectionTimeout: 2 * timeoutMs,
      greetingTimeout: 2 * timeoutMs,
      socketTimeout: 2 * timeoutMs,
      dnsTimeout: timeoutMs,
      // Destroys the socket at once instead of leaving it half open for a server that does not close.
      socketCloseTimeout: 0,
      maxResponseSize: responseBytesMax,
    });
    const timers: Timer[] = [];
    const end = (outcome: MailOutcome) => {
      if (ended) return;
      ended = true;
      for (const timer of timers) clearTimeout(timer);
      stopping.removeEventListener("abort", onStopping);
      connection.close();
      resolve(sent ?? outcome);
    };
    const fail = (error: Parameters<typeof outcomeOf>[0]) => end(outcomeOf(error, step, server.secrets));
    const onStopping = () => end(outcomeOfSilence("Till is stopping", step));

    const hangUp = (response: string) => {
      sent = { kind: "sent", response: redact(response, server.secrets) };
      timers.push(setTimeout(() => end(outcomeOfSilence("", step)), quitTimeoutMs));
      connection.quit();
    };
    const send = () => {
      step = "naming the recipient";
      const content = new Readable({
        read() {
          step = "handing over the message";
          this.push(mail.raw);
          this.push(null);
        },
      });
      const envelope = { from: mail.from, to: [mail.to], size: mail.raw.length };
      connection.send(envelope, content, (error, info) => {
        if (error) fail(error);
        else hangUp(info?.response ?? "");
      });
    };

    timers.push(
      setTimeout(() => {
        end(outcomeOfSilence(`The mail server took longer than ${timeoutMs / 1000} s`, step));
      }, timeoutMs),
    );
    stopping.addEventListener("abort", onStopping, { once: true });
    connection.on("error", fail);
    // A connection that ends without an error: after QUIT, or when the server drops it between two commands.
    // Its callback comes a moment later when there is an answer to tell (421), and knows more.
    connection.on("end", () =>
      setImmediate(() => end(outcomeOfSilence("The mail server closed the connection", step))),
    );
    connection.connect((error) => {
      if (error) return fail(error);
      // A server that offers no login wants none.
      if (!server.credentials || !connection.allowsAuth) return send();
      step = "logging in";
      connection.login({ credentials: server.credentials }, (loginError) => {
        if (loginError) fail(loginError);
        else send();
      });
    });
    if (stopping.aborted) onStopping();
  });
}
