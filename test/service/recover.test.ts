import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { createRpc } from "../../src/chain/rpc.ts";
import { openWallet, type Wallet } from "../../src/chain/wallet.ts";
import * as DepositAddress from "../../src/domain/deposit-address.ts";
import { continueAfter, type Search, search } from "../../src/service/recover.ts";
import { closeDatabase, openDatabase } from "../../src/store/database.ts";
import * as DepositStore from "../../src/store/deposit.ts";
import { startTestChain, type TestChain } from "../support/chain.ts";
import { makeDataDir } from "../support/data-dir.ts";
import { payoutWallet } from "../support/records.ts";

let chain: TestChain;
let wallet: Wallet;
const dir = makeDataDir();
beforeAll(async () => {
  chain = await startTestChain();
  wallet = await openWallet({
    file: join(dir.path, "wallet.json"),
    passphrase: "correct horse battery staple",
  });
});
afterAll(async () => {
  await chain.stop();
  dir.remove();
});

const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i);

async function pay(indexes: readonly number[]): Promise<void> {
  const { factory, implementation } = DepositAddress;
  for (const index of indexes) {
    const salt = DepositAddress.saltFor(wallet.addressSecret, index);
    await chain.pay(DepositAddress.derive({ factory, implementation, payoutWallet, salt }), 5n);
  }
}

/** A search from an index on, and how far it said it had looked. */
async function look(fromIndex: number, gap: number) {
  const progress: number[] = [];
  const wanted: Search = {
    wallet,
    rpc: createRpc({ url: chain.rpcUrl }),
    usdc: chain.usdc,
    payoutWallets: [{ address: payoutWallet, account: null }],
    fromIndex,
    gap,
    onProgress: (searchedTo) => void progress.push(searchedTo),
  };
  const searched = await search(wanted);
  return { wanted, searched, progress, indexes: searched.found.map(({ index }) => index) };
}

describe("search", () => {
  test("looks at every index until the gap, also when what is found in a short chunk moves the end", async () => {
    await pay([3, 12, 15]);
    const { indexes, searched, progress } = await look(0, 10);
    expect(indexes).toEqual([3, 12, 15]);
    expect(searched.searchedTo).toBe(25);
    expect(progress).toEqual([9, 13, 22, 25]);
  });

  test("finds deposits that were paid one after the other, with a gap shorter than a chunk", async () => {
    await pay(range(1_000, 1_040));
    const { indexes, searched } = await look(1_000, 20);
    expect(indexes).toEqual(range(1_000, 1_040));
    expect(searched.searchedTo).toBe(1_060);
  });

  test("finds what lies behind the first gap, with a gap longer than a chunk", async () => {
    await pay([2_030, 2_120, 2_140, 2_149]);
    const { indexes, searched } = await look(2_000, 100);
    expect(indexes).toEqual([2_030, 2_120, 2_140, 2_149]);
    expect(searched.searchedTo).toBe(2_249);
  });
});

describe("continueAfter", () => {
  test("lets new deposits begin above every one that was paid", async () => {
    const paid = [3_003, 3_012, 3_015];
    await pay(paid);
    const { wanted, searched } = await look(3_000, 10);
    const db = openDatabase(dir.path);
    continueAfter(db, wanted, searched, 1);
    expect(DepositStore.nextIndex(db)).toBe(3_021);
    closeDatabase(db);
  });
});
