import { afterEach, beforeEach, expect, test } from "bun:test";
import { replayStored } from "../../src/doctor/replay.ts";
import type { InvoiceCurrency } from "../../src/domain/bill/currency.ts";
import type { Billed } from "../../src/domain/usdc.ts";
import { quotedCurrencies } from "../../src/store/tables/invoicing/billed.ts";
import * as ReceivableStore from "../../src/store/tables/invoicing/receivable.ts";
import { db, makeDatabase, removeDatabase } from "../support/till/database.ts";
import { storeInvoice, storeLink } from "../support/till/records.ts";

beforeEach(makeDatabase);
afterEach(removeDatabase);

const inEuros: InvoiceCurrency = {
  ...{ code: "EUR", rate: "0.8", source: "Kraken", fetchedAt: 0 },
  total: 80_000_000n as Billed,
};

function differences(): string[] {
  const found: string[] = [];
  const wrong = ({ level, message }: { level: string; message: string }) =>
    level === "wrong" && found.push(message);
  replayStored(db, null, wrong, () => {});
  return found;
}

test("what is to be paid of a price in a currency follows from its rate", () => {
  const stored = [storeInvoice(db, { total: "100.00" }), storeLink(db, { total: "100.00" })];
  for (const { deposit } of stored) ReceivableStore.setCurrency(db, deposit.index, inEuros);
  db.run("UPDATE line_item SET line_total = 80000000");
  expect(differences()).toEqual([]);
  db.run("UPDATE receivable SET expected_amount = 90000000");
  const message = (name: string) =>
    `${name}: the expected amount is stored as 90.00, but according to the records it is 100.00.`;
  expect(differences()).toEqual([message("INV-0001"), message("link slug1")]);
});

test("a deposit that belongs to nothing is found, and has no name", () => {
  storeLink(db);
  db.run("DELETE FROM link");
  expect(ReceivableStore.nameOf(db, 0)).toBeNull();
  expect(differences()).toEqual(["deposit 0: it belongs to no invoice and no link."]);
});

test("the currencies of invoices are known whatever links were made since", () => {
  const { deposit } = storeInvoice(db);
  ReceivableStore.setCurrency(db, deposit.index, inEuros);
  for (let i = 0; i < 1_000; i += 1) storeLink(db);
  expect(quotedCurrencies(db)).toEqual(["EUR"]);
});
