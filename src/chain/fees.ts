import { encodeFunctionData, parseAbi } from "viem";
import { wei } from "./account.ts";
import { BadAnswer } from "./block.ts";
import type { Rpc } from "./rpc.ts";

/** What a transaction offers for each unit of gas, in wei (EIP-1559). */
export type Fees = { max: bigint; tip: bigint };

const gwei = 10n ** 9n;

/**
 * The most that is ever offered: some hundred times what Base usually costs. With more a node that lies about the
 * fees, or a day of madness, would empty the gas account.
 */
export const feeMaxCap = 20n * gwei;
export const feeTipCap = 5n * gwei;

/** Every pool takes a replacement that offers this much more; the strictest ask for an eighth. */
const raisePercent = 125n;

/** The base fee can rise by an eighth with every block: the double of it lasts for at least five. */
const baseFeeFactor = 2n;

/** What the OP Stack asks about the fee for storing a transaction on Ethereum. */
const gasPriceOracle = "0x420000000000000000000000000000000000000F";
const oracleAbi = parseAbi(["function getL1FeeUpperBound(uint256 unsignedTxSize) view returns (uint256)"]);

/** What the network asks for just now, at most the caps. */
export async function readFees(rpc: Rpc): Promise<Fees> {
  const [block, asked] = await Promise.all([
    rpc.request("eth_getBlockByNumber", ["latest", false]),
    rpc.request("eth_maxPriorityFeePerGas", []),
  ]);
  if (typeof block !== "object" || block === null || !("baseFeePerGas" in block)) {
    throw new BadAnswer(rpc.host, "a block without a base fee");
  }
  const tip = least(wei(rpc, asked), feeTipCap);
  const max = least(baseFeeFactor * wei(rpc, block.baseFeePerGas) + tip, feeMaxCap);
  return { max: max > 0n ? max : 1n, tip };
}

/**
 * Fees that replace a transaction which offered `previous`: enough more for every pool, and no less than the network
 * asks for now. Null when that is more than the caps allow.
 */
export function raise(previous: Fees, asked: Fees): Fees | null {
  const more = (fee: bigint) => (fee * raisePercent) / 100n + 1n;
  const tip = most(more(previous.tip), asked.tip);
  const max = most(more(previous.max), asked.max);
  return max > feeMaxCap || tip > feeTipCap ? null : { max, tip };
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
