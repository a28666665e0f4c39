import { decodeFunctionResult, encodeFunctionData, type Hex, parseAbi } from "viem";
import type { Address } from "../domain/address.ts";
import * as Usdc from "../domain/usdc.ts";
import { BadAnswer } from "./block.ts";
import { multicall3Address } from "./multicall.ts";
import type { Rpc } from "./rpc.ts";
import { amountMax } from "./transfer-log.ts";

const abi = parseAbi([
  "struct Call3 { address target; bool allowFailure; bytes callData; }",
  "struct Result { bool success; bytes returnData; }",
  "function aggregate3(Call3[] calls) payable returns (Result[] results)",
]);

export type BalanceReader = {
  /** The most addresses that one reading takes. */
  readonly batch: number;
  /** The USDC balances of these addresses as they were right after a block, in order. */
  read(addresses: readonly Address[], block: number): Promise<Usdc.Usdc[]>;
};

/** So many balances cost about 5 million gas, a tenth of what nodes allow one call. */
const multicallBatch = 500;
/** Where there is no Multicall3 every balance is a call of its own. */
const singleBatch = 10;

/** Reads balances through Multicall3, or one by one once the chain turned out not to have it. */
export function createBalanceReader(rpc: Rpc, usdc: Address): BalanceReader {
  let hasMulticall = true;

  async function readTogether(addresses: readonly Address[], tag: string): Promise<Usdc.Usdc[] | null> {
    const calls = addresses.map((address) => ({
      target: usdc,
      allowFailure: false,
      callData: balanceOf(address),
    }));
    const data = encodeFunctionData({ abi, functionName: "aggregate3", args: [calls] });
    const answer = await rpc.request("eth_call", [{ to: multicall3Address, data }, tag]);
    // What an address without code answers.
    if (answer === "0x") return null;
    const results = decode(rpc, answer);
    if (results.length !== addresses.length) {
      throw new BadAnswer(rpc.host, `${results.length} balances when asked for ${addresses.length}`);
    }
    return results.map(({ returnData }) => amountOf(rpc, returnData));
  }

  return {
    get batch() {
      return hasMulticall ? multicallBatch : singleBatch;
    },
    async read(addresses, block) {
      const tag = `0x${block.toString(16)}`;
      if (hasMulticall) {
        const balances = await readTogether(addresses, tag);
        if (balances) return balances;
        hasMulticall = false;
      }
      const balances: Usdc.Usdc[] = [];
      for (const address of addresses) {
        const call = { to: usdc, data: balanceOf(address) };
        balances.push(amountOf(rpc, await rpc.request("eth_call", [call, tag])));
      }
      return balances;
    },
  };
}

function balanceOf(address: Address): Hex {
  return `0x70a08231${address.slice(2).toLowerCase().padStart(64, "0")}`;
}

function decode(rpc: Rpc, answer: unknown): readonly { returnData: string }[] {
  try {
    return decodeFunctionResult({ abi, functionName: "aggregate3", data: String(answer) as Hex });
  } catch (thrown) {
    throw new BadAnswer(rpc.host, `balances that cannot be read: ${thrown}`);
  }
}

function amountOf(rpc: Rpc, value: unknown): Usdc.Usdc {
  if (typeof value !== "string" || !/^0x[0-9a-f]{64}$/i.test(value)) {
    throw new BadAnswer(rpc.host, `${JSON.stringify(value)} where a balance belongs`);
  }
  const amount = BigInt(value);
  if (amount > amountMax) throw new BadAnswer(rpc.host, `a balance of ${amount} micro-USDC`);
  return Usdc.fromMicro(amount);
}
