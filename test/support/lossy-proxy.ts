import type { Socket } from "bun";

export type LossyProxy = {
  readonly url: string;
  /** How many writes came so far. */
  writes(): number;
  /** The next writes reach Till, but their answers are lost: the connection breaks. */
  loseAnswers(count: number): void;
  /** From now on the answers to writes do not come, and the connection stays open. */
  holdAnswers(): void;
  stop(): void;
};

type Link = { upstream: Promise<Socket>; isWrite: boolean };

/** Stands between a client and a Till as a network that fails in the worst moment: after the work was done. */
export function startLossyProxy(target: string): LossyProxy {
  const { hostname, port } = new URL(target);
  let writes = 0;
  let toLose = 0;
  let isHolding = false;
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
              if (client.data.isWrite && isHolding) return;
              if (client.data.isWrite && toLose > 0) {
                toLose -= 1;
                client.terminate();
              } else client.write(bytes);
            },
            close: () => void client.end(),
          },
        });
        client.data = { upstream, isWrite: false };
      },
      async data(client, bytes) {
        const isWrite = bytes.toString().startsWith("POST ");
        client.data.isWrite = isWrite;
        if (isWrite) writes += 1;
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
    loseAnswers(count) {
      toLose = count;
    },
    holdAnswers() {
      isHolding = true;
    },
    stop: () => server.stop(true),
  };
}
