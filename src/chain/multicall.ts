import { decodeFunctionResult, encodeFunctionData, parseAbi } from "viem";
import * as Address from "../domain/address.ts";
import { blockParam } from "./account.ts";
import { BadAnswer } from "./block.ts";
import type { Rpc } from "./rpc.ts";

/** Where Multicall3 is on every chain that has it. */
export const multicall3Address = Address.checksum("0xcA11bde05977b3631167028862bE2a173976CA11");

/** The most balances that one call asks for: far below what any node computes for one eth_call. */
const balancesPerCallMax = 250;

const abi = parseAbi([
  "struct Call { address target; bytes callData; }",
  "struct Result { bool success; bytes returnData; }",
  "function tryAggregate(bool requireSuccess, Call[] calls) view returns (Result[] results)",
  "function balanceOf(address account) view returns (uint256)",
]);

/**
 * What addresses hold of a token as of a block, in the order of the addresses. Throws a BadAnswer for anything but
 * a balance of each, and an RpcError when the node does not know the block.
 */
export async function readTokenBalances(
  rpc: Rpc,
  token: Address.Address,
  holders: readonly Address.Address[],
  block: number | "latest",
): Promise<bigint[]> {
  const balances: bigint[] = [];
  for (let at = 0; at < holders.length; at += balancesPerCallMax) {
    const calls = holders.slice(at, at + balancesPerCallMax).map((holder) => ({
      target: token,
      callData: encodeFunctionData({ abi, functionName: "balanceOf", args: [holder] }),
    }));
    const data = encodeFunctionData({ abi, functionName: "tryAggregate", args: [true, calls] });
    const answer = await rpc.request("eth_call", [{ to: multicall3Address, data }, blockParam(block)]);
    balances.push(...decode(rpc, answer, calls.length));
  }
  return balances;
}

function decode(rpc: Rpc, answer: unknown, count: number): bigint[] {
  // Balances have a fixed form: an offset, a count, and for each its offset, success, offset, length and value.
  const hexDigits = 2 + 64 * (2 + 5 * count);
  if (typeof answer !== "string" || !/^0x[0-9a-f]*$/i.test(answer) || answer.length !== hexDigits) {
    throw new BadAnswer(rpc.host, "something else than the balances that were asked for");
  }
  const results = decodeFunctionResult({ abi, functionName: "tryAggregate", data: answer as `0x${string}` });
  return results.map(({ success, returnData }) => {
    if (!success || returnData.length !== 66) throw new BadAnswer(rpc.host, "a balance that is not one");
    return BigInt(returnData);
  });
}
