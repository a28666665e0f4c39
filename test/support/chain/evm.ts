import {
  type Abi,
  encodeFunctionData,
  formatTransactionReceipt,
  type Hex,
  type TransactionReceipt,
} from "viem";
import usdcArtifact from "../../../assets/contracts/artifacts/DevUsdc.json";
import factoryArtifact from "../../../assets/contracts/artifacts/TillFactory.json";
import { payers } from "../../../src/chain/dev/dev-chain.ts";
import * as Address from "../../../src/domain/wallet/address.ts";
import * as DepositAddress from "../../../src/domain/wallet/deposit-address.ts";
import type { TestChain } from "./chain.ts";

const defaultGas = 5_000_000n;

/** Who sends what anybody may: neither Till nor a payout wallet. */
export const stranger = payers[3] ?? Address.zero;

export type Call = { to?: Address.Address; data?: Hex; value?: bigint; gas?: bigint; from?: Address.Address };

/** Sends a transaction from an unlocked account and returns its receipt, reverted or not. */
export async function send(chain: TestChain, call: Call): Promise<TransactionReceipt> {
  const hex = (value: bigint) => `0x${value.toString(16)}`;
  const sent = await chain.rpc("eth_sendTransaction", [
    {
      ...call,
      from: call.from ?? payers[0],
      gas: hex(call.gas ?? defaultGas),
      value: hex(call.value ?? 0n),
    },
  ]);
  for (;;) {
    const receipt = await chain.rpc("eth_getTransactionReceipt", [sent]);
    if (receipt !== null) return formatTransactionReceipt(receipt as never);
    await Bun.sleep(2);
  }
}

export function encode(abi: readonly unknown[], functionName: string, args: readonly unknown[] = []): Hex {
  return encodeFunctionData({ abi: abi as Abi, functionName, args });
}

/** Puts a contract on the chain and returns its address. */
export async function deploy(chain: TestChain, bytecode: Hex): Promise<Address.Address> {
  const receipt = await send(chain, { data: bytecode });
  return Address.checksum(receipt.contractAddress ?? "");
}

/** Puts the factory on the chain the way it gets there everywhere: through the deterministic deployer. */
export async function deployFactory(chain: TestChain): Promise<TransactionReceipt> {
  const data = `${DepositAddress.factorySalt}${factoryArtifact.bytecode.slice(2)}` as Hex;
  return send(chain, { to: DepositAddress.deployer, data });
}

/** What an account has of a token, in its smallest unit, as the chain itself says it. */
export async function balanceOf(
  chain: Pick<TestChain, "rpc">,
  token: Address.Address,
  of: Address.Address,
): Promise<bigint> {
  const data = encode(usdcArtifact.abi, "balanceOf", [of]);
  return BigInt(String(await chain.rpc("eth_call", [{ to: token, data }, "latest"])));
}
