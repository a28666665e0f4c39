import { type AddressInfo, createServer, type Socket } from "node:net";

/** Where in a session the server departs from what a client hopes for. `content`: after the final dot. */
export type Stage = "greeting" | "EHLO" | "STARTTLS" | "AUTH" | "MAIL" | "RCPT" | "DATA" | "content" | "QUIT";

/** `close`: ends the connection. `hang`: says nothing more. Anything else is the answer, as it stands. */
export type Reaction = "close" | "reset" | "hang" | { say: string; thenClose?: boolean };

export type ScriptedServer = {
  port: number;
  /** All commands of all connections, in order. */
  commands: string[];
  /** Contents that arrived whole, up to the final dot. */
  contents: string[];
  openSockets(): number;
  stop(): Promise<void>;
};

/** A mail server made of a TCP socket, which fails at the stages that `script` names and works at all others. */
export async function startScriptedServer(
  script: Partial<Record<Stage, Reaction>>,
  extensions: string[] = ["AUTH PLAIN LOGIN"],
): Promise<ScriptedServer> {
  const commands: string[] = [];
  const contents: string[] = [];
  const sockets = new Set<Socket>();

  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    socket.on("error", () => socket.destroy());
    let silent = false;
    let inContent = false;
    let buffered = "";

    const answer = (stage: Stage, usual: string) => {
      const reaction = script[stage];
      if (reaction === "hang") silent = true;
      else if (reaction === "close") socket.end();
      else if (reaction === "reset") socket.resetAndDestroy();
      else if (reaction?.thenClose) socket.end(reaction.say);
      else socket.write(reaction?.say ?? usual);
      return reaction === undefined;
    };
    const obey = (line: string) => {
      const verb = line.split(/[ :]/)[0]?.toUpperCase() ?? "";
      commands.push(line);
      const hello = ["250-scripted", ...extensions.map((name) => `250-${name}`), "250 HELP"].join("\r\n");
      if (verb === "EHLO") answer("EHLO", `${hello}\r\n`);
      // What follows is TLS, in which two bytes can look like the end of a line.
      else if (verb === "STARTTLS") silent = !answer("STARTTLS", "502 5.5.1 no STARTTLS here\r\n");
      else if (verb === "AUTH") answer("AUTH", "235 2.7.0 welcome\r\n");
      else if (verb === "MAIL") answer("MAIL", "250 2.1.0 ok\r\n");
      else if (verb === "RCPT") answer("RCPT", "250 2.1.5 ok\r\n");
      else if (verb === "DATA") {
        const refused = ["MAIL", "RCPT"].some((stage) => typeof script[stage as Stage] === "object");
        if (refused) socket.write("503 5.5.1 no recipient\r\n");
        else inContent = answer("DATA", "354 go on\r\n");
      } else if (verb === "QUIT") answer("QUIT", "221 bye\r\n");
      else socket.write("500 5.5.2 what?\r\n");
    };

    answer("greeting", "220 scripted ESMTP\r\n");
    socket.on("data", (chunk) => {
      buffered += chunk.toString("latin1");
      while (!silent) {
        const end = buffered.indexOf(inContent ? "\r\n.\r\n" : "\r\n");
        if (end < 0) return;
        const part = buffered.slice(0, end);
        buffered = buffered.slice(end + (inContent ? 5 : 2));
        if (!inContent) obey(part);
        else {
          inContent = false;
          contents.push(part);
          answer("content", "250 2.0.0 queued as 4711\r\n");
        }
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    commands,
    contents,
    openSockets: () => sockets.size,
    stop() {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
