import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/**
 * What happens to a request on its way: it is lost before Till has it; its answer is lost whole, or from the middle on, once
 * Till has done it; the answer comes late; or something in between answers itself.
 */
export type Mishap =
  | "lost"
  | "answer lost"
  | "answer cut"
  | { lateMs: number }
  | { status: number; headers?: Record<string, string>; body?: string };

export type FlakyServer = {
  readonly url: string;
  /** Every request that came, in its order. */
  readonly asked: { call: string; key: string | undefined }[];
  /** What happens to the next requests; those after them arrive, as do their answers. */
  happens(...mishaps: Mishap[]): void;
  stop(): Promise<void>;
};

/** A server between a client and Till that has accidents. */
export async function startFlakyServer(till: { localUrl: string }): Promise<FlakyServer> {
  const asked: FlakyServer["asked"] = [];
  let mishaps: Mishap[] = [];

  async function pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Uint8Array[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { method = "", url = "", headers } = request;
    const key = headers["idempotency-key"];
    asked.push({ call: `${method} ${url}`, key: key === undefined ? undefined : String(key) });
    const mishap = mishaps.shift();
    if (mishap === "lost") return void request.socket.destroy();
    if (typeof mishap === "object" && "status" in mishap)
      return void response.writeHead(mishap.status, mishap.headers).end(mishap.body);
    const { host: _, connection: __, ...rest } = headers as Record<string, string>;
    const body = chunks.length === 0 ? null : Buffer.concat(chunks);
    const answer = await fetch(till.localUrl + url, { method, headers: rest, body, redirect: "manual" });
    const bytes = await answer.bytes();
    if (mishap === "answer lost") return void request.socket.destroy();
    if (typeof mishap === "object") await Bun.sleep(mishap.lateMs);
    const type = answer.headers.get("content-type") ?? "";
    response.writeHead(answer.status, { "content-type": type, "content-length": bytes.length });
    if (mishap !== "answer cut") return void response.end(bytes);
    response.write(bytes.subarray(0, bytes.length / 2), () => request.socket.destroy());
  }

  const server = createServer((request, response) => {
    // A client that gave up has no socket left.
    pass(request, response).catch(() => request.socket.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    happens(...next) {
      asked.length = 0;
      mishaps = next;
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
