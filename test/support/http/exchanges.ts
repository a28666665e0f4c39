import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type * as Source from "../../../src/domain/bill/rate/source.ts";

/** What an exchange does when it is asked for its ticker of USDC. */
export type Behaviour =
  | { bid: string; ask: string; at?: number; after?: Promise<unknown> }
  | { body: string; status?: number }
  | "redirects"
  | "hangs"
  | "trickles"
  | "floods"
  | "hangs up";

export type Exchanges = {
  /** For TILL_RATES: all three, each at a path of its own. */
  readonly setting: string;
  /** The paths that were asked for. */
  readonly asked: readonly string[];
  /** From now on; `all` stands for each. */
  set(name: Source.SourceName | "all", behaviour: Behaviour): void;
  stop(): Promise<void>;
};

/** The answers of the exchanges, in the form that each documents. */
const answers: Record<Source.SourceName, (bid: string, ask: string, at: number) => unknown> = {
  kraken: (bid, ask) => ({
    error: [],
    result: {
      USDCEUR: {
        a: [ask, "41923", "41923.000"],
        b: [bid, "18311", "18311.000"],
        c: [bid, "120.51000000"],
        v: ["1840221.06", "6122730.11"],
        p: [bid, bid],
        t: [1873, 5560],
        l: [bid, bid],
        h: [ask, ask],
        o: bid,
      },
    },
  }),
  coinbase: (bid, ask, at) => ({
    ask,
    bid,
    volume: "2381023.71",
    trade_id: 21403315,
    price: ask,
    size: "57.3",
    time: new Date(at).toISOString().replace("Z", "123Z"),
    rfq_volume: "0.00",
  }),
  bitstamp: (bid, ask, at) => ({
    timestamp: String(Math.floor(at / 1000)),
    open: bid,
    high: ask,
    low: bid,
    last: bid,
    volume: "310877.20",
    vwap: bid,
    bid,
    ask,
    side: "0",
    open_24: bid,
    percent_change_24: "0.05",
    market_type: "SPOT",
  }),
};

const names = Object.keys(answers) as Source.SourceName[];

/** Three exchanges on one real HTTP server that does what it is told; at first all of them agree. */
export async function startExchanges(now: () => number = Date.now): Promise<Exchanges> {
  const behaviours = new Map<Source.SourceName, Behaviour>();
  const asked: string[] = [];
  const set = (name: Source.SourceName | "all", behaviour: Behaviour) => {
    for (const each of name === "all" ? names : [name]) behaviours.set(each, behaviour);
  };
  set("all", { bid: "0.8606", ask: "0.8608" });

  const server = createServer((request, response) => {
    const [, port = ""] = (request.headers.host ?? "").split(":");
    const [, name, ...rest] = (request.url ?? "").split("/");
    asked.push(`${name}/${rest.join("/")}`);
    const source = names.find((each) => each === name);
    const behaviour = source && behaviours.get(source);
    if (!source || !behaviour) return void response.writeHead(404).end();
    behave(response, behaviour, source, port);
  });

  function behave(response: ServerResponse, behaviour: Behaviour, name: Source.SourceName, port: string) {
    if (behaviour === "hangs") return;
    if (behaviour === "hangs up") return void response.destroy();
    if (behaviour === "redirects")
      return void response.writeHead(302, { location: `http://127.0.0.1:${port}/kraken/` }).end();
    if (behaviour === "trickles") {
      const timer = setInterval(() => response.write(" "), 50);
      return void response.on("close", () => clearInterval(timer));
    }
    if (behaviour === "floods") {
      response.writeHead(200);
      const more = () => {
        while (!response.destroyed && response.write(" ".repeat(65_536)));
        if (!response.destroyed) response.once("drain", more);
      };
      return more();
    }
    if ("body" in behaviour) return void response.writeHead(behaviour.status ?? 200).end(behaviour.body);
    const { bid, ask, at = now(), after } = behaviour;
    const answer = () =>
      response
        .writeHead(200, { "content-type": "application/json" })
        .end(JSON.stringify(answers[name](bid, ask, at)));
    if (after === undefined) answer();
    else void after.then(answer);
  }

  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    setting: names.map((name) => `${name}=http://127.0.0.1:${port}/${name}`).join(","),
    asked,
    set,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
