/** What stands between Till and its node in tests: it counts, delays, changes and cuts. */

export type RpcCall = { method: string; params: unknown[] };

type Answer = Response | { result: unknown } | { error: unknown } | undefined;

export type RpcProxy = {
  readonly url: string;
  /** Every call since the last reset. */
  readonly calls: readonly RpcCall[];
  reset(): void;
  /** Answers calls in place of the node where it returns something: a result, or an HTTP response. */
  answer: ((call: RpcCall) => Answer | Promise<Answer>) | null;
  stop(): Promise<void>;
};

export function startRpcProxy(target: string): RpcProxy {
  const calls: RpcCall[] = [];
  const proxy: RpcProxy = {
    url: "",
    calls,
    reset: () => calls.splice(0),
    answer: null,
    stop: () => server.stop(true),
  };
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      const body = (await request.json()) as RpcCall & { id: number };
      const call = { method: body.method, params: body.params };
      calls.push(call);
      const own = await proxy.answer?.(call);
      if (own instanceof Response) return own;
      if (own) return Response.json({ jsonrpc: "2.0", id: body.id, ...own });
      const answer = await fetch(target, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
      }).catch(() => null);
      // The node behind it is gone, as at the end of a test.
      if (answer === null) return new Response("bad gateway", { status: 502 });
      return new Response(await answer.text(), { headers: { "content-type": "application/json" } });
    },
  });
  Object.assign(proxy, { url: `http://127.0.0.1:${server.port}` });
  return proxy;
}

/** Waits until nothing was asked for so long, as what asks again and again never lets it be. */
export async function silence(proxy: RpcProxy, ms: number): Promise<void> {
  for (let round = 0; round < 10; round++) {
    proxy.reset();
    await Bun.sleep(ms);
    if (proxy.calls.length === 0) return;
  }
  throw new Error(`asked on and on: ${Bun.inspect(proxy.calls.map(({ method }) => method))}`);
}

export type TcpProxy = {
  readonly port: number;
  /** Ends every connection at once, without a goodbye, and takes no new one until `restore`. */
  cut(): void;
  restore(): void;
  /** Keeps connections open and carries nothing, neither way, until it thaws; what came meanwhile is lost. */
  freeze(): void;
  thaw(): void;
  /** Forgets the connections that are open now, as a router that was started anew: they carry nothing ever after. */
  strand(): void;
  /** Carries half of the next chunk that the server sends and ends that connection. */
  tear(): void;
  /** Carries every chunk so many milliseconds late. */
  delay(ms: number): void;
  stop(): void;
};

/** One end of a connection, and what it could not take yet. */
type End = { socket: import("bun").Socket<unknown> | null; queue: Uint8Array[] };

/** A TCP connection that can be cut, torn, delayed and left half open. `onChunk` sees what the server sends. */
export function startTcpProxy(targetPort: number, onChunk?: (chunk: Buffer) => void): TcpProxy {
  type Pair = { client: End; server: End; stranded: boolean };
  const open = new Set<import("bun").Socket<Pair>>();
  let down = false;
  let frozen = false;
  let tearing = false;
  let delayMs = 0;

  function flush(end: End): void {
    for (let chunk = end.queue[0]; chunk && end.socket; chunk = end.queue[0]) {
      const written = Math.max(0, end.socket.write(chunk));
      if (written < chunk.length) {
        end.queue[0] = chunk.subarray(written);
        return;
      }
      end.queue.shift();
    }
  }
  function carry(end: End, chunk: Uint8Array): void {
    const copy = new Uint8Array(chunk);
    const put = () => {
      end.queue.push(copy);
      flush(end);
    };
    // Timers of one length fire in order; one that is still under way when the delay changes ends in a torn stream.
    if (delayMs > 0) setTimeout(put, delayMs);
    else put();
  }

  const listener = Bun.listen<Pair>({
    hostname: "127.0.0.1",
    port: 0,
    socket: {
      open(client) {
        const pair: Pair = {
          client: { socket: client, queue: [] },
          server: { socket: null, queue: [] },
          stranded: false,
        };
        client.data = pair;
        if (down) return void client.terminate();
        open.add(client);
        Bun.connect<Pair>({
          hostname: "127.0.0.1",
          port: targetPort,
          data: pair,
          socket: {
            open(server) {
              pair.server.socket = server;
              flush(pair.server);
            },
            data(_, chunk) {
              if (frozen || pair.stranded) return;
              onChunk?.(chunk);
              if (!tearing) return carry(pair.client, chunk);
              tearing = false;
              client.write(chunk.subarray(0, Math.ceil(chunk.length / 2)));
              client.end();
            },
            drain: () => flush(pair.server),
            close: () => void client.end(),
          },
        }).catch(() => client.terminate());
      },
      data({ data }, chunk) {
        if (!frozen && !data.stranded) carry(data.server, chunk);
      },
      drain: ({ data }) => flush(data.client),
      close(client) {
        open.delete(client);
        client.data.server.socket?.end();
      },
    },
  });
  const endAll = () => {
    for (const client of open) client.terminate();
  };
  return {
    port: listener.port,
    cut() {
      down = true;
      endAll();
    },
    restore() {
      down = false;
    },
    freeze() {
      frozen = true;
    },
    thaw() {
      // A stream with a hole in it is no use to anybody.
      if (frozen) endAll();
      frozen = false;
    },
    strand() {
      for (const client of open) client.data.stranded = true;
    },
    tear() {
      tearing = true;
    },
    delay(ms) {
      if (ms !== delayMs) endAll();
      delayMs = ms;
    },
    stop: () => listener.stop(true),
  };
}
