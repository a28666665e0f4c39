import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import type { Wallet } from "../../src/chain/account/wallet.ts";
import { createRpc } from "../../src/chain/node/rpc.ts";
import type { Address } from "../../src/domain/wallet/address.ts";
import * as DepositAddress from "../../src/domain/wallet/deposit-address.ts";
import * as Epoch from "../../src/domain/wallet/epoch.ts";
import { continueAfter, type DepositSearch, search } from "../../src/settle/recover.ts";
import { closeDatabase, openDatabase } from "../../src/store/database.ts";
import { raiseNumbers } from "../../src/store/files/restore-facts.ts";
import * as DepositStore from "../../src/store/tables/invoicing/deposit.ts";
import * as PartyStore from "../../src/store/tables/invoicing/party.ts";
import { startTestChain, type TestChain } from "../support/chain/chain.ts";
import { makeDataDir, makeWallet, passphrase } from "../support/till/data-dir.ts";
import { payoutWallet } from "../support/till/records.ts";

let chain: TestChain;
let made = 0;
const dir = makeDataDir();
beforeAll(async () => {
  chain = await startTestChain();
});
afterAll(async () => {
  await chain.stop();
  dir.remove();
});

const now = Epoch.startMs(5_000);
/** Leaves no epoch after the first. */
const never = Epoch.startMs(6_000);

/** Each test has a wallet of its own, so that it finds nothing of the others. */
async function newWallet(): Promise<Wallet> {
  made += 1;
  return await makeWallet({ file: join(dir.path, `wallet-${made}.json`), passphrase });
}

async function pay(wallet: Wallet, index: number, to: Address = payoutWallet): Promise<void> {
  const { factory, implementation } = DepositAddress;
  const salt = DepositAddress.saltFor(wallet.addressSecret, index);
  await chain.pay(DepositAddress.derive({ factory, implementation, payoutWallet: to, salt }), 5n);
}

async function look(wallet: Wallet, wanted: Partial<DepositSearch> = {}) {
  const rpc = createRpc({ url: chain.rpcUrl });
  const rules = {
    byo: [payoutWallet],
    gap: 20,
    merchantGap: 3,
    probe: 10,
    sinceMs: Epoch.startMs(4_960),
    now,
    untilMs: 0,
    knownEpoch: 0,
  };
  return await search({ wallet, rpc, usdc: chain.usdc, ...rules, ...wanted });
}

const indexesOf = ({ deposits: found }: Awaited<ReturnType<typeof look>>) => found.map(({ index }) => index);

describe("search", () => {
  test("looks at every index until the gap, also when what is found moves the end", async () => {
    const wallet = await newWallet();
    for (const index of [3, 22, 41]) await pay(wallet, index);
    const first = { sinceMs: never };
    const searched = await look(wallet, first);
    expect(indexesOf(searched)).toEqual([3, 22, 41]);
    expect(searched.searchedTo).toBe(61);
    await pay(wallet, 62);
    expect(indexesOf(await look(wallet, first))).toEqual([3, 22, 41]);
    expect(indexesOf(await look(wallet, { ...first, gap: 21 }))).toEqual([3, 22, 41, 62]);
  });

  test("finds more wallets than fit one call, and deposits behind a gap that is longer than one", async () => {
    const wallet = await newWallet();
    const many = Array.from({ length: 1_600 }, (_, i) => anyAddress(wallet, i));
    await pay(wallet, 1, many[1_599]);
    await pay(wallet, 8, many[0]);
    const searched = await look(wallet, { byo: many, gap: 10, sinceMs: never });
    expect(indexesOf(searched)).toEqual([1, 8]);
    await pay(wallet, 7_000);
    expect(indexesOf(await look(wallet, { gap: 7_001, sinceMs: never }))).toEqual([7_000]);
  });

  test("finds each merchant's wallet by those before it, and what it got before it was found", async () => {
    const wallet = await newWallet();
    // Of account 4 nothing is known before account 3 is found, and of account 7 before 4 is.
    await pay(wallet, 2, wallet.merchantAddress(7));
    await pay(wallet, 9, wallet.merchantAddress(4));
    await pay(wallet, 15, wallet.merchantAddress(3));
    const searched = await look(wallet, { sinceMs: never });
    expect(indexesOf(searched)).toEqual([2, 9, 15]);
    const accounts = searched.payoutWallets.map(({ account }) => account);
    expect(accounts).toEqual([null, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  });

  test("finds what followed restores, with merchants that were new then, whatever was known of one another", async () => {
    const wallet = await newWallet();
    const dataDir = join(dir.path, "data-restored");
    const db = openDatabase(dataDir);
    const newMerchant = (at: number, email: string) => {
      raiseNumbers(db, { epoch: Epoch.after(0, at) ?? 0, sequence: 1, creditNote: 1, receipt: 1 });
      return { account: PartyStore.accountIndex(db, email), index: DepositStore.nextIndex(db) };
    };
    const first = newMerchant(Epoch.startMs(4_965), "a@acme.example");
    const second = newMerchant(Epoch.startMs(4_990), "b@acme.example");
    closeDatabase(db);
    await pay(wallet, 0);
    // The old merchants go on, and the first payment is not that of the first deposit.
    await pay(wallet, first.index + 4, wallet.merchantAddress(first.account));
    await pay(wallet, first.index + 24, wallet.merchantAddress(2));
    await pay(wallet, second.index + 9, wallet.merchantAddress(first.account));
    await pay(wallet, second.index + 11, wallet.merchantAddress(second.account + 1));
    const expected = [0, first.index + 4, first.index + 24, second.index + 9, second.index + 11];
    expect(indexesOf(await look(wallet))).toEqual(expected);
    // Many restores one after the other come ahead of the clock.
    const ahead = Epoch.firstIndex(Epoch.at(now) + Epoch.aheadMax);
    await pay(wallet, ahead);
    expect(indexesOf(await look(wallet))).toEqual([...expected, ahead]);
    // And a clock that was wrong once, further ahead.
    const wrong = Epoch.firstIndex(5_400);
    await pay(wallet, wrong);
    expect(indexesOf(await look(wallet))).toEqual([...expected, ahead]);
    for (const told of [{ untilMs: Epoch.startMs(5_400) }, { knownEpoch: 5_400 }])
      expect(indexesOf(await look(wallet, told))).toEqual([...expected, ahead, wrong]);
  });

  test("says how far it is, up to the end, and fills its calls: one for every six quarters of an hour", async () => {
    const shares: number[] = [];
    const onProgress: DepositSearch["onProgress"] = ({ epochs, ofEpochs }) => shares.push(epochs / ofEpochs);
    const wallet = await newWallet();
    const rpc = createRpc({ url: chain.rpcUrl });
    let calls = 0;
    const request: typeof rpc.request = (...asked) => {
      calls += 1;
      return rpc.request(...asked);
    };
    const counted = { ...rpc, request };
    const { epochs } = await look(wallet, { rpc: counted, merchantGap: 19, onProgress });
    expect(epochs).toBe(137);
    expect(calls).toBeLessThanOrEqual(Math.ceil(epochs / 6) + 2);
    expect(shares.toSorted((a, b) => a - b)).toEqual(shares);
    expect(shares[0]).toBe(0);
    expect(shares.slice(1, -1).some((share) => share > 0 && share < 1)).toBe(true);
    expect(shares.at(-1)).toBe(1);
  });

  test("finds what followed a restore behind payments that visitors began and did not pay, when asked to", async () => {
    const wallet = await newWallet();
    const begun = Epoch.firstIndex(4_990);
    await pay(wallet, begun + 60);
    expect(indexesOf(await look(wallet))).toEqual([]);
    expect(indexesOf(await look(wallet, { probe: 61 }))).toEqual([begun + 60]);
  });
});

describe("continueAfter", () => {
  test("lets new deposits begin in an epoch after all that was found, once", async () => {
    const wallet = await newWallet();
    const dataDir = join(dir.path, "data-continued");
    const db = openDatabase(dataDir);
    const found = [{ index: Epoch.firstIndex(5_020) + 3 }] as Awaited<ReturnType<typeof look>>["deposits"];
    for (let again = 0; again < 3; again++) {
      continueAfter(db, dataDir, { wallet, now, untilMs: 0 }, { deposits: found }, 7);
      expect(DepositStore.nextIndex(db)).toBe(Epoch.firstIndex(5_021));
    }
    closeDatabase(db);
    const other = openDatabase(join(dir.path, "data-nothing-found"));
    const known = { wallet, now, untilMs: 0 };
    continueAfter(other, join(dir.path, "data-nothing-found"), known, { deposits: [] }, 1);
    // A start may have begun the one of now.
    expect(DepositStore.nextIndex(other)).toBe(Epoch.firstIndex(5_001));
    expect(PartyStore.accountIndex(other, "a@acme.example")).toBe(Epoch.firstAccount(5_001));
    closeDatabase(other);
  });

  test("goes on after what a clock that was ahead left, once somebody says so", async () => {
    const wallet = await newWallet();
    const dataDir = join(dir.path, "data-ahead");
    const db = openDatabase(dataDir);
    const found = [{ index: Epoch.firstIndex(9_000) }] as Awaited<ReturnType<typeof look>>["deposits"];
    const goOn = (untilMs: number) =>
      continueAfter(db, dataDir, { wallet, now, untilMs }, { deposits: found }, 7);
    expect(() => goOn(0)).toThrow("say how far, with --until");
    goOn(Epoch.startMs(9_000));
    expect(DepositStore.nextIndex(db)).toBe(Epoch.firstIndex(Epoch.beyond(9_000, now)));
    closeDatabase(db);
  });
});

/** Any address: those that this wallet gives to another payout wallet will do. */
function anyAddress(wallet: Wallet, index: number): Address {
  const { factory, implementation } = DepositAddress;
  const salt = DepositAddress.saltFor(wallet.addressSecret, 1_000_000 + index);
  return DepositAddress.derive({ factory, implementation, payoutWallet, salt });
}
