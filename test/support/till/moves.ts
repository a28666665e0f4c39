import type { Cell } from "../../../src/books/columns.ts";
import type { Selection } from "../../../src/books/table.ts";
import { tables } from "../../../src/books/tables.ts";
import type { Way } from "../../../src/domain/payment/refund.ts";
import type { Address } from "../../../src/domain/wallet/address.ts";
import type { Hex } from "../../../src/lib/crypto.ts";
import type { Db } from "../../../src/store/database.ts";
import * as PreferenceStore from "../../../src/store/tables/desk/preference.ts";
import * as BookValueStore from "../../../src/store/tables/invoicing/book-value.ts";
import * as PaymentValueStore from "../../../src/store/tables/invoicing/payment-value.ts";
import * as RefundStore from "../../../src/store/tables/invoicing/refund.ts";
import * as RelayStore from "../../../src/store/tables/settle/relay.ts";
import * as WithdrawalStore from "../../../src/store/tables/settle/withdrawal.ts";
import * as CrossingStore from "../../../src/store/tables/watch/crossing.ts";
import * as TransferStore from "../../../src/store/tables/watch/transfer.ts";
import { usdc } from "../usdc.ts";

/** Money that moves, written into the books as the watcher and the treasury do, without a chain. */

let count = 0;
const hash = () => `0x${(++count).toString(16).padStart(64, "0")}` as Hex;
export const payer = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8" as Address;
const wallet = "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC" as never;

type Rated = { rate?: string; currency?: string };
const worth = ({ rate = "", currency = "EUR" }: Rated, at: number) => ({
  ...{ currency, rate, source: "kraken", rateAt: at },
});

/** A payment of micro-USDC. */
export function pay(
  db: Db,
  depositIndex: number,
  amount: bigint,
  at: number,
  {
    isConfirmed = true,
    payer: from = payer,
    ...rated
  }: Rated & { isConfirmed?: boolean; payer?: Address } = {},
): string {
  const txHash = hash();
  const place = { blockHash: hash(), logIndex: 0, blockNumber: ++count, txHash, depositIndex };
  const transfer = { ...place, payer: from, amount: amount as never };
  TransferStore.insert(db, transfer, isConfirmed, { seenAt: at, madeAt: at });
  if (rated.rate) PaymentValueStore.save(db, [{ depositIndex, txHash, paidAt: at, ...worth(rated, at) }]);
  return txHash;
}

/** What Circle has signed, burnt on another chain, and not minted yet. */
export function cross(db: Db, depositIndex: number, amount: bigint, at: number): void {
  CrossingStore.insert(db, { depositIndex, chainId: 31338, txHash: hash() }, at);
  const told = CrossingStore.foremost(db, depositIndex, () => true);
  if (!told) throw new Error("There is no crossing");
  const signed = { amount: amount as never, message: hash(), attestation: hash(), attestedAt: at };
  CrossingStore.update(db, told, { ...signed, state: "attested", nextAt: at + 3_600_000 }, at);
}

/** What a payer has signed, and is sent some time: on another chain, where nobody follows it. */
export function sign(db: Db, depositIndex: number, amount: bigint, at: number): void {
  db.run("PRAGMA foreign_keys = OFF");
  RelayStore.insert(db, {
    ...{
      depositIndex,
      source: "page",
      chainId: 1,
      token: wallet,
      payer,
      to: wallet,
      amount: amount as never,
    },
    ...{ validAfterSec: 0, validBeforeSec: 4_000_000_000, nonce: hash(), signature: "0x12" },
    ...{ paymentIdentifier: null, begunBlock: 1, transactionId: 1, createdAt: at },
  });
  db.run("PRAGMA foreign_keys = ON");
}

export function withdraw(
  db: Db,
  amount: string,
  at: number,
  { isDone = true, ...rated }: Rated & { isDone?: boolean } = {},
): number {
  const { id } = WithdrawalStore.insert(
    db,
    {
      ...{ chainId: 8453, token: wallet, accountIndex: 1, from: wallet, to: payer, amount: usdc(amount) },
      ...{ nonce: hash(), validBeforeSec: 1, begunBlock: 1 },
    },
    { now: at, formKey: null },
  );
  if (isDone) WithdrawalStore.finish(db, id, { state: "done", txHash: hash() });
  if (rated.rate) BookValueStore.save(db, { kind: "withdrawal", id, madeAt: at, ...worth(rated, at) });
  return id;
}

/** One that was given back; `till` has a withdrawal of its own. */
export function refund(
  db: Db,
  depositIndex: number,
  amount: string,
  at: number,
  way: Way,
  rated: Rated = {},
) {
  const withdrawalId = way === "till" ? withdraw(db, amount, at) : null;
  const txHash = way === "elsewhere" ? null : hash();
  const { number } = RefundStore.insert(db, {
    ...{ id: crypto.randomUUID(), depositIndex, merchant: "billing@acme.example", amount: usdc(amount) },
    ...{
      credited: 0n as never,
      takenBack: null,
      way,
      state: "confirmed",
      reason: null,
      note: null,
      email: null,
    },
    ...{
      address: payer,
      addressBy: "person",
      claimHash: null,
      claimToken: null,
      claimEndsAt: null,
      claims: 0,
    },
    ...{ isMailed: false, approvedAt: at, readyAt: at, begunBlock: 1, failure: null, withdrawalId, txHash },
    ...{ blockNumber: null, createdAt: at, changedAt: at, endedAt: at },
  });
  if (rated.rate) BookValueStore.save(db, { kind: "refund", id: number, madeAt: at, ...worth(rated, at) });
}

/** The rows of a table for bookkeepers, and what it says is missing in them. */
export async function rowsOf(db: Db, name: string, changes: Partial<Selection> = {}) {
  const gaps: string[] = [];
  const table = tables.find((each) => each.name === name);
  if (!table) throw new Error(`no table ${name}`);
  const selection: Selection = {
    ...{ db, chainId: 8453, days: { from: null, to: null }, timeZone: "UTC", rpcUrls: [], baseUrl: null },
    ...{
      valueCurrency: "EUR",
      taxPeriod: "supply",
      codes: { account: "", taxTypes: {} },
      datev: PreferenceStore.datevCodes(db),
    },
    onGap: (sentence) => gaps.push(sentence),
    ...changes,
  };
  const rows: Record<string, Cell>[] = [];
  for await (const row of table.rows(selection)) rows.push(row);
  return { rows, gaps, table, selection };
}
