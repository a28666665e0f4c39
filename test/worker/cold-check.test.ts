import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import * as ColdBalanceStore from "../../src/store/cold-balance.ts";
import { transact } from "../../src/store/database.ts";
import * as DepositStore from "../../src/store/deposit.ts";
import * as ReadingStore from "../../src/store/reading.ts";
import * as SettlementStore from "../../src/store/settlement.ts";
import * as TransferStore from "../../src/store/transfer.ts";
import { type ColdWorld, dayMs, hourMs, startColdWorld } from "../support/cold-world.ts";
import { storeInvoice } from "../support/records.ts";
import { until } from "../support/till.ts";
import { usdc } from "../support/usdc.ts";

let world: ColdWorld;
beforeEach(async () => {
  world = await startColdWorld();
});
afterEach(() => world.stop());

const calls = (method: string) => world.proxy.calls.filter((call) => call.method === method).length;

describe("money that comes late", () => {
  test("to an address that is no longer watched is credited by the next check, once", async () => {
    const { chain, db, later, isStatus, noLate, coldInvoice } = world;
    const invoice = await coldInvoice();
    await chain.pay(invoice.deposit.address, "100.00");
    await chain.mine(3);
    await later(22 * hourMs);
    await isStatus(invoice, "paid");
    expect(TransferStore.listByDeposit(db, invoice.deposit.index)).toHaveLength(1);
    await noLate();
    // It is hot again: the next payment needs no check.
    await chain.pay(invoice.deposit.address, "1.00");
    await later(0);
    await isStatus(invoice, "excess");
  });

  test("costs a handful of calls a day when there is none, and no call before the next day", async () => {
    const { proxy, later, checkDone, coldInvoice } = world;
    await coldInvoice();
    await later(22 * hourMs);
    await checkDone();
    await Bun.sleep(1_200);
    expect(proxy.calls.length).toBeLessThanOrEqual(10);
    expect(calls("eth_call")).toBe(1);
    expect(calls("eth_getLogs")).toBe(0);
    await later(hourMs);
    await Bun.sleep(500);
    expect(calls("eth_call")).toBe(0);
  });

  test("is found although the check before saw the same balance minus what was settled", async () => {
    const { chain, db, now, later, isStatus, coldInvoice } = world;
    const invoice = await coldInvoice();
    const { index } = invoice.deposit;
    // As the check of before the settlement saw it.
    const [known] = ColdBalanceStore.listUnchangedSince(db, Date.now() + 99 * dayMs, index, 1);
    expect(known?.balance).toBe(0n as never);
    ColdBalanceStore.save(db, index, 500_000_000n as never, now());
    await chain.pay(invoice.deposit.address, "100.00");
    await later(22 * hourMs);
    await isStatus(invoice, "paid");
  });

  test("is found although the check before saw the same balance, which was settled since", async () => {
    const { chain, db, now, later, turnCold, isStatus, coldInvoice, takeAway } = world;
    const invoice = await coldInvoice();
    const { address, index } = invoice.deposit;
    await chain.pay(address, "50.00");
    await later(22 * hourMs);
    await isStatus(invoice, "partial");
    await turnCold();
    await takeAway(invoice, "50.00");
    transact(db, () => SettlementStore.recordElsewhere(db, { index, amount: usdc("50.00") }, now()));
    await chain.pay(address, "50.00");
    await later(22 * hourMs);
    await isStatus(invoice, "paid");
  });

  test("while Till did not run for months is found when it starts again", async () => {
    const { chain, db, halt, later, check, isStatus } = world;
    const invoice = storeInvoice(db, { total: "100.00" });
    await later(0);
    await until(check, Boolean);
    await halt();
    await chain.mine(40);
    await chain.pay(invoice.deposit.address, "100.00");
    await chain.mine(40);
    await later(90 * dayMs);
    await isStatus(invoice, "paid");
  });

  test("is read for but not watched again when it is only what is known and was never settled", async () => {
    const { chain, db, now, later, checkDone, isStatus, noLate } = world;
    const invoice = storeInvoice(db, { total: "100.00" });
    await chain.pay(invoice.deposit.address, "100.00");
    await later(0);
    await isStatus(invoice, "paid");
    // No check saw the balance before it turned cold.
    await later(40 * dayMs);
    await checkDone();
    await noLate();
    expect(DepositStore.listChangedSince(db, now() - 30 * dayMs)).toEqual([]);
    await chain.pay(invoice.deposit.address, "1.00");
    await later(22 * hourMs);
    await isStatus(invoice, "excess");
  });

  test("is found without Multicall3 as well", async () => {
    const { chain, proxy, later, isStatus, logged, coldInvoice } = world;
    const invoice = await coldInvoice();
    await chain.pay(invoice.deposit.address, "100.00");
    proxy.answer = ({ method, params }) => {
      const [call] = params as [{ to?: string }];
      const isMulticall = method === "eth_call" && call.to === "0xcA11bde05977b3631167028862bE2a173976CA11";
      return isMulticall ? { result: "0x" } : undefined;
    };
    await later(22 * hourMs);
    await isStatus(invoice, "paid");
    expect(logged().some((line) => line.includes("[chain.no_multicall]"))).toBe(true);
  });

  test("is not believed of a node that answers for another chain", async () => {
    const { proxy, db, later, status, coldInvoice } = world;
    const invoice = await coldInvoice();
    const balance = `0x${"1".padStart(64, "0")}`;
    let asked = 0;
    proxy.answer = ({ method }) => {
      if (method === "eth_call") asked += 1;
      if (asked === 0) return undefined;
      if (method === "eth_call") return { result: balance };
      return method === "eth_getBlockByNumber" ? { result: null } : undefined;
    };
    await later(22 * hourMs);
    await until(() => asked, Boolean);
    await Bun.sleep(300);
    expect(ReadingStore.open(db, "late")).toBeNull();
    expect(ColdBalanceStore.listUnchangedSince(db, Date.now() + 99 * dayMs, 0, 1)[0]?.balance).toBe(
      0n as never,
    );
    expect(status(invoice)).toBe("draft");
  });
});
