import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { cpSync, rmSync } from "node:fs";
import { paymentWarnings } from "../../src/doctor/money-findings.ts";
import type { Address } from "../../src/domain/wallet/address.ts";
import * as Epoch from "../../src/domain/wallet/epoch.ts";
import { closeDatabase } from "../../src/store/database.ts";
import { beginEpoch, leaveOutUnknown } from "../../src/store/files/restore-facts.ts";
import * as DepositStore from "../../src/store/tables/invoicing/deposit.ts";
import * as PartyStore from "../../src/store/tables/invoicing/party.ts";
import { startTestChain, type TestChain } from "../support/chain/chain.ts";
import { makeDataDir, openNewDatabase } from "../support/till/data-dir.ts";
import { payoutWallet, storeInvoice } from "../support/till/records.ts";
import { startTestTill, type TestTill, until } from "../support/till/till.ts";

const hourMs = 3_600_000;

describe("a snapshot of the data is put back", () => {
  let chain: TestChain;
  beforeAll(async () => {
    chain = await startTestChain();
  });
  afterAll(() => chain.stop());

  const tea = (price: string) => ({ line_items: [{ description: "Tea", quantity: 1, unit_price: price }] });
  const addresses = (made: readonly Record<string, string>[]) => made.map((each) => each["deposit_address"]);

  /** Does what comes after the snapshot, and puts that back. */
  async function putBack(till: TestTill, after: () => Promise<void>): Promise<void> {
    const copy = makeDataDir();
    await till.pause();
    cpSync(till.config.dataDir, copy.path, { recursive: true });
    await till.resume();
    await after();
    await till.pause();
    rmSync(till.config.dataDir, { recursive: true });
    cpSync(copy.path, till.config.dataDir, { recursive: true });
    copy.remove();
    await till.resume();
  }

  test.each([
    ["to the managed wallet", { wallet_type: "managed" }],
    ["to an own wallet", { wallet_type: "byo", wallet_address: payoutWallet }],
  ])(
    "nobody's address is given out again, and what came there meanwhile is told of: %s",
    async (_, wallet) => {
      const till = await startTestTill(chain);
      try {
        await till.createInvoice({ ...tea("10.00"), ...wallet });
        const lost: Record<string, string>[] = [];
        await putBack(till, async () => {
          for (const price of ["20.00", "30.00"])
            lost.push(await till.createInvoice({ ...tea(price), ...wallet }));
          await chain.pay(lost[0]?.["deposit_address"] as Address, "20.00");
          await until(
            () => till.api("GET", `/api/invoices/${lost[0]?.["invoice_id"]}/status`),
            ({ body }) => body.status === "paid",
          );
        });
        await until(
          () => till.logged.filter((line) => line.includes("data.older")),
          (lines) => lines.length > 0,
        );
        const again = [
          await till.createInvoice({ ...tea("20.00"), ...wallet }),
          await till.createInvoice({ ...tea("30.00"), ...wallet }),
        ];
        const all = addresses([...lost, ...again]);
        expect(new Set(all).size).toBe(all.length);
        // The second customer pays too, after the snapshot was put back.
        await chain.pay(lost[1]?.["deposit_address"] as Address, "30.00");
        await till.pause();
        await till.resume();
        await until(
          () => till.logged.filter((line) => line.includes("data.older")),
          (lines) => lines.length === 2,
        );
        for (const { invoice_id } of again)
          expect((await till.api("GET", `/api/invoices/${invoice_id}/status`)).body.status).toBe("draft");
        const [found] = paymentWarnings(till.db, Date.now());
        expect(found?.message).toContain("the data is older than the chain");
        expect(found?.message).toContain("to 2 deposits");
        expect(found?.message).toContain("numbers above 1 may be on bills already");
      } finally {
        await till.stop();
      }
    },
  );
});

describe("leaveOutUnknown", () => {
  const now = Epoch.startMs(5_000);

  function open(deposits: readonly number[]) {
    const dir = makeDataDir();
    const db = openNewDatabase(dir.path);
    leaveOutUnknown(db, now - hourMs);
    for (const at of deposits) {
      storeInvoice(db);
      db.query("UPDATE receivable SET created_at = ? WHERE deposit_index = ?").run(
        at,
        DepositStore.lastIndex(db),
      );
    }
    const next = (at: number) => {
      leaveOutUnknown(db, at);
      return DepositStore.nextIndex(db);
    };
    return {
      db,
      next,
      close() {
        closeDatabase(db);
        dir.remove();
      },
    };
  }

  test("leaves out more the longer ago the last one was made, and never goes back", () => {
    const { db, next, close } = open([now]);
    expect(next(now)).toBe(1 + 20);
    expect(next(now + 2_000)).toBe(1 + 20 + 3);
    expect(next(now + hourMs)).toBe(1 + 20 + 600 + 10);
    // A clock that was put back.
    expect(next(now - 10 * hourMs)).toBe(631);
    expect(next(now + 100 * hourMs)).toBe(1 + 20 + 600 + 1_000);
    const [before, account] = [PartyStore.lastAccount(db), PartyStore.accountIndex(db, "new@shop.example")];
    expect(account).toBeGreaterThan(before + 1);
    close();
  });

  test("leaves out ten times what was usual", () => {
    const { next, close } = open(Array.from({ length: 201 }, (_, i) => now - hourMs + i * 18_000));
    expect(next(now + hourMs)).toBe(201 + 20 + 600 + 2_010);
    close();
  });

  test("begins an epoch after a long time, and one in a quarter of an hour only", () => {
    const { next, close } = open([now]);
    expect(next(now + 300 * hourMs)).toBe(Epoch.firstIndex(Epoch.at(now + 300 * hourMs)));
    expect(next(now + 300 * hourMs + 60_000)).toBe(Epoch.firstIndex(Epoch.at(now + 300 * hourMs)));
    expect(next(now + 400 * hourMs)).toBe(Epoch.firstIndex(Epoch.at(now + 400 * hourMs)));
    close();
  });

  test("goes on after an epoch that a clock far ahead began", () => {
    const { db, next, close } = open([now]);
    const wrong = now + 300 * hourMs;
    expect(next(wrong)).toBe(Epoch.firstIndex(Epoch.at(wrong)));
    beginEpoch(db, now);
    expect(next(now)).toBe(Epoch.firstIndex(Epoch.beyond(Epoch.at(wrong), now)));
    close();
  });

  test("begins an epoch where a copy from before the first deposit may have been put back", () => {
    const { next, close } = open([]);
    expect(next(now)).toBe(Epoch.firstIndex(5_000));
    close();
    const first = open([]);
    expect(first.next(now - hourMs + 1)).toBe(0);
    first.close();
  });
});
