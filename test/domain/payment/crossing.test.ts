import { expect, test } from "bun:test";
import * as Crossing from "../../../src/domain/payment/crossing.ts";
import * as Usdc from "../../../src/domain/usdc.ts";
import * as Address from "../../../src/domain/wallet/address.ts";
import { otherChains } from "../../../src/domain/wallet/elsewhere.ts";
import { networks } from "../../../src/domain/wallet/network.ts";
import type { Hex } from "../../../src/lib/crypto.ts";
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

test("only the burn of USDC on this route is read: what says it to other contracts, or of another chain, is none", () => {
  const to = Address.checksum(`0x${"12".padStart(40, "0")}`);
  const { messenger } = Crossing.contracts;
  const [{ chainId, usdc } = { chainId: 0, usdc: to }] = otherChains("base");
  const route = { chainId, usdc, home: 8453, to };
  const word = (value: bigint | number | string) => BigInt(value).toString(16).padStart(64, "0");
  const short = (value: number) => value.toString(16).padStart(8, "0");
  const usual = { from: 0, domain: 6, nonce: 7, sender: messenger, recipient: messenger, token: usdc };
  const message = (other: object = {}): Hex => {
    const said = { ...usual, to: word(to), amount: 10n, fee: 1n, ...other };
    const head = `${short(1)}${short(said.from)}${short(said.domain)}${word(said.nonce)}${word(said.sender)}`;
    const rest = `${word(said.recipient)}${word(0)}${short(1_000)}${short(1_000)}`;
    const burnt = `${short(1)}${word(said.token)}${said.to}${word(said.amount)}${word(2)}${word(5)}`;
    return `0x${head}${rest}${burnt}${word(said.fee)}${word(0)}`;
  };
  const read = (other: object) => Crossing.readMessage(message(other), route);
  expect(read({})).toEqual({ nonce: `0x${word(7)}`, amount: 9n });
  for (const other of [
    { from: 3 },
    { domain: 2 },
    { nonce: 0 },
    { recipient: to },
    { token: networks.base.usdc },
    { to: word(0x13) },
    { to: `01${word(to).slice(2)}` },
    { fee: 10n },
  ])
    expect(read(other)).toBeNull();
  for (const cut of [message().slice(0, -2) as Hex, "0x"] as const)
    expect(Crossing.readMessage(cut, route)).toBeNull();
  expect(Crossing.readMessage(message(), { ...route, chainId: 56 })).toBeNull();
});
