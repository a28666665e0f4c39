import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import usdcArtifact from "../../../assets/contracts/artifacts/DevUsdc.json";
import * as Address from "../../../src/domain/wallet/address.ts";
import * as DepositAddress from "../../../src/domain/wallet/deposit-address.ts";
import { type DepositChain, eth, startDepositChain } from "../../support/chain/deposits.ts";
import { encode, send, stranger } from "../../support/chain/evm.ts";

let chain: DepositChain;
beforeAll(async () => {
  chain = await startDepositChain();
});
afterAll(() => chain.stop());

describe("settle", () => {
  test("creates and pays out, with ETH too, and settles a deposit again", async () => {
    const deposit = chain.newDeposit();
    await chain.pay(deposit.address, "10.00");
    await chain.sendEth(deposit.address, 8n);
    expect((await chain.settle(chain.usdc, [deposit])).logs).toHaveLength(1);
    await chain.settle(eth, [deposit]);
    await chain.pay(deposit.address, "2.50");
    await chain.settle(chain.usdc, [deposit, deposit]);
    expect(await chain.balance(chain.usdc, deposit.payoutWallet)).toBe(12_500_000n);
    expect(await chain.balance(eth, deposit.payoutWallet)).toBe(8n);
  });

  test("only flushes a forwarder that somebody else created first", async () => {
    const deposit = chain.newDeposit();
    await chain.pay(deposit.address, "10.00");
    await chain.create(deposit);
    expect((await chain.create(deposit)).status).toBe("success");
    expect((await chain.settle(chain.usdc, [deposit])).status).toBe("success");
    expect(await chain.balance(chain.usdc, deposit.payoutWallet)).toBe(10_000_000n);
  });

  test("pays out every deposit but a blacklisted one, and that one once it is free", async () => {
    const deposits = Array.from({ length: 5 }, () => chain.newDeposit());
    for (const { address } of deposits) await chain.mint(chain.usdc, address, 1_000_000n);
    const blocked = deposits[2]?.address ?? Address.zero;
    await send(chain, { to: chain.usdc, data: encode(usdcArtifact.abi, "blacklist", [blocked]) });

    expect((await chain.settle(chain.usdc, deposits)).status).toBe("success");
    const paid = await Promise.all(
      deposits.map((deposit) => chain.balance(chain.usdc, deposit.payoutWallet)),
    );
    expect(paid).toEqual([1_000_000n, 1_000_000n, 0n, 1_000_000n, 1_000_000n]);
    expect(await chain.balance(chain.usdc, blocked)).toBe(1_000_000n);

    await send(chain, { to: chain.usdc, data: encode(usdcArtifact.abi, "unBlacklist", [blocked]) });
    await chain.settle(chain.usdc, deposits);
    expect(await chain.balance(chain.usdc, deposits[2]?.payoutWallet ?? Address.zero)).toBe(1_000_000n);
  });

  test("pays out the honest deposits whatever the payout wallets of the others do with their gas", async () => {
    const burning = await chain.deployHostile("BurningWallet");
    const bomb = await chain.deployHostile("BombWallet");
    const refusing = await chain.deployHostile("RefusingWallet");
    const hostile = [burning, bomb, refusing, burning, bomb, burning].map((wallet) =>
      chain.newDeposit(wallet),
    );
    const honest = hostile.map(() => chain.newDeposit());
    const mixed = hostile.flatMap((deposit, i) => [deposit, honest[i] ?? deposit]);
    for (const { address } of mixed) await chain.sendEth(address, 3n);

    expect((await chain.settle(eth, mixed)).status).toBe("success");
    for (const { payoutWallet, address } of honest) {
      expect(await chain.balance(eth, payoutWallet)).toBe(3n);
      expect(await chain.balance(eth, address)).toBe(0n);
    }
    for (const { address } of hostile) expect(await chain.balance(eth, address)).toBe(3n);
  });

  test("refuses to start with less gas than is to be kept back for the deposits", async () => {
    const deposit = chain.newDeposit();
    await chain.pay(deposit.address, "10.00");
    expect((await chain.settle(chain.usdc, [deposit], 125_000n)).status).toBe("reverted");
    expect(await chain.balance(chain.usdc, deposit.address)).toBe(10_000_000n);
  });
});

describe("settlementGas", () => {
  test.each([1, 2, 10, 100])("is enough for %d new deposits with new payout wallets", async (count) => {
    const deposits = Array.from({ length: count }, () => chain.newDeposit());
    for (const { address } of deposits) await chain.mint(chain.usdc, address, 1n);
    const receipt = await chain.settle(chain.usdc, deposits);
    expect(receipt.status).toBe("success");
    expect(receipt.logs).toHaveLength(count);
    const { limit } = DepositAddress.settlementGas(count);
    console.log(`settlement of ${count}: ${receipt.gasUsed} gas, limit ${limit}`);
    expect(receipt.gasUsed).toBeLessThan(limit);
  });

  test.each([1, 2, 10])("is kept back for %d deposits where a wallet estimates the limit", async (count) => {
    const deposits = Array.from({ length: count }, () => chain.newDeposit());
    for (const { address } of deposits) await chain.mint(chain.usdc, address, 1n);
    const estimate = await chain.rpc("eth_estimateGas", [
      { ...chain.settlement(chain.usdc, deposits), from: stranger },
    ]);
    const receipt = await chain.settle(chain.usdc, deposits, BigInt(String(estimate)));
    expect(receipt.logs).toHaveLength(count);
  });

  test("refuses a settlement of none and of more than a transaction has room for", () => {
    expect(() => DepositAddress.settlementGas(0)).toThrow(RangeError);
    expect(() => DepositAddress.settlementGas(DepositAddress.settlementDepositsMax + 1)).toThrow(RangeError);
  });
});
