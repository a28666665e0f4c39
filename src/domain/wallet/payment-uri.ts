import type { Usdc } from "../usdc.ts";
import type { Address } from "./address.ts";

type PaymentRequest = { usdc: Address; chainId: number; to: Address; amount: Usdc };

/** An EIP-681 URI that asks a wallet for a USDC transfer on one chain. The amount is in micro-USDC. */
export function paymentUri({ usdc, chainId, to, amount }: PaymentRequest): string {
  return `ethereum:${usdc}@${chainId}/transfer?address=${to}&uint256=${amount}`;
}
