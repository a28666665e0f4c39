import { parseAbi, toEventSelector } from "viem";
import type { Address } from "../../domain/wallet/address.ts";
import { type Hex, isWord } from "../../lib/crypto.ts";
import { readReceipt, type TransactionReceipt } from "../account/transaction.ts";
import { BadAnswer, hash32, quantity } from "../node/block.ts";
import { mayBeTooMuch, type Rpc, RpcError } from "../node/rpc.ts";
import { addressOf, readLogs, topicOf, transferTopic } from "../transfer/transfer-log.ts";
import { type Authorization, isUsed } from "./authorization.ts";

const [usedEvent, cancelledEvent] = parseAbi([
  "event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce)",
  "event AuthorizationCanceled(address indexed authorizer, bytes32 indexed nonce)",
]);
const used = toEventSelector(usedEvent);
const cancelled = toEventSelector(cancelledEvent);

/** As many blocks as most nodes accept in one eth_getLogs; the range is halved for others until they do. */
const rangeMax = 2_000;

/** So many blocks are certainly read in one call, or in a few. */
const fewBlocks = 8;

/**
 * Maximum calls. A nonce is used within its hour of validity, or cancelled later: with few blocks per call this reaches
 * the end of that hour, otherwise days.
 */
const callsMax = 3_000;

/** The end of an authorisation's nonce: the payment it was used for, whoever sent it, or a cancellation. */
type AuthorizationEnd =
  | { kind: "used"; txHash: Hex; to: Address; amount: bigint }
  | { kind: "cancelled"; txHash: Hex };

type Nonce = Pick<Authorization, "token" | "from" | "nonce">;

type Blocks = { from: number; to: number };

/**
 * Finds how a nonce was used in the blocks `from` to `to`: first among suspected transactions, then in the token's
 * events (EIP-3009). Null if the node shows neither in 3,000 calls. Throws when the node fails or answers nonsense.
 */
export async function readAuthorizationEnd(
  rpc: Rpc,
  nonce: Nonce,
  blocks: Blocks,
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

async function findEvent(rpc: Rpc, use: Nonce, blocks: Blocks): Promise<string | null> {
  const { token, from: authorizer, nonce } = use;
  let range = rangeMax;
  let { from, to: last } = blocks;
  for (let calls = 0; from <= last && calls < callsMax; calls++) {
    const to = Math.min(last, from + range - 1);
    const topics = [[used, cancelled], topicOf(authorizer), nonce];
    try {
      const [log] = await readLogs(rpc, token, { from, to }, topics);
      if (log !== undefined) {
        const { transactionHash, blockNumber } = Object(log);
        const block = quantity(rpc, blockNumber);
        if (block < from || block > to) throw new BadAnswer(rpc.host, `a log of block ${block}`);
        return hash32(rpc, transactionHash);
      }
      from = to + 1;
    } catch (thrown) {
      if (!mayBeTooMuch(thrown) || to === from) throw thrown;
      const isFirst = range === rangeMax;
      range = Math.max(1, Math.floor((to - from + 1) / 2));
      if (isFirst) ({ from, to: last } = await narrowed(rpc, use, { from, to: last }));
    }
  }
  return null;
}

/**
 * Narrows blocks down to few that contain the nonce's use, by halving them, as far as the node still has their state: to
 * read all of them from a node that returns few at a time could take thousands of calls.
 */
async function narrowed(rpc: Rpc, nonce: Nonce, blocks: Blocks): Promise<Blocks> {
  let { from, to } = blocks;
  while (to - from >= fewBlocks) {
    const middle = Math.floor((from + to) / 2);
    const isBefore = await isUsed(rpc, nonce, middle).catch((thrown) => {
      if (thrown instanceof RpcError) return null;
      throw thrown;
    });
    if (isBefore === null) break;
    if (isBefore) to = middle;
    else from = middle + 1;
  }
  return { from, to };
}

/** The effect of a transaction on a nonce; null if it had none. */
function endIn(
  rpc: Rpc,
  { txHash, logs }: TransactionReceipt,
  { token, from, nonce }: Nonce,
): AuthorizationEnd | null {
  const own = logs
    .filter(({ address }) => address.toLowerCase() === token.toLowerCase())
    .map(({ topics, data }) => ({ topics: topics.map((topic) => topic.toLowerCase()), data }));
  const isOf = (event: string, { topics }: { topics: readonly string[] }) =>
    topics[0] === event && topics[1] === topicOf(from) && topics[2] === nonce.toLowerCase();
  if (own.some((log) => isOf(cancelled, log))) return { kind: "cancelled", txHash };
  const at = own.findIndex((log) => isOf(used, log));
  if (at === -1) return null;
  // The same call makes the transfer, so its log comes next.
  const transfer = own[at + 1];
  const [event, payer, to = ""] = transfer?.topics ?? [];
  if (!transfer || event !== transferTopic || payer !== topicOf(from) || !isWord(transfer.data))
    throw new BadAnswer(rpc.host, "a used authorisation without its transfer");
  return { kind: "used", txHash, to: addressOf(to), amount: BigInt(transfer.data) };
}
