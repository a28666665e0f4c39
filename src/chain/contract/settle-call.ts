import { encodeFunctionData, parseAbi } from "viem";
import artifact from "../../../assets/contracts/artifacts/TillFactory.json";
import type { Address } from "../../domain/wallet/address.ts";
import * as DepositAddress from "../../domain/wallet/deposit-address.ts";
import type { Hex } from "../../lib/crypto.ts";

/** A transaction that anybody can send; it carries no ETH. */
export type Call = { to: Address; data: Hex; gasLimit: bigint };

const abi = parseAbi([
  "struct Deposit { address payoutWallet; bytes32 salt; }",
  "function settle(address token, Deposit[] deposits, uint256 gasPerDeposit)",
]);

/** Creates the factory, once per chain, through the deterministic deployer. It takes 812,000 gas. */
export const factoryDeployment: Call = {
  to: DepositAddress.deployer,
  data: `${DepositAddress.factorySalt}${artifact.bytecode.slice(2)}` as Hex,
  gasLimit: 950_000n,
};

/**
 * Creates the deposit addresses that have no code yet and pays each out to its payout wallet where possible. The zero
 * address as token stands for ETH. Throws a RangeError like `DepositAddress.settlementGas`.
 */
export function settleCall(token: Address, deposits: readonly { payoutWallet: Address; salt: Hex }[]): Call {
  const { limit, perDeposit } = DepositAddress.settlementGas(deposits.length);
  const data = encodeFunctionData({
    abi,
    args: [token, deposits.map(({ payoutWallet, salt }) => ({ payoutWallet, salt })), perDeposit],
  });
  return { to: DepositAddress.factory, data, gasLimit: limit };
}

/** A stand-in for a settlement of this many deposits, to find out its cost: only the length of its data matters. */
export function sampleSettlement(deposits: number): Pick<Call, "data" | "gasLimit"> {
  // 132 bytes of header, and 64 per deposit.
  const data = `0x${"00".repeat(132 + 64 * deposits)}` as const;
  return { data, gasLimit: DepositAddress.settlementGas(deposits).limit };
}
