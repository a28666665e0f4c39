import { SMTPServer } from "smtp-server";

export type MailServer = { readonly url: string; stop(): Promise<void> };

/** A real mail server without a log-in. `onMail` has the whole message taken; until it calls `done` no answer goes out. */
export async function startMailServer(onMail: (done: () => void) => void): Promise<MailServer> {
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    onData(stream, _session, done) {
      stream.on("end", () => onMail(done)).resume();
    },
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()));
  const address = server.server.address();
  if (address === null || typeof address === "string") throw new Error("The mail server has no port");
  return {
    url: `smtp://127.0.0.1:${address.port}`,
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
