import { decodeFunctionResult, encodeFunctionData, parseAbi } from "viem";
import * as Address from "../../domain/wallet/address.ts";
import * as DepositAddress from "../../domain/wallet/deposit-address.ts";
import type { Hex } from "../../lib/crypto.ts";
import { hasCode } from "../account/account.ts";
import { BadAnswer, shown } from "../node/block.ts";
import type { Rpc } from "../node/rpc.ts";

const abi = parseAbi(["function predict(address payoutWallet, bytes32 salt) view returns (address)"]);

/** Asks the factory on the chain for a deposit address; null if there is no factory yet. */
export async function predict(
  rpc: Rpc,
  payoutWallet: Address.Address,
  salt: Hex,
): Promise<Address.Address | null> {
  if (!(await hasCode(rpc, DepositAddress.factory))) return null;
  const data = encodeFunctionData({ abi, functionName: "predict", args: [payoutWallet, salt] });
  const answer = await rpc.request("eth_call", [{ to: DepositAddress.factory, data }, "latest"]);
  try {
    return Address.checksum(
      decodeFunctionResult({ abi, functionName: "predict", data: String(answer) as "0x" }),
    );
  } catch {
    throw new BadAnswer(rpc.host, `${shown(answer)} where an address belongs`);
  }
}
