import type { AddressInfo } from "node:net";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";

export type Received = { encrypted: boolean; user: unknown; to: readonly string[]; content: string };

export type RealServer = {
  readonly port: number;
  readonly url: string;
  readonly received: readonly Received[];
  stop(): Promise<void>;
};

/** A real mail server on 127.0.0.1, on a free port unless told, that keeps what it takes: any login or none, STARTTLS with a certificate nobody trusts. */
export async function startSmtpServer(options: SMTPServerOptions = {}, ownPort = 0): Promise<RealServer> {
  const received: Received[] = [];
  const server = new SMTPServer({
    authOptional: true,
    allowInsecureAuth: true,
    disableReverseLookup: true,
    logger: false,
    closeTimeout: 200,
    onAuth: ({ username }, _session, done) => done(null, { user: username }),
    async onData(stream, { secure, user, envelope }, done) {
      const parts: Buffer[] = [];
      for await (const part of stream) parts.push(part);
      if (stream.sizeExceeded) return done(Object.assign(new Error("too large"), { responseCode: 552 }));
      const to = envelope.rcptTo.map(({ address }) => address);
      received.push({ encrypted: secure, user, to, content: Buffer.concat(parts).toString("latin1") });
      done(null);
    },
    ...options,
  });
  // A client that hangs up: what became of its mail is what the tests look at.
  server.on("error", () => {});
  await new Promise<void>((resolve) => server.listen(ownPort, "127.0.0.1", () => resolve()));
  const { port } = server.server.address() as AddressInfo;
  return {
    port,
    url: `smtp://127.0.0.1:${port}`,
    received,
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

/** Without encryption; takes a whole mail, and answers once `done` is called. */
export function answering(onMail: (done: () => void) => void): SMTPServerOptions {
  return {
    disabledCommands: ["STARTTLS"],
    onData: (stream, _session, done) => void stream.on("end", () => onMail(done)).resume(),
  };
}
