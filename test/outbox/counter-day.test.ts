import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import * as Common from "../../src/domain/receivable/common.ts";
import * as Usdc from "../../src/domain/usdc.ts";
import { type Catcher, startCatcher } from "../../src/mail/catcher.ts";
import { createTransport } from "../../src/mail/smtp/transport.ts";
import type { Mailer } from "../../src/outbox/mailer.ts";
import * as ReceivableStore from "../../src/store/tables/invoicing/receivable.ts";
import { applyScan } from "../../src/watch/payment/payment.ts";
import { openOutbox } from "../support/mail/mailer.ts";
import { db, makeDatabase, removeDatabase } from "../support/till/database.ts";
import { payoutWallet, recordSettings, storeLink } from "../support/till/records.ts";
import { looked } from "../support/watch/looked.ts";

describe("the mail of a day at the counter", () => {
  let catcher: Catcher;
  let mailer: Mailer;
  const morning = Date.parse("2026-11-27T09:00:00Z");
  const hour = 3_600_000;
  let clockMs = morning;

  beforeEach(async () => {
    clockMs = morning;
    makeDatabase();
    catcher = await startCatcher({ port: 0 });
    const port = Number(new URL(catcher.smtpUrl).port);
    const transport = createTransport({ smtpUrl: `smtp://127.0.0.1:${port}`, from: "till@example.com" });
    mailer = openOutbox(db, transport, { now: () => clockMs }).mailer;
  });
  afterEach(async () => {
    removeDatabase();
    await catcher.stop();
  });

  const hash = (n: number) => `0x${n.toString(16).padStart(64, "0")}`;
  type Paid = { to: number; amount: string };
  /** The next block, with what it pays; above `undoAbove` all is taken back. */
  function scan(block: number, paid: readonly Paid[], undoAbove: number | null = null, fork = 0): void {
    const blockHash = hash(block + 1000 * fork);
    const transfers = paid.map(({ to, amount }, logIndex) => ({
      ...{
        blockHash,
        logIndex,
        blockNumber: block,
        payer: payoutWallet,
        amount: Usdc.parseExact(amount) ?? Usdc.zero,
      },
      ...{ txHash: hash(0xa000 + block), depositIndex: to },
    }));
    const read = { checkpoint: { number: block, hash: blockHash }, undoAbove, transfers };
    applyScan(db, looked(db, { ...read, confirmedUpTo: block }), clockMs, { receipts: true, recordSettings });
  }

  /** A link of 100.00 that was made at the counter. */
  function sell(): number {
    const { deposit } = storeLink(db);
    db.run("UPDATE link SET at_counter = 1 WHERE deposit_index = ?", [deposit.index]);
    return deposit.index;
  }

  async function at(time: number): Promise<string[]> {
    clockMs = time;
    const before = catcher.list().length;
    await mailer.sendDue(new AbortController().signal);
    const news = catcher.list();
    return news.slice(0, news.length - before).map(({ subject }) => subject);
  }

  test("tells the sum once, when the day is over, and nothing of a day without sales", async () => {
    const [one, two] = [sell(), sell()];
    scan(10, []);
    scan(11, [{ to: one, amount: "100.00" }]);
    scan(12, [{ to: two, amount: "40.00" }]);
    scan(13, [{ to: two, amount: "60.000001" }]);
    expect(await at(morning + 14 * hour)).toEqual([]);
    expect(await at(morning + 16 * hour)).toEqual(["Counter on 27 November 2026: 200.000001 USDC"]);
    const [mail] = catcher.list();
    expect(mail?.text).toContain("Sales with payments: 2");
    expect(await at(morning + 64 * hour)).toEqual([]);
  });

  test("says nothing of what came and went on the same day", async () => {
    const one = sell();
    scan(10, []);
    scan(11, [{ to: one, amount: "100.00" }]);
    scan(12, [], 10, 1);
    expect(await at(morning + 16 * hour)).toEqual([]);
    scan(13, [{ to: one, amount: "100.00" }], null, 1);
    expect(await at(morning + 40 * hour)).toEqual(["Counter on 28 November 2026: 100.00 USDC"]);
  });

  test("names in the next mail what the chain took back after a mail", async () => {
    const [one, two] = [sell(), sell()];
    scan(10, []);
    scan(11, [{ to: one, amount: "100.00" }]);
    await at(morning + 16 * hour);
    scan(12, [], 10, 1);
    scan(13, [{ to: two, amount: "7.00" }], null, 1);
    expect(await at(morning + 40 * hour)).toEqual(["Counter on 28 November 2026: 7.00 USDC"]);
    const [mail] = catcher.list();
    expect(mail?.text).toContain("Earlier payments reversed by the network: 100.00 USDC");
  });

  test("tells each change once when the clock was put back after a mail", async () => {
    const [one, two] = [sell(), sell()];
    scan(10, []);
    scan(11, [{ to: one, amount: "100.00" }]);
    await at(morning + 16 * hour);
    clockMs = morning + hour;
    scan(12, [{ to: two, amount: "5.00" }]);
    expect(await at(morning + 17 * hour)).toEqual(["Counter on 27 November 2026: 5.00 USDC"]);
  });

  test("leaves what came for a cancelled sale to a mail of its own", async () => {
    const one = sell();
    ReceivableStore.setClosed(
      db,
      { kind: "link", depositIndex: one },
      { ...Common.open, voidedAt: 1 },
      "void",
    );
    scan(10, []);
    scan(11, [{ to: one, amount: "100.00" }]);
    expect(await at(morning + hour)).toEqual([expect.stringMatching(/^Unexpected payment: .*100\.00 USDC$/)]);
    expect(await at(morning + 16 * hour)).toEqual([]);
  });
});
