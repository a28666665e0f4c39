import { beforeAll, describe, expect, test } from "bun:test";
import { startAnvil } from "../../../src/chain/dev/anvil.ts";
import * as Address from "../../../src/domain/wallet/address.ts";
import * as DepositAddress from "../../../src/domain/wallet/deposit-address.ts";
import { startTestChain } from "../../support/chain/chain.ts";
import { eth, startDepositChain } from "../../support/chain/deposits.ts";
import { shared } from "../../support/per-file.ts";
import { callTill } from "../../support/till/run-till.ts";
import { startTestTill } from "../../support/till/till.ts";

const wallet = Address.checksum(`0x${"b1".repeat(20)}`);

const home = shared(startDepositChain);
const other = shared(startTestChain);
const till = shared(() => startTestTill(home, { TILL_SETTLE: "manual" }));
let gasAddress: Address.Address;
let token: Address.Address;
let invoice: Record<string, string>;
let deposit: Address.Address;

beforeAll(async () => {
  invoice = await till.createInvoice({ wallet_type: "byo", wallet_address: wallet });
  deposit = Address.checksum(invoice["deposit_address"] ?? "");
  token = await home.deployHostile("SilentToken");
  const shown = await callTill(["wallet", "show", "--json"], { env: env() });
  gasAddress = JSON.parse(shown.stdout).gas_account.address;
  await home.giveEth(gasAddress);
});

const env = () => ({
  TILL_CHAIN: "anvil",
  TILL_RPC_URL: home.rpcUrl,
  TILL_DATA_DIR: till.config.dataDir,
  TILL_WALLET_PASSPHRASE: till.config.walletPassphrase,
});
const rescue = (...args: string[]) => callTill(["rescue", "--yes", ...args], { env: env() });

describe("till rescue", () => {
  test("moves another token, found by the number of the invoice, to the payout wallet", async () => {
    await home.mint(token, deposit, 42n);
    const { exitCode, stdout, stderr } = await rescue(
      invoice["invoice_number"] ?? "",
      "--token",
      token,
      "--json",
    );
    expect(exitCode).toBe(0);
    expect(stderr).toContain(`to    ${wallet}, its payout wallet`);
    expect(JSON.parse(stdout)).toMatchObject({
      from: deposit,
      to: wallet,
      moved: "42",
      arrived: null,
      left: "0",
      obstacle: null,
    });
    expect(await home.balance(token, wallet)).toBe(42n);
  });

  test("tells what arrived, of a token that keeps a part of each transfer", async () => {
    const feeToken = await home.deployHostile("FeeToken");
    await home.mint(feeToken, deposit, 1_000n);
    const { exitCode, stdout } = await rescue(deposit, "--token", feeToken, "--json");
    expect(exitCode).toBe(0);
    const told = JSON.parse(stdout);
    expect(told).toMatchObject({ moved: "1000", arrived: "900", left: "0" });
    expect(told.tx_hash).toMatch(/^0x[0-9a-f]{64}$/);
    expect(await home.balance(feeToken, wallet)).toBe(900n);
    await home.mint(feeToken, deposit, 10n ** 18n);
    const words = (await rescue(deposit, "--token", feeToken)).stdout;
    expect(words).toContain(
      `Moved 1 FEE (${feeToken}) from ${deposit}. 0.9 FEE (${feeToken}) arrived at ${wallet}`,
    );
  });

  test("moves ETH, found by the deposit address", async () => {
    await home.sendEth(deposit, 5n * 10n ** 17n);
    const { exitCode, stdout, stderr } = await rescue(deposit, "--token", "eth");
    expect(exitCode).toBe(0);
    expect(stderr).toMatch(/fee {3}about 0\.0\d+ ETH, and never/);
    expect(stdout).toContain(`Moved 0.5 ETH to ${wallet}.`);
    expect(await home.balance(eth, wallet)).toBe(5n * 10n ** 17n);
  });

  test("says when there is nothing, when the token does not move, and what belongs to till settle", async () => {
    expect((await rescue(deposit, "--token", "eth")).stderr).toContain("holds none of it");
    expect((await rescue(deposit, "--token", home.usdc)).stderr).toContain("till settle");
    expect(await rescue(wallet, "--token", "eth")).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining("is not a deposit address"),
    });
    expect((await rescue("inv-0001", "--token", "eth")).stderr).toContain("holds none of it");
    const stuck = await rescue(deposit, "--token", await home.deployHostile("FalseToken"));
    expect(stuck.exitCode).toBe(1);
    expect(stuck.stderr).toContain("is still at");
  });

  test("creates the factory on another chain, moves USDC there, and keeps nonces of its own for it", async () => {
    await other.rpc("anvil_setChainId", [4242]);
    await other.rpc("anvil_dealERC20", [deposit, other.usdc, "0x1312d00"]);
    const args = [invoice["slug"] ?? "", "--token", other.usdc, "--rpc-url", other.rpcUrl];
    const poor = await rescue(...args);
    expect(poor.exitCode).toBe(1);
    expect(poor.stderr).toContain(`to ${gasAddress}`);
    await other.giveEth(gasAddress);

    const { exitCode, stdout, stderr } = await rescue(...args);
    expect({ exitCode, stderr }).toEqual({
      exitCode: 0,
      stderr: expect.stringContaining("creates Till's factory"),
    });
    expect(stdout).toContain(`Moved 20 USDC (${other.usdc}) to ${wallet}.`);
    expect(await other.rpc("eth_getTransactionCount", [gasAddress, "latest"])).toBe("0x2");
  });

  test("refuses a chain where the payout wallet is a contract that is missing, unless told", async () => {
    const contract = await home.deployHostile("RefusingWallet");
    const theirs = await till.createInvoice({ wallet_type: "byo", wallet_address: contract });
    await other.rpc("anvil_dealERC20", [theirs["deposit_address"], other.usdc, "0x5"]);
    const args = [theirs["slug"] ?? "", "--token", other.usdc, "--rpc-url", other.rpcUrl];
    const refused = await rescue(...args);
    expect(refused.exitCode).toBe(1);
    expect(refused.stderr).toContain("may be lost");
    const forced = await rescue(...args, "--force");
    expect(forced.exitCode).toBe(0);
    expect(forced.stderr).toContain("somebody else's may have the same address there");
  });

  test("calls the coin of another chain by its name", async () => {
    await other.rpc("anvil_setChainId", [31339]);
    await other.giveEth(deposit, 5n * 10n ** 17n);
    const { exitCode, stdout, stderr } = await rescue(deposit, "--token", "eth", "--rpc-url", other.rpcUrl);
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: `Moved 0.5 POL to ${wallet}.\n` });
    expect(stderr).toContain("Move 0.5 POL on Polygon (Anvil)");
    await other.rpc("anvil_setChainId", [4242]);
  });

  test("takes a wallet with a key for one on every chain, though it delegates to a contract (EIP-7702)", async () => {
    const delegating = Address.checksum(`0x${"b7".repeat(20)}`);
    await home.rpc("anvil_setCode", [delegating, `0xef0100${"ca".repeat(20)}`]);
    const theirs = await till.createInvoice({ wallet_type: "byo", wallet_address: delegating });
    await other.rpc("anvil_dealERC20", [theirs["deposit_address"], other.usdc, "0x7"]);
    const told = await rescue(theirs["slug"] ?? "", "--token", other.usdc, "--rpc-url", other.rpcUrl);
    expect(told).toMatchObject({ exitCode: 0, stdout: expect.stringContaining("Moved 0.000007 USDC") });
  });

  test("refuses a payout wallet that is the token itself", async () => {
    const feeToken = await home.deployHostile("FeeToken");
    const theirs = await till.createInvoice({ wallet_type: "byo", wallet_address: feeToken });
    await home.mint(feeToken, Address.checksum(theirs["deposit_address"] ?? ""), 5n);
    const refused = await rescue(theirs["slug"] ?? "", "--token", feeToken);
    expect(refused).toMatchObject({ exitCode: 1, stderr: expect.stringContaining("is the token itself") });
  });

  test("says so when a chain has no deployer either", async () => {
    const bare = await startAnvil({ port: 0 });
    try {
      const call = (method: string, params: unknown[]) =>
        fetch(bare.rpcUrl, {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
        });
      await call("anvil_setCode", [DepositAddress.deployer, "0x"]);
      await call("anvil_setChainId", [777]);
      await call("anvil_setBalance", [deposit, "0x9"]);
      const { exitCode, stderr } = await rescue(deposit, "--token", "eth", "--rpc-url", bare.rpcUrl);
      expect(exitCode).toBe(1);
      expect(stderr).toContain(`no deterministic deployer at ${DepositAddress.deployer}`);
    } finally {
      await bare.stop();
    }
  });
});
