import type { BlockRef, ConfirmationTag } from "../../domain/payment/block.ts";
import { type Hex, isWord, quantityHex } from "../../lib/crypto.ts";
import { type Rpc, RpcError } from "./rpc.ts";

/** Maximum clock difference; beyond that, times and dates of webhooks become confusing. */
export const clockDifferenceMsMax = 30_000;

/** Maximum age of the newest block of a node that keeps up. */
export const blockAgeMsMax = 120_000;

type BlockTag = number | "latest" | ConfirmationTag;

/**
 * A block with its timestamp (Unix time in seconds, as on the chain) and the same in milliseconds: more precise if the
 * node provides it, as several blocks can share a second.
 */
export type Block = BlockRef & { timestampSec: number; timeMs: number };

/**
 * Reads a block's header. Returns null if the node does not have it. Throws a BadAnswer if the answer is not a block,
 * or not the requested one.
 */
export async function readBlock(rpc: Rpc, tag: BlockTag): Promise<Block | null> {
  const answer = await rpc.request("eth_getBlockByNumber", [blockParam(tag), false]);
  return answer === null ? null : blockOf(rpc, tag, answer);
}

/** Reads a block's header with the hashes of its transactions, in order; otherwise like `readBlock`. */
export async function readBlockWithTransactions(
  rpc: Rpc,
  number: number,
): Promise<(Block & { transactions: string[] }) | null> {
  const answer = await rpc.request("eth_getBlockByNumber", [quantityHex(number), false]);
  if (answer === null) return null;
  const block = blockOf(rpc, number, answer);
  const { transactions } = answer as { transactions?: unknown };
  if (!Array.isArray(transactions)) throw new BadAnswer(rpc.host, "a block without its transactions");
  return { ...block, transactions: transactions.map((hash) => hash32(rpc, hash)) };
}

function blockOf(rpc: Rpc, tag: BlockTag, answer: unknown): Block {
  if (
    typeof answer !== "object" ||
    answer === null ||
    !("number" in answer) ||
    !("hash" in answer) ||
    !("timestamp" in answer)
  ) {
    throw new BadAnswer(rpc.host, "a block without a number, a hash or a timestamp");
  }
  const timestampSec = quantity(rpc, answer.timestamp);
  const block = {
    number: quantity(rpc, answer.number),
    hash: hash32(rpc, answer.hash),
    timestampSec,
    timeMs: timeMsOf(answer, timestampSec),
  };
  if (typeof tag === "number" && block.number !== tag) {
    throw new BadAnswer(rpc.host, `block ${block.number} when asked for block ${tag}`);
  }
  return block;
}

/** The milliseconds that Base's nodes add as a quantity; ignored if they are in another second. */
function timeMsOf(answer: object, timestampSec: number): number {
  const stated = "timestampMs" in answer ? Number(answer.timestampMs) : Number.NaN;
  return Math.floor(stated / 1_000) === timestampSec ? Math.floor(stated) : timestampSec * 1_000;
}

export function blockParam(tag: BlockTag): string {
  return typeof tag === "number" ? quantityHex(tag) : tag;
}

/** Like `readBlock`, but also throws a BadAnswer if the node does not have the block. */
export async function mustReadBlock(rpc: Rpc, tag: BlockTag): Promise<Block> {
  const block = await readBlock(rpc, tag);
  if (!block) throw new BadAnswer(rpc.host, typeof tag === "number" ? `no block ${tag}` : `no ${tag} block`);
  return block;
}

/** Every block may contain a transfer: a node would take that many parallel calls for an attack. */
const headersAtOnceMax = 16;

/** Blocks as a node has them now, by number; null for blocks it does not have. */
export type Headers = ReadonlyMap<number, Block | null>;

/**
 * Reads the current headers at these block numbers. For blocks up to `oldUpTo`, which the node may have forgotten, it
 * may also refuse.
 */
export async function readHeaders(
  rpc: Rpc,
  blocks: readonly BlockRef[],
  oldUpTo = Number.NEGATIVE_INFINITY,
): Promise<Headers> {
  const headers = new Map<number, Block | null>();
  const queue = [...new Set(blocks.map((block) => block.number))].values();
  async function read(number: number): Promise<Block | null> {
    try {
      return await readBlock(rpc, number);
    } catch (thrown) {
      if (thrown instanceof RpcError && number <= oldUpTo) return null;
      throw thrown;
    }
  }
  async function readInTurn() {
    for (const number of queue) headers.set(number, await read(number));
  }
  await Promise.all(Array.from({ length: headersAtOnceMax }, readInTurn));
  return headers;
}

/**
 * Returns those of these blocks that the chain has replaced. Old blocks that the node may have forgotten are not
 * counted.
 */
export async function listReplaced(rpc: Rpc, blocks: readonly BlockRef[]): Promise<BlockRef[]> {
  const headers = await readHeaders(rpc, blocks);
  return blocks.filter(({ number, hash }) => (headers.get(number)?.hash ?? hash) !== hash);
}

/** Reads the headers of blocks by number. Throws a ChainMoved unless the node has exactly these blocks. */
export async function mustBeOnChain(rpc: Rpc, ...blocks: readonly BlockRef[]): Promise<Headers> {
  const headers = await readHeaders(rpc, blocks);
  const moved = blocks.find((block) => headers.get(block.number)?.hash !== block.hash);
  if (moved) throw new ChainMoved(moved.number);
  return headers;
}

/** The chain changed while it was being read. The next look sees the new state. */
export class ChainMoved extends Error {
  override readonly name = "ChainMoved";
  constructor(blockNumber: number) {
    super(`Block ${blockNumber} was replaced while it was being read`);
  }
}

/** Reads the chain id and the hash of block 0, which together identify a chain. */
export async function readIdentity(rpc: Rpc): Promise<{ chainId: number; genesisHash: string }> {
  const [chainId, genesis] = await Promise.all([rpc.request("eth_chainId", []), mustReadBlock(rpc, 0)]);
  return { chainId: quantity(rpc, chainId), genesisHash: genesis.hash };
}

const shownCharsMax = 100;

/** Reads a JSON-RPC quantity (`0x1f`) that fits a JavaScript integer. */
export function quantity(rpc: Rpc, value: unknown): number {
  const number = typeof value === "string" && /^0x[0-9a-f]{1,14}$/i.test(value) ? Number(value) : Number.NaN;
  if (!Number.isSafeInteger(number)) throw new BadAnswer(rpc.host, `${shown(value)} where a number belongs`);
  return number;
}

/** Reads 32 bytes of hex, in lower case. */
export function hash32(rpc: Rpc, value: unknown): Hex {
  if (!isWord(value)) {
    throw new BadAnswer(rpc.host, `${shown(value)} where a hash belongs`);
  }
  return value.toLowerCase() as Hex;
}

/** Shortens a value for an error message. It may be of any size, so the rest of it is not looked at. */
export function shown(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value.slice(0, shownCharsMax));
  if (typeof value !== "object" || value === null) return String(value);
  return Array.isArray(value) ? "a list" : "an object";
}

/** An answer of a node that cannot be right. It is not used. */
export class BadAnswer extends Error {
  override readonly name = "BadAnswer";
  constructor(host: string, got: string) {
    super(`The node at ${host} gave an answer that cannot be right: ${got.slice(0, 300)}`);
  }
}

/** Maximum difference between the chain's clock and this machine's. */
const clockSkewMsMax = 3_600_000;

/**
 * Finds the highest block up to `head` that was certainly made before a time of this machine (Unix ms), whatever the
 * clocks say; block 0 if there is none. Throws a BadAnswer.
 */
export async function blockSurelyBefore(rpc: Rpc, timeMs: number, head: number): Promise<number> {
  const timeSec = Math.floor((timeMs - clockSkewMsMax) / 1000);
  let low = 0;
  let high = head;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((await mustReadBlock(rpc, middle)).timestampSec <= timeSec) low = middle;
    else high = middle - 1;
  }
  return low;
}
