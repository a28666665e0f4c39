import { encodeFunctionData, formatGwei, parseAbi } from "viem";
import * as Ether from "../../domain/ether.ts";
import type { OtherChain } from "../../domain/wallet/elsewhere.ts";
import { BadAnswer } from "../node/block.ts";
import type { Rpc } from "../node/rpc.ts";
import { wei } from "./account.ts";

/** The fees a transaction offers per unit of gas, in wei (EIP-1559). */
export type Fees = { max: bigint; tip: bigint };

/** The network's current fees; `baseFee` is the minimum price of a unit of gas in the next block. */
export type NetworkFees = { fees: Fees; baseFee: bigint };

const gwei = 10n ** 9n;

/** Maximum fees, in wei. */
export type FeeLimits = {
  /** Per unit of gas, including all replacements of a transaction. */
  gas: bigint;
  /** The part of it that goes to the block producer; never more than the whole, which nodes refuse. */
  tip: bigint;
  /** Per transaction in addition to its gas, for storing it on Ethereum. */
  data: bigint;
};

/**
 * Returns limits with at most `gas` wei per unit of gas, by default some hundred times Base's usual fee. With higher
 * ones, a node that lies about fees, or an extreme day, would empty the gas account.
 */
export function feeLimits(gas = 20n * gwei, tip = least(5n * gwei, gas)): FeeLimits {
  return { gas, tip, data: 10n ** 15n };
}

/** The limits of another chain, by the most that it may cost there. */
export function feeLimitsElsewhere({ gasGweiMax }: Pick<OtherChain, "gasGweiMax">): FeeLimits {
  const gas = BigInt(gasGweiMax) * gwei;
  return feeLimits(gas, gas / 4n);
}

/** Lowers the limits to at most `gas` wei per unit of gas; null leaves them unchanged. */
export function lowered(limits: FeeLimits, gas: bigint | null): FeeLimits {
  if (gas === null || gas >= limits.gas) return limits;
  return { ...limits, gas, tip: least(limits.tip, gas) };
}

/** The maximum cost of a transaction, however often it is replaced, in wei. */
export function costMax(limits: FeeLimits, gasLimit: bigint, hasDataFee: boolean): bigint {
  return gasLimit * limits.gas + (hasDataFee ? limits.data : 0n);
}

/**
 * Returns why a transaction must wait for lower fees, as a sentence; null if it need not. `payer`: whose limits apply.
 */
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

/** Every pool accepts a replacement that offers this much more; the strictest require an eighth. */
const raisePercent = 125n;

/** The base fee can rise by an eighth with every block, so twice the fee lasts for at least five. */
const baseFeeFactor = 2n;

/** The OP Stack contract that computes the fee for storing a transaction on Ethereum. */
const gasPriceOracle = "0x420000000000000000000000000000000000000F";
const oracleAbi = parseAbi(["function getL1FeeUpperBound(uint256 unsignedTxSize) view returns (uint256)"]);

/** Reads the network's current fees; `fees` stays within the limits. */
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
 * Returns fees that replace a transaction which offered `previous`: enough more for every pool, and no less than the
 * network asks now. Null if that exceeds the limits.
 */
export function raise(previous: Fees, market: Fees, limits: FeeLimits): Fees | null {
  const more = (fee: bigint) => (fee * raisePercent) / 100n + 1n;
  const tip = most(more(previous.tip), market.tip);
  const max = most(more(previous.max), market.max);
  return max > limits.gas || tip > limits.tip ? null : { max, tip };
}

/** Reads what Base charges in addition to gas for storing this many bytes on Ethereum, in wei; zero on other chains. */
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
