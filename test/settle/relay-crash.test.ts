import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { readNonce } from "../../src/chain/account/account.ts";
import { sign } from "../../src/chain/account/transaction.ts";
import { usedCall } from "../../src/chain/contract/authorization.ts";
import { createRpc } from "../../src/chain/node/rpc.ts";
import type { GasAccount } from "../../src/settle/gas-account.ts";
import { advanceAll, submit } from "../../src/settle/gas-transaction.ts";
import { followAll } from "../../src/settle/relay/follow.ts";
import { closeDatabase, openDatabase } from "../../src/store/database.ts";
import * as GasTransactionStore from "../../src/store/tables/settle/gas-transaction.ts";
import type { StoredRelay } from "../../src/store/tables/settle/relay.ts";
import * as RelayStore from "../../src/store/tables/settle/relay.ts";
import { startTestChain, type TestChain } from "../support/chain/chain.ts";
import { openGasAccount, type TestGasAccount } from "../support/chain/gas-account.ts";
import { codeOf, follow, openRelays, owed, price, relayOf, relaysTo } from "../support/chain/relays.ts";
import { type RpcProxy, startRpcProxy } from "../support/chain/rpc-proxy.ts";
import { credit } from "../support/chain/settlement.ts";
import { newSigner } from "../support/chain/signer.ts";
import { until } from "../support/till/till.ts";

let chain: TestChain;
let proxy: RpcProxy;
let gas: TestGasAccount;
let relays: Awaited<ReturnType<typeof openRelays>>;
beforeAll(async () => {
  chain = await startTestChain();
});
beforeEach(async () => {
  proxy = startRpcProxy(chain.rpcUrl);
  gas = await openGasAccount(chain, { rpcUrl: proxy.url });
  relays = await openRelays(chain, gas);
});
afterEach(async () => {
  proxy.answer = null;
  await chain.rpc("evm_setAutomine", [true]);
  await chain.rpc("anvil_dropAllTransactions");
  gas.close();
  await proxy.stop();
});
afterAll(() => chain.stop());

const blocksByHand = () => chain.rpc("evm_setAutomine", [false]);
const hex = (value: number | bigint) => `0x${value.toString(16)}`;
const chainNonce = () => readNonce(gas.rpc, gas.wallet.gasAddress);
const ended = (relay: StoredRelay) => relays.end({ kind: "accepted", relay, isNew: true });
/** The gas account's transactions are all final, after so much time at each look. */
const untilNonePends = (passMs = 0) =>
  until(
    async () => {
      gas.pass(passMs);
      await advanceAll(gas);
      return GasTransactionStore.listPending(gas.db, gas.chainId);
    },
    ({ length }) => length === 0,
  );

/** `byHand`: from then on blocks come when the test makes them. */
async function accepted({ byHand = false } = {}) {
  const signer = await newSigner(chain, price);
  if (byHand) await blocksByHand();
  const { id, deposit, request } = owed(gas.db);
  const posted = await request(signer);
  const relay = relayOf(await relays.accept(posted));
  return { id, deposit, relay, posted, signer };
}

/** Paid once, with one transaction of the gas account for each intent. */
async function isPaidOnce({
  deposit,
  relay,
}: Pick<Awaited<ReturnType<typeof accepted>>, "deposit" | "relay">) {
  expect(await ended(relay)).toMatchObject({ state: "confirmed" });
  expect(await relays.held(deposit)).toBe(price);
  expect(GasTransactionStore.listPending(gas.db, gas.chainId).length).toBeLessThanOrEqual(1);
}

/** As a process that ends at once, and its successor on the same database. */
function crash(method: string, when: "before" | "after"): void {
  proxy.answer = async (call) => {
    if (call.method !== method) return undefined;
    if (when === "after") await chain.rpc(call.method, call.params).catch(() => {});
    return new Response(null, { status: 500 });
  };
}

describe("a process that ends", () => {
  test("before it has stored the relay has done nothing", async () => {
    const signer = await newSigner(chain, price);
    const { deposit, request } = owed(gas.db);
    const posted = await request(signer);
    crash("eth_getTransactionCount", "before");
    await expect(relays.accept(posted)).rejects.toThrow();
    expect(relaysTo(gas.db, deposit.index)).toEqual([]);
    proxy.answer = null;
    await isPaidOnce({ deposit, relay: relayOf(await relays.accept(posted)) });
  });

  test("after it has stored it, and before it has signed, is followed by one that sends it", async () => {
    const made = await accepted();
    crash("eth_maxPriorityFeePerGas", "before");
    await expect(relays.step(made.relay)).rejects.toThrow();
    expect(GasTransactionStore.listAttempts(gas.db, made.relay.transactionId)).toEqual([]);
    proxy.answer = null;
    await isPaidOnce(made);
  });

  for (const when of ["before", "after"] as const)
    test(`${when} the node took the transaction is followed by one that sends the same bytes`, async () => {
      const made = await accepted();
      crash("eth_sendRawTransaction", when);
      await expect(relays.step(made.relay)).rejects.toThrow();
      proxy.answer = null;
      await isPaidOnce(made);
      expect(GasTransactionStore.listAttempts(gas.db, made.relay.transactionId)).toHaveLength(1);
      expect(await chainNonce()).toBe(1);
    });

  test("when it is in a block is followed by one that counts it", async () => {
    const made = await accepted();
    await relays.step(made.relay);
    crash("eth_getTransactionReceipt", "after");
    await expect(relays.step(made.relay)).rejects.toThrow();
    proxy.answer = null;
    await isPaidOnce(made);
  });

  test("until the time of the authorisation is over leaves a relay that fails, and a payer who can pay", async () => {
    const made = await accepted({ byHand: true });
    const { timestamp } = (await chain.rpc("eth_getBlockByNumber", ["latest", false])) as {
      timestamp: string;
    };
    await chain.rpc("anvil_setNextBlockTimestamp", [hex(made.relay.validBeforeSec)]);
    await chain.mine(1);
    const end = await ended(made.relay);
    expect(end).toMatchObject({ state: "failed", failure: "expired" });
    expect(Number(timestamp)).toBeLessThan(made.relay.validBeforeSec);
    expect(await relays.held(made.deposit)).toBe(0n);
    // What has the nonce of the gas account now does nothing.
    await chain.rpc("evm_setAutomine", [true]);
    gas.pass(61_000);
    await untilNonePends();
    expect(await chainNonce()).toBe(1);
    gas.pass(400_000);
    const again = await owedAgain(made);
    expect(await ended(relayOf(again))).toMatchObject({ state: "confirmed" });
  });

  async function owedAgain({ posted, signer }: Awaited<ReturnType<typeof accepted>>) {
    const { auth, signature } = await signer.sign({ to: posted.auth.to, amount: price });
    return relays.accept({ ...posted, auth, signature });
  }
});

test("several processes that follow one relay pay once", async () => {
  const made = await accepted();
  const other: GasAccount = { ...gas, db: openDatabase(gas.dataDir), rpc: createRpc({ url: chain.rpcUrl }) };
  for (let i = 0; i < 5; i++)
    await Promise.all([
      follow(gas, made.relay.id),
      followAll(other, () => {}),
      advanceAll(other),
      follow(other, made.relay.id),
    ]);
  await isPaidOnce(made);
  expect(await chainNonce()).toBe(1);
  closeDatabase(other.db);
});

describe("a node that lies", () => {
  /** Changes what the node says of Till's transaction. */
  function receipts(change: (receipt: Record<string, unknown>) => unknown): void {
    proxy.answer = async ({ method, params }) => {
      if (method !== "eth_getTransactionReceipt") return undefined;
      const receipt = (await chain.rpc(method, params)) as Record<string, unknown> | null;
      // Never asked twice: it may come into a block between the two answers, and the second would be true.
      return { result: receipt && change(receipt) };
    };
  }
  const log = (receipt: Record<string, unknown>) => receipt["logs"] as Record<string, unknown>[];
  const lies: Record<string, (receipt: Record<string, unknown>) => unknown> = {
    "gives out a receipt before the block": (receipt) => ({ ...receipt, blockHash: `0x${"0".repeat(64)}` }),
    "gives out the receipt of another transaction": (receipt) => ({
      ...receipt,
      transactionHash: `0x${"12".repeat(32)}`,
    }),
    "puts the receipt into a block that the chain has not": (receipt) => ({
      ...receipt,
      blockHash: `0x${"34".repeat(32)}`,
    }),
    "hides it": () => null,
  };
  for (const [what, change] of Object.entries(lies))
    test(`and ${what} is not believed; what the token says is`, async () => {
      const made = await accepted();
      receipts(change);
      for (let i = 0; i < 4; i++) await relays.step(made.relay).catch(() => {});
      expect(["accepted", "sent"]).toContain(RelayStore.byId(gas.db, made.relay.id)?.state ?? "");
      expect(codeOf(await relays.accept(await owedOf(made)))).toBe("busy");
      proxy.answer = null;
      await isPaidOnce(made);
    });

  const claims: Record<string, (receipt: Record<string, unknown>) => unknown> = {
    "success without a log": (receipt) => ({ ...receipt, status: "0x1", logs: [] }),
    "success with the log of another token": (receipt) => ({
      ...receipt,
      status: "0x1",
      logs: log(receipt).map((each) => ({ ...each, address: `0x${"56".repeat(20)}` })),
    }),
    "a revert of what succeeded": (receipt) => ({ ...receipt, status: "0x0", logs: [] }),
  };
  for (const [what, change] of Object.entries(claims))
    test(`and tells of ${what} changes nothing: the token's own events say what was moved`, async () => {
      const made = await accepted();
      await relays.step(made.relay);
      receipts(change);
      for (let i = 0; i < 4; i++) await relays.step(made.relay).catch(() => {});
      expect(RelayStore.byId(gas.db, made.relay.id)?.state).not.toBe("failed");
      expect(codeOf(await relays.accept(await owedOf(made)))).toBe("busy");
      proxy.answer = null;
      await isPaidOnce(made);
    });

  test("and tells of a fee that nobody offered is not believed: the budget's sum stays one", async () => {
    receipts((receipt) => ({ ...receipt, effectiveGasPrice: `0x${"f".repeat(50)}` }));
    for (let i = 0; i < 2; i++) await isPaidOnce(await accepted());
    const { wei } = GasTransactionStore.relaysSpent(gas.db, gas.chainId, 0);
    expect(wei).toBeGreaterThan(0n);
    expect(wei).toBeLessThan(10n ** 17n);
  });

  test("and tells of another amount makes the relay fail, and nobody sign again before the books know", async () => {
    const made = await accepted();
    receipts((receipt) => ({
      ...receipt,
      logs: log(receipt).map((each) => ({ ...each, data: `0x${"0".repeat(63)}1` })),
    }));
    for (let i = 0; i < 4; i++) await relays.step(made.relay).catch(() => {});
    proxy.answer = null;
    expect(codeOf(await relays.accept(await owedOf(made)))).toBe("busy");
    await credit(gas, chain.usdc);
    expect(codeOf(await relays.accept(await owedOf(made)))).toBe("closed");
    expect(await relays.held(made.deposit)).toBe(price);
  });

  for (const [what, answer] of [
    ["used", 1],
    ["not used", 0],
  ] as const)
    test(`and says that the nonce is ${what} makes nobody pay twice`, async () => {
      const made = await accepted();
      const asked = usedCall({ from: made.relay.payer, nonce: made.relay.nonce });
      proxy.answer = ({ method, params }) =>
        method === "eth_call" && (params[0] as { data: string }).data === asked
          ? { result: `0x${answer.toString().padStart(64, "0")}` }
          : undefined;
      for (let i = 0; i < 4; i++) await relays.step(made.relay).catch(() => {});
      expect(RelayStore.byId(gas.db, made.relay.id)?.state).not.toBe("failed");
      proxy.answer = null;
      await isPaidOnce(made);
    });

  test("and is a block behind makes nobody pay twice", async () => {
    const made = await accepted();
    const before = await chain.blockAt("latest");
    await relays.step(made.relay);
    proxy.answer = async ({ method, params }) => {
      if (method === "eth_getTransactionReceipt") return { result: null };
      if (method === "eth_getTransactionCount") return { result: "0x0" };
      if (method === "eth_getBlockByNumber" && params[0] === "latest")
        return { result: await chain.rpc(method, [hex(before.number), false]) };
      if (method === "eth_call") return { result: await chain.rpc(method, [params[0], hex(before.number)]) };
      return undefined;
    };
    gas.pass(20_000);
    for (let i = 0; i < 3; i++) await relays.step(made.relay).catch(() => {});
    expect(RelayStore.byId(gas.db, made.relay.id)?.state).not.toBe("failed");
    proxy.answer = null;
    await isPaidOnce(made);
  });

  const owedOf = async ({ posted, signer }: Awaited<ReturnType<typeof accepted>>) => {
    const { auth, signature } = await signer.sign({ to: posted.auth.to, amount: price });
    return { ...posted, auth, signature };
  };
});

describe("the gas account", () => {
  test("that is emptied after a relay was taken says so, and goes on when it has ETH", async () => {
    const made = await accepted();
    await chain.giveEth(gas.wallet.gasAddress, 0n);
    expect((await relays.step(made.relay)).progress?.kind).toBe("no-gas");
    expect(RelayStore.byId(gas.db, made.relay.id)?.state).toBe("accepted");
    await chain.giveEth(gas.wallet.gasAddress);
    await isPaidOnce(made);
  });

  test("whose nonce another program took pays all the same, once", async () => {
    const made = await accepted({ byHand: true });
    const fees = { max: 9n * 10n ** 9n, tip: 9n * 10n ** 9n };
    const other = {
      chainId: gas.chainId,
      nonce: 0,
      to: gas.wallet.gasAddress,
      data: "0x" as const,
      gasLimit: 21_000n,
      fees,
    };
    await chain.rpc("eth_sendRawTransaction", [(await sign(gas.wallet, other)).raw]);
    await chain.mine(1);
    await chain.rpc("evm_setAutomine", [true]);
    await isPaidOnce(made);
    expect(await chainNonce()).toBe(2);
  });

  test("carries out a settlement behind a relay that failed, without a hole", async () => {
    const made = await accepted({ byHand: true });
    const to = gas.wallet.gasAddress;
    await submit(gas, { purpose: "settle", to, data: "0x", gasLimit: 21_000n, reason: "behind" });
    await chain.rpc("anvil_setNextBlockTimestamp", [hex(made.relay.validBeforeSec + 1)]);
    await chain.mine(1);
    expect(await ended(made.relay)).toMatchObject({ state: "failed", failure: "expired" });
    await chain.rpc("evm_setAutomine", [true]);
    await untilNonePends(61_000);
    expect(await chainNonce()).toBe(2);
  });
});

describe("a database from before", () => {
  test("the transaction was signed finds the payment that the lost one made, and sends no more money", async () => {
    const made = await accepted();
    // What the process did after the backup is in the chain and in no database.
    const lost = GasTransactionStore.byId(gas.db, made.relay.transactionId);
    if (!lost) throw new Error("no transaction");
    const fees = { max: 5n * 10n ** 9n, tip: 10n ** 9n };
    const { chainId, nonce, to, data, gasLimit } = lost;
    const { raw, hash } = await sign(gas.wallet, { chainId, nonce, to, data, gasLimit, fees });
    await chain.rpc("eth_sendRawTransaction", [raw]);
    await chain.mine(1);
    expect(await ended(made.relay)).toMatchObject({ state: "confirmed", txHash: hash });
    expect(await relays.held(made.deposit)).toBe(price);
    await untilNonePends();
    expect(await relays.held(made.deposit)).toBe(price);
  });

  test("the relay was taken knows the payment from the chain, and does not ask for it again", async () => {
    const made = await accepted();
    const signer = made.signer;
    await relays.front(made.posted);
    gas.db.run("DELETE FROM relay");
    gas.db.run("DELETE FROM gas_transaction");
    expect(codeOf(await relays.accept(made.posted))).toBe("busy");
    const { auth, signature } = await signer.sign({ to: made.posted.auth.to, amount: price });
    expect(codeOf(await relays.accept({ ...made.posted, auth, signature }))).toBe("busy");
    await credit(gas, chain.usdc);
    expect(codeOf(await relays.accept({ ...made.posted, auth, signature }))).toBe("closed");
  });
});
