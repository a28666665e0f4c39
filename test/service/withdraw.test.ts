import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import usdcArtifact from "../../assets/contracts/artifacts/DevUsdc.json";
import { createRpc } from "../../src/chain/rpc.ts";
import * as Address from "../../src/domain/address.ts";
import * as DepositAddress from "../../src/domain/deposit-address.ts";
import type * as Usdc from "../../src/domain/usdc.ts";
import { makeDeposit } from "../../src/service/make-deposit.ts";
import { beginWithdrawal, carryOut, planWithdrawal } from "../../src/service/withdraw.ts";
import { transact } from "../../src/store/database.ts";
import { startTestChain, type TestChain } from "../support/chain.ts";
import { encode, send } from "../support/evm.ts";
import { openGasAccount, type TestGasAccount } from "../support/gas-account.ts";
import { startRpcProxy } from "../support/rpc-proxy.ts";
import { usdc } from "../support/usdc.ts";

const to = Address.checksum(`0x${"ab".repeat(20)}`);

let chain: TestChain;
let gas: TestGasAccount;
let from: Address.Address;
beforeAll(async () => {
  chain = await startTestChain();
  gas = await openGasAccount(chain);
  from = gas.wallet.merchantAddress(1);
  await chain.pay(from, "5.00");
});
afterAll(async () => {
  gas.close();
  await chain.stop();
});

const plan = (amount: Usdc.Usdc | "all", target = to, by = gas) =>
  planWithdrawal(by, { token: chain.usdc, accountIndex: 1, to: target, amount });

describe("planWithdrawal", () => {
  test("refuses places from which the money would not come back, and says why", async () => {
    const request = { merchantEmail: "a@b.example", wallet: to, expected: usdc("1.00") };
    const deposit = transact(gas.db, () => makeDeposit(gas.db, gas.wallet, request, 0));
    for (const [target, message] of [
      [Address.zero, "zero address"],
      [chain.usdc, "USDC contract itself"],
      [DepositAddress.factory, "factory contract"],
      [DepositAddress.implementation, "contract of Till's"],
      [from, "is the wallet itself"],
      [gas.wallet.gasAddress, "is the gas account"],
      [deposit.address, "is a deposit address of this installation"],
    ] as const) {
      await expect(plan(usdc("1.00"), target)).rejects.toThrow(message);
    }
  });

  test("refuses more than there is, and nothing", async () => {
    await expect(plan(usdc("5.01"))).rejects.toThrow(`${from} has 5.00 USDC and not 5.01`);
    await expect(plan(usdc("0.00"))).rejects.toThrow("the amount is 0");
    const empty = planWithdrawal(gas, { token: chain.usdc, accountIndex: 2, to, amount: "all" });
    await expect(empty).rejects.toThrow("There is no USDC");
    expect((await plan("all")).withdrawal.amount).toBe(usdc("5.00"));
  });

  test("refuses what the token would not let pass, before anything is signed", async () => {
    await send(chain, { to: chain.usdc, data: encode(usdcArtifact.abi, "blacklist", [to]) });
    await expect(plan("all")).rejects.toThrow("The token does not let");
    await send(chain, { to: chain.usdc, data: encode(usdcArtifact.abi, "unBlacklist", [to]) });
  });

  test("refuses a token whose domain is not what its name and version say", async () => {
    const proxy = startRpcProxy(chain.rpcUrl);
    const domainSeparator = encode(usdcArtifact.abi, "DOMAIN_SEPARATOR");
    proxy.answer = ({ params: [call] }) =>
      JSON.stringify(call ?? "").includes(domainSeparator) ? { result: `0x${"11".repeat(32)}` } : undefined;
    const deceived = { ...gas, rpc: createRpc({ url: proxy.url }) };
    await expect(plan("all", to, deceived)).rejects.toThrow("another EIP-712 domain");
    await proxy.stop();
  });
});

describe("beginWithdrawal", () => {
  test("refuses a plan from before another withdrawal, pending or ended", async () => {
    const [first, second] = await Promise.all([plan(usdc("1.00")), plan(usdc("1.00"))]);
    const begun = beginWithdrawal(gas, first);
    expect(() => beginWithdrawal(gas, second)).toThrow("at the same time");
    expect((await carryOut(gas, begun)).kind).toBe("done");
    expect(() => beginWithdrawal(gas, second)).toThrow("at the same time");
  });
});

describe("carryOut", () => {
  test("is done, also when somebody else was faster to show the authorisation to the chain", async () => {
    const proxy = startRpcProxy(chain.rpcUrl);
    const begun = beginWithdrawal(gas, await plan(usdc("1.00")));
    proxy.answer = async ({ method, params: [call] }) => {
      // Whoever sees the call before it is sent can copy it.
      if (method === "eth_sendRawTransaction") {
        const { parseTransaction } = await import("viem");
        const { data = "0x" } = parseTransaction(String(call) as `0x02${string}`);
        await send(chain, { to: chain.usdc, data });
      }
      return undefined;
    };
    const watched = { ...gas, rpc: createRpc({ url: proxy.url }) };
    expect((await carryOut(watched, begun)).kind).toBe("done");
    await proxy.stop();
    expect((await plan("all")).withdrawal.amount).toBe(usdc("3.00"));
    expect((await carryOut(gas, begun)).kind).toBe("done");
  });

  test("uses less gas than it is given", async () => {
    const begun = beginWithdrawal(gas, await plan(usdc("1.00"), Address.checksum(`0x${"cd".repeat(20)}`)));
    const outcome = await carryOut(gas, begun);
    if (outcome.kind !== "done") throw new Error(outcome.reason);
    const receipt = (await chain.rpc("eth_getTransactionReceipt", [outcome.txHash])) as { gasUsed: string };
    console.log(`withdrawal: ${Number(receipt.gasUsed)} gas`);
    expect(Number(receipt.gasUsed)).toBeLessThan(150_000);
  });
});
