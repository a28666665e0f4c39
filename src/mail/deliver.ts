import { Readable } from "node:stream";
import type { Composed } from "./compose.ts";
import { openLogin } from "./connection.ts";
import { type MailOutcome, outcomeOfSilence, redact } from "./outcome.ts";
import type { SmtpServer } from "./smtp-url.ts";

/** How long the answer to QUIT is waited for: the mail is sent already. */
const quitTimeoutMs = 500;

/**
 * Sends one mail over a connection of its own, in at most `timeoutMs`, and never throws. When it resolves, the
 * socket and all timers are gone. The library asks for the content only after the server has answered 354 to DATA.
 */
export function deliver(
  mail: Composed,
  server: SmtpServer,
  timeoutMs: number,
  stopping: AbortSignal,
): Promise<MailOutcome> {
  return new Promise((resolve) => {
    let sent: MailOutcome | null = null;
    let ended = false;
    let quitting: Timer | undefined;
    const login = openLogin(server, timeoutMs);
    const end = (outcome: MailOutcome) => {
      if (ended) return;
      ended = true;
      clearTimeout(quitting);
      stopping.removeEventListener("abort", onStopping);
      login.close();
      resolve(sent ?? outcome);
    };
    const onStopping = () => end(outcomeOfSilence("Till is stopping", login.step));

    const hangUp = (response: string) => {
      sent = { kind: "sent", response: redact(response, server.secrets) };
      quitting = setTimeout(end, quitTimeoutMs, sent);
      login.connection.quit();
    };
    const send = () => {
      login.step = "naming the recipient";
      const content = new Readable({
        read() {
          login.step = "handing over the message";
          this.push(mail.raw);
          this.push(null);
        },
      });
      const envelope = { from: mail.from, to: [mail.to], size: mail.raw.length };
      login.connection.send(envelope, content, (error, info) => {
        if (error) end(login.failureOf(error));
        else hangUp(info?.response ?? "");
      });
    };

    stopping.addEventListener("abort", onStopping, { once: true });
    login.start({ ready: send, failed: end });
    if (stopping.aborted) onStopping();
  });
}
