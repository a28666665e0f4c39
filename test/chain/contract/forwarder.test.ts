import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { Hex } from "viem";
import forwarderArtifact from "../../../assets/contracts/artifacts/Forwarder.json";
import factoryArtifact from "../../../assets/contracts/artifacts/TillFactory.json";
import * as Address from "../../../src/domain/wallet/address.ts";
import * as DepositAddress from "../../../src/domain/wallet/deposit-address.ts";
import { type DepositChain, eth, startDepositChain } from "../../support/chain/deposits.ts";
import { stranger } from "../../support/chain/evm.ts";

const { factory, implementation } = DepositAddress;

let chain: DepositChain;
beforeAll(async () => {
  chain = await startDepositChain();
});
afterAll(() => chain.stop());

describe("derived addresses", () => {
  test("the factory and its implementation are where arithmetic says, with the code of the artifacts", async () => {
    expect(await chain.codeAt(factory)).not.toBe("0x");
    // The one immutable of each contract is filled in on chain; everything around it is the artifact's code.
    const answer = await chain.read(factory, factoryArtifact.abi, "implementation");
    expect(Address.checksum(`0x${answer.slice(-40)}`)).toBe(implementation);
    const self = implementation.slice(2).toLowerCase();
    expect(String(await chain.codeAt(implementation)).replaceAll(self, "0".repeat(40))).toBe(
      forwarderArtifact.deployedBytecode,
    );
  });

  test("the factory predicts the same address as the derivation, for any payout wallet and salt", async () => {
    await fc.assert(
      fc.asyncProperty(bytesHex(20, 1), bytesHex(32), async (wallet, salt) => {
        const payoutWallet = Address.checksum(wallet);
        const answer = await chain.read(factory, factoryArtifact.abi, "predict", [payoutWallet, salt]);
        expect(Address.checksum(`0x${answer.slice(-40)}`)).toBe(
          DepositAddress.derive({ factory, implementation, payoutWallet, salt }),
        );
      }),
      { seed: 1, numRuns: 25 },
    );
  });

  test("the forwarder is created at the derived address and knows its payout wallet", async () => {
    const deposit = chain.newDeposit();
    expect(await chain.codeAt(deposit.address)).toBe("0x");
    await chain.create(deposit);
    expect(await chain.codeAt(deposit.address)).not.toBe("0x");
    const answer = await chain.read(deposit.address, forwarderArtifact.abi, "payoutWallet");
    expect(Address.checksum(`0x${answer.slice(-40)}`)).toBe(deposit.payoutWallet);
  });
});

describe("flush", () => {
  test("by a stranger pays the payout wallet and nobody else: USDC", async () => {
    const deposit = chain.newDeposit();
    const strangerBefore = await chain.balance(chain.usdc, stranger);
    await chain.pay(deposit.address, "1500.00");
    await chain.create(deposit);
    expect((await chain.flush(deposit.address, chain.usdc)).status).toBe("success");
    expect(await chain.balance(chain.usdc, deposit.payoutWallet)).toBe(1_500_000_000n);
    expect(await chain.balance(chain.usdc, deposit.address)).toBe(0n);
    expect(await chain.balance(chain.usdc, stranger)).toBe(strangerBefore);
  });

  test("pays out ETH that came before and after the forwarder was created", async () => {
    const deposit = chain.newDeposit();
    await chain.sendEth(deposit.address, 5n);
    await chain.create(deposit);
    expect((await chain.sendEth(deposit.address, 6n)).status).toBe("success");
    expect((await chain.flush(deposit.address, eth)).status).toBe("success");
    expect(await chain.balance(eth, deposit.payoutWallet)).toBe(11n);
  });

  test("pays out a token whose transfer returns nothing", async () => {
    const deposit = chain.newDeposit();
    const token = await chain.deployHostile("SilentToken");
    await chain.mint(token, deposit.address, 42n);
    await chain.create(deposit);
    expect((await chain.flush(deposit.address, token)).status).toBe("success");
    expect(await chain.balance(token, deposit.payoutWallet)).toBe(42n);
  });

  test("fails when a token answers that the transfer did not happen", async () => {
    const deposit = chain.newDeposit();
    const token = await chain.deployHostile("FalseToken");
    await chain.create(deposit);
    expect((await chain.flush(deposit.address, token)).status).toBe("reverted");
  });

  test("with nothing there succeeds and moves nothing", async () => {
    const deposit = chain.newDeposit();
    await chain.create(deposit);
    const receipt = await chain.flush(deposit.address, chain.usdc);
    expect(receipt.status).toBe("success");
    expect(receipt.logs).toEqual([]);
  });

  test("of an address that is no token fails", async () => {
    const deposit = chain.newDeposit();
    await chain.create(deposit);
    expect((await chain.flush(deposit.address, deposit.payoutWallet)).status).toBe("reverted");
  });

  test("leaves ETH where it is when the payout wallet does not take it", async () => {
    const deposit = chain.newDeposit(await chain.deployHostile("RefusingWallet"));
    await chain.sendEth(deposit.address, 9n);
    await chain.create(deposit);
    expect((await chain.flush(deposit.address, eth)).status).toBe("reverted");
    expect(await chain.balance(eth, deposit.address)).toBe(9n);
  });

  test("called again by the payout wallet that is being paid pays once", async () => {
    const deposit = chain.newDeposit(await chain.deployHostile("ReenteringWallet"));
    await chain.sendEth(deposit.address, 9n);
    await chain.create(deposit);
    expect((await chain.flush(deposit.address, eth)).status).toBe("success");
    expect(await chain.balance(eth, deposit.payoutWallet)).toBe(9n);
    const payments = await chain.rpc("eth_getStorageAt", [deposit.payoutWallet, "0x0", "latest"]);
    expect(BigInt(String(payments))).toBe(1n);
  });

  test("called again by the token in the middle of a transfer pays once", async () => {
    const deposit = chain.newDeposit();
    const token = await chain.deployHostile("ReenteringToken");
    await chain.mint(token, deposit.address, 33n);
    await chain.create(deposit);
    expect((await chain.flush(deposit.address, token)).status).toBe("success");
    expect(await chain.balance(token, deposit.payoutWallet)).toBe(33n);
  });

  test("of the shared implementation is refused, and so is ETH sent to it", async () => {
    await chain.mint(chain.usdc, implementation, 1n);
    expect((await chain.flush(implementation, chain.usdc)).status).toBe("reverted");
    expect((await chain.sendEth(implementation, 1n)).status).toBe("reverted");
  });
});

function bytesHex(length: number, min = 0): fc.Arbitrary<Hex> {
  const max = 2n ** BigInt(8 * length) - 1n;
  return fc
    .bigInt({ min: BigInt(min), max })
    .map((value) => `0x${value.toString(16).padStart(2 * length, "0")}` as const);
}
