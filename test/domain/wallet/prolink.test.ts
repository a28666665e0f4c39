import { expect, test } from "bun:test";
import * as Usdc from "../../../src/domain/usdc.ts";
import type { Address } from "../../../src/domain/wallet/address.ts";
import { networks } from "../../../src/domain/wallet/network.ts";
import { prolink } from "../../../src/domain/wallet/prolink.ts";

/**
 * Made with Coinbase's own encoder, @base-org/account 2.5.10:
 * `encodeProlink({ method: "wallet_sendCalls", params: [{ version: "1.0", chainId, calls: [{ to: usdc, data, value: "0x0" }] }] })`
 * where `data` is `0xa9059cbb`, the recipient and the amount, each 32 bytes long.
 */
const vectors = [
  [
    "base",
    "0x5FbDB2315678afecb367f032d93F642f64180aa3",
    12_500_000n,
    "AAgBEIVCGAFaOggBUjEKFIM1ifzW7bbgj0x8MtT3G1S9oCkTEhRfvbIxVniv7LNn8DLZP2QvZBgKoxoDvrwgIgMxLjA",
  ],
  [
    "base-sepolia",
    "0x00000000219ab540356cBB839Cbe05303d7705Fa",
    1n,
    "AAgBELSUBRgBWjgIAVIvChQDbL1ThCxUJmNOeSlUHsIxjz3PfhIUAAAAACGatUA1bLuDnL4FMD13BfoaAQEiAzEuMA",
  ],
  [
    "base",
    "0xFFfFfFffFFfffFFfFFfFFFFFffFFFffffFfFFFfF",
    999_999_999_999_999n,
    "AAgBEIVCGAFaPggBUjUKFIM1ifzW7bbgj0x8MtT3G1S9oCkTEhT__________________________xoHA41-pMZ__yIDMS4w",
  ],
] as const;

test.each(vectors)(
  "a Prolink on %s to %s is the one of Coinbase's own encoder",
  (name, to, micro, payload) => {
    const network = networks[name];
    const asked = { ...network, to: to as Address, amount: Usdc.fromMicro(micro) };
    expect(prolink(asked, network)).toBe(`https://wallet.coinbase.com/base-pay?p=${payload}`);
  },
);

test("a local chain has none", () => {
  const network = networks.anvil;
  const to = vectors[0][1] as Address;
  expect(prolink({ ...network, to, amount: Usdc.fromMicro(1n) }, network)).toBeNull();
});
