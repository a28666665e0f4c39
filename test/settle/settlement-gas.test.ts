import { afterAll, beforeAll, expect, test } from "bun:test";
import { readReceipt } from "../../src/chain/account/transaction.ts";
import { topicOf } from "../../src/chain/transfer/transfer-log.ts";
import * as Usdc from "../../src/domain/usdc.ts";
import type { Address } from "../../src/domain/wallet/address.ts";
import * as GasTransactionStore from "../../src/store/tables/settle/gas-transaction.ts";
import { startTestChain, type TestChain } from "../support/chain/chain.ts";
import { balanceOf, contractsOf, deploy } from "../support/chain/evm.ts";
import { openGasAccount, type TestGasAccount } from "../support/chain/gas-account.ts";
import { credit, fundedDeposit, mint, newWallet, settleAll } from "../support/chain/settlement.ts";
import { hurry } from "../support/hurry.ts";

hurry();

let chain: TestChain;
let gas: TestGasAccount;
let token: Address;
beforeAll(async () => {
  chain = await startTestChain();
  gas = await openGasAccount(chain);
  const proxy = (await contractsOf(new URL("ProxiedToken.sol", import.meta.url))).get("ProxiedToken");
  // The code of the development chain's USDC, behind a proxy.
  token = await deploy(chain, `${proxy?.bytecode ?? "0x"}${topicOf(chain.usdc).slice(2)}`);
});
afterAll(async () => {
  gas.close();
  await chain.stop();
});

/** Settles so many new deposits in one transaction, to a payout wallet that holds USDC, and returns its gas. */
async function gasOf(count: number): Promise<number> {
  const wallet = newWallet();
  await mint(chain, wallet, 1n, token);
  for (let i = 0; i < count; i++) await fundedDeposit(chain, gas.db, 2_000_000n, wallet, token);
  await credit(gas, token);
  await settleAll(gas, { usdc: token, min: Usdc.fromMicro(1_000_000n) });
  expect(await balanceOf(chain, token, wallet)).toBe(1n + 2_000_000n * BigInt(count));
  const latest = GasTransactionStore.latest(gas.db, gas.chainId, "settle");
  const receipt = await readReceipt(gas.rpc, latest?.txHash ?? "");
  return receipt?.gasUsed ?? Number.NaN;
}

test("a settlement takes at most 105,000 gas for one deposit and 65,000 for each of 50", async () => {
  await gasOf(1);
  const one = await gasOf(1);
  const fifty = await gasOf(50);
  const deployment = GasTransactionStore.latest(gas.db, gas.chainId, "deploy");
  const factory = await readReceipt(gas.rpc, deployment?.txHash ?? "");
  console.log(
    `gas: ${one} for one deposit, ${fifty / 50} for each of 50, ${factory?.gasUsed} for the factory`,
  );
  expect(one).toBeLessThanOrEqual(105_000);
  expect(fifty / 50).toBeLessThanOrEqual(65_000);
});
