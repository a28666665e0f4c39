import type { ServerWebSocket } from "bun";
import { topicOf, transferTopic } from "../../../src/chain/transfer/transfer-log.ts";
import type { Address } from "../../../src/domain/wallet/address.ts";
import type { TestChain } from "./chain.ts";

type Connection = { node: WebSocket; early: Set<string>; logs: boolean };

export type FlashblocksNode = ReturnType<typeof startFlashblocksNode>;

/**
 * The WebSocket of a real node, with a subscription to `pendingLogs` beside its own, which tells what a test says. `how`:
 * what it makes of that subscription.
 */
export function startFlashblocksNode(
  chain: TestChain,
  how: "refused" | "mute" | "closing" | "nameless" | null = null,
) {
  const connections = new Set<ServerWebSocket<Connection>>();
  const early = () => [...connections].filter(({ data }) => data.early.size > 0);
  const asked: string[] = [];
  let lastId = 0;

  const server = Bun.serve<Connection>({
    hostname: "127.0.0.1",
    port: 0,
    fetch(request, self) {
      const data = { node: new WebSocket(chain.wsUrl), early: new Set<string>(), logs: false };
      return self.upgrade(request, { data }) ? undefined : new Response("no", { status: 400 });
    },
    websocket: {
      open(socket) {
        connections.add(socket);
        socket.data.node.onmessage = ({ data }) => void socket.send(String(data));
      },
      async message(socket, text) {
        const { id, method, params } = JSON.parse(String(text));
        const { node, early } = socket.data;
        const answer = (answered: object) => socket.send(JSON.stringify({ jsonrpc: "2.0", id, ...answered }));
        if (method === "eth_subscribe" && params[0] === "pendingLogs") {
          asked.push(JSON.stringify(params));
          if (how === "mute") return;
          const error = { code: -32602, message: "unknown subscription" };
          if (how === "refused") return void answer({ error });
          if (how === "nameless") return void answer({ result: null });
          lastId += 1;
          early.add(`0xf1a5${lastId}`);
          answer({ result: `0xf1a5${lastId}` });
          if (how === "closing") setTimeout(() => socket.close(), 1_000);
        } else if (method === "eth_unsubscribe" && early.delete(params[0])) {
          answer({ result: true });
        } else if (how === "nameless" && method === "eth_subscribe") {
          answer({ result: null });
        } else {
          if (params[0] === "logs") socket.data.logs = true;
          if (node.readyState === WebSocket.CONNECTING)
            await new Promise((resolve) => node.addEventListener("open", resolve, { once: true }));
          node.send(text);
        }
      },
      close(socket) {
        connections.delete(socket);
        socket.data.node.close();
      },
    },
  });

  return {
    wsUrl: `ws://127.0.0.1:${server.port}`,
    /** Every subscription to `pendingLogs` that was asked for. */
    asked: asked as readonly string[],
    /** How many connections listen for what no block has yet, and for what one has. */
    early: () => early().length,
    late: () => [...connections].filter(({ data }) => data.logs).length,
    /** Tells everybody who listens, in the order of the list. */
    tell(...results: unknown[]): void {
      for (const socket of early())
        for (const result of results) {
          const [subscription] = socket.data.early;
          const params = { subscription, result };
          socket.send(JSON.stringify({ jsonrpc: "2.0", method: "eth_subscription", params }));
        }
    },
    /** Ends every connection. What it makes of the subscription is another thing from then on. */
    drop(then: typeof how): void {
      how = then;
      for (const socket of connections) socket.close();
    },
    stop: () => server.stop(true),
  };
}

/** A transfer as such a node tells of it: in the block that is being made, which has no hash yet. */
export function pendingLog(
  chain: Pick<TestChain, "usdc">,
  to: Address,
  amount: bigint,
  blockNumber: number,
  transactionHash = `0x${crypto.randomUUID().replaceAll("-", "").padEnd(64, "0")}`,
) {
  return {
    address: chain.usdc.toLowerCase(),
    topics: [transferTopic, topicOf("0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC" as Address), topicOf(to)],
    data: `0x${amount.toString(16).padStart(64, "0")}`,
    blockNumber: `0x${blockNumber.toString(16)}`,
    blockHash: `0x${"0".repeat(64)}`,
    transactionHash,
    logIndex: "0x0",
    removed: false,
  };
}
