import type { Socket } from "bun";

export type LossyProxy = {
  readonly url: string;
  /** How many writes came so far. */
  writes(): number;
  /** The next writes reach Till, but their answers are lost: the connection breaks. */
  loseAnswers(count: number): void;
  /** The next writes reach Till, but the proxy answers with a page of its own, as nginx does when Till is gone then. */
  replaceAnswers(count: number): void;
  /** The next writes reach Till, but their answers do not come, while the connection stays open. */
  holdAnswers(count: number): void;
  stop(): void;
};

type Link = { upstream: Promise<Socket>; isWrite: boolean; isHeld: boolean };

const badGateway =
  "HTTP/1.1 502 Bad Gateway\r\ncontent-type: text/html\r\ncontent-length: 12\r\n\r\n<h1>502</h1>";

/** Stands between a client and a Till as a network that fails in the worst moment: after the work was done. */
export function startLossyProxy(target: string): LossyProxy {
  const { hostname, port } = new URL(target);
  let writes = 0;
  let toLose = 0;
  let toReplace = 0;
  let toHold = 0;
  const server = Bun.listen<Link>({
    hostname: "127.0.0.1",
    port: 0,
    socket: {
      open(client) {
        const upstream = Bun.connect({
          hostname,
          port: Number(port),
          socket: {
            data(_, bytes) {
              if (client.data.isHeld) return;
              if (client.data.isWrite && toLose > 0) {
                toLose -= 1;
                client.terminate();
              } else if (client.data.isWrite && toReplace > 0) {
                toReplace -= 1;
                client.end(badGateway);
              } else client.write(bytes);
            },
            close: () => void client.end(),
          },
        });
        client.data = { upstream, isWrite: false, isHeld: false };
      },
      async data(client, bytes) {
        const isWrite = bytes.toString().startsWith("POST ");
        client.data.isWrite = isWrite;
        if (isWrite) writes += 1;
        if (isWrite && toHold > 0) {
          toHold -= 1;
          client.data.isHeld = true;
        }
        (await client.data.upstream).write(bytes);
      },
      async close(client) {
        (await client.data.upstream).end();
      },
    },
  });
  return {
    url: `http://127.0.0.1:${server.port}`,
    writes: () => writes,
    replaceAnswers(count) {
      toReplace = count;
    },
    loseAnswers(count) {
      toLose = count;
    },
    holdAnswers(count) {
      toHold = count;
    },
    stop: () => server.stop(true),
  };
}
