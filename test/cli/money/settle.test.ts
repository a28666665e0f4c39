import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import usdcArtifact from "../../../assets/contracts/artifacts/DevUsdc.json";
import type { Address } from "../../../src/domain/wallet/address.ts";
import { startTestChain } from "../../support/chain/chain.ts";
import { balanceOf, encode, send, stranger } from "../../support/chain/evm.ts";
import { openGasAccount, type TestGasAccount } from "../../support/chain/gas-account.ts";
import {
  compareBalances,
  credit,
  fundedDeposit,
  newWallet,
  settledTotal,
  settlementStates,
} from "../../support/chain/settlement.ts";
import { shared } from "../../support/per-file.ts";
import { passphrase } from "../../support/till/data-dir.ts";
import { callTill } from "../../support/till/run-till.ts";

const chain = shared(startTestChain);
let gas: TestGasAccount;
beforeEach(async () => {
  gas = await openGasAccount(chain);
});
afterEach(() => gas.close());

async function settle(args: string[], env: Record<string, string> = { TILL_WALLET_PASSPHRASE: passphrase }) {
  const { exitCode, stdout, stderr } = await callTill(["settle", ...args], {
    env: { TILL_CHAIN: "anvil", TILL_RPC_URL: chain.rpcUrl, TILL_DATA_DIR: gas.dataDir, ...env },
  });
  return { code: exitCode, output: stdout + stderr };
}
const json = (output: string) => JSON.parse(output.split("\n").find((line) => line.startsWith("{")) ?? "");
const held = (of: Address) => balanceOf(chain, chain.usdc, of);

describe("till settle", () => {
  test("shows what will happen, settles, and says what it did", async () => {
    const wallet = newWallet();
    for (const micro of [1_000_000n, 2_500_000n]) await fundedDeposit(chain, gas.db, micro, wallet);
    await credit(gas, chain.usdc);
    const { code, output } = await settle(["--yes"]);
    expect(code).toBe(0);
    expect(output).toContain("Settle 2 deposits, 3.50 USDC, on Base (Anvil)");
    expect(output).toContain(`3.50 USDC to ${wallet} (2 deposits)`);
    expect(output).toMatch(
      /fee about 0\.00\d+ ETH, and never more than 0\.0\d+, for at most \d+ gas, paid by the gas account 0x/,
    );
    expect(output).toMatch(/Settled 2 deposits, 3\.50 USDC \(0x[0-9a-f]{64}\)\./);
    expect(await held(wallet)).toBe(3_500_000n);
    const again = await settle(["--yes", "--json"]);
    expect(again.code).toBe(0);
    expect(json(again.output)).toEqual({ settled: "0.00", transactions: [], detail: null });
  });

  test("prints without a passphrase what anybody can send, and finds it done afterwards", async () => {
    const wallet = newWallet();
    const bare = await startTestChain();
    const there = await openGasAccount(bare);
    const deposit = await fundedDeposit(bare, there.db, 7_000_000n, wallet);
    await credit(there, bare.usdc);
    const env = { TILL_RPC_URL: bare.rpcUrl, TILL_DATA_DIR: there.dataDir };
    const text = await settle(["--print"], env);
    expect(text.code).toBe(0);
    expect(text.output).toContain("Transaction 1 of 2: creates Till's factory");
    const { chain_id, transactions } = json((await settle(["--print", "--json"], env)).output);
    expect(chain_id).toBe(31337);
    expect(transactions).toHaveLength(2);
    for (const { to, data, gas: limit, value } of transactions) {
      expect(text.output).toContain(data);
      const sent = await send(bare, { to, data, gas: BigInt(limit), value: BigInt(value), from: stranger });
      expect(sent.status).toBe("success");
    }
    expect(await balanceOf(bare, bare.usdc, wallet)).toBe(7_000_000n);
    expect((await settle(["--print"], env)).output).toContain("1 deposit cannot be judged yet");
    await compareBalances(there, bare);
    expect((await settle(["--print"], env)).output).toBe("There is nothing to settle now.\n");
    expect(settlementStates(there.db)).toEqual({ elsewhere: 1 });
    expect(deposit.payoutWallet).toBe(wallet);
    there.close();
    await bare.stop();
  });

  test("names what could not be moved, and moves it with --retry", async () => {
    const wallet = newWallet();
    const deposit = await fundedDeposit(chain, gas.db, 2_000_000n, wallet);
    await fundedDeposit(chain, gas.db, 3_000_000n, wallet);
    await credit(gas, chain.usdc);
    await send(chain, { to: chain.usdc, data: encode(usdcArtifact.abi, "blacklist", [deposit.address]) });
    const first = await settle(["--yes", "--json"]);
    expect(first.code).toBe(1);
    const [transaction] = json(first.output).transactions;
    expect(transaction.deposits).toMatchObject([
      { deposit_address: deposit.address, state: "failed", amount: "0.00" },
      { state: "settled", amount: "3.00" },
    ]);
    const second = await settle(["--yes"]);
    expect(second.output).toContain(
      `The money of ${deposit.address} could not be moved. It is tried again after`,
    );
    await send(chain, { to: chain.usdc, data: encode(usdcArtifact.abi, "unBlacklist", [deposit.address]) });
    expect((await settle(["--yes", "--retry"])).code).toBe(0);
    expect(await held(wallet)).toBe(5_000_000n);
    expect(settledTotal(gas.db)).toBe(5_000_000n as never);
  });

  test("says how much ETH is missing, and does nothing then", async () => {
    await chain.giveEth(gas.wallet.gasAddress, 0n);
    await fundedDeposit(chain, gas.db, 2_000_000n, newWallet());
    await credit(gas, chain.usdc);
    const { code, output } = await settle(["--yes"]);
    expect(code).toBe(1);
    expect(output).toMatch(new RegExp(`send at least 0\\.\\d+ ETH to ${gas.wallet.gasAddress}`));
    expect(settlementStates(gas.db)).toEqual({});
  });

  test("asks before it spends, and says what is wrong with how it was called", async () => {
    const unasked = await settle([]);
    expect(unasked.code).toBe(2);
    expect(unasked.output).toContain("--yes");
    expect((await settle(["--yes"], { TILL_DATA_DIR: "/nonexistent" })).output).toContain("PASSPHRASE");
    const nowhere = await settle(["--print"], { TILL_DATA_DIR: "/nonexistent" });
    expect(nowhere).toMatchObject({
      code: 1,
      output: expect.stringContaining("There is no database in /nonexistent"),
    });
    const unreachable = await settle(["--print"], { TILL_RPC_URL: "http://127.0.0.1:9" });
    expect(unreachable).toMatchObject({
      code: 1,
      output: expect.stringContaining("No node of TILL_RPC_URL"),
    });
  });
});
