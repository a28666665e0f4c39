import { encodeFunctionData, erc20Abi } from "viem";
import type { Usdc } from "../../domain/usdc.ts";
import type { Address } from "../../domain/wallet/address.ts";
import { isWord } from "../../lib/crypto.ts";
import { BadAnswer } from "../node/block.ts";
import { createMulticall } from "../node/multicall.ts";
import type { Rpc } from "../node/rpc.ts";
import { amountWithin } from "../transfer/transfer-log.ts";

export type BalanceReader = {
  /** The most addresses that one reading should take. */
  readonly batch: number;
  /** The USDC balances of these addresses as they were right after a block, in order. */
  read(addresses: readonly Address[], block: number | "latest"): Promise<Usdc[]>;
};

/** Reads USDC balances of one network. Throws a BadAnswer for more than all the USDC there is. */
export function createBalanceReader(rpc: Rpc, usdc: Address): BalanceReader {
  const multicall = createMulticall(rpc);
  return {
    get batch() {
      return multicall.batch;
    },
    async read(addresses, block) {
      const calls = addresses.map((holder) => ({
        target: usdc,
        callData: encodeFunctionData({ abi: erc20Abi, functionName: "balanceOf", args: [holder] }),
      }));
      return (await multicall.read(calls, block)).map((answer) => {
        // Nothing is taken for empty because a node did not say.
        if (!isWord(answer))
          throw new BadAnswer(rpc.host, `${answer} where a balance of ${usdc} belongs: is there a token?`);
        return amountWithin(rpc, BigInt(answer));
      });
    },
  };
}

/** As a reader of balances does, for who reads once. */
export function readBalances(
  rpc: Rpc,
  usdc: Address,
  addresses: readonly Address[],
  block: number | "latest",
): Promise<Usdc[]> {
  return createBalanceReader(rpc, usdc).read(addresses, block);
}
