import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { createRpc } from "../../src/chain/node/rpc.ts";
import { checkBalances } from "../../src/doctor/check-balances.ts";
import { reportThose } from "../../src/doctor/database-findings.ts";
import { paymentWarnings } from "../../src/doctor/money-findings.ts";
import type { Address } from "../../src/domain/wallet/address.ts";
import { transact } from "../../src/store/database.ts";
import * as DepositStore from "../../src/store/tables/invoicing/deposit.ts";
import * as SettlementStore from "../../src/store/tables/settle/settlement.ts";
import * as CheckpointStore from "../../src/store/tables/watch/checkpoint.ts";
import { startTestChain, type TestChain } from "../support/chain/chain.ts";
import { balanceOf } from "../support/chain/evm.ts";
import { flushAsStranger, newWallet, settlementStates } from "../support/chain/settlement.ts";
import { hurry } from "../support/hurry.ts";
import { passphrase } from "../support/till/data-dir.ts";
import { callTill } from "../support/till/run-till.ts";
import { startTestTill, type TestTill, until } from "../support/till/till.ts";

hurry();

const confirmations = 3;
const price = 1_500_000_000n;

let chain: TestChain;
let till: TestTill;
let aheadMs = 0;
beforeAll(async () => {
  chain = await startTestChain();
});
afterAll(() => chain.stop());
beforeEach(async () => {
  aheadMs = 0;
  till = await startTestTill(
    chain,
    { TILL_SETTLE: "auto", TILL_CONFIRMATIONS: String(confirmations) },
    { now: () => Date.now() + aheadMs },
  );
  const gas = till.db.query<{ gas_address: string }, []>("SELECT gas_address FROM wallet").get();
  await chain.giveEth(gas?.gas_address as Address);
});
afterEach(() => till.stop());

const held = (of: Address) => balanceOf(chain, chain.usdc, of);
const states = () => settlementStates(till.db);
const holds = (of: Address, amount: bigint) =>
  until(
    () => held(of),
    (balance) => balance === amount,
  );

async function paidInvoice(wallet: Address): Promise<Address> {
  const invoice = await till.createInvoice({ wallet_type: "byo", wallet_address: wallet });
  const address = invoice["deposit_address"] as Address;
  await chain.pay(address, price);
  return address;
}

/** Blocks come until the settlements are in these states. */
async function mineUntil(wanted: Record<string, number>): Promise<void> {
  await until(
    async () => {
      await chain.mine(1);
      // Time itself: a chain whose blocks come faster than they are looked at never stands still.
      await Bun.sleep(100);
      return states();
    },
    (found) => Bun.deepEquals(found, wanted),
    30_000,
  );
}

/** How many blocks are to be replaced for the settlement of an address to be in one of them. */
async function depthOf(address: Address): Promise<number> {
  const index = DepositStore.byAddress(till.db, address)?.index ?? -1;
  const [settled] = SettlementStore.listBlocks(till.db, index);
  if (!settled) throw new Error(`Nothing of ${address} was settled`);
  const { number } = await chain.blockAt("latest");
  return number - settled.number + 1;
}

/** When Till compares the balance of an address the next time. */
const comparedNext = (address: Address) =>
  Number(
    till.db
      .query<{ at: bigint }, [string]>("SELECT compare_at AS at FROM receivable WHERE address = ?")
      .get(address)?.at,
  );

/** What doctor, health and `till wallet show` say of money that is back at its address. */
async function named(): Promise<string[]> {
  const doctor: string[] = [];
  const found = paymentWarnings(till.db, Date.now() + aheadMs);
  reportThose(found, "payments", ({ message }) => void doctor.push(message));
  const { body } = await till.api("GET", "/health/ready");
  return [doctor.join("\n"), (body.warnings ?? []).join("\n")];
}

async function walletShow(): Promise<string> {
  const { stdout } = await callTill(["wallet", "show"], {
    env: {
      TILL_CHAIN: "anvil",
      TILL_RPC_URL: chain.rpcUrl,
      TILL_DATA_DIR: till.config.dataDir,
      TILL_WALLET_PASSPHRASE: passphrase,
    },
  });
  return stdout;
}

/** What doctor says of balances that it compares with the chain itself. */
async function balancesFound(): Promise<string[]> {
  const found: string[] = [];
  const rpc = createRpc({ url: chain.rpcUrl });
  await checkBalances(
    { db: till.db, rpc, config: till.config, all: true },
    ({ level, message }) => level !== "ok" && found.push(message),
    () => {},
  );
  return found;
}

const desk = async (path: string) =>
  (await (await fetch(till.baseUrl + path)).text()).replace(/<[^>]+>/g, " ").replace(/\s+/g, " ");

/** A new deposit has Till read up to the head of the chain, which it does once a minute otherwise. */
async function look(): Promise<void> {
  await till.createInvoice();
  const { number } = await chain.blockAt("latest");
  // What is complete is known with its hash: the block before the newest.
  const { hash } = await chain.blockAt(number - 1);
  await until(
    () => CheckpointStore.latest(till.db),
    (checkpoint) => checkpoint?.hash === hash,
  );
}

/**
 * After the time in which every balance is compared. Till has read the blocks before: below a settlement nothing can be
 * said of it yet, and the next look at the balance would be in a minute that never comes here.
 */
async function anHourLater(): Promise<void> {
  await look();
  aheadMs += 3_900_000;
}

async function isNamed(address: Address): Promise<void> {
  const text = `left the chain after it was final, and is made again: 1500.00 USDC at ${address}`;
  await until(named, (all) => all.every((each) => each.includes(text)));
  const { body } = await until(
    () => till.api("GET", "/health/ready"),
    ({ status }) => status === 200,
  );
  // What to do is said there as by doctor.
  expect(body.warnings.join()).toContain(`${text}; Till makes its own again by itself`);
}
const isNamedNoMore = () =>
  until(
    async () => {
      aheadMs += 61_000;
      await look();
      // Time itself: what the look leads to is done beside it.
      await Bun.sleep(300);
      return named();
    },
    (all) => all.every((each) => each === ""),
  );

describe("a settlement that left the chain after it was final", () => {
  test("is named at once by all who are asked, and made again by itself, once", async () => {
    const payout = newWallet();
    // The factory is there before, and a payment that stays where it is.
    await paidInvoice(newWallet());
    await mineUntil({ settled: 1 });
    await chain.mine(10);
    const address = await paidInvoice(payout);
    await mineUntil({ settled: 2 });
    await holds(payout, price);

    const depth = await depthOf(address);
    await chain.mine(2);
    await look();
    expect(await balancesFound()).toEqual([]);
    expect(await desk("/desk/money")).not.toContain("The network reversed settlements");

    await chain.reorg(depth + 2);
    await holds(address, price);
    expect(await held(payout)).toBe(0n);
    // What Till knew already when it was asked, it names.
    const left = `A settlement left the chain: 1500.00 USDC are back at ${address}.`;
    const found = (await balancesFound()).join();
    if (found !== left) expect((await named()).join()).toContain(address);
    expect(await walletShow()).toMatch(new RegExp(`left the chain[\\s\\S]*1,500\\.00\\s+${address}`));
    await until(
      () => {
        aheadMs += 1_000;
        return desk("/desk/money");
      },
      (page) => page.includes("The network reversed settlements: 1,500.00 USDC is back"),
      15_000,
    );
    await isNamed(address);
    expect(await desk("/desk")).toContain("A payment needs checking");

    await mineUntil({ settled: 2 });
    await holds(payout, price);
    await isNamedNoMore();
    expect(await balancesFound()).toEqual([]);
    expect(await walletShow()).not.toContain("left the chain");
    await chain.mine(5);
    // Time itself: nothing tells that it is not made once more, and by then it is, if it is.
    await Bun.sleep(300);
    expect(states()).toEqual({ settled: 2 });
    expect(await held(payout)).toBe(price);
    expect(await held(address)).toBe(0n);
    const sent = till.db.query("SELECT 1 FROM gas_transaction WHERE purpose = 'settle'").all();
    expect(sent).toHaveLength(2);
  });

  test("is made by Till when it was a stranger's", async () => {
    const payout = newWallet();
    await chain.mine(10);
    const address = await paidInvoice(payout);
    const deposit = DepositStore.byAddress(till.db, address);
    if (!deposit) throw new Error("there is no such deposit");
    await chain.mine(1);
    await flushAsStranger(chain, deposit);
    const flushed = await chain.blockAt("latest");
    await holds(payout, price);
    await mineUntil({ elsewhere: 1 });

    const { number } = await chain.blockAt("latest");
    await chain.reorg(number - flushed.number + 1);
    await holds(address, price);
    await chain.mine(confirmations);
    await anHourLater();
    await isNamed(address);

    await mineUntil({ settled: 1 });
    await holds(payout, price);
    expect(await held(address)).toBe(0n);
    await isNamedNoMore();
  });

  test("is not made again when the chain has it in another block", async () => {
    const payout = newWallet();
    await chain.mine(10);
    const address = await paidInvoice(payout);
    await mineUntil({ settled: 1 });
    await holds(payout, price);
    const gasNonce = () =>
      till.db.query<{ tx_hash: string }, []>("SELECT tx_hash FROM gas_transaction").get();
    const hash = gasNonce()?.tx_hash;
    const raw = await chain.rpc("debug_getRawTransaction", [hash]);
    const depth = await depthOf(address);
    await chain.rpc("anvil_reorg", [depth, [[raw, depth - 1]]]);
    await chain.mine(confirmations);
    expect(await held(payout)).toBe(price);
    await anHourLater();
    await until(
      () => comparedNext(address),
      (at) => at > Date.now() + aheadMs + 120_000,
    );
    expect(await named()).toEqual(["", ""]);
    expect(states()).toEqual({ settled: 1 });
    expect(await held(payout)).toBe(price);
    expect(await held(address)).toBe(0n);
  });

  test("costs nothing when it never left and a node had only said so", async () => {
    const payout = newWallet();
    const address = await paidInvoice(payout);
    await mineUntil({ settled: 1 });
    const [block] = SettlementStore.listBlocks(
      till.db,
      DepositStore.byAddress(till.db, address)?.index ?? -1,
    );
    transact(till.db, () => SettlementStore.retract(till.db, block?.hash ?? "", Date.now()));
    expect(states()).toEqual({ pending: 1 });
    const sent = () => till.db.query("SELECT nonce, hash FROM gas_attempt ORDER BY nonce").all();
    const before = sent();
    // The next payment has Till look at what is on its way.
    await paidInvoice(newWallet());
    await mineUntil({ settled: 2 });
    expect(sent()).toEqual([...before, expect.anything()]);
    expect(await held(payout)).toBe(price);
  });
});
