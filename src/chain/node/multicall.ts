import { decodeFunctionResult, encodeFunctionData, parseAbi } from "viem";
import * as Address from "../../domain/wallet/address.ts";
import type { Hex } from "../../lib/crypto.ts";
import { chunks } from "../../lib/loop.ts";
import { BadAnswer, blockParam } from "./block.ts";
import { type Rpc, RpcError } from "./rpc.ts";

/** The address of Multicall3 on every chain that has it. */
export const multicall3Address = Address.checksum("0xcA11bde05977b3631167028862bE2a173976CA11");

/** This many balance calls cost about 5 million gas, a tenth of what nodes allow one eth_call. */
const batchMax = 500;
/** Without Multicall3 every call is its own request; this many run in parallel. */
const singlesMax = 10;

const abi = parseAbi([
  "struct Call { address target; bytes callData; }",
  "struct Result { bool success; bytes returnData; }",
  "function tryAggregate(bool requireSuccess, Call[] calls) view returns (Result[] results)",
]);

type ReadCall = { target: Address.Address; callData: Hex };

type Multicall = {
  /** Number of calls made together; pass fewer at a time to keep others from waiting. */
  readonly batch: number;
  /**
   * Reads contracts' answers as of a block, in the order of the calls; null where the contract reverts. Throws a
   * BadAnswer for anything else.
   */
  read(calls: readonly ReadCall[], block: number | "latest"): Promise<(Hex | null)[]>;
};

/** Calls contracts through Multicall3, or one by one once the chain turns out not to have it. */
export function createMulticall(rpc: Rpc): Multicall {
  let hasMulticall3 = true;

  async function readBatch(calls: readonly ReadCall[], tag: string): Promise<(Hex | null)[]> {
    if (hasMulticall3) {
      const data = encodeFunctionData({ abi, functionName: "tryAggregate", args: [false, calls] });
      const answer = await rpc.request("eth_call", [{ to: multicall3Address, data }, tag]);
      // The answer of an address without code.
      if (answer !== "0x") return resultsOf(rpc, answer, calls.length);
      hasMulticall3 = false;
    }
    const answers: (Hex | null)[] = [];
    for (const some of chunks(calls, singlesMax)) {
      answers.push(...(await Promise.all(some.map((call) => readOne(rpc, call, tag)))));
    }
    return answers;
  }

  return {
    get batch() {
      return hasMulticall3 ? batchMax : singlesMax;
    },
    async read(calls, block) {
      const answers: (Hex | null)[] = [];
      for (const some of chunks(calls, batchMax)) answers.push(...(await readBatch(some, blockParam(block))));
      return answers;
    },
  };
}

function resultsOf(rpc: Rpc, answer: unknown, count: number): (Hex | null)[] {
  let results: readonly { success: boolean; returnData: Hex }[];
  try {
    results = decodeFunctionResult({ abi, functionName: "tryAggregate", data: String(answer) as Hex });
  } catch {
    throw new BadAnswer(rpc.host, "something else than the results of the calls");
  }
  if (results.length !== count) throw new BadAnswer(rpc.host, `${results.length} results of ${count} calls`);
  return results.map(({ success, returnData }) => (success ? returnData : null));
}

/** A revert counts as an answer. */
async function readOne(rpc: Rpc, { target, callData }: ReadCall, tag: string): Promise<Hex | null> {
  try {
    return String(await rpc.request("eth_call", [{ to: target, data: callData }, tag])) as Hex;
  } catch (thrown) {
    if (thrown instanceof RpcError) return null;
    throw thrown;
  }
}
