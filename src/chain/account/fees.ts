import { encodeFunctionData, formatGwei, parseAbi } from "viem";
import * as Ether from "../../domain/ether.ts";
import { BadAnswer } from "../node/block.ts";
import type { Rpc } from "../node/rpc.ts";
import { wei } from "./account.ts";

/** What a transaction offers for each unit of gas, in wei (EIP-1559). */
export type Fees = { max: bigint; tip: bigint };

/** What the network asks for; `baseFee` is what each unit of gas in the next block costs at least. */
export type NetworkFees = { fees: Fees; baseFee: bigint };

const gwei = 10n ** 9n;

/** The most that is ever paid, in wei. */
export type FeeLimits = {
  /** For each unit of gas, also by all replacements of a transaction. */
  gas: bigint;
  /** The part of it that goes to whoever makes the block; never more than all of it, which nodes refuse. */
  tip: bigint;
  /** For each transaction beside its gas: storing it on Ethereum. */
  data: bigint;
};

/**
 * The limits with at most `gas` wei for a unit of gas, unless told some hundred times what Base usually costs. With
 * more, a node that lies about the fees, or a day of madness, would empty the gas account.
 */
export function feeLimits(gas = 20n * gwei): FeeLimits {
  return { gas, tip: least(5n * gwei, gas), data: 10n ** 15n };
}

/** The same with no more than `gas` wei for a unit of gas; null: as they are. */
export function lowered(limits: FeeLimits, gas: bigint | null): FeeLimits {
  if (gas === null || gas >= limits.gas) return limits;
  return { ...limits, gas, tip: least(limits.tip, gas) };
}

/** The most that a transaction costs, however often it is replaced, in wei. */
export function costMax(limits: FeeLimits, gasLimit: bigint, hasDataFee: boolean): bigint {
  return gasLimit * limits.gas + (hasDataFee ? limits.data : 0n);
}

/** Why a transaction has to wait for lower fees, as a sentence; null when it need not. `payer`: whose limits they are. */
export function feeObstacle(
  limits: FeeLimits,
  { baseFee, dataFee }: { baseFee: bigint; dataFee: bigint },
  payer = "Till pays",
): string | null {
  const wait = "Transactions wait until that falls.";
  if (baseFee > limits.gas)
    return `The network asks more for each unit of gas than the ${formatGwei(limits.gas)} gwei that ${payer} at most. ${wait}`;
  if (dataFee > limits.data)
    return `Storing a transaction on Ethereum costs more than the ${Ether.format(limits.data)} ETH that Till pays at most. ${wait}`;
  return null;
}

/** Every pool takes a replacement that offers this much more; the strictest ask for an eighth. */
const raisePercent = 125n;

/** The base fee can rise by an eighth with every block: the double of it lasts for at least five. */
const baseFeeFactor = 2n;

/** What the OP Stack asks about the fee for storing a transaction on Ethereum. */
const gasPriceOracle = "0x420000000000000000000000000000000000000F";
const oracleAbi = parseAbi(["function getL1FeeUpperBound(uint256 unsignedTxSize) view returns (uint256)"]);

/** What the network asks for just now; the fees are within the limits. */
export async function readFees(rpc: Rpc, limits: FeeLimits): Promise<NetworkFees> {
  const [block, asked] = await Promise.all([
    rpc.request("eth_getBlockByNumber", ["latest", false]),
    rpc.request("eth_maxPriorityFeePerGas", []),
  ]);
  if (typeof block !== "object" || block === null || !("baseFeePerGas" in block)) {
    throw new BadAnswer(rpc.host, "a block without a base fee");
  }
  const baseFee = wei(rpc, block.baseFeePerGas);
  const tip = least(wei(rpc, asked), limits.tip);
  const max = least(baseFeeFactor * baseFee + tip, limits.gas);
  return { fees: { max: max > 0n ? max : 1n, tip }, baseFee };
}

/**
 * Fees that replace a transaction which offered `previous`: enough more for every pool, and no less than the network
 * asks for now. Null when that is more than the limits allow.
 */
export function raise(previous: Fees, market: Fees, limits: FeeLimits): Fees | null {
  const more = (fee: bigint) => (fee * raisePercent) / 100n + 1n;
  const tip = most(more(previous.tip), market.tip);
  const max = most(more(previous.max), market.max);
  return max > limits.gas || tip > limits.tip ? null : { max, tip };
}

/** What Base charges beside gas to put so many bytes on Ethereum, in wei; zero on other chains. */
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
