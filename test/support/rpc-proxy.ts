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
      });
      return new Response(await answer.text(), { headers: { "content-type": "application/json" } });
    },
  });
  Object.assign(proxy, { url: `http://127.0.0.1:${server.port}` });
  return proxy;
}

export type TcpProxy = {
  readonly port: number;
  /** Ends every connection and takes no new one until `restore`. */
  cut(): void;
  restore(): void;
  /** Keeps connections open and carries nothing, neither way, until it thaws; what came meanwhile is lost. */
  freeze(): void;
  thaw(): void;
  stop(): void;
};

/** A TCP connection that can be cut, for WebSockets. */
export function startTcpProxy(targetPort: number): TcpProxy {
  type Pair = { other: import("bun").Socket<Pair> | null; waiting: Uint8Array[] };
  const open = new Set<import("bun").Socket<Pair>>();
  let down = false;
  let frozen = false;
  const listener = Bun.listen<Pair>({
    hostname: "127.0.0.1",
    port: 0,
    socket: {
      open(client) {
        client.data = { other: null, waiting: [] };
        if (down) return void client.terminate();
        open.add(client);
        void Bun.connect<Pair>({
          hostname: "127.0.0.1",
          port: targetPort,
          data: { other: client, waiting: [] },
          socket: {
            open(server) {
              client.data.other = server;
              for (const chunk of client.data.waiting.splice(0)) server.write(chunk);
            },
            data(_, chunk) {
              if (!frozen) client.write(chunk);
            },
            close: () => void client.end(),
          },
        });
      },
      data(client, chunk) {
        if (frozen) return;
        if (client.data.other) client.data.other.write(chunk);
        else client.data.waiting.push(new Uint8Array(chunk));
      },
      close(client) {
        open.delete(client);
        client.data.other?.end();
      },
    },
  });
  return {
    port: listener.port,
    cut() {
      down = true;
      for (const client of open) client.terminate();
    },
    restore() {
      down = false;
    },
    freeze() {
      frozen = true;
    },
    thaw() {
      frozen = false;
      // A stream with a hole in it is no use to anybody.
      for (const client of open) client.terminate();
    },
    stop: () => listener.stop(true),
  };
}
