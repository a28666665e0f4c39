import { afterEach, beforeEach, expect, test } from "bun:test";
import { receiptWarnings } from "../../../src/doctor/database-findings.ts";
import * as Bill from "../../../src/domain/link/bill.ts";
import type { Transfer } from "../../../src/domain/payment/transfer.ts";
import { closeDatabase, openDatabase, transact } from "../../../src/store/database.ts";
import * as LinkList from "../../../src/store/reports/desk/link-list.ts";
import * as LinkStore from "../../../src/store/tables/invoicing/link.ts";
import * as PartyStore from "../../../src/store/tables/invoicing/party.ts";
import * as ReceiptStore from "../../../src/store/tables/invoicing/receipt.ts";
import { applyScan } from "../../../src/watch/payment/payment.ts";
import { db, dir, makeDatabase, removeDatabase } from "../../support/till/database.ts";
import { payoutWallet, recordSettings, storeLink } from "../../support/till/records.ts";
import { usdc } from "../../support/usdc.ts";
import { looked, putCheckpoint } from "../../support/watch/looked.ts";

/** The numbers of receipts for links with tax, over payments, reorganisations and transactions that fail. */

beforeEach(makeDatabase);
afterEach(removeDatabase);

const tax = { category: "standard", rate: 190_000, reason: null } as const;
const bill = Bill.ofOne(
  { description: "Tea", quantity: 1, total: usdc("100.00"), tax },
  { pricesIncludeTax: true, code: "USDC" },
);
const hash = (n: number) => `0x${n.toString(16).padStart(64, "0")}`;
const transfer = (blockNumber: number, depositIndex: number, amount = "100.00"): Transfer => ({
  blockHash: hash(blockNumber),
  logIndex: depositIndex,
  blockNumber,
  txHash: hash(0xa000 + depositIndex),
  depositIndex,
  payer: payoutWallet,
  amount: usdc(amount),
});
const scan = (head: number, transfers: Transfer[], undoAbove: number | null = null, to = db) =>
  applyScan(
    to,
    looked(to, { checkpoint: { number: head, hash: hash(head) }, undoAbove, transfers, confirmedUpTo: head }),
    Date.UTC(2026, 10, 26, 23, 30),
    { receipts: false, recordSettings },
  );
const numberOf = (slug: string) => LinkStore.bySlug(db, slug)?.receiptNumber;

test("count up in the order of payment, and only for links with tax that are paid", () => {
  const links = Array.from({ length: 4 }, () => storeLink(db, {}, { bill }));
  const plain = storeLink(db);
  scan(5, [transfer(4, 2), transfer(4, 4), transfer(5, 1, "99.99")]);
  scan(6, [transfer(6, 0)]);
  expect([...links, plain].map(({ slug }) => numberOf(slug))).toEqual(["R-0002", null, "R-0001", null, null]);
  expect(ReceiptStore.byDeposit(db, 2)).toMatchObject({ issueDate: "2026-11-26", buyer: null });
});

test("stay with their link when a payment leaves the chain and comes back", () => {
  const [{ slug }] = [storeLink(db, {}, { bill }), storeLink(db, {}, { bill })];
  putCheckpoint(db, { number: 3, hash: hash(3) });
  scan(5, [transfer(5, 0)]);
  scan(6, [transfer(6, 1)], 4);
  expect(LinkStore.bySlug(db, slug)).toMatchObject({ status: "error", receiptNumber: "R-0001" });
  scan(7, [transfer(7, 0)]);
  expect(LinkStore.bySlug(db, slug)).toMatchObject({ status: "confirmed", receiptNumber: "R-0001" });
  expect(ReceiptStore.nextSequence(db)).toBe(3);
});

test("leave no gap for a transaction that fails, and none twice with two writers", () => {
  for (let i = 0; i < 4; i++) storeLink(db, {}, { bill });
  expect(() =>
    transact(db, () => {
      scan(5, [transfer(5, 0)]);
      throw new Error("killed");
    }),
  ).toThrow("killed");
  expect(ReceiptStore.byDeposit(db, 0)).toBeNull();
  const other = openDatabase(dir.path);
  scan(5, [transfer(5, 1)]);
  scan(6, [transfer(6, 2)], null, other);
  scan(7, [transfer(7, 0)]);
  closeDatabase(other);
  const numbers = [1, 2, 0].map((index) => ReceiptStore.byDeposit(db, index)?.number);
  expect(numbers).toEqual(["R-0001", "R-0002", "R-0003"]);
});

test("name the seller as saved then, and never change", () => {
  const seller = { name: "Tea Ltd", address: "1 Main Street", details: { vatId: "DE123456788" } };
  const saved = { ...seller, paymentTerms: null, usdParity: false, language: null };
  storeLink(db, {}, { bill, payerDetails: { name: "Jo" } });
  PartyStore.save(db, "merchant", "owner@corner.example", saved, 1);
  scan(5, [transfer(5, 0)]);
  PartyStore.save(db, "merchant", "owner@corner.example", { ...saved, name: "Coffee Ltd" }, 2);
  expect(ReceiptStore.byDeposit(db, 0)).toMatchObject({ seller, buyer: { name: "Jo" } });
  expect(() => db.run("UPDATE receipt SET number = 'R-9'")).toThrow("never changes");
  expect(() => db.run("DELETE FROM receipt")).toThrow("never deleted");
});

test("lead to their link, and the doctor tells of a seller whom they do not name", () => {
  const { slug } = storeLink(db, {}, { bill });
  const told = () => receiptWarnings(db, Date.UTC(2026, 10, 27)).map(({ message }) => message);
  expect(told()).toEqual([]);
  scan(5, [transfer(5, 0)]);
  expect(LinkList.byReceipt(db, "R-0001").map(({ link }) => link.slug)).toEqual([slug]);
  expect(LinkList.byReceipt(db, "R-0002")).toEqual([]);
  expect(told()).toEqual([
    "no address or no tax number of owner@corner.example is saved, and receipts with tax need both",
  ]);
  const saved = {
    name: null,
    address: "1 Main Street",
    paymentTerms: null,
    usdParity: false,
    language: null,
  };
  PartyStore.save(db, "merchant", "owner@corner.example", { ...saved, details: null }, 1);
  expect(told()).toHaveLength(1);
  PartyStore.save(db, "merchant", "owner@corner.example", { ...saved, details: { taxId: "12/345" } }, 2);
  expect(told()).toEqual([]);
});
