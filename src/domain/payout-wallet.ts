import * as Address from "./address.ts";
import { implementationOf } from "./deposit-address.ts";

/**
 * Why an address cannot be a payout wallet, as the end of a sentence; null when it can. Money sent to any of
 * these would be lost for good.
 */
export function refusal(
  wallet: Address.Address,
  contracts: { usdc: Address.Address; factory: Address.Address },
): string | null {
  if (wallet === Address.zero) return "is the zero address, from which nothing can ever be moved";
  if (wallet === contracts.usdc) return "is the USDC contract itself, from which nothing can ever be moved";
  if (wallet === contracts.factory)
    return "is Till's own factory contract, from which nothing can ever be moved";
  if (wallet === implementationOf(contracts.factory))
    return "is a contract of Till's, from which nothing can ever be moved";
  return null;
}
