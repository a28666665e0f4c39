import SMTPConnection from "nodemailer/lib/smtp-connection";
import { outcomeOf, outcomeOfSilence, type Step } from "./outcome.ts";
import { parseSmtpUrl } from "./smtp-url.ts";

const verifyTimeoutMs = 10_000;

/**
 * Connects to the mail server and logs in as for a mail, and sends none. Returns why that fails, without the
 * credentials; null when it does not. Throws an InvalidSmtpUrlError.
 */
export function verifyLogin(smtpUrl: string): Promise<string | null> {
  const server = parseSmtpUrl(smtpUrl);
  return new Promise((resolve) => {
    let step: Step = "connecting";
    const connection = new SMTPConnection({
      ...server.options,
      connectionTimeout: 2 * verifyTimeoutMs,
      greetingTimeout: 2 * verifyTimeoutMs,
      socketTimeout: 2 * verifyTimeoutMs,
      dnsTimeout: verifyTimeoutMs,
      socketCloseTimeout: 0,
    });
    const end = (reason: string | null) => {
      clearTimeout(timer);
      connection.close();
      resolve(reason);
    };
    const silence = (reason: string) => {
      const outcome = outcomeOfSilence(reason, step);
      end(outcome.kind === "sent" ? null : outcome.reason);
    };
    const timer = setTimeout(
      () => silence(`The mail server took longer than ${verifyTimeoutMs / 1000} s`),
      verifyTimeoutMs,
    );
    const fail = (error: Parameters<typeof outcomeOf>[0]) => {
      const outcome = outcomeOf(error, step, server.secrets);
      end(outcome.kind === "sent" ? null : outcome.reason);
    };
    connection.on("error", fail);
    connection.on("end", () => setImmediate(() => silence("The mail server closed the connection")));
    connection.connect((error) => {
      if (error) return fail(error);
      // A server that offers no login wants none.
      if (!server.credentials || !connection.allowsAuth) return end(null);
      step = "logging in";
      connection.login({ credentials: server.credentials }, (loginError) => {
        if (loginError) fail(loginError);
        else end(null);
      });
    });
  });
}
