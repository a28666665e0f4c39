import {
  concat,
  decodeAbiParameters,
  decodeFunctionData,
  encodeFunctionResult,
  type Hex,
  keccak256,
  parseAbi,
  parseAbiParameters,
} from "viem";
import holdings from "../../assets/contracts/artifacts/Holdings.json";
import traceFinder from "../../assets/contracts/artifacts/TraceFinder.json";
import { multicall3Address } from "../../src/chain/node/multicall.ts";
import { topicPadding, transferTopic } from "../../src/chain/transfer/transfer-log.ts";
import * as DepositAddress from "../../src/domain/wallet/deposit-address.ts";
import type { Placed, View } from "./chain.ts";
import { callToken, chainId, Refused, usdc, usedTopic, word } from "./token.ts";

const token = usdc.toLowerCase();

const hex = (value: number | bigint): Hex => `0x${value.toString(16)}`;
const addressTopic = (address: string) => topicPadding + address.slice(2);

const traceParameters = parseAbiParameters([
  "address token, address factory, uint256 count, Group[] groups",
  "struct Group { bytes32[] codeHashes; bytes32[] salts; }",
]);
const multicallAbi = parseAbi([
  "struct Call { address target; bytes callData; }",
  "struct Result { bool success; bytes returnData; }",
  "function tryAggregate(bool requireSuccess, Call[] calls) view returns (Result[] results)",
]);

/** How far below the newest block `safe` and `finalized` are. */
const tagDepth: Readonly<Record<string, number>> = { latest: 0, safe: 600, finalized: 6_000 };

/** What a node leaves out of the logs that it tells. */
export type Forgets = (placed: Placed) => boolean;

/** What a node that sees the chain so answers to a call. Throws a Refused. */
export function answerOf(
  view: View,
  method: string,
  params: readonly unknown[],
  forgets: Forgets = () => false,
): unknown {
  const [first, second] = params;
  switch (method) {
    case "eth_chainId":
      return hex(chainId);
    case "eth_getBlockByNumber": {
      const number = numberOf(view, first);
      return number > view.head ? null : blockOf(view, number);
    }
    case "eth_getBlockByHash": {
      // Nobody asks for old ones.
      for (let number = view.head; number > view.head - 20_000; number--)
        if (view.hashOf(number) === first) return blockOf(view, number);
      return null;
    }
    case "eth_getLogs":
      return logsOf(view, first as Filter, forgets);
    case "eth_getTransactionReceipt": {
      const placed = view.find(String(first));
      return placed && receiptOf(view, placed);
    }
    case "eth_getBlockReceipts":
      return view.inBlock(numberOf(view, first)).map((placed) => receiptOf(view, placed));
    case "eth_call":
      return call(view, first as Call, numberOf(view, second));
    case "eth_getCode": {
      const address = String(first).toLowerCase();
      const hasCode = address === DepositAddress.factory.toLowerCase() || view.hasCode(address, view.head);
      return hasCode ? "0x6001" : "0x";
    }
    case "eth_getTransactionCount":
      return hex(view.nonceAt(numberOf(view, second)));
    case "eth_getBalance":
      return hex(10n ** 18n);
    case "eth_maxPriorityFeePerGas":
      return hex(1_000_000);
    default:
      throw new Refused(-32601, `the method ${method} does not exist`);
  }
}

function numberOf(view: View, tag: unknown): number {
  const depth = tagDepth[String(tag)];
  return depth === undefined ? Number(tag) : view.head - depth;
}

function blockOf(view: View, number: number) {
  const ms = view.timeOf(number);
  return {
    number: hex(number),
    hash: view.hashOf(number),
    parentHash: view.hashOf(number - 1),
    timestamp: hex(Math.floor(ms / 1_000)),
    timestampMs: hex(ms),
    // What is signed again is another transaction then.
    baseFeePerGas: hex(5_000_000 + (number % 97) * 10_000),
    transactions: view.inBlock(number).map(({ hash }) => hash),
  };
}

/** The logs of a transaction, as a node tells them. */
export function logsIn(view: View, { hash, block, logIndex, payments, uses }: Placed) {
  const transfers = payments.map(({ from, to, amount }) => ({
    topics: [transferTopic, addressTopic(from), addressTopic(to)],
    data: `0x${word(amount)}`,
  }));
  const used = uses ? [{ topics: [usedTopic, addressTopic(uses.from), uses.nonce], data: "0x" }] : [];
  return [...used, ...transfers].map((log, at) => ({
    address: token,
    ...log,
    blockNumber: hex(block),
    blockHash: view.hashOf(block),
    transactionHash: hash,
    logIndex: hex(logIndex + at),
    removed: false,
  }));
}

function receiptOf(view: View, placed: Placed) {
  return {
    transactionHash: placed.hash,
    blockNumber: hex(placed.block),
    blockHash: view.hashOf(placed.block),
    status: placed.isReverted ? "0x0" : "0x1",
    gasUsed: hex(45_000),
    effectiveGasPrice: hex(5_000_000),
    logs: logsIn(view, placed),
  };
}

type Filter = {
  address: string;
  fromBlock?: string;
  toBlock?: string;
  blockHash?: string;
  topics: (string | string[] | null)[];
};

export function rangeOf(view: View, { fromBlock, toBlock, blockHash }: Filter): { from: number; to: number } {
  if (blockHash !== undefined) {
    for (let number = view.head; number > view.head - 20_000; number--)
      if (view.hashOf(number) === blockHash) return { from: number, to: number };
    throw new Refused(-32_000, "unknown block");
  }
  return { from: numberOf(view, fromBlock), to: numberOf(view, toBlock) };
}

function logsOf(view: View, filter: Filter, forgets: Forgets) {
  if (filter.address.toLowerCase() !== token) return [];
  const { from, to } = rangeOf(view, filter);
  if (from > view.head) throw new Refused(-32_000, "the block is not there");
  const wanted = filter.topics.map((topic) => (topic === null ? null : new Set([topic].flat())));
  const isOfUse = wanted[0]?.has(usedTopic) ?? false;
  const parties = [...((isOfUse ? null : wanted[2]) ?? wanted[1] ?? [])];
  const placed = new Set(parties.flatMap((topic) => view.of(`0x${topic.slice(-40)}`, from, to)));
  return [...placed]
    .filter((one) => !forgets(one))
    .sort((a, b) => a.block - b.block || a.logIndex - b.logIndex)
    .flatMap((one) => logsIn(view, one))
    .filter(({ topics }) => wanted.every((set, at) => set === null || set.has(topics[at] ?? "")));
}

type Call = { to?: string; data: Hex; from?: string };

function call(view: View, { to, data, from = "" }: Call, block: number): Hex {
  if (to === undefined) return construct(view, data, block);
  const target = to.toLowerCase();
  if (target === multicall3Address.toLowerCase()) {
    const { args } = decodeFunctionData({ abi: multicallAbi, data });
    const results = args[1].map(({ target: of, callData }) => ({
      success: true,
      returnData: call(view, { to: of, data: callData }, block),
    }));
    return encodeFunctionResult({ abi: multicallAbi, functionName: "tryAggregate", result: results });
  }
  return target === token ? callToken(view, { data, from }, block) : "0x";
}

/** Set in what `Holdings` tells of an address that has code. */
const codeBit = 1n << 63n;

/** The contracts that are never deployed: a call runs their constructor. */
function construct(view: View, data: Hex, block: number): Hex {
  if (data.startsWith(holdings.bytecode)) {
    // The token, and where the holders begin.
    const given = data.slice(holdings.bytecode.length).toLowerCase();
    const count = Number(`0x${given.slice(128, 192)}`) / 20;
    const told = [
      block.toString(16).padStart(16, "0"),
      Math.floor(view.timeOf(block) / 1_000)
        .toString(16)
        .padStart(16, "0"),
      view.hashOf(block - 1).slice(2),
    ];
    for (let at = 0; at < count; at++) {
      const holder = `0x${given.slice(192 + 40 * at, 232 + 40 * at)}`;
      const held = view.balanceOf(holder, block) | (view.hasCode(holder, block) ? codeBit : 0n);
      told.push(held === 0n ? "0000000000000000" : held.toString(16).padStart(16, "0"));
    }
    return `0x${told.join("")}`;
  }
  if (data.startsWith(traceFinder.bytecode)) {
    const given: Hex = `0x${data.slice(traceFinder.bytecode.length)}`;
    const [, factory, , groups] = decodeAbiParameters(traceParameters, given);
    const told = groups.flatMap(({ codeHashes, salts }) =>
      salts.flatMap((salt) =>
        codeHashes.map((codeHash) => {
          const address = `0x${keccak256(concat(["0xff", factory, salt, codeHash])).slice(26)}`;
          return view.balanceOf(address, block) === 0n ? "00" : "01";
        }),
      ),
    );
    return `0x${told.join("")}`;
  }
  throw new Error("Till ran a contract that the simulated node does not know");
}
