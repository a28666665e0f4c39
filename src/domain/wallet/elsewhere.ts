import type { Address } from "./address.ts";
import type { NetworkName } from "./network.ts";

/** A chain on which a deposit address is the same as on Till's own, and where USDC arrives by mistake. */
export type OtherChain = {
  chainId: number;
  /** Name for payers in every language. */
  label: string;
  /** Circle's own USDC, not one that came over a bridge. */
  usdc: Address;
  /** Base URL of a block explorer, without a trailing slash; null on a local chain. */
  explorer: string | null;
  /** What fees are paid with there. */
  coin: "ETH" | "POL";
  /** The most that Till pays for a unit of gas there, in gwei: well above a busy day. */
  gasGweiMax: number;
  /** Whether a transaction takes more gas there the longer it is, for its data on Ethereum. */
  takesGasForData?: true;
};

/** By Till's own chain: money and test money never mix. USDC addresses: Circle's list of contract addresses. */
const others: Record<NetworkName, readonly OtherChain[]> = {
  base: [
    {
      chainId: 1,
      label: "Ethereum",
      usdc: "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48" as Address,
      explorer: "https://etherscan.io",
      coin: "ETH",
      gasGweiMax: 100,
    },
    {
      chainId: 42161,
      label: "Arbitrum One",
      usdc: "0xaf88d065e77c8cC2239327C5EDb3A432268e5831" as Address,
      explorer: "https://arbiscan.io",
      coin: "ETH",
      gasGweiMax: 20,
      takesGasForData: true,
    },
    {
      chainId: 10,
      label: "OP Mainnet",
      usdc: "0x0b2C639c533813f4Aa9D7837CAf62653d097Ff85" as Address,
      explorer: "https://optimistic.etherscan.io",
      coin: "ETH",
      gasGweiMax: 20,
    },
    {
      chainId: 137,
      label: "Polygon",
      usdc: "0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359" as Address,
      explorer: "https://polygonscan.com",
      coin: "POL",
      gasGweiMax: 2000,
    },
  ],
  "base-sepolia": [
    {
      chainId: 11155111,
      label: "Ethereum Sepolia",
      usdc: "0x1c7D4B196Cb0C7B01d743Fbc6116a902379C7238" as Address,
      explorer: "https://sepolia.etherscan.io",
      coin: "ETH",
      gasGweiMax: 100,
    },
    {
      chainId: 421614,
      label: "Arbitrum Sepolia",
      usdc: "0x75faf114eafb1BDbe2F0316DF893fd58CE46AA4d" as Address,
      explorer: "https://sepolia.arbiscan.io",
      coin: "ETH",
      gasGweiMax: 20,
      takesGasForData: true,
    },
    {
      chainId: 11155420,
      label: "OP Sepolia",
      usdc: "0x5fd84259d66Cd46123540766Be93DFE6D43130D7" as Address,
      explorer: "https://optimism-sepolia.blockscout.com",
      coin: "ETH",
      gasGweiMax: 20,
    },
    {
      chainId: 80002,
      label: "Polygon Amoy",
      usdc: "0x41E94Eb019C0762f9Bfcf9Fb1E58725BfB0e7582" as Address,
      explorer: "https://amoy.polygonscan.com",
      coin: "POL",
      gasGweiMax: 2000,
    },
  ],
  anvil: [
    {
      chainId: 31338,
      label: "Ethereum (Anvil)",
      usdc: "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913" as Address,
      explorer: null,
      coin: "ETH",
      gasGweiMax: 100,
    },
    {
      chainId: 31339,
      label: "Polygon (Anvil)",
      usdc: "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913" as Address,
      explorer: null,
      coin: "POL",
      gasGweiMax: 2000,
    },
  ],
};

/** The chains beside this one, in the order in which people are shown them. */
export const otherChains = (home: NetworkName): readonly OtherChain[] => others[home];

/** The chain beside `home` with this id; null if unknown. */
export const otherChain = (home: NetworkName, chainId: number): OtherChain | null =>
  others[home].find((chain) => chain.chainId === chainId) ?? null;
