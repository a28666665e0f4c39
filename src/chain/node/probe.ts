import type * as Address from "../../domain/wallet/address.ts";
import type { ChainIdentity } from "../../domain/wallet/network.ts";
import { world } from "../../lib/world.ts";
import { nobody, readLogs, transferTopic } from "../transfer/transfer-log.ts";
import { readIdentity } from "./block.ts";
import { type Rpc, RpcError } from "./rpc.ts";
import { keepSocket } from "./socket.ts";

const probeTimeoutMs = 10_000;

/**
 * Finds by halving how many blocks up to `head`, at most `wanted`, the node accepts in one eth_getLogs, and how it
 * refused more. Throws an RpcError if it does not even accept one, and an RpcUnreachable.
 */
export async function logRangeTaken(
  rpc: Rpc,
  { usdc, head, wanted }: { usdc: Address.Address; head: number; wanted: number },
): Promise<{ blocks: number; refusal: string | null }> {
  let refusal: string | null = null;
  for (let blocks = Math.min(wanted, head + 1); ; blocks = Math.floor(blocks / 2)) {
    try {
      const range = { from: head - blocks + 1, to: head };
      await readLogs(rpc, usdc, range, [transferTopic, null, [nobody]]);
      return { blocks, refusal };
    } catch (thrown) {
      if (!(thrown instanceof RpcError) || blocks === 1) throw thrown;
      refusal ??= thrown.message;
    }
  }
}

/** Reads the clock of the node's web server in Unix milliseconds, to the second; null if it sends none. */
export async function httpDate(url: string): Promise<number | null> {
  const response = await world.fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "eth_chainId", params: [] }),
    redirect: "error",
    signal: world.timeout(probeTimeoutMs),
  });
  await response.arrayBuffer();
  const date = Date.parse(response.headers.get("date") ?? "");
  return Number.isNaN(date) ? null : date;
}

/** Subscribes to logs over WebSocket once and hangs up. Returns the chain id. Throws the reason for a failure. */
export async function probeSocket(url: string, usdc: Address.Address): Promise<number> {
  const stop = new AbortController();
  const result = Promise.withResolvers<number>();
  const timer = world.setTimeout(
    () => result.reject(new Error(`no subscription within ${probeTimeoutMs} ms`)),
    probeTimeoutMs,
  );
  const connection = keepSocket({
    url,
    signal: stop.signal,
    onOpen: async (socket) => {
      const chainId = Number(await socket.call("eth_chainId", []));
      const filter = { address: usdc, topics: [transferTopic, null, [nobody]] };
      await socket.call("eth_subscribe", ["logs", filter]);
      result.resolve(chainId);
    },
    onNotification: () => {},
    onDown: (reason) => result.reject(new Error(reason)),
  });
  try {
    return await result.promise;
  } finally {
    world.clearTimeout(timer);
    stop.abort();
    await connection;
  }
}

/** Stores the identity of the chain that the data belongs to. */
type IdentityRecord = { read(): ChainIdentity | null; write(identity: ChainIdentity): void };

/** The configured chain, and the data directory. */
type ExpectedChain = { network: { chainId: number; label: string }; dataDir: string };

/**
 * Checks that a node is on the configured chain and on the data's chain, which the first node to be asked decides for
 * good. Throws a WrongChain, or when the node fails or answers nonsense.
 */
export async function checkIdentity(
  rpc: Rpc,
  { network, dataDir }: ExpectedChain,
  record: IdentityRecord,
): Promise<void> {
  const identity = await readIdentity(rpc);
  if (identity.chainId !== network.chainId) {
    throw new WrongChain(
      `${rpc.host} is a node of chain ${identity.chainId}; ${network.label} is chain ${network.chainId}`,
    );
  }
  const recorded = record.read();
  if (!recorded) return record.write(identity);
  if (recorded.chainId !== identity.chainId || recorded.genesisHash !== identity.genesisHash) {
    throw new WrongChain(
      `${rpc.host} is another chain than the one that ${dataDir} was made with: ` +
        `its first block is ${identity.genesisHash}, not ${recorded.genesisHash}`,
    );
  }
}

/** The node and the data belong to different chains, so the node's answers do not concern them. */
export class WrongChain extends Error {
  override readonly name = "WrongChain";
}
