import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import * as Address from "../../../src/domain/wallet/address.ts";
import * as DepositAddress from "../../../src/domain/wallet/deposit-address.ts";
import { networks } from "../../../src/domain/wallet/network.ts";
import { fault } from "../../../src/domain/wallet/payout-wallet.ts";
import { sayWhy } from "../../../src/language/faults.ts";

const gasAccount = Address.checksum(`0x${"9a".repeat(20)}`);
const contracts = { usdc: networks.base.usdc, factory: DepositAddress.factory, gasAccount };
const why = (hex: string) => {
  const found = fault(Address.checksum(hex), contracts);
  return found && sayWhy(found);
};

test("refuses what nobody owns or everybody can empty, and says what it is", () => {
  for (const [hex, what] of [
    [Address.zero, "the zero address"],
    ["0x000000000000000000000000000000000000dead", "burnt tokens"],
    ["0x0000000000000000000000000000000000000001", "precompiled"],
    ["0x0000000000000000000000000000000000000100", "precompiled"],
    ["0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee", "ETH"],
    [contracts.usdc, "the USDC contract itself"],
    [contracts.factory, "factory"],
    [DepositAddress.implementation, "a contract of Till's"],
    [gasAccount, "the gas account"],
    ["0xca11bde05977b3631167028862be2a173976ca11", "Multicall3"],
    [DepositAddress.deployer, "the deterministic deployer"],
    ["0x000000000022d473030f116ddee9f6b43ac78ba3", "Permit2"],
    ["0x28b5a0e9c621a5badaa536219b3a228c8168cf5d", "burns USDC for other networks"],
    ["0x81d40f21f12a8f0e3252bccb954d722d4c464b64", "USDC from other networks"],
    ["0xfd78ee919681417d192449715b2594ab58f5d002", "mints USDC from other networks"],
    ["0x0000000071727de22e5e9d8baf0edac6f37da032", "EntryPoint"],
    ["0x4200000000000000000000000000000000000006", "system contract of Base"],
    ["0x420000000000000000000000000000000000000f", "system contract of Base"],
    ["0x42000000000000000000000000000000000007ff", "system contract of Base"],
  ] as const) {
    expect(why(hex)).toStartWith("is ");
    expect(why(hex)).toContain(what);
  }
});

test("takes ordinary wallets, near the refused ones too", () => {
  for (const hex of [
    "0x0000000000000000000000000000000000010000",
    "0x4200000000000000000000000000000000000800",
    "0x41ffffffffffffffffffffffffffffffffffffff",
    "0x70997970c51812dc3a010c7d01b50e0d17dc79c8",
  ])
    expect(why(hex)).toBeNull();
  expect(fault(gasAccount, { ...contracts, gasAccount: null })).toBeNull();
});

test("names addresses with a checksum that holds: a mistyped one would refuse nothing", () => {
  const source = readFileSync(
    new URL("../../../src/domain/wallet/payout-wallet.ts", import.meta.url),
    "utf8",
  );
  const listed = [...source.matchAll(/0x[0-9a-fA-F]{40}/g)].map(([hex]) => hex);
  expect(listed.length).toBeGreaterThan(15);
  expect(listed.filter((hex) => !Address.parse(hex).ok)).toEqual([]);
});
