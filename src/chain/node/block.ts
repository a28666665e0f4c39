import type { BlockRef, ConfirmationTag } from "../../domain/payment/block.ts";
import { type Hex, isWord, quantityHex } from "../../lib/crypto.ts";
import { type Rpc, RpcError } from "./rpc.ts";

/** Clocks may differ by this much; beyond that, webhook times and dates become confusing. */
export const clockDifferenceMsMax = 30_000;

/** A node that keeps up has a newest block no older than this. */
export const blockAgeMsMax = 120_000;

type BlockTag = number | "latest" | ConfirmationTag;

/**
 * A block's place, its timestamp (Unix time in seconds, as the chain has it) and the same in milliseconds: more exact where
 * the node tells it, as several blocks can share a second.
 */
export type Block = BlockRef & { timestampSec: number; timeMs: number };

/**
 * Reads a block's header. Returns null when the node does not have it. Throws a BadAnswer when the answer is not
 * a block, or is another block than the one asked for.
 */
export async function readBlock(rpc: Rpc, tag: BlockTag): Promise<Block | null> {
  const answer = await rpc.request("eth_getBlockByNumber", [blockParam(tag), false]);
  return answer === null ? null : blockOf(rpc, tag, answer);
}

/** Reads a block's header with the hashes of its transactions, in their order; otherwise as `readBlock` does. */
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

/** What Base's nodes tell besides, as a quantity. One that is of another second is not believed. */
function timeMsOf(answer: object, timestampSec: number): number {
  const told = "timestampMs" in answer ? Number(answer.timestampMs) : Number.NaN;
  return Math.floor(told / 1_000) === timestampSec ? Math.floor(told) : timestampSec * 1_000;
}

export function blockParam(tag: BlockTag): string {
  return typeof tag === "number" ? quantityHex(tag) : tag;
}

/** Reads a block's header as `readBlock` does. Throws a BadAnswer also when the node does not have it. */
export async function mustReadBlock(rpc: Rpc, tag: BlockTag): Promise<Block> {
  const block = await readBlock(rpc, tag);
  if (!block) throw new BadAnswer(rpc.host, typeof tag === "number" ? `no block ${tag}` : `no ${tag} block`);
  return block;
}

/** There can be a transfer in every block: a node would take that many calls at once for an attack. */
const headersAtOnceMax = 16;

/** Blocks as a node has them now, by their numbers; null for one that it does not have. */
export type Headers = ReadonlyMap<number, Block | null>;

/**
 * The headers that the blocks of these numbers have now. Of blocks up to `oldUpTo`, which it may have forgotten, a node may
 * also refuse to tell.
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

/** Those of these blocks that the chain has replaced. A node may have forgotten old blocks: that says nothing. */
export async function listReplaced(rpc: Rpc, blocks: readonly BlockRef[]): Promise<BlockRef[]> {
  const headers = await readHeaders(rpc, blocks);
  return blocks.filter(({ number, hash }) => (headers.get(number)?.hash ?? hash) !== hash);
}

/** Reads the headers of blocks by their numbers. Throws a ChainMoved unless the node has just these blocks. */
export async function mustBeOnChain(rpc: Rpc, ...blocks: readonly BlockRef[]): Promise<Headers> {
  const headers = await readHeaders(rpc, blocks);
  const moved = blocks.find((block) => headers.get(block.number)?.hash !== block.hash);
  if (moved) throw new ChainMoved(moved.number);
  return headers;
}

/** The chain changed while it was being read. The next look sees it as it is then. */
export class ChainMoved extends Error {
  override readonly name = "ChainMoved";
  constructor(blockNumber: number) {
    super(`Block ${blockNumber} was replaced while it was being read`);
  }
}

/** The chain id and the hash of block 0: together they tell one chain from another. */
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

/** A value as an error names it. It may be of any size: nothing looks at more of it. */
export function shown(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value.slice(0, shownCharsMax));
  if (typeof value !== "object" || value === null) return String(value);
  return Array.isArray(value) ? "a list" : "an object";
}

/** A node's answer that cannot be right. Nothing is done with it. */
export class BadAnswer extends Error {
  override readonly name = "BadAnswer";
  constructor(host: string, got: string) {
    super(`The node at ${host} gave an answer that cannot be right: ${got.slice(0, 300)}`);
  }
}

/** The chain's clock and this machine's may differ by this much. */
const clockSkewMsMax = 3_600_000;

/**
 * The highest block up to `head` that was surely made before a time of this machine (Unix ms), whatever the clocks
 * say; block 0 when there is none. Throws a BadAnswer.
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
