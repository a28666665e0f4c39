import type { Confirmations } from "../payment/block.ts";
import type { Address } from "./address.ts";

export type NetworkName = "base" | "base-sepolia" | "anvil";

/** Identifies a chain, as two may have the same id. */
export type ChainIdentity = { chainId: number; genesisHash: string };

/** The facts about a chain. The token's name and version, needed for signatures, are read from the token. */
export type Network = {
  name: NetworkName;
  /** Name for payers in every language; pages say separately that it is a test network. */
  label: string;
  chainId: number;
  usdc: Address;
  /** Base URL of a block explorer, without a trailing slash; null on a local chain. */
  explorer: string | null;
  /** When a payment counts, unless TILL_CONFIRMATIONS says otherwise. */
  confirmations: Confirmations;
  /** Runs on this machine: makes a block on demand, and may be polled often. */
  isLocal: boolean;
};

export const usdcDecimals = 6;

/** USDC addresses: Circle's list of contract addresses. */
export const networks: Record<NetworkName, Network> = {
  base: {
    name: "base",
    label: "Base",
    chainId: 8453,
    usdc: "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913" as Address,
    explorer: "https://basescan.org",
    confirmations: { ms: 10_000 },
    isLocal: false,
  },
  "base-sepolia": {
    name: "base-sepolia",
    label: "Base Sepolia",
    chainId: 84532,
    usdc: "0x036CbD53842c5426634e7929541eC2318f3dCF7e" as Address,
    explorer: "https://sepolia.basescan.org",
    confirmations: { ms: 10_000 },
    isLocal: false,
  },
  anvil: {
    name: "anvil",
    label: "Base (Anvil)",
    chainId: 31337,
    usdc: "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913" as Address,
    explorer: null,
    confirmations: 1,
    isLocal: true,
  },
};

/** The chain with this id; null if unknown. */
export const knownNetwork = (chainId: number): Network | null =>
  Object.values(networks).find((network) => network.chainId === chainId) ?? null;

/** USDC is money on one known chain, and worthless on the others. */
export function isTestNetwork({ chainId }: Pick<Network, "chainId">): boolean {
  return chainId !== networks.base.chainId;
}

/** The explorer's page of a transaction; null without an explorer. `explorer` has no trailing slash. */
export const transactionUrl = (explorer: string | null, txHash: string) =>
  explorer === null ? null : `${explorer}/tx/${txHash}`;
