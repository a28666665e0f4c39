import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { readNonce } from "../../src/chain/account/account.ts";
import { sign } from "../../src/chain/account/transaction.ts";
import { createRpc } from "../../src/chain/node/rpc.ts";
import * as Address from "../../src/domain/wallet/address.ts";
import { describeShortage, quote } from "../../src/settle/gas-account.ts";
import { advance, type Job, obstacleOf, submit, waitFor } from "../../src/settle/gas-transaction.ts";
import { closeDatabase, openDatabase } from "../../src/store/database.ts";
import * as GasTransactionStore from "../../src/store/tables/settle/gas-transaction.ts";
import { startTestChain, type TestChain } from "../support/chain/chain.ts";
import { openGasAccount, type TestGasAccount } from "../support/chain/gas-account.ts";
import { type RpcProxy, startRpcProxy } from "../support/chain/rpc-proxy.ts";
import { until } from "../support/till/till.ts";

let chain: TestChain;
let gas: TestGasAccount;
beforeAll(async () => {
  chain = await startTestChain();
});
afterEach(async () => {
  gas.close();
  await chain.rpc("anvil_setNextBlockBaseFeePerGas", [hexOfGwei(1)]);
  await chain.rpc("evm_setAutomine", [true]);
  await chain.rpc("anvil_dropAllTransactions");
});
afterAll(() => chain.stop());

const hexOfGwei = (gwei: number) => `0x${(BigInt(gwei) * 10n ** 9n).toString(16)}`;
const recipient = Address.checksum(`0x${"ab".repeat(20)}`);
const intent = (changes: Partial<Job> = {}): Job => ({
  purpose: "settle",
  to: recipient,
  data: "0x1234",
  gasLimit: 50_000n,
  reason: "a test",
  ...changes,
});

async function submitted(changes: Partial<Job> = {}) {
  const answer = await submit(gas, intent(changes));
  if (answer.kind !== "submitted") throw new Error(`not submitted: ${answer.kind}`);
  return answer.transaction;
}
const attempts = (id: number) => GasTransactionStore.listAttempts(gas.db, id);
const state = (id: number) => GasTransactionStore.byId(gas.db, id)?.state;
/** Blocks come when a test makes them: Anvil's own come a moment after it has answered, later on a busy machine. */
const mineByHand = () => chain.rpc("evm_setAutomine", [false]);
const chainNonce = () => readNonce(gas.rpc, gas.wallet.gasAddress);
/** Sends from the gas account behind Till's back, as somebody who imported its words elsewhere would. */
async function sendElsewhere(nonce: number, gwei = 5n): Promise<void> {
  const fees = { max: gwei * 10n ** 9n, tip: gwei * 10n ** 9n };
  const unsigned = { chainId: 31337, nonce, to: recipient, data: "0x99" as const, gasLimit: 50_000n, fees };
  await chain.rpc("eth_sendRawTransaction", [(await sign(gas.wallet, unsigned)).raw]);
}

describe("submit", () => {
  test("says how much ETH is missing and where to send it, and stores nothing", async () => {
    gas = await openGasAccount(chain, { wei: 1_000n });
    const answer = await submit(gas, intent());
    if (answer.kind !== "no-gas") throw new Error(answer.kind);
    const sentence = describeShortage(answer.shortage);
    expect(sentence).toContain(`to ${gas.wallet.gasAddress}.`);
    expect(sentence).toMatch(/send at least 0\.000\d+ ETH/);
    expect(GasTransactionStore.listPending(gas.db, 31337)).toEqual([]);
    const missing = answer.shortage.needed - answer.shortage.balance;
    await chain.giveEth(gas.wallet.gasAddress, 1_000n + missing);
    const { id } = await submitted();
    expect((await waitFor(gas, id)).kind).toBe("final");
  });

  test("counts what already waits to be paid", async () => {
    gas = await openGasAccount(chain, { wei: 2n * 10n ** 14n });
    await submitted();
    expect((await submit(gas, intent())).kind).toBe("no-gas");
  });

  test("gives every intent a nonce of its own, also beside another process", async () => {
    gas = await openGasAccount(chain);
    const other = { ...gas, db: openDatabase(gas.dataDir) };
    const all = await Promise.all([gas, other, gas, other].map((each) => submit(each, intent())));
    const nonces = all.map((one) => (one.kind === "submitted" ? one.transaction.nonce : null));
    expect(nonces.sort()).toEqual([0, 1, 2, 3]);
    closeDatabase(other.db);
  });
});

describe("advance", () => {
  test("stores the signed attempt before the node hears of it", async () => {
    const proxy = startRpcProxy(chain.rpcUrl);
    gas = await openGasAccount(chain, { rpcUrl: proxy.url });
    const { id } = await submitted();
    const storedAtBroadcast: string[] = [];
    proxy.answer = ({ method, params }) => {
      if (method === "eth_sendRawTransaction") {
        const raw = attempts(id).find((attempt) => attempt.raw === params[0]);
        storedAtBroadcast.push(raw ? "stored" : "unknown");
      }
      return undefined;
    };
    await waitFor(gas, id);
    expect(storedAtBroadcast).toEqual(["stored"]);
    await proxy.stop();
  });

  test("waits for confirmations, and starts again when the block is reorganised away", async () => {
    gas = await openGasAccount(chain, { confirmations: 3 });
    await mineByHand();
    const { id } = await submitted();
    expect((await advance(gas, id)).kind).toBe("waiting");
    await chain.mine(1);
    expect((await advance(gas, id)).kind).toBe("mined");
    await chain.mine(1);
    expect((await advance(gas, id)).kind).toBe("mined");

    await chain.reorg(2);
    expect(await chainNonce()).toBe(0);
    gas.pass(20_000);
    expect((await advance(gas, id)).kind).toBe("waiting");
    await chain.mine(1);
    expect((await advance(gas, id)).kind).toBe("mined");
    await chain.mine(2);
    expect((await advance(gas, id)).kind).toBe("final");
    expect(attempts(id)).toHaveLength(1);
    expect(await chainNonce()).toBe(1);
  });

  test("replaces a transaction that is stuck by one with the same nonce and a fee at least an eighth higher", async () => {
    gas = await openGasAccount(chain);
    await mineByHand();
    const { id } = await submitted();
    await advance(gas, id);
    gas.pass(30_000);
    await advance(gas, id);
    expect(attempts(id)).toHaveLength(1);
    gas.pass(31_000);
    await advance(gas, id);
    const [second, first] = attempts(id);
    if (!first || !second) throw new Error("there are not two attempts");
    expect(second.nonce).toBe(first.nonce);
    expect(second.feeMax * 1_000n).toBeGreaterThanOrEqual(first.feeMax * 1_125n);
    expect(second.feeTip * 1_000n).toBeGreaterThanOrEqual(first.feeTip * 1_125n);
    await chain.mine(1);
    expect(await advance(gas, id)).toMatchObject({ kind: "final", transaction: { txHash: second.hash } });
    expect(await chainNonce()).toBe(1);
  });

  test("costs no more than was said before, however often it is replaced", async () => {
    gas = await openGasAccount(chain);
    await mineByHand();
    const { cost, costMax } = await quote(gas, [intent()]);
    const { id } = await submitted();
    for (let minute = 0; minute < 20; minute++) {
      await advance(gas, id);
      gas.pass(61_000);
      await chain.rpc("anvil_setNextBlockBaseFeePerGas", [hexOfGwei(minute)]);
      await chain.rpc("anvil_dropAllTransactions");
      await chain.mine(1);
    }
    const most = attempts(id).reduce((high, { feeMax }) => (feeMax > high ? feeMax : high), 0n) * 50_000n;
    expect(most).toBeGreaterThan(cost * 2n);
    expect(most).toBeLessThanOrEqual(costMax);
  });

  test("waits for the base fee to fall below the cap, says so, and goes on by itself", async () => {
    gas = await openGasAccount(chain);
    const { id } = await submitted();
    await chain.rpc("anvil_setNextBlockBaseFeePerGas", [hexOfGwei(30)]);
    await chain.mine(1);
    const told = await advance(gas, id);
    expect(told.kind).toBe("fees-high");
    expect(obstacleOf(told)).toContain("than the 20 gwei that Till pays at most");
    expect(attempts(id)).toEqual([]);
    await chain.rpc("anvil_setNextBlockBaseFeePerGas", [hexOfGwei(1)]);
    await chain.mine(1);
    expect((await waitFor(gas, id)).kind).toBe("final");
  });

  test("says so too when the fees rise after it was sent, and sends no replacement that could not be mined", async () => {
    gas = await openGasAccount(chain);
    await mineByHand();
    const { id } = await submitted();
    expect((await advance(gas, id)).kind).toBe("waiting");
    await chain.rpc("anvil_dropAllTransactions");
    await chain.rpc("anvil_setNextBlockBaseFeePerGas", [hexOfGwei(30)]);
    await chain.mine(1);
    gas.pass(61_000);
    expect((await advance(gas, id)).kind).toBe("fees-high");
    expect(attempts(id)).toHaveLength(1);
    await chain.rpc("anvil_setNextBlockBaseFeePerGas", [hexOfGwei(1)]);
    await chain.mine(1);
    await chain.rpc("evm_setAutomine", [true]);
    gas.pass(61_000);
    expect((await waitFor(gas, id)).kind).toBe("final");
  });

  test("waits at its own cap, and says so, until one without a cap waits behind it", async () => {
    gas = await openGasAccount(chain);
    await mineByHand();
    const own = await submitted({ feeMax: 2n * 10n ** 9n });
    expect((await advance(gas, own.id)).kind).toBe("waiting");
    await chain.rpc("anvil_dropAllTransactions");
    const rise = async () => {
      await chain.rpc("anvil_setNextBlockBaseFeePerGas", [hexOfGwei(5)]);
      await chain.mine(1);
      gas.pass(61_000);
    };
    await rise();
    const alone = await advance(gas, own.id);
    expect(alone.kind).toBe("fees-high");
    expect(obstacleOf(alone)).toContain("than the 2 gwei that this transaction may pay at most");
    const another = await submitted({ data: "0x9abc", feeMax: 2n * 10n ** 9n });
    await rise();
    expect((await advance(gas, own.id)).kind).toBe("fees-high");
    const behind = await submitted({ data: "0x5678" });
    const states = await until(
      async () => {
        await rise();
        for (const { id } of GasTransactionStore.listPending(gas.db, 31337)) await advance(gas, id);
        return [own, another, behind].map(({ id }) => state(id));
      },
      (all) => all.every((each) => each === "confirmed"),
    );
    expect(states).toEqual(["confirmed", "confirmed", "confirmed"]);
  });

  test("counts the fee for Ethereum, and waits while that is above its cap", async () => {
    const proxy = startRpcProxy(chain.rpcUrl);
    let dataFee = 5n * 10n ** 14n;
    proxy.answer = ({ method, params: [call] }) =>
      method === "eth_call" && Object(call).to === "0x420000000000000000000000000000000000000F"
        ? { result: `0x${dataFee.toString(16).padStart(64, "0")}` }
        : undefined;
    gas = await openGasAccount(chain, { rpcUrl: proxy.url });
    const first = await quote(gas, [intent()]);
    expect(first.cost).toBeGreaterThan(dataFee);
    expect(first.costMax).toBe(50_000n * 20n * 10n ** 9n + 10n ** 15n);
    const { id } = await submitted();
    dataFee = 2n * 10n ** 15n;
    const told = await advance(gas, id);
    expect(obstacleOf(told)).toContain("more than the 0.001 ETH");
    expect(attempts(id)).toEqual([]);
    dataFee = 10n ** 14n;
    expect((await waitFor(gas, id)).kind).toBe("final");
    await proxy.stop();
  });

  test("stops raising the fee at the cap, and finds the first attempt if that is the one in the chain", async () => {
    gas = await openGasAccount(chain);
    await mineByHand();
    const { id } = await submitted();
    for (let minute = 0; minute < 20; minute++) {
      await advance(gas, id);
      gas.pass(61_000);
    }
    const all = attempts(id);
    expect(all.length).toBeGreaterThan(3);
    expect(all.length).toBeLessThan(12);
    expect(all[0]?.feeTip).toBeLessThanOrEqual(5_000_000_000n);
    const first = all.at(-1);
    await chain.rpc("anvil_dropAllTransactions");
    await chain.rpc("eth_sendRawTransaction", [first?.raw]);
    await chain.mine(1);
    expect(await advance(gas, id)).toMatchObject({ kind: "final", transaction: { txHash: first?.hash } });
  });

  test("sends again what the node has forgotten", async () => {
    gas = await openGasAccount(chain);
    await mineByHand();
    const { id } = await submitted();
    await advance(gas, id);
    await chain.rpc("anvil_dropTransaction", [attempts(id)[0]?.hash]);
    gas.pass(16_000);
    await advance(gas, id);
    await chain.mine(1);
    expect((await advance(gas, id)).kind).toBe("final");
    expect(attempts(id)).toHaveLength(1);
  });

  test("sends again what the node has forgotten also when there is too little ETH for a higher fee", async () => {
    gas = await openGasAccount(chain);
    await mineByHand();
    const { id, gasLimit } = await submitted();
    await advance(gas, id);
    const [first] = attempts(id);
    if (!first) throw new Error("there is no attempt");
    await chain.giveEth(gas.wallet.gasAddress, gasLimit * first.feeMax);
    await chain.rpc("anvil_dropTransaction", [first.hash]);
    gas.pass(61_000);
    expect((await advance(gas, id)).kind).toBe("no-gas");
    await chain.mine(1);
    expect(await advance(gas, id)).toMatchObject({ kind: "final", transaction: { txHash: first.hash } });
  });

  test("sends again and offers more also after the clock was set back", async () => {
    gas = await openGasAccount(chain);
    await mineByHand();
    const { id } = await submitted();
    await advance(gas, id);
    gas.pass(-86_400_000);
    await advance(gas, id);
    expect(attempts(id)).toHaveLength(2);
    await advance(gas, id);
    expect(attempts(id)).toHaveLength(2);
    gas.pass(61_000);
    await advance(gas, id);
    expect(attempts(id)).toHaveLength(3);
  });

  test("takes another nonce when somebody else's transaction used it, once that is deep enough", async () => {
    gas = await openGasAccount(chain, { confirmations: 3 });
    await mineByHand();
    const { id, nonce } = await submitted();
    await sendElsewhere(nonce);
    await chain.mine(1);
    await advance(gas, id);
    expect(GasTransactionStore.byId(gas.db, id)?.nonce).toBe(nonce);
    await chain.mine(2);
    await advance(gas, id);
    expect(GasTransactionStore.byId(gas.db, id)?.nonce).toBe(nonce + 1);
    await advance(gas, id);
    await chain.mine(3);
    expect((await advance(gas, id)).kind).toBe("final");
    expect(await chainNonce()).toBe(nonce + 2);
  });

  /** An intent that the chain has taken, and that got another nonce because the node behind the proxy shows no receipt. */
  async function takenUnseen(proxy: RpcProxy): Promise<{ id: number; nonce: number }> {
    gas = await openGasAccount(chain, { rpcUrl: proxy.url });
    const { id, nonce } = await submitted();
    await advance(gas, id);
    await until(chainNonce, (used) => used === nonce + 1);
    proxy.answer = ({ method }) => (method === "eth_getTransactionReceipt" ? { result: null } : undefined);
    await advance(gas, id);
    return { id, nonce };
  }

  test("leaves no nonce out when the node shows a receipt only after the intent has got another nonce", async () => {
    const proxy = startRpcProxy(chain.rpcUrl);
    const { id, nonce } = await takenUnseen(proxy);
    expect(GasTransactionStore.byId(gas.db, id)?.nonce).toBe(nonce + 1);
    // Another one takes the nonce that is free again, from a node that does not know yet that it is used.
    proxy.answer = ({ method, params }) =>
      method === "eth_getTransactionCount" && params[1] === "latest" ? { result: `0x${nonce}` } : undefined;
    const second = await submitted();
    expect(second.nonce).toBe(nonce);
    proxy.answer = null;
    expect((await advance(gas, id)).kind).toBe("final");
    const third = await submitted();
    const signal = AbortSignal.timeout(60_000);
    expect((await waitFor(gas, second.id, signal)).kind).toBe("final");
    expect((await waitFor(gas, third.id, signal)).kind).toBe("final");
    expect(await chainNonce()).toBe(nonce + 3);
    await proxy.stop();
  });

  test("lets none wait for a nonce that an intent was given and had no use for", async () => {
    const proxy = startRpcProxy(chain.rpcUrl);
    const { id, nonce } = await takenUnseen(proxy);
    const second = await submitted();
    expect(second.nonce).toBe(nonce + 2);
    proxy.answer = null;
    expect((await advance(gas, id)).kind).toBe("final");
    expect((await waitFor(gas, second.id, AbortSignal.timeout(60_000))).kind).toBe("final");
    await proxy.stop();
  });

  test("sends again what a reorganisation took away after it had counted as final", async () => {
    gas = await openGasAccount(chain, { confirmations: 2 });
    await chain.mine(3);
    const lost = await submitted();
    await advance(gas, lost.id);
    await chain.mine(2);
    expect((await advance(gas, lost.id)).kind).toBe("final");
    await chain.reorg(3);
    await chain.rpc("anvil_dropAllTransactions");
    await chain.giveEth(gas.wallet.gasAddress);
    expect(await chainNonce()).toBe(lost.nonce);
    const next = await submitted({ data: "0x5678" });
    expect(next.nonce).toBe(lost.nonce + 1);
    await until(
      async () => {
        gas.pass(20_000);
        await chain.mine(1);
        return advance(gas, next.id);
      },
      ({ kind }) => kind === "final",
    );
    expect(await chainNonce()).toBe(next.nonce + 1);
  });

  test("offers more for what a reorganisation took away when fees have risen since, as for any other", async () => {
    gas = await openGasAccount(chain, { confirmations: 2 });
    await chain.mine(3);
    const lost = await submitted();
    await advance(gas, lost.id);
    await chain.mine(2);
    expect((await advance(gas, lost.id)).kind).toBe("final");
    await chain.reorg(3);
    await chain.rpc("anvil_dropAllTransactions");
    await chain.giveEth(gas.wallet.gasAddress);
    const next = await submitted({ data: "0x5678" });
    await advance(gas, next.id);
    const [offered] = attempts(lost.id);
    const baseFee = (offered?.feeMax ?? 0n) * 2n;
    await mineByHand();
    const all = await until(
      async () => {
        gas.pass(61_000);
        await chain.rpc("anvil_setNextBlockBaseFeePerGas", [`0x${baseFee.toString(16)}`]);
        await chain.mine(1);
        for (const { id } of GasTransactionStore.listPending(gas.db, 31337)) await advance(gas, id);
        return [state(lost.id), state(next.id)];
      },
      (states) => states.every((each) => each === "confirmed"),
    );
    expect(all).toEqual(["confirmed", "confirmed"]);
    expect(attempts(lost.id).length).toBeGreaterThan(1);
    expect(GasTransactionStore.byId(gas.db, lost.id)?.txHash).not.toBe(offered?.hash);
  });

  test("takes the next nonce again when a node had named one far too high", async () => {
    const proxy = startRpcProxy(chain.rpcUrl);
    gas = await openGasAccount(chain, { rpcUrl: proxy.url });
    proxy.answer = ({ method }) => (method === "eth_getTransactionCount" ? { result: "0xf4240" } : undefined);
    const two = [await submitted(), await submitted({ data: "0x5678" })];
    expect(two.map(({ nonce }) => nonce)).toEqual([1_000_000, 1_000_001]);
    for (const { id } of two) await advance(gas, id);
    proxy.answer = null;
    await until(
      async () => {
        gas.pass(61_000);
        for (const { id } of two) await advance(gas, id);
        return two.map(({ id }) => state(id));
      },
      (states) => states.every((each) => each === "confirmed"),
    );
    expect(await chainNonce()).toBe(2);
    await proxy.stop();
  });

  test("yields to a waiting transaction of somebody else with the same nonce", async () => {
    gas = await openGasAccount(chain);
    await mineByHand();
    const { id, nonce } = await submitted();
    await sendElsewhere(nonce);
    expect((await advance(gas, id)).kind).toBe("waiting");
    await chain.mine(1);
    await advance(gas, id);
    await advance(gas, id);
    await chain.mine(1);
    expect((await advance(gas, id)).kind).toBe("final");
    expect(GasTransactionStore.byId(gas.db, id)?.nonce).toBe(nonce + 1);
  });

  test("is final also when the transaction reverted", async () => {
    gas = await openGasAccount(chain);
    const { id } = await submitted({ to: chain.usdc, data: "0xdeadbeef" });
    expect(await waitFor(gas, id)).toMatchObject({ kind: "final", transaction: { state: "reverted" } });
  });

  test("names the shortage when the ETH is gone before the transaction is sent", async () => {
    gas = await openGasAccount(chain);
    const { id } = await submitted();
    await chain.giveEth(gas.wallet.gasAddress, 0n);
    expect((await advance(gas, id)).kind).toBe("no-gas");
    expect(state(id)).toBe("pending");
    await chain.giveEth(gas.wallet.gasAddress);
    expect((await waitFor(gas, id)).kind).toBe("final");
  });

  test("makes one transaction of an intent that two processes advance at once", async () => {
    gas = await openGasAccount(chain);
    const { id } = await submitted();
    const other = { ...gas, db: openDatabase(gas.dataDir), rpc: createRpc({ url: chain.rpcUrl }) };
    await Promise.all([waitFor(gas, id), waitFor(other, id), waitFor(gas, id)]);
    expect(state(id)).toBe("confirmed");
    expect(await chainNonce()).toBe(1);
    closeDatabase(other.db);
  });
});
