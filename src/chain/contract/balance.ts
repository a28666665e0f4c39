import { encodeFunctionData, erc20Abi } from "viem";
import * as Usdc from "../../domain/usdc.ts";
import type { Address } from "../../domain/wallet/address.ts";
import { type Hex, isWord } from "../../lib/crypto/hex.ts";
import { BadAnswer } from "../node/block.ts";
import { createMulticall } from "../node/multicall.ts";
import type { Rpc } from "../node/rpc.ts";
import { amountMax } from "../transfer/transfer-log.ts";

export type BalanceReader = {
  /** The most addresses that one reading should take. */
  readonly batch: number;
  /** The USDC balances of these addresses as they were right after a block, in order. */
  read(addresses: readonly Address[], block: number | "latest"): Promise<Usdc.Usdc[]>;
};

/** Reads USDC balances of one network. Throws a BadAnswer for more than all the USDC there is. */
export function createBalanceReader(rpc: Rpc, usdc: Address): BalanceReader {
  const multicall = createMulticall(rpc);
  return {
    get batch() {
      return multicall.batch;
    },
    async read(addresses, block) {
      const answers = await multicall.read(
        addresses.map((address) => balanceCall(usdc, address)),
        block,
      );
      return answers.map((answer) => {
        const amount = balanceOf(rpc, usdc, answer);
        if (amount > amountMax) throw new BadAnswer(rpc.host, `a balance of ${amount} micro-USDC`);
        return Usdc.fromMicro(amount);
      });
    },
  };
}

/** What addresses hold of a token as of a block, in its smallest unit and in the order of the addresses. */
export async function readTokenBalances(
  rpc: Rpc,
  token: Address,
  holders: readonly Address[],
  block: number | "latest",
): Promise<bigint[]> {
  const calls = holders.map((holder) => balanceCall(token, holder));
  const answers = await createMulticall(rpc).read(calls, block);
  return answers.map((answer) => balanceOf(rpc, token, answer));
}

function balanceCall(token: Address, holder: Address) {
  return {
    target: token,
    callData: encodeFunctionData({ abi: erc20Abi, functionName: "balanceOf", args: [holder] }),
  };
}

/** Nothing is taken for empty because a node did not say. */
function balanceOf(rpc: Rpc, token: Address, answer: Hex | null): bigint {
  if (!isWord(answer)) {
    throw new BadAnswer(rpc.host, `${answer} where a balance of ${token} belongs: is there a token?`);
  }
  return BigInt(answer);
}
