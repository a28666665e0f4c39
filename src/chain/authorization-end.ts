import { parseAbi, toEventSelector } from "viem";
import type { Address } from "../domain/address.ts";
import { type Hex, quantityHex } from "../lib/hex.ts";
import { BadAnswer, hash32, quantity } from "./block.ts";
import { type Rpc, RpcError, RpcUnreachable } from "./rpc.ts";
import type { Authorization } from "./token.ts";
import { type Receipt, readReceipt } from "./transaction.ts";
import { addressOf, topicOf, transferTopic } from "./transfer-log.ts";

const [usedEvent, cancelledEvent] = parseAbi([
  "event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce)",
  "event AuthorizationCanceled(address indexed authorizer, bytes32 indexed nonce)",
]);
const used = toEventSelector(usedEvent);
const cancelled = toEventSelector(cancelledEvent);

/** As many blocks as most nodes take in one eth_getLogs; others get half of it until they do. */
const rangeMax = 2_000;

/** What became of an authorisation's nonce: the payment that it was used for, whoever sent it, or its end without one. */
export type AuthorizationEnd =
  | { kind: "used"; txHash: Hex; to: Address; amount: bigint }
  | { kind: "cancelled"; txHash: Hex };

type Nonce = Pick<Authorization, "token" | "from" | "nonce">;

/**
 * Finds how a nonce was used up in the blocks `from` to `to`: first among transactions that may have done it, then in
 * the token's events (EIP-3009). Null when the node shows neither. Throws what the node's answers make it throw.
 */
export async function readAuthorizationEnd(
  rpc: Rpc,
  nonce: Nonce,
  blocks: { from: number; to: number },
  suspects: readonly Hex[],
): Promise<AuthorizationEnd | null> {
  for (const hash of suspects) {
    const receipt = await readReceipt(rpc, hash);
    const end = receipt && receipt.blockNumber <= blocks.to ? endIn(rpc, receipt, nonce) : null;
    if (end) return end;
  }
  const hash = await findEvent(rpc, nonce, blocks);
  const receipt = hash && (await readReceipt(rpc, hash));
  return receipt ? endIn(rpc, receipt, nonce) : null;
}

async function findEvent(
  rpc: Rpc,
  { token, from: authorizer, nonce }: Nonce,
  { from: first, to: last }: { from: number; to: number },
): Promise<string | null> {
  let range = rangeMax;
  for (let from = first; from <= last; ) {
    const to = Math.min(last, from + range - 1);
    const blocks = { fromBlock: quantityHex(from), toBlock: quantityHex(to) };
    const topics = [[used, cancelled], topicOf(authorizer), nonce];
    try {
      const logs = await rpc.request("eth_getLogs", [{ address: token, ...blocks, topics }]);
      if (!Array.isArray(logs)) throw new BadAnswer(rpc.host, "logs that are not a list");
      for (const log of logs) {
        const { transactionHash, blockNumber } = Object(log);
        const block = quantity(rpc, blockNumber);
        if (block < from || block > to) throw new BadAnswer(rpc.host, `a log of block ${block}`);
        return hash32(rpc, transactionHash);
      }
      from = to + 1;
    } catch (thrown) {
      const tooMuch = thrown instanceof RpcError || (thrown instanceof RpcUnreachable && thrown.tooMuch);
      if (!tooMuch || to === from) throw thrown;
      range = Math.max(1, Math.floor((to - from + 1) / 2));
    }
  }
  return null;
}

/** What a transaction did to a nonce; null when it did nothing to it. */
function endIn(rpc: Rpc, { txHash, logs }: Receipt, { token, from, nonce }: Nonce): AuthorizationEnd | null {
  const own = logs
    .filter(({ address }) => address.toLowerCase() === token.toLowerCase())
    .map(({ topics, data }) => ({ topics: topics.map((topic) => topic.toLowerCase()), data }));
  const isOf = (event: string, { topics }: { topics: readonly string[] }) =>
    topics[0] === event && topics[1] === topicOf(from) && topics[2] === nonce.toLowerCase();
  if (own.some((log) => isOf(cancelled, log))) return { kind: "cancelled", txHash };
  const at = own.findIndex((log) => isOf(used, log));
  if (at === -1) return null;
  // The transfer is made by the same call: its log is the next.
  const transfer = own[at + 1];
  const [event, payer, to = ""] = transfer?.topics ?? [];
  if (
    !transfer ||
    event !== transferTopic ||
    payer !== topicOf(from) ||
    !/^0x[0-9a-f]{64}$/i.test(transfer.data)
  )
    throw new BadAnswer(rpc.host, "a used authorisation without its transfer");
  return { kind: "used", txHash, to: addressOf(to), amount: BigInt(transfer.data) };
}
