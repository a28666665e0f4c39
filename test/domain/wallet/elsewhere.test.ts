import { describe, expect, test } from "bun:test";
import * as chains from "viem/chains";
import { usdc } from "viem/tokens";
import * as Address from "../../../src/domain/wallet/address.ts";
import { otherChain, otherChains } from "../../../src/domain/wallet/elsewhere.ts";
import { type NetworkName, networks } from "../../../src/domain/wallet/network.ts";

const names = Object.keys(networks) as NetworkName[];

describe("otherChains", () => {
  const published = [...otherChains("base"), ...otherChains("base-sepolia")];
  for (const { label, chainId, usdc: address, explorer, coin } of published)
    test(`${label} is as viem knows it: USDC, explorer, coin`, () => {
      const known = Object.values(chains).find((chain) => chain.id === chainId);
      expect(address as string).toBe(usdc.addresses[chainId as keyof typeof usdc.addresses]);
      expect(known?.blockExplorers?.default.url).toBe(explorer ?? "");
      expect(known?.nativeCurrency.symbol).toBe(coin);
    });

  test("money never mixes with test money, and no chain stands twice or beside itself", () => {
    const ids = [
      ...names.map((name) => networks[name].chainId),
      ...names.flatMap((name) => otherChains(name)).map((chain) => chain.chainId),
    ];
    expect(new Set(ids).size).toBe(ids.length);
    for (const { chainId } of otherChains("base"))
      expect(Object.values(chains).find((chain) => chain.id === chainId)?.testnet).not.toBe(true);
    for (const { chainId } of otherChains("base-sepolia"))
      expect(Object.values(chains).find((chain) => chain.id === chainId)?.testnet).toBe(true);
  });

  test("addresses have their checksum", () => {
    for (const chain of names.flatMap((name) => otherChains(name)))
      expect(Address.checksum(chain.usdc)).toBe(chain.usdc);
  });
});

describe("otherChain", () => {
  test("knows a chain only beside its own kind", () => {
    expect(otherChain("base", 137)?.label).toBe("Polygon");
    expect(otherChain("base-sepolia", 137)).toBeNull();
    expect(otherChain("base", 8453)).toBeNull();
  });
});
