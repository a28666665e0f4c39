import { beforeAll, beforeEach, describe, expect, test } from "bun:test";
import usdcArtifact from "../../../assets/contracts/artifacts/DevUsdc.json";
import { payers } from "../../../src/chain/dev/dev-chain.ts";
import * as Address from "../../../src/domain/wallet/address.ts";
import { startTestChain } from "../../support/chain/chain.ts";
import { balanceOf, encode, send } from "../../support/chain/evm.ts";
import { startRpcProxy } from "../../support/chain/rpc-proxy.ts";
import { shared } from "../../support/per-file.ts";
import { program } from "../../support/till/process.ts";
import { callTill, runTill } from "../../support/till/run-till.ts";
import { startTerminal } from "../../support/till/terminal.ts";
import { startTestTill } from "../../support/till/till.ts";

const merchant = "billing@acme.example";
const usdcAbi = usdcArtifact.abi;

const chain = shared(startTestChain);
const till = shared(() => startTestTill(chain));
let env: Record<string, string>;
let from: Address.Address;
let gasAddress: Address.Address;
let lastTo = 0n;
let to: Address.Address;

beforeAll(async () => {
  const invoice = await till.createInvoice();
  const { body } = await till.api("GET", `/api/invoices/${invoice["invoice_id"]}`);
  from = body.wallet_address;
  env = {
    TILL_CHAIN: "anvil",
    TILL_RPC_URL: chain.rpcUrl,
    TILL_DATA_DIR: till.config.dataDir,
    TILL_WALLET_PASSPHRASE: till.config.walletPassphrase,
  };
  const shown = await callTill(["wallet", "show", "--json"], { env });
  gasAddress = JSON.parse(shown.stdout).gas_account.address;
});
beforeEach(async () => {
  lastTo += 1n;
  to = Address.checksum(`0x${lastTo.toString(16).padStart(40, "d")}`);
  await chain.giveEth(gasAddress);
});

const args = (amount: string, target: string = to) => [
  ...["wallet", "withdraw", "--merchant", merchant, "--to", target, "--amount", amount],
];
const withdraw = (amount: string, changes: { to?: string; env?: Record<string, string> } = {}) =>
  callTill([...args(amount, changes.to), "--yes", "--json"], {
    env: { ...env, ...changes.env },
  });
const balance = (of: Address.Address) => balanceOf(chain, chain.usdc, of);
const gasNonce = async () => Number(await chain.rpc("eth_getTransactionCount", [gasAddress, "latest"]));

describe("till wallet withdraw", () => {
  test("moves an amount, then all that is left, and the wallet needs no ETH", async () => {
    await chain.pay(from, "100.00");
    const first = await withdraw("30.5");
    expect(first.exitCode).toBe(0);
    expect(JSON.parse(first.stdout)).toMatchObject({ state: "done", from, to, amount: "30.50" });
    expect(JSON.parse(first.stdout).tx_hash).toMatch(/^0x[0-9a-f]{64}$/);
    expect(await balance(to)).toBe(30_500_000n);

    expect(JSON.parse((await withdraw("all")).stdout).amount).toBe("69.50");
    expect(await balance(to)).toBe(100_000_000n);
    expect(await balance(from)).toBe(0n);
    expect(await chain.rpc("eth_getBalance", [from, "latest"])).toBe("0x0");
  });

  test("shows what will happen and asks first; a no changes nothing", async () => {
    await chain.pay(from, "5.00");
    const before = await gasNonce();
    const terminal = startTerminal([...program, ...args("5.00")], { env: env });
    await terminal.see("Withdraw?");
    for (const part of [from, to, "5.00 USDC", "fee   about 0.000", "and never more than 0.004,", gasAddress])
      expect(terminal.shown()).toContain(part);
    terminal.type("n");
    expect(await terminal.exited).toBe(1);
    expect(await gasNonce()).toBe(before);
    const wrong = to.toUpperCase().replace("0X", "0x");
    const mistyped = await withdraw("1.00", { to: wrong });
    expect(mistyped).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("fails its checksum") });
    const unasked = await callTill(args("5.00"), { env });
    expect(unasked).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("--yes") });
    expect((await withdraw("all")).exitCode).toBe(0);
  });

  test("says how much ETH is missing and where, and begins nothing", async () => {
    await chain.pay(from, "5.00");
    await chain.giveEth(gasAddress, 1n);
    const { exitCode, stderr } = await withdraw("1.00");
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(new RegExp(`send at least 0\\.000\\d+ ETH to ${gasAddress}`));
    await chain.giveEth(gasAddress);
    expect(JSON.parse((await withdraw("1.00")).stdout)).toMatchObject({ state: "done", to });
  });

  test("pays once when the command is given twice at the same time", async () => {
    await chain.pay(from, "50.00");
    const command = () => runTill([...args("7.00"), "--yes"], { env });
    const both = await Promise.all([command(), command()]);
    expect(await balance(to)).toBe(7_000_000n);
    expect(both.some(({ exitCode }) => exitCode === 0)).toBe(true);
  });

  test("goes on with a withdrawal whose command was killed, and signs no second one", async () => {
    const proxy = startRpcProxy(chain.rpcUrl);
    // The node hears of it, and the command dies before it learns so.
    const killed = Promise.withResolvers<void>();
    proxy.answer = ({ method }) => {
      if (method === "eth_sendRawTransaction") killed.resolve();
      return undefined;
    };
    const child = startTerminal([...program, ...[...args("3.00"), "--yes"]], {
      env: { ...env, TILL_RPC_URL: proxy.url },
    });
    await killed.promise;
    child.kill("SIGKILL");
    await child.exited;
    await proxy.stop();

    const again = await withdraw("3.00");
    expect(again.stderr).toContain("Continuing the pending withdrawal");
    expect(JSON.parse(again.stdout)).toMatchObject({ state: "done", amount: "3.00" });
    expect(await balance(to)).toBe(3_000_000n);
  });

  test("leaves a withdrawal that fails on the chain pending, and gives it up when it cannot happen any more", async () => {
    const proxy = startRpcProxy(chain.rpcUrl);
    // Somebody blacklists the receiver between the check and the block.
    proxy.answer = async ({ method }) => {
      if (method === "eth_sendRawTransaction")
        await send(chain, {
          to: chain.usdc,
          data: encode(usdcAbi, "blacklist", [to]),
          from: payers[1] ?? to,
        });
      return undefined;
    };
    const failed = await withdraw("2.00", { env: { TILL_RPC_URL: proxy.url } });
    await proxy.stop();
    expect(failed.exitCode).toBe(1);
    expect(JSON.parse(failed.stdout)).toMatchObject({ state: "pending", tx_hash: null });
    expect(JSON.parse(failed.stdout).detail).toContain("or not at all");

    // Another one is not begun meanwhile, whatever it asks for.
    const other = await withdraw("1.00", { to: payers[2] ?? to });
    expect(other.exitCode).toBe(1);
    expect(other.stderr).toContain("it was not begun");

    await chain.rpc("evm_increaseTime", [3_601]);
    await chain.mine(1);
    const ended = await withdraw("2.00");
    expect(JSON.parse(ended.stdout)).toMatchObject({ state: "failed", to });
    expect(await balance(to)).toBe(0n);
    await send(chain, { to: chain.usdc, data: encode(usdcAbi, "unBlacklist", [to]) });
    expect(JSON.parse((await withdraw("2.00")).stdout)).toMatchObject({ state: "done" });
    expect(await balance(to)).toBe(2_000_000n);
  });
});
