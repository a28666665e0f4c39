import * as Address from "./address.ts";
import { deployer, implementationOf } from "./deposit-address.ts";

/**
 * Contracts whose address people may copy from an explorer, and that nobody owns or anybody can empty. On Base and
 * elsewhere.
 */
const wellKnown: ReadonlyMap<string, string> = new Map([
  ["0x000000000000000000000000000000000000dEaD", "the address for burnt tokens"],
  ["0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE", "what some programs write for ETH"],
  ["0xcA11bde05977b3631167028862bE2a173976CA11", "Multicall3"],
  [deployer, "the deterministic deployer"],
  ["0x28b5a0e9C621a5BadaA536219b3a228C8168cf5d", "Circle's contract that burns USDC for other networks"],
  ["0x81D40F21F12A8F0E3252Bccb954D722d4c464B64", "Circle's contract for USDC from other networks"],
  ["0xfd78EE919681417d192449715b2594ab58f5D002", "Circle's contract that mints USDC from other networks"],
  ["0x914d7Fec6aaC8cd542e72Bca78B30650d45643d7", "the Safe singleton factory"],
  ["0xba5Ed099633D3B313e4D5F7bdc1305d3c28ba5Ed", "CreateX"],
  ["0x13b0D85CcB8bf860b6b79AF3029fCA081AE9beF2", "the Create2Deployer"],
  ["0x000000000022D473030F116dDEE9F6B43aC78BA3", "Permit2"],
  ["0x5FF137D4b0FDCD49DcA30c7CF57E578a026d2789", "the ERC-4337 EntryPoint"],
  ["0x0000000071727De22E5E9d8BAf0edAc6f37da032", "the ERC-4337 EntryPoint"],
  ["0x4337084D9E255Ff0702461CF8895CE9E3b5Ff108", "the ERC-4337 EntryPoint"],
  ["0xD152f549545093347A162Dce210e7293f1452150", "Disperse"],
  ["0x2626664c2603336E57B271c5C0b26F421741e481", "a router of Uniswap"],
  ["0x3fC91A3afd70395Cd496C647d5a6CC9D4B2b7FAD", "a router of Uniswap"],
  ["0x6fF5693b99212Da76ad316178A184AB56D299b43", "a router of Uniswap"],
  ["0x1111111254EEB25477B68fb85Ed929f73A960582", "a router of 1inch"],
  ["0x111111125421cA6dc452d289314280a0f8842A65", "a router of 1inch"],
  ["0xDef1C0ded9bec7F1a1670819833240f027b25EfF", "the 0x exchange"],
]);

/** Precompiled contracts are at 1, 2, 3, …, and RIP-7212's at 0x100; nobody has a key to any of them. */
const reservedMax = 0xffffn;

/** Contracts preinstalled on every OP Stack chain, such as WETH and the gas price oracle. */
const predeploys = { first: 0x42n << 152n, last: (0x42n << 152n) + 0x7ffn };

/**
 * Returns why an address cannot be a payout wallet or a destination; null if it can. Money sent to any of these would
 * be lost, or anybody could take it. `gasAccount` is null where unknown.
 */
export function fault(
  wallet: Address.Address,
  contracts: { usdc: Address.Address; factory: Address.Address; gasAccount: Address.Address | null },
) {
  const stuck = (what: string) => ({ code: "wallet_stuck", values: { what } }) as const;
  if (wallet === Address.zero) return stuck("the zero address");
  if (wallet === contracts.usdc) return stuck("the USDC contract itself");
  if (wallet === contracts.factory) return stuck("Till's own factory contract");
  if (wallet === implementationOf(contracts.factory)) return stuck("a contract of Till's");
  if (wallet === contracts.gasAccount) return { code: "wallet_gas" } as const;
  const what = wellKnown.get(wallet) ?? nameOfRange(BigInt(wallet));
  return what === null ? null : ({ code: "wallet_lost", values: { what } } as const);
}

function nameOfRange(address: bigint): string | null {
  if (address <= reservedMax) return "an address reserved for precompiled contracts";
  return address >= predeploys.first && address <= predeploys.last ? "a system contract of Base" : null;
}
