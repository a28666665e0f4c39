import type { Confirmations, ConfirmationTag } from "../../domain/payment/block.ts";
import { type Block, mustReadBlock, readBlock } from "./block.ts";
import { type PacedBlock, paceOf } from "./pace.ts";
import { type Rpc, RpcError } from "./rpc.ts";

/** Nodes without an archive keep the state of the newest 128 blocks: every node still has it this many blocks back. */
const stateDepthBlocksMax = 64;

/** Maximum attempts to find the newest block that is old enough; one is enough once the pace is known. */
const triesMax = 6;

/** Error codes for an unknown block or tag: EIP-1474, geth, the execution API. */
const unknownBlockCodes: readonly (number | null)[] = [-32602, -32601, -32001, -32000, -39001];

/**
 * Returns the number of the block up to which transfers count when `head` is the newest; below 0 for none. Throws like
 * `readTagged`.
 */
export async function countsUpTo(rpc: Rpc, confirmations: Confirmations, head: PacedBlock): Promise<number> {
  if (typeof confirmations === "number") return head.number - confirmations + 1;
  if (typeof confirmations === "object") return await readOldEnough(rpc, confirmations.ms, head);
  return (await readTagged(rpc, confirmations)).number;
}

/**
 * Finds a block of at least this age when `head` is the newest, by the pace of the chain and the times of both blocks;
 * -1 if there is none.
 */
async function readOldEnough(rpc: Rpc, ms: number, head: PacedBlock): Promise<number> {
  const pace = paceOf(rpc);
  // Whole seconds, as a node may not tell more.
  const enoughMs = ms - (ms % 1_000);
  let depth = pace.blocks(ms);
  let found = -1;
  for (let tries = 0; tries < triesMax; tries++) {
    const block = await mustReadBlock(rpc, Math.max(0, head.number - depth));
    const ageMs = head.timeMs - block.timeMs;
    pace.note(block, head);
    const isOld = ageMs >= enoughMs;
    if (isOld) found = Math.max(found, block.number);
    if (isOld ? ageMs <= 2 * ms : block.number === 0) break;
    // Assumes the pace from there to the head, which the next block confirms or not.
    const next = Math.ceil((depth * ms) / Math.max(ageMs, 1));
    depth = isOld ? Math.min(depth - 1, next) : Math.max(depth + 1, Math.min(next, depth * 4));
    if (depth < 1) break;
  }
  return found;
}

/**
 * Reads up to which block transfers count, and from which block state can be read: the same, unless it is so old that
 * nodes have forgotten its state. Throws like `readTagged`.
 */
export async function readConfirmed(
  rpc: Rpc,
  confirmations: Confirmations,
): Promise<{ confirmedUpTo: number; stateBlock: number }> {
  const head = await mustReadBlock(rpc, "latest");
  const confirmedUpTo = await countsUpTo(rpc, confirmations, head);
  return { confirmedUpTo, stateBlock: Math.max(0, confirmedUpTo, head.number - stateDepthBlocksMax) };
}

/** Reads the block that a node considers safe or finalized. Throws a TagMissing if it does not support that tag. */
export async function readTagged(rpc: Rpc, tag: ConfirmationTag): Promise<Block> {
  try {
    const block = await readBlock(rpc, tag);
    if (block) return block;
  } catch (thrown) {
    if (!(thrown instanceof RpcError && unknownBlockCodes.includes(thrown.code))) throw thrown;
    throw new TagMissing(rpc.host, tag, { cause: thrown });
  }
  throw new TagMissing(rpc.host, tag);
}

/** The node does not know the tag in TILL_CONFIRMATIONS, so nothing would ever be confirmed. */
export class TagMissing extends Error {
  override readonly name = "TagMissing";
  constructor(host: string, tag: ConfirmationTag, options?: ErrorOptions) {
    super(
      `The node at ${host} has no ${tag} block, which TILL_CONFIRMATIONS=${tag} needs. ` +
        "Set TILL_CONFIRMATIONS to a time, such as 10s, or TILL_RPC_URL to a node that keeps it",
      options,
    );
  }
}
