import { decodeFunctionResult, encodeFunctionData, parseAbi } from "viem";
import type { Address } from "../domain/address.ts";
import { hasCode, wei } from "./account.ts";
import { BadAnswer } from "./block.ts";
import { multicall3Address } from "./multicall.ts";
import { type Rpc, RpcError } from "./rpc.ts";

/** So many calls of a balance stay far below the gas that any node computes for one eth_call. */
const callsPerRequestMax = 500;

/** Where there is no Multicall3, so many requests are under way at a time. */
const requestsAtOnceMax = 20;

const abi = parseAbi([
  "struct Call { address target; bytes callData; }",
  "struct Result { bool success; bytes returnData; }",
  "function tryAggregate(bool requireSuccess, Call[] calls) view returns (Result[] results)",
  "function balanceOf(address account) view returns (uint256)",
  "function payoutWallet() view returns (address)",
]);

type Hex = `0x${string}`;
type Call = { target: Address; callData: Hex };
type CallMany = (calls: readonly Call[]) => Promise<(Hex | null)[]>;

/** What is at an address: how much of a token, and whether its forwarder has been created. */
export type Holding = { balance: bigint; created: boolean };

/**
 * Looks at many deposit addresses, by Multicall3 where the chain has it and one by one where not. Throws a BadAnswer
 * when a balance is missing: nothing is taken for empty because a node did not say.
 */
export async function createHoldingsReader(
  rpc: Rpc,
  token: Address,
): Promise<(holders: readonly Address[]) => Promise<Holding[]>> {
  const callMany: CallMany = (await hasCode(rpc, multicall3Address))
    ? (calls) => inBatches(calls, callsPerRequestMax, (batch) => together(rpc, batch))
    : (calls) =>
        inBatches(calls, requestsAtOnceMax, (batch) => Promise.all(batch.map((call) => alone(rpc, call))));
  const created = encodeFunctionData({ abi, functionName: "payoutWallet" });
  return async (holders) => {
    const answers = await callMany(
      holders.flatMap((holder) => [
        { target: token, callData: encodeFunctionData({ abi, functionName: "balanceOf", args: [holder] }) },
        { target: holder, callData: created },
      ]),
    );
    return holders.map((_, at) => {
      const [balance, wallet] = [answers[2 * at], answers[2 * at + 1]];
      if (balance?.length !== 66) throw new BadAnswer(rpc.host, `no balance: is there a token at ${token}?`);
      return { balance: wei(rpc, balance), created: wallet?.length === 66 };
    });
  };
}

async function inBatches(
  calls: readonly Call[],
  size: number,
  run: (batch: readonly Call[]) => Promise<(Hex | null)[]>,
): Promise<(Hex | null)[]> {
  const answers: (Hex | null)[] = [];
  for (let at = 0; at < calls.length; at += size) answers.push(...(await run(calls.slice(at, at + size))));
  return answers;
}

async function together(rpc: Rpc, calls: readonly Call[]): Promise<(Hex | null)[]> {
  const data = encodeFunctionData({ abi, functionName: "tryAggregate", args: [false, calls] });
  const answer = await rpc.request("eth_call", [{ to: multicall3Address, data }, "latest"]);
  let results: readonly { success: boolean; returnData: Hex }[];
  try {
    results = decodeFunctionResult({ abi, functionName: "tryAggregate", data: String(answer) as Hex });
  } catch {
    throw new BadAnswer(rpc.host, "something else than the results of the calls");
  }
  if (results.length !== calls.length)
    throw new BadAnswer(rpc.host, "another number of results than of calls");
  return results.map(({ success, returnData }) => (success ? returnData : null));
}

/** A call that the contract reverts is an answer too. */
async function alone(rpc: Rpc, { target, callData }: Call): Promise<Hex | null> {
  try {
    return String(await rpc.request("eth_call", [{ to: target, data: callData }, "latest"])) as Hex;
  } catch (thrown) {
    if (thrown instanceof RpcError) return null;
    throw thrown;
  }
}
