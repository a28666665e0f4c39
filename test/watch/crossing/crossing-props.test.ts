import { afterAll, expect, test } from "bun:test";
import { parseConfig } from "../../../src/config/config.ts";
import * as Address from "../../../src/domain/wallet/address.ts";
import { crossingProps } from "../../../src/pay/payment/crossing-props.ts";
import { closeDatabase } from "../../../src/store/database.ts";
import * as CrossingStore from "../../../src/store/tables/watch/crossing.ts";
import { makeDataDir, openNewDatabase, passphrase } from "../../support/till/data-dir.ts";
import { pay } from "../../support/till/moves.ts";
import { storeInvoice } from "../../support/till/records.ts";

const data = makeDataDir();
const db = openNewDatabase(data.path);
afterAll(() => {
  closeDatabase(db);
  data.remove();
});

const toldAt = 1_800_000_000_000;
const mintedAt = toldAt + 60_000;
const amount = 5_000_000n;
const config = parseConfig({
  TILL_CHAIN: "anvil",
  TILL_RPC_URL: "http://127.0.0.1:9",
  TILL_WALLET_PASSPHRASE: passphrase,
});

type Stored = {
  state: "told" | "attested" | "arrived" | "unknown";
  amount?: bigint | null;
  attestedAt?: number;
};
let stored = 0;

/** Stores one of 5 USDC, attested as soon as it was told, and minted a minute later if it is `arrived`. */
function store(index: number, { state, attestedAt = toldAt, ...rest }: Stored): void {
  const signed = rest.amount === null || state === "told" ? null : (rest.amount ?? amount);
  const word = signed && "0x";
  db.run(
    `INSERT INTO crossing (deposit_index, chain_id, tx_hash, state, amount, message, attestation, created_at, attested_at,
       next_at, ended_at)
     VALUES (?1, 31339, ?2, ?3, ?4, ?5, ?5, ?6, ?7, ?6, ?8)`,
    [
      ...([index, `0x${++stored}`, state, signed, word, toldAt, signed && attestedAt] as const),
      state === "arrived" || state === "unknown" ? mintedAt : null,
    ],
  );
}

const mint = (index: number, at: number) => pay(db, index, amount, at, { payer: Address.zero });

function shownAt(index: number, seconds: number, isDelayed: boolean) {
  const now = () => mintedAt + seconds * 1_000;
  return crossingProps({ db, config, now, crossings: () => null, isDelayed: () => isDelayed }, index).newest;
}
const stateAt = (index: number, seconds: number, isDelayed: boolean) =>
  shownAt(index, seconds, isDelayed)?.state ?? null;

test("what was minted is asked for again only once the chain has been read since, whatever else is told", () => {
  const { index } = storeInvoice(db).deposit;
  store(index, { state: "arrived" });
  expect([stateAt(index, 59, false), stateAt(index, 61, false)]).toEqual(["attested", null]);
  expect([stateAt(index, 59, true), stateAt(index, 3_600, true)]).toEqual(["attested", "attested"]);
  store(index, { state: "told" });
  expect([stateAt(index, 59, false), stateAt(index, 61, false)]).toEqual(["attested", "told"]);
  mint(index, mintedAt);
  expect([stateAt(index, 59, false), stateAt(index, 59, true)]).toEqual(["told", "told"]);
});

test("what no contract has checked, as it was told once it had arrived, is not on its way while the chain is delayed", () => {
  const late = storeInvoice(db).deposit.index;
  mint(late, toldAt - 3_600_000);
  store(late, { state: "arrived", attestedAt: mintedAt });
  // Which stands for itself alone, as below.
  store(late, { state: "attested" });
  expect(stateAt(late, 3_600, false)).toBe("late");
  mint(late, mintedAt);
  expect(stateAt(late, 3_600, true)).toBeNull();
  for (const known of [{ attestedAt: mintedAt }, { amount: null }]) {
    const { index } = storeInvoice(db).deposit;
    store(index, { state: "arrived", ...known });
    expect(stateAt(index, 3_600, true)).toBeNull();
  }
});

test("what was given up is said to have never come until it comes", () => {
  const { index } = storeInvoice(db).deposit;
  store(index, { state: "unknown" });
  expect(stateAt(index, 0, false)).toBe("over");
  mint(index, mintedAt);
  expect(stateAt(index, 0, false)).toBeNull();
});

test("of two equal ones, one that has come stands for itself alone", () => {
  const { index } = storeInvoice(db).deposit;
  const comes = () => [
    CrossingStore.attested(db, index),
    CrossingStore.listAttested(db, index).length,
    CrossingStore.listUndelivered(db, mintedAt, 9).deposits,
  ];
  // Nobody told of that one.
  mint(index, toldAt - 1);
  store(index, { state: "attested" });
  store(index, { state: "attested" });
  expect(comes()).toEqual([10_000_000n as never, 2, [index]]);
  mint(index, mintedAt);
  expect(comes()).toEqual([5_000_000n as never, 1, [index]]);
  expect(stateAt(index, 3_600, false)).toBe("late");
  // Whichever it was.
  db.run("UPDATE crossing SET state = 'arrived', ended_at = ? WHERE deposit_index = ? AND tx_hash = ?", [
    mintedAt,
    index,
    `0x${stored}`,
  ]);
  expect(comes()).toEqual([5_000_000n as never, 1, [index]]);
  expect(stateAt(index, 3_600, false)).toBe("late");
  mint(index, mintedAt);
  expect(comes()).toEqual([0n as never, 0, []]);
  expect(stateAt(index, 3_600, true)).toBeNull();
});
