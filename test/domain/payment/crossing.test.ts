import { expect, test } from "bun:test";
import * as Crossing from "../../../src/domain/payment/crossing.ts";
import * as Usdc from "../../../src/domain/usdc.ts";
import { otherChains } from "../../../src/domain/wallet/elsewhere.ts";
import { networks } from "../../../src/domain/wallet/network.ts";
import { createRandom } from "../../support/random.ts";

test("whatever the price, exactly what is due arrives once Circle has taken the most that it may", () => {
  const random = createRandom(11);
  for (let round = 0; round < 2_000; round += 1) {
    const due = Usdc.fromMicro(BigInt(random.between(1, 10_000_000_000)));
    const share = BigInt(random.between(0, 10_000));
    const forward = BigInt(random.between(0, 10_000_000));
    const { amount, fee } = Crossing.burnFor(due, { finality: 1_000, share, forward });
    expect(amount - fee).toBe(due);
    // What Circle asks: its share of what is burnt, rounded up, and the price for minting.
    const asked = (amount * share + 999_999n) / 1_000_000n + forward;
    expect(fee).toBeGreaterThanOrEqual(asked);
    expect(fee - asked).toBeLessThanOrEqual(1n);
  }
});

test("every chain beside Till's own has a number of Circle's, and test chains those of what they test", () => {
  for (const home of ["base", "base-sepolia", "anvil"] as const) {
    expect(Crossing.domainOf(networks[home].chainId)).toBe(6);
    for (const { chainId } of otherChains(home)) expect(Crossing.domainOf(chainId)).not.toBeNull();
  }
  expect(otherChains("base").map(({ chainId }) => Crossing.domainOf(chainId))).toEqual([0, 3, 2, 7]);
  expect(Crossing.domainOf(56)).toBeNull();
});

test("a message that is cut off, burns nothing, or is for no address of Ethereum's kind is none", () => {
  const word = (value: bigint | number) => value.toString(16).padStart(64, "0");
  const message = ({ to = word(0x12), amount = 10n, fee = 1n } = {}) =>
    `0x${"0".repeat(8 * 2)}00000006${word(7)}${"0".repeat(208)}${"0".repeat(8)}${word(1)}${to}${word(amount)}${word(2)}${word(5)}${word(fee)}${word(0)}` as const;
  expect(Crossing.readMessage(message())).toEqual({
    to: "0x0000000000000000000000000000000000000012" as never,
    domain: 6,
    nonce: `0x${word(7)}`,
    amount: 9n,
  });
  expect(Crossing.readMessage(message().slice(0, -2) as `0x${string}`)).toBeNull();
  expect(Crossing.readMessage(message({ fee: 10n }))).toBeNull();
  expect(Crossing.readMessage(message({ to: "1".repeat(64) }))).toBeNull();
  expect(Crossing.readMessage("0x")).toBeNull();
});
