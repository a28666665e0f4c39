import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type Hex, numberToHex, parseSignature, parseTransaction } from "viem";
import usdcArtifact from "../../assets/contracts/artifacts/DevUsdc.json";
import { authorizationCall, readDomain } from "../../src/chain/contract/authorization.ts";
import { readAuthorizationEnd } from "../../src/chain/contract/authorization-end.ts";
import { createRpc } from "../../src/chain/node/rpc.ts";
import { walletWarnings } from "../../src/doctor/money-findings.ts";
import * as Common from "../../src/domain/receivable/common.ts";
import type * as Usdc from "../../src/domain/usdc.ts";
import * as Address from "../../src/domain/wallet/address.ts";
import * as DepositAddress from "../../src/domain/wallet/deposit-address.ts";
import { nextDeposit } from "../../src/invoicing/next-deposit.ts";
import { beginWithdrawal, carryOut, lookAgain, planWithdrawal } from "../../src/settle/withdraw.ts";
import { transact } from "../../src/store/database.ts";
import * as MoneyReport from "../../src/store/reports/desk/money.ts";
import * as AllowedAddressStore from "../../src/store/tables/desk/allowed-address.ts";
import * as ReceivableStore from "../../src/store/tables/invoicing/receivable.ts";
import * as GasTransactionStore from "../../src/store/tables/settle/gas-transaction.ts";
import type { Withdrawal } from "../../src/store/tables/settle/withdrawal.ts";
import * as WithdrawalStore from "../../src/store/tables/settle/withdrawal.ts";
import { startTestChain, type TestChain } from "../support/chain/chain.ts";
import { encode, send } from "../support/chain/evm.ts";
import { openGasAccount, type TestGasAccount } from "../support/chain/gas-account.ts";
import { startRpcProxy } from "../support/chain/rpc-proxy.ts";
import { until } from "../support/till/till.ts";
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
    const request = {
      merchantEmail: "a@b.example",
      wallet: to,
      expected: usdc("1.00"),
      tolerance: usdc("0.00"),
    };
    const deposit = transact(gas.db, () => {
      const next = nextDeposit(gas.db, gas.wallet, request);
      const link = {
        ...Common.defaults,
        ...request,
        walletType: "byo",
        currency: null,
        webhookUrl: null,
      } as const;
      ReceivableStore.insert(gas.db, "link", { ...link, deposit: next, createdAt: 0 }, null);
      return next;
    });
    for (const [target, message] of [
      [Address.zero, "zero address"],
      [chain.usdc, "USDC contract itself"],
      [DepositAddress.factory, "factory contract"],
      [DepositAddress.implementation, "contract of Till's"],
      [from, "is the wallet itself"],
      [gas.wallet.gasAddress, "is the gas account"],
      [deposit.address, "is a deposit address of this Till"],
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

  test("plans nothing without the newest block, from which on it will look for the nonce", async () => {
    const proxy = startRpcProxy(chain.rpcUrl);
    let isFirst = true;
    proxy.answer = ({ method }) => {
      if (method !== "eth_getBlockByNumber" || !isFirst) return undefined;
      isFirst = false;
      return { result: null };
    };
    const blind = { ...gas, rpc: createRpc({ url: proxy.url }) };
    await expect(plan("all", to, blind)).rejects.toThrow("no latest block");
    await proxy.stop();
  });
});

describe("beginWithdrawal", () => {
  test("begins none for the desk to an address that is not allowed any more", async () => {
    AllowedAddressStore.allow(gas.db, { address: to, name: "Till", createdAt: 0 });
    const planned = await plan(usdc("1.00"));
    AllowedAddressStore.remove(gas.db, to, "Test", Date.now());
    expect(() => beginWithdrawal(gas, planned, "k".repeat(22))).toThrow("is not allowed any more");
  });

  test("refuses a plan from before another withdrawal, pending or ended", async () => {
    const [first, second] = await Promise.all([plan(usdc("1.00")), plan(usdc("1.00"))]);
    const begun = beginWithdrawal(gas, first);
    expect(() => beginWithdrawal(gas, second)).toThrow("at the same time");
    expect((await carryOut(gas, begun)).kind).toBe("done");
    expect(() => beginWithdrawal(gas, second)).toThrow("at the same time");
  });
});

const warnings = () => walletWarnings(gas.db, gas.chainId, gas.now());

describe("carryOut", () => {
  /** A node before which `meddle` runs, each time that Till sends a transaction. */
  function nodeWith(meddle: (data: Hex) => Promise<unknown>) {
    const proxy = startRpcProxy(chain.rpcUrl);
    proxy.answer = async ({ method, params: [raw] }) => {
      if (method !== "eth_sendRawTransaction") return undefined;
      await meddle(parseTransaction(String(raw) as `0x02${string}`).data ?? "0x");
      return undefined;
    };
    return { gas: { ...gas, rpc: createRpc({ url: proxy.url }) }, stop: () => proxy.stop() };
  }

  /** What a person with the words can sign for a nonce. */
  async function signed(kind: "cancel" | "pay", { nonce, validBeforeSec }: Withdrawal, amount: bigint) {
    const domain = await readDomain(gas.rpc, { chainId: gas.chainId, token: chain.usdc });
    const account = gas.wallet.account(1);
    const [authorizer, other] = [from, gas.wallet.merchantAddress(2)];
    if (kind === "cancel") {
      const types = {
        CancelAuthorization: [
          { name: "authorizer", type: "address" },
          { name: "nonce", type: "bytes32" },
        ],
      } as const;
      const message = { authorizer, nonce };
      const signature = await account.signTypedData({
        domain,
        types,
        primaryType: "CancelAuthorization",
        message,
      });
      const { r, s, yParity } = parseSignature(signature);
      return encode(usdcArtifact.abi, "cancelAuthorization", [authorizer, nonce, 27 + yParity, r, s]);
    }
    return await authorizationCall(gas.rpc, account, {
      chainId: gas.chainId,
      token: chain.usdc,
      from,
      to: other,
      amount,
      nonce,
      validBeforeSec,
    });
  }

  test("is done by the transaction of somebody else who was faster to show the authorisation to the chain", async () => {
    const begun = beginWithdrawal(gas, await plan(usdc("1.00")));
    let theirs: string | null = null;
    // Whoever sees the call before it is sent can copy it.
    const node = nodeWith(async (data) => {
      theirs ??= (await send(chain, { to: chain.usdc, data })).transactionHash;
    });
    const outcome = await carryOut(node.gas, begun);
    expect(theirs).not.toBeNull();
    expect(outcome).toEqual({ kind: "done", txHash: String(theirs) });
    await node.stop();
    expect((await plan("all")).withdrawal.amount).toBe(usdc("3.00"));
    expect(await carryOut(gas, begun)).toEqual(outcome);
    expect(WithdrawalStore.byId(gas.db, begun.id)).toMatchObject({ state: "done", txHash: theirs });
  });

  test("tells of a cancelled authorisation, and that nothing moved", async () => {
    const begun = beginWithdrawal(gas, await plan(usdc("1.00")));
    let theirs: string | null = null;
    const node = nodeWith(async () => {
      const data = await signed("cancel", begun, 0n);
      theirs ??= (await send(chain, { to: chain.usdc, data })).transactionHash;
    });
    const outcome = await carryOut(node.gas, begun);
    expect(outcome).toMatchObject({
      kind: "failed",
      txHash: theirs,
      reason: expect.stringContaining("cancelled"),
    });
    await node.stop();
    expect(WithdrawalStore.byId(gas.db, begun.id)).toMatchObject({ state: "failed", failure: "cancelled" });
    const message = `somebody else has the wallet's 12 words: they cancelled the withdrawal of 1.00 USDC from ${from} in ${theirs}`;
    expect(warnings()).toEqual([
      {
        about: "wallet",
        level: "wrong",
        message,
        advice: expect.stringContaining("other words"),
        facts: { code: "exposed", withdrawal: begun.id },
      },
    ]);
    expect((await plan("all")).withdrawal.amount).toBe(usdc("3.00"));
  });

  test("tells when the nonce was used for another payment, and goes on past nodes with short ranges", async () => {
    await chain.mine(30);
    const begun = beginWithdrawal(gas, await plan(usdc("1.00")));
    await chain.mine(1_100);
    const { transactionHash, blockNumber } = await send(chain, {
      to: chain.usdc,
      data: await signed("pay", begun, 10_000n),
    });
    const proxy = startRpcProxy(chain.rpcUrl);
    let isArchive = false;
    proxy.answer = ({ method, params: [filter, block] }) => {
      const { fromBlock, toBlock } = Object(filter);
      if (method === "eth_call" && isArchive)
        return { result: numberToHex(Number(block) >= Number(blockNumber) ? 1 : 0, { size: 32 }) };
      return method === "eth_getLogs" && Number(toBlock) > Number(fromBlock)
        ? { error: { code: -32005, message: "at most 1 block" } }
        : undefined;
    };
    const rpc = createRpc({ url: proxy.url });
    const outcome = await carryOut({ ...gas, rpc }, begun);
    expect(outcome).toMatchObject({ kind: "failed", txHash: transactionHash });
    // One that still has the state of old blocks need not be asked for the logs of all.
    isArchive = true;
    proxy.reset();
    const blocks = { from: 0, to: (await chain.blockAt("latest")).number };
    expect(await readAuthorizationEnd(rpc, begun, blocks, [])).toMatchObject({ txHash: transactionHash });
    expect(proxy.calls.length).toBeLessThan(30);
    // A node that knows the nonce and has no logs says nothing.
    await proxy.stop();
    expect(WithdrawalStore.byId(gas.db, begun.id)).toMatchObject({ state: "failed", failure: "replaced" });
    expect((await plan("all")).withdrawal.amount).toBe(usdc("2.99"));
  });

  test("stays pending while the node knows the nonce and shows no event", async () => {
    const begun = beginWithdrawal(gas, await plan(usdc("0.99")));
    const call = await signed("cancel", begun, 0n);
    await send(chain, { to: chain.usdc, data: call });
    const proxy = startRpcProxy(chain.rpcUrl);
    proxy.answer = ({ method }) => (method === "eth_getLogs" ? { result: [] } : undefined);
    const outcome = await carryOut({ ...gas, rpc: createRpc({ url: proxy.url }) }, begun);
    expect(outcome.kind).toBe("pending");
    await proxy.stop();
    expect((await carryOut(gas, begun)).kind).toBe("failed");
  });

  test("says why its transaction reverted, pays for no second one by itself, and goes on when asked to", async () => {
    await chain.pay(from, "1.00");
    const begun = beginWithdrawal(gas, await plan(usdc("1.00")));
    const freeze = (name: "blacklist" | "unBlacklist") =>
      send(chain, { to: chain.usdc, data: encode(usdcArtifact.abi, name, [to]) });
    const node = nodeWith(() => freeze("blacklist"));
    const told = () =>
      warnings()
        .filter(({ level }) => level === "warning")
        .map(({ message }) => message);
    expect(told()).toEqual([]);
    for (const _ of [1, 2])
      expect(await carryOut(node.gas, begun, undefined, false)).toMatchObject({
        kind: "pending",
        reason: expect.stringMatching(/reverted and is not sent again\. .*reverted/),
      });
    await node.stop();
    expect(told()).toEqual([expect.stringContaining(`of 1.00 USDC from ${from} reverted`)]);
    await freeze("unBlacklist");
    expect((await carryOut(gas, begun)).kind).toBe("done");
    expect(told()).toEqual([]);
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

describe("lookAgain", () => {
  const stored = ({ id }: Withdrawal) => {
    const withdrawal = WithdrawalStore.byId(gas.db, id);
    if (!withdrawal) throw new Error(`There is no withdrawal ${id}`);
    return withdrawal;
  };
  const withdrawn = () => MoneyReport.all(gas.db).withdrawn;

  async function doneAndLost(): Promise<{ begun: Withdrawal; txHash: string }> {
    // What an earlier test left behind is sent at once.
    gas.pass(61_000);
    await chain.pay(from, "3.00");
    await chain.mine(5);
    const begun = beginWithdrawal(gas, await plan(usdc("1.00")));
    const outcome = await carryOut(gas, begun);
    if (outcome.kind !== "done") throw new Error(outcome.reason);
    expect(await lookAgain(gas, stored(begun))).toBeNull();
    await chain.reorg(1);
    await chain.rpc("anvil_dropAllTransactions");
    return { begun, txHash: outcome.txHash };
  }

  /** A node that has come to this block only. */
  function nodeBehind(number: number) {
    const proxy = startRpcProxy(chain.rpcUrl);
    proxy.answer = async ({ method, params }) => {
      if (method === "eth_getTransactionReceipt") return { result: null };
      if (method !== "eth_getBlockByNumber" || params[0] !== "latest") return undefined;
      return { result: await chain.rpc(method, [`0x${number.toString(16)}`, false]) };
    };
    return { gas: { ...gas, rpc: createRpc({ url: proxy.url }) }, stop: proxy.stop };
  }

  test("finds that the chain took a withdrawal back, and it is made once more, for a higher fee", async () => {
    const before = withdrawn();
    const { begun, txHash } = await doneAndLost();
    expect<bigint>(withdrawn()).toBe(before + 1_000_000n);
    expect(await lookAgain(gas, stored(begun))).toMatchObject({ kind: "pending" });
    expect(stored(begun)).toMatchObject({ state: "pending", txHash: null });
    expect<bigint>(withdrawn()).toBe(before);
    await expect(plan(usdc("1.00")).then((planned) => beginWithdrawal(gas, planned))).rejects.toThrow(
      "is pending",
    );

    gas.pass(61_000);
    const again = await carryOut(gas, begun);
    expect(again).toMatchObject({ kind: "done", txHash: expect.not.stringMatching(txHash) });
    expect<bigint>(withdrawn()).toBe(before + 1_000_000n);
    expect(await lookAgain(gas, stored(begun))).toBeNull();
  });

  test("finds another end in place of the one that left", async () => {
    const { begun } = await doneAndLost();
    const theirs = await authorizationCall(gas.rpc, gas.wallet.account(1), {
      ...begun,
      to: gas.wallet.merchantAddress(2),
    });
    const { transactionHash } = await send(chain, { to: chain.usdc, data: theirs });
    expect(await lookAgain(gas, stored(begun))).toMatchObject({
      kind: "failed",
      isExposure: true,
      txHash: transactionHash,
    });
    expect(stored(begun)).toMatchObject({ state: "failed", failure: "replaced" });
    expect(WithdrawalStore.listExposures(gas.db, gas.chainId).map(({ id }) => id)).toContain(begun.id);
  });

  test("finds that its transaction is in the chain again and moves nothing there", async () => {
    const before = withdrawn();
    const { begun, txHash } = await doneAndLost();
    await chain.rpc("anvil_dealERC20", [from, chain.usdc, "0x0"]);
    const attempts = () => GasTransactionStore.listAttempts(gas.db, stored(begun).transactionId ?? -1);
    await chain.rpc("eth_sendRawTransaction", [attempts().find(({ hash }) => hash === txHash)?.raw]);
    const receipt = await until(
      () => chain.rpc("eth_getTransactionReceipt", [txHash]),
      (found) => found !== null,
    );
    expect(receipt).toMatchObject({ status: "0x0" });
    expect(await lookAgain(gas, stored(begun))).toMatchObject({ kind: "pending" });
    expect<bigint>(withdrawn()).toBe(before);
    const told = await carryOut(gas, begun, undefined, false);
    expect(told).toMatchObject({ kind: "pending", reason: expect.stringContaining("reverted") });
    await chain.pay(from, "1.00");
    expect(await carryOut(gas, begun)).toMatchObject({ kind: "done" });
  });

  test("finds that it never happened when its hour is over as well, and believes no node that has not come there", async () => {
    const before = withdrawn();
    const { begun } = await doneAndLost();
    const { number } = await chain.blockAt("latest");
    await chain.rpc("evm_increaseTime", [3_700]);
    await chain.mine(1);
    expect(await lookAgain(gas, stored(begun))).toMatchObject({ kind: "failed", isExposure: false });
    expect(stored(begun)).toMatchObject({ state: "failed", failure: "expired", txHash: null });
    expect<bigint>(withdrawn()).toBe(before);
    const own = GasTransactionStore.byId(gas.db, stored(begun).transactionId ?? -1);
    expect(own?.state).toBe("pending");
    const behind = nodeBehind(number);
    expect(await lookAgain(behind.gas, stored(begun))).toBeNull();
    await behind.stop();
  });

  test("believes no node that is behind", async () => {
    gas.pass(61_000);
    await chain.pay(from, "1.00");
    const before = await chain.blockAt("latest");
    const begun = beginWithdrawal(gas, await plan(usdc("1.00")));
    expect((await carryOut(gas, begun)).kind).toBe("done");
    const behind = nodeBehind(before.number);
    expect(await lookAgain(behind.gas, stored(begun))).toBeNull();
    expect(stored(begun).state).toBe("done");
    await behind.stop();
  });
});
