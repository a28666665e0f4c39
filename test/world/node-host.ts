import type { Random } from "../support/random.ts";
import type { Chain, Placed } from "./chain.ts";
import type { Host, HostSocket } from "./net.ts";
import { answerOf, logsIn, rangeOf } from "./node.ts";
import type { Life, Time } from "./time.ts";
import { Refused, sentIn } from "./token.ts";

/** What is wrong with a node, as long as it lasts. */
export type NodeFault =
  | { kind: "lags"; ms: number }
  | { kind: "silent" }
  | { kind: "errors"; status: number }
  | { kind: "busy" }
  | { kind: "forgets logs"; part: number }
  | { kind: "narrow"; blocks: number }
  | { kind: "deaf" };

type Subscription = { id: string; topics: Set<string>; socket: HostSocket };

export type NodeHost = ReturnType<typeof createNodeHost>;

/** A node of the chain on the network, with what may be wrong with it. */
export function createNodeHost({
  name,
  chain,
  time,
  life,
  random,
}: {
  name: string;
  chain: Chain;
  time: Time;
  life: Life;
  random: Random;
}) {
  let fault: NodeFault | null = null;
  let subscriptions: Subscription[] = [];
  let lastId = 0;
  const sockets = new Set<HostSocket>();
  /** Of the transactions that it leaves out, for as long as it does. */
  const forgotten = new Map<string, boolean>();
  const asked: { at: number; method: string }[] = [];

  const viewNow = () => chain.view(time.now() - (fault?.kind === "lags" ? fault.ms : 0), name);

  function forgets({ hash }: Placed): boolean {
    if (fault?.kind !== "forgets logs") return false;
    const known = forgotten.get(hash) ?? random.chance(fault.part);
    forgotten.set(hash, known);
    return known;
  }

  function reply(method: string, params: readonly unknown[]): unknown {
    const view = viewNow();
    if (method === "eth_sendRawTransaction") {
      const sent = sentIn(params[0] as `0x${string}`);
      // Nodes forget what they were given.
      const refusal = random.chance(0.05) ? null : chain.take(sent);
      if (refusal !== null) throw new Refused(-32_000, refusal);
      return sent.hash;
    }
    if (method === "eth_getLogs" && fault?.kind === "narrow") {
      const { from, to } = rangeOf(view, params[0] as Parameters<typeof rangeOf>[1]);
      if (to - from >= fault.blocks)
        throw new Refused(-32_005, `query exceeds the max block range of ${fault.blocks}`);
    }
    return answerOf(view, method, params, forgets);
  }

  function respond(text: string): string {
    const { id, method, params } = JSON.parse(text);
    asked.push({ at: time.now(), method });
    try {
      return JSON.stringify({ jsonrpc: "2.0", id, result: reply(method, params) });
    } catch (thrown) {
      if (!(thrown instanceof Refused)) throw thrown;
      return JSON.stringify({ jsonrpc: "2.0", id, error: { code: thrown.code, message: thrown.message } });
    }
  }

  chain.onPlaced((placed) => {
    if (placed.liar !== null && placed.liar !== name) return;
    const lagMs = fault?.kind === "lags" ? fault.ms : 0;
    time.after(1 + lagMs, () => tell(placed), life);
  });

  function tell(placed: Placed): void {
    if (fault?.kind === "deaf" || fault?.kind === "silent") return;
    const view = viewNow();
    for (const log of logsIn(view, placed))
      for (const { id, topics, socket } of subscriptions)
        if (topics.has(log.topics[2] ?? ""))
          socket.send(
            JSON.stringify({ method: "eth_subscription", params: { subscription: id, result: log } }),
          );
  }

  function onText(socket: HostSocket, text: string): void {
    if (fault?.kind === "silent") return;
    const { id, method, params } = JSON.parse(text);
    if (method === "eth_subscribe") {
      lastId += 1;
      const subscription = `0x${lastId.toString(16)}`;
      const topics = new Set<string>([params[1].topics[2]].flat());
      subscriptions.push({ id: subscription, topics, socket });
      socket.send(JSON.stringify({ jsonrpc: "2.0", id, result: subscription }));
    } else if (method === "eth_unsubscribe") {
      subscriptions = subscriptions.filter((one) => one.id !== params[0]);
      socket.send(JSON.stringify({ jsonrpc: "2.0", id, result: true }));
    } else socket.send(respond(text));
  }

  const host: Host = {
    answer({ body }) {
      const afterMs = random.between(1, 30);
      switch (fault?.kind) {
        case "silent":
          // It may have done as it was told all the same.
          if (body.includes("eth_sendRawTransaction") && random.chance(0.5)) respond(body);
          return null;
        case "errors":
          return { afterMs, status: fault.status, text: "no" };
        case "busy":
          if (random.chance(0.7)) return { afterMs, status: 429, text: "" };
      }
      return { afterMs, status: 200, text: respond(body) };
    },
    accept(socket) {
      if (fault?.kind === "silent" || fault?.kind === "errors") return false;
      for (const one of sockets) if (!one.isOpen) sockets.delete(one);
      sockets.add(socket);
      socket.onText = (text) => onText(socket, text);
      subscriptions = subscriptions.filter((one) => one.socket.isOpen);
      return true;
    },
  };

  return {
    name,
    host,
    asked,
    isSound: () => fault === null,
    suffer(next: NodeFault | null): void {
      fault = next;
      forgotten.clear();
    },
    /** Ends its connections, as a restart does. */
    hangUp(): void {
      for (const socket of sockets) socket.close();
      sockets.clear();
      subscriptions = [];
    },
  };
}
