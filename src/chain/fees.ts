import { encodeFunctionData, parseAbi } from "viem";
import * as Ether from "../domain/ether.ts";
import { wei } from "./account.ts";
import { BadAnswer } from "./block.ts";
import type { Rpc } from "./rpc.ts";

/** What a transaction offers for each unit of gas, in wei (EIP-1559). */
export type Fees = { max: bigint; tip: bigint };

/** What the network asks for; `baseFee` is what each unit of gas in the next block costs at least. */
export type Asked = { fees: Fees; baseFee: bigint };

const gwei = 10n ** 9n;

/**
 * The most that is ever paid, in wei: for each unit of gas, some hundred times what Base usually costs, also by all
 * replacements of a transaction; and for each transaction beside that, for storing it on Ethereum. With more a node
 * that lies about the fees, or a day of madness, would empty the gas account. The tip is a part of the fee.
 */
const caps = { fee: 20n * gwei, tip: 5n * gwei, data: 10n ** 15n };

/** The most that a transaction costs, however often it is replaced, in wei. */
export function costMax(gasLimit: bigint, hasDataFee: boolean): bigint {
  return gasLimit * caps.fee + (hasDataFee ? caps.data : 0n);
}

/** Why a transaction has to wait for lower fees, as a sentence; null when it need not. */
export function feeObstacle({ baseFee, dataFee }: { baseFee: bigint; dataFee: bigint }): string | null {
  const wait = "Transactions wait until that falls.";
  if (baseFee > caps.fee)
    return `The network asks more for each unit of gas than the ${caps.fee / gwei} gwei that Till pays at most. ${wait}`;
  if (dataFee > caps.data)
    return `Storing a transaction on Ethereum costs more than the ${Ether.format(caps.data)} ETH that Till pays at most. ${wait}`;
  return null;
}

/** Every pool takes a replacement that offers this much more; the strictest ask for an eighth. */
const raisePercent = 125n;

/** The base fee can rise by an eighth with every block: the double of it lasts for at least five. */
const baseFeeFactor = 2n;

/** What the OP Stack asks about the fee for storing a transaction on Ethereum. */
const gasPriceOracle = "0x420000000000000000000000000000000000000F";
const oracleAbi = parseAbi(["function getL1FeeUpperBound(uint256 unsignedTxSize) view returns (uint256)"]);

/** What the network asks for just now; the fees are at most the caps. */
export async function readFees(rpc: Rpc): Promise<Asked> {
  const [block, asked] = await Promise.all([
    rpc.request("eth_getBlockByNumber", ["latest", false]),
    rpc.request("eth_maxPriorityFeePerGas", []),
  ]);
  if (typeof block !== "object" || block === null || !("baseFeePerGas" in block)) {
    throw new BadAnswer(rpc.host, "a block without a base fee");
  }
  const baseFee = wei(rpc, block.baseFeePerGas);
  const tip = least(wei(rpc, asked), caps.tip);
  const max = least(baseFeeFactor * baseFee + tip, caps.fee);
  return { fees: { max: max > 0n ? max : 1n, tip }, baseFee };
}

/**
 * Fees that replace a transaction which offered `previous`: enough more for every pool, and no less than the network
 * asks for now. Null when that is more than the caps allow.
 */
export function raise(previous: Fees, asked: Fees): Fees | null {
  const more = (fee: bigint) => (fee * raisePercent) / 100n + 1n;
  const tip = most(more(previous.tip), asked.tip);
  const max = most(more(previous.max), asked.max);
  return max > caps.fee || tip > caps.tip ? null : { max, tip };
}

/**
 * What Base charges beside gas for putting a transaction of this many bytes on Ethereum, in wei; zero on a chain
 * that does not.
 */
export async function readDataFee(rpc: Rpc, bytes: number): Promise<bigint> {
  const data = encodeFunctionData({ abi: oracleAbi, args: [BigInt(bytes)] });
  const answer = await rpc.request("eth_call", [{ to: gasPriceOracle, data }, "latest"]);
  return answer === "0x" ? 0n : wei(rpc, answer);
}

function least(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}

function most(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}
