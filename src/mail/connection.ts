import SMTPConnection from "nodemailer/lib/smtp-connection";
import { type Failure, outcomeOf, outcomeOfSilence, type Step } from "./outcome.ts";
import type { SmtpServer } from "./smtp-url.ts";

/** In bytes: a reply of a mail server is a few lines. */
const responseBytesMax = 64 * 1024;

export type Login = {
  /** Connects and logs in. `ready` is told when that is done, `failed` of every failure, also of later ones. */
  start(told: { ready: () => void; failed: (failure: Failure) => void }): void;
  /** For what comes after the login. */
  readonly connection: SMTPConnection;
  /** What a failure from now on interrupts. */
  step: Step;
  /** What an error means just now. */
  failureOf(error: Parameters<typeof outcomeOf>[0]): Failure;
  /** Ends the connection and its deadline. */
  close(): void;
};

/**
 * A connection of one's own to a mail server, for at most `timeoutMs`. The library reports a broken connection in the
 * same way at every stage, so the stages are kept track of here.
 */
export function openLogin(server: SmtpServer, timeoutMs: number): Login {
  let timer: Timer | undefined;
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
  const login: Login = {
    connection,
    step: "connecting",
    failureOf: (error) => outcomeOf(error, login.step, server.secrets),
    start({ ready, failed }) {
      const silent = (reason: string) => failed(outcomeOfSilence(reason, login.step));
      const late = () => silent(`The mail server took longer than ${timeoutMs / 1000} s`);
      timer = setTimeout(late, timeoutMs);
      connection.on("error", (error) => failed(login.failureOf(error)));
      // A connection that ends without an error: after QUIT, or when the server drops it between two commands.
      // Its callback comes a moment later when there is an answer to tell (421), and knows more.
      connection.on("end", () => setImmediate(() => silent("The mail server closed the connection")));
      connection.connect((error) => {
        if (error) return failed(login.failureOf(error));
        // A server that offers no login wants none.
        if (!server.credentials || !connection.allowsAuth) return ready();
        login.step = "logging in";
        connection.login({ credentials: server.credentials }, (loginError) => {
          if (loginError) failed(login.failureOf(loginError));
          else ready();
        });
      });
    },
    close() {
      clearTimeout(timer);
      connection.close();
    },
  };
  return login;
}
