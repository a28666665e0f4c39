import { expect, test } from "bun:test";
import * as Usdc from "../../../src/domain/usdc.ts";
import type { Address } from "../../../src/domain/wallet/address.ts";
import { type NetworkName, networks } from "../../../src/domain/wallet/network.ts";
import { prolink } from "../../../src/domain/wallet/prolink.ts";
import { walletLinks } from "../../../src/domain/wallet/wallet-links.ts";

const to = "0x5FbDB2315678afecb367f032d93F642f64180aa3" as Address;
const amount = Usdc.fromMicro(12_500_001n);
const linksOn = (name: NetworkName) => {
  const network = networks[name];
  return walletLinks({ ...network, to, amount }, network);
};

test("each wallet gets token, chain, address and amount in the form that it documents", () => {
  const { usdc } = networks.base;
  expect(linksOn("base")).toEqual([
    {
      name: "MetaMask",
      href: `https://link.metamask.io/send/${usdc}@8453/transfer?address=${to}&uint256=12500001`,
    },
    {
      name: "Trust Wallet",
      href: `https://link.trustwallet.com/send?asset=c8453_t${usdc}&address=${to}&amount=12.500001`,
    },
    {
      name: "Coinbase Wallet",
      href: prolink({ ...networks.base, to, amount }, networks.base) ?? "",
    },
  ]);
});

test("no wallet is offered for a chain that it does not have", () => {
  expect(linksOn("base-sepolia").map(({ name }) => name)).toEqual(["MetaMask", "Coinbase Wallet"]);
  expect(linksOn("anvil")).toEqual([]);
});
