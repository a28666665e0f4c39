import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A request is lost before Till has it, or its answer is, whole or in part; it is late; or something in between answers. */
export type Mishap =
  | "lost"
  | "answer lost"
  | "answer cut"
  | { lateMs: number }
  | { status: number; headers?: Record<string, string>; body?: string };

/** A server between a client and Till that has accidents. */
export async function startFlakyServer(till: { localUrl: string }) {
  /** The requests since `happens`, each with its Idempotency-Key. */
  const asked: { call: string; key: unknown }[] = [];
  let mishaps: Mishap[] = [];

  async function pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const bytes = Buffer.concat(await Array.fromAsync(request));
    const { method = "", url = "" } = request;
    const { host: _, connection: __, ...headers } = request.headers as Record<string, string>;
    asked.push({ call: `${method} ${url}`, key: headers["idempotency-key"] });
    const mishap = mishaps.shift();
    if (mishap === "lost") throw new Error(mishap);
    if (typeof mishap === "object" && "status" in mishap)
      return void response.writeHead(mishap.status, mishap.headers).end(mishap.body);
    const answer = await fetch(till.localUrl + url, {
      method,
      headers,
      body: bytes.length > 0 ? bytes : null,
    });
    const body = await answer.bytes();
    if (mishap === "answer lost") throw new Error(mishap);
    if (typeof mishap === "object") await Bun.sleep(mishap.lateMs);
    const type = answer.headers.get("content-type") ?? "";
    response.writeHead(answer.status, { "content-type": type, "content-length": body.length });
    if (mishap !== "answer cut") return void response.end(body);
    response.write(body.subarray(0, body.length / 2), () => request.socket.destroy());
  }

  const server = createServer((request, response) => {
    pass(request, response).catch(() => request.socket.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked: asked as readonly { call: string; key: unknown }[],
    /** Names what happens to the next requests; those after them arrive, as do their answers. */
    happens(...next: Mishap[]): void {
      asked.length = 0;
      mishaps = next;
    },
    async stop(): Promise<void> {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export type FlakyServer = Awaited<ReturnType<typeof startFlakyServer>>;
