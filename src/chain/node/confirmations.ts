import type { Confirmations, ConfirmationTag } from "../../domain/payment/block.ts";
import { type Block, mustReadBlock, readBlock } from "./block.ts";
import { type Rpc, RpcError } from "./rpc.ts";

/** Nodes that keep no archive forget the state of older blocks; this far back each of them remembers. */
const stateDepthBlocksMax = 64;

/** The codes with which nodes say that they do not know a block or a tag: EIP-1474, geth, the execution API. */
const unknownBlockCodes: readonly (number | null)[] = [-32602, -32601, -32001, -32000, -39001];

/** The number of the block up to which things count when `head` is the newest. Throws as `readTagged` does. */
export async function countsUpTo(rpc: Rpc, confirmations: Confirmations, head: number): Promise<number> {
  if (typeof confirmations === "number") return head - confirmations + 1;
  return (await readTagged(rpc, confirmations)).number;
}

/**
 * Up to which block things count, and from which block state can be asked for: the same, unless the first is so
 * old that nodes have forgotten its state. Throws as `readTagged` does.
 */
export async function readConfirmed(
  rpc: Rpc,
  confirmations: Confirmations,
): Promise<{ confirmedUpTo: number; stateBlock: number }> {
  const head = await mustReadBlock(rpc, "latest");
  const confirmedUpTo = await countsUpTo(rpc, confirmations, head.number);
  return { confirmedUpTo, stateBlock: Math.max(0, confirmedUpTo, head.number - stateDepthBlocksMax) };
}

/** The block that a node takes for safe or finalized. Throws a TagMissing when it does not keep that tag. */
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

/** The node does not know the tag that TILL_CONFIRMATIONS names: nothing would ever be confirmed. */
export class TagMissing extends Error {
  override readonly name = "TagMissing";
  constructor(host: string, tag: ConfirmationTag, options?: ErrorOptions) {
    super(
      `The node at ${host} has no ${tag} block, which TILL_CONFIRMATIONS=${tag} needs. ` +
        "Set TILL_CONFIRMATIONS to a number of blocks, or TILL_RPC_URL to a node that keeps it",
      options,
    );
  }
}
