import { createServer as createHttpServer, type RequestListener } from "node:http";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";

/** Receivers on 127.0.0.1 that behave in ways a real one does not, and count who connects. */
export type Receiver = {
  port: number;
  url: string;
  connections: () => number;
  open: () => number;
  stop(): void;
};

/** Speaks raw TCP: `onConnection` may answer, hang or break off at any stage. */
export function tcpReceiver(onConnection: (socket: Socket) => void): Promise<Receiver> {
  return listen(
    createServer((socket) => {
      onConnection(socket);
      // A socket that nobody reads never hears that the other side has closed it.
      socket.resume();
    }),
  );
}

/** Answers the first bytes that arrive with `answer`, and then leaves the connection open. */
export function answering(answer: string): Promise<Receiver> {
  return tcpReceiver((socket) => socket.once("data", () => socket.write(answer)));
}

export function httpReceiver(onRequest: RequestListener): Promise<Receiver> {
  return listen(createHttpServer(onRequest));
}

export async function listen(server: Server, scheme = "http", host = "127.0.0.1"): Promise<Receiver> {
  const sockets = new Set<Socket>();
  let connections = 0;
  server.on("connection", (socket: Socket) => {
    connections += 1;
    sockets.add(socket);
    // The sender breaks off on purpose; what matters is only that the socket is gone.
    socket.on("error", () => socket.destroy());
    socket.on("close", () => sockets.delete(socket));
  });
  await new Promise<void>((ready, failed) => {
    server.once("error", failed);
    server.listen(0, host, ready);
  });
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `${scheme}://127.0.0.1:${port}/hook`,
    connections: () => connections,
    open: () => sockets.size,
    stop() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
