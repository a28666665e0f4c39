import { createHmac } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export type Received = { headers: Record<string, string>; raw: Buffer; atMs: number };

export type Receiver = {
  readonly url: string;
  readonly received: readonly Received[];
  /** What the next requests are answered with; the last one goes on for ever. */
  answerWith(...statuses: number[]): void;
  stop(): Promise<void>;
};

/** A merchant's webhook endpoint: a real HTTP server that keeps the raw bytes of what it is sent. */
export async function startReceiver(): Promise<Receiver> {
  const received: Received[] = [];
  let statuses = [200];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const headers = Object.fromEntries(
        Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
      );
      received.push({ headers, raw: Buffer.concat(chunks), atMs: Date.now() });
      const status = statuses.length > 1 ? (statuses.shift() ?? 200) : (statuses[0] ?? 200);
      response.writeHead(status).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received,
    answerWith(...next) {
      statuses = next;
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** What a receiver computes: HMAC-SHA256 over the raw bytes, keyed with the secret as returned. */
export function expectedSignature(secret: string, raw: Buffer): string {
  return `sha256=${createHmac("sha256", secret).update(raw).digest("hex")}`;
}
