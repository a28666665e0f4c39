import { holdersIn } from "../support/chain/holdings.ts";
import type { RpcCall } from "../support/chain/rpc-proxy.ts";
import type { LongChain } from "./long-chain.ts";

const blockSec = 0.2;
const hex = (value: number) => `0x${value.toString(16)}`;
/** The number and the time at the beginning of what addresses hold, and the hash after them. */
const [wordDigits, hashDigits] = [16, 64];

type Fields = Record<string, unknown>;

/**
 * A node that tells of a chain as if there were `factor - 1` empty blocks before each of its own, and a block every 200 ms:
 * Anvil takes hours to make a day's blocks of Base. It gives the logs of `range` blocks a call, and its state of the last
 * blocks alone, as Anvil does. Its newest block of today was made `ageSec` ago.
 */
export async function startStretchedNode(
  chain: Pick<LongChain, "rpc">,
  { factor, range, ageSec }: { factor: number; range: number; ageSec: number },
) {
  const headNow = async () => Number(await chain.rpc("eth_blockNumber")) * factor;
  const first = { number: await headNow(), sec: Date.now() / 1_000 - ageSec };
  const timeOf = (number: number) => Math.floor(first.sec + (number - first.number) * blockSec);
  const numberOf = async (tag: unknown) => (String(tag).startsWith("0x") ? Number(tag) : await headNow());
  const calls: string[] = [];

  async function hashOf(number: number): Promise<string> {
    if (number % factor !== 0) return `0x${number.toString(16).padStart(hashDigits, "e")}`;
    const block = await chain.rpc("eth_getBlockByNumber", [hex(number / factor), false]);
    return String((block as Fields)["hash"]);
  }

  async function blockAt(number: number, isFull: unknown): Promise<Fields | null> {
    if (number > (await headNow())) return null;
    const real = await chain.rpc("eth_getBlockByNumber", [hex(Math.floor(number / factor)), isFull]);
    const isOwn = number % factor === 0;
    return {
      ...(real as Fields),
      ...(isOwn ? {} : { transactions: [] }),
      number: hex(number),
      hash: await hashOf(number),
      parentHash: await hashOf(Math.max(0, number - 1)),
      timestamp: hex(timeOf(number)),
    };
  }

  async function logsIn(filter: Fields): Promise<object> {
    const [from, to] = [await numberOf(filter["fromBlock"]), await numberOf(filter["toBlock"])];
    if (to - from >= range) return { error: { code: -32_600, message: `at most ${range} blocks` } };
    const own = { from: Math.ceil(from / factor), to: Math.floor(to / factor) };
    if (own.from > own.to) return { result: [] };
    const asked = { ...filter, fromBlock: hex(own.from), toBlock: hex(own.to) };
    const logs = (await chain.rpc("eth_getLogs", [asked])) as Fields[];
    return { result: logs.map(moved) };
  }

  const moved = (of: Fields) => ({ ...of, blockNumber: hex(Number(of["blockNumber"]) * factor) });

  async function heldAt({ method, params }: RpcCall): Promise<string> {
    const number = await numberOf(params[1]);
    const answer = await chain.rpc(method, [params[0], hex(Math.floor(number / factor))]);
    const word = (value: number) => value.toString(16).padStart(wordDigits, "0");
    const parent = (await hashOf(number - 1)).slice(2);
    return `0x${word(number)}${word(timeOf(number))}${parent}${String(answer).slice(2 + 2 * wordDigits + hashDigits)}`;
  }

  async function answer(call: RpcCall): Promise<object> {
    const { method, params } = call;
    if (method === "eth_blockNumber") return { result: hex(await headNow()) };
    if (method === "eth_getBlockByNumber")
      return { result: await blockAt(await numberOf(params[0]), params[1]) };
    if (method === "eth_getLogs") return await logsIn(params[0] as Fields);
    if (holdersIn(call)) return { result: await heldAt(call) };
    const result = await chain.rpc(method, params);
    return { result: method === "eth_getTransactionReceipt" && result ? moved(result as Fields) : result };
  }

  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      const { id, ...call } = (await request.json()) as RpcCall & { id: number };
      calls.push(call.method);
      const own = await answer(call).catch((thrown: Error) => ({
        error: { code: -32_000, message: thrown.message },
      }));
      return Response.json({ jsonrpc: "2.0", id, ...own });
    },
  });
  return { url: `http://127.0.0.1:${server.port}`, headNow, calls, stop: () => server.stop(true) };
}
