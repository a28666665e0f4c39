import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { paymentWarnings } from "../../src/doctor/money-findings.ts";
import { replayStored } from "../../src/doctor/replay.ts";
import type * as Event from "../../src/domain/event/event.ts";
import type { Transfer } from "../../src/domain/payment/transfer.ts";
import { createClose } from "../../src/invoicing/close.ts";
import { createLog } from "../../src/lib/log.ts";
import { closeDatabase, openDatabase } from "../../src/store/database.ts";
import * as InvoiceStore from "../../src/store/tables/invoicing/invoice.ts";
import * as LinkStore from "../../src/store/tables/invoicing/link.ts";
import * as EventStore from "../../src/store/tables/outbox/event.ts";
import * as MailStore from "../../src/store/tables/outbox/mail.ts";
import * as MailQueueStore from "../../src/store/tables/outbox/mail-queue.ts";
import * as WebhookHistoryStore from "../../src/store/tables/outbox/webhook-history.ts";
import { applyScan } from "../../src/watch/payment/payment.ts";
import { makeDataDir, openNewDatabase } from "../support/till/data-dir.ts";
import { payoutWallet, recordSettings, storeInvoice, storeLink } from "../support/till/records.ts";
import { usdc } from "../support/usdc.ts";
import { looked, putCheckpoint } from "../support/watch/looked.ts";
import { createModel, type Kind, type Paid } from "./close-model.ts";

/** What happens to an invoice or a link of 100.00 USDC, one after the other. */
type Step =
  /** Money in the next block; it counts at once or later. */
  | { do: "pay"; amount: "30.00" | "70.00" | "100.00"; confirmed: boolean }
  /** All that is there counts. */
  | { do: "confirm" }
  /** So many blocks are replaced; their transfers are gone, or come back in a new block. */
  | { do: "reorg"; depth: number; comesBack: boolean }
  | { do: "void" }
  | { do: "mark"; as: "paid" | "unpaid" }
  /** The first mail is delivered. */
  | { do: "mail" }
  | { do: "restart" };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant("pay"),
      amount: fc.constantFrom("30.00", "70.00", "100.00"),
      confirmed: fc.boolean(),
    }),
  },
  { weight: 2, arbitrary: fc.constant({ do: "confirm" } as const) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant("reorg"),
      depth: fc.integer({ min: 1, max: 3 }),
      comesBack: fc.boolean(),
    }),
  },
  { weight: 3, arbitrary: fc.constant({ do: "void" } as const) },
  { weight: 5, arbitrary: fc.record({ do: fc.constant("mark"), as: fc.constantFrom("paid", "unpaid") }) },
  { weight: 1, arbitrary: fc.constant({ do: "mail" } as const) },
  { weight: 1, arbitrary: fc.constant({ do: "restart" } as const) },
) as fc.Arbitrary<Step>;

const hash = (n: number) => `0x${n.toString(16).padStart(64, "0")}`;

/** An invoice or a link in a database of its own, and the chain that it is paid on. */
function createWorld(kind: Kind, webhookEvents: "contract" | "standard") {
  const dir = makeDataDir();
  let db = openNewDatabase(dir.path);
  let clock = 1_795_000_000_000;
  let head = 10;
  /** Makes the hashes of blocks of another branch others. */
  let branch = 0;
  let transactions = 0;
  let chain: (Paid & { block: number })[] = [];
  const options = { total: "100.00", webhookUrl: "https://shop.example/hook", webhookEvents, now: clock };
  putCheckpoint(db, { number: head, hash: hash(head) });
  if (kind === "invoice") {
    storeInvoice(db, options);
    MailStore.insertFirst(db, 0, clock);
  } else storeLink(db, options);

  const log = createLog({ format: "text", level: "debug", write() {} });
  const transferOf = ({ txHash, amount, block }: (typeof chain)[number]): Transfer => ({
    blockHash: hash(branch * 1_000_000 + block),
    logIndex: 0,
    blockNumber: block,
    txHash,
    depositIndex: 0,
    payer: payoutWallet,
    amount,
  });
  const scan = (undoAbove: number | null, confirmAll: boolean) => {
    clock += 1_000;
    const checkpoint = { number: head, hash: hash(branch * 1_000_000 + head) };
    const transfers = chain.filter(({ block }) => block > (undoAbove ?? head - 1)).map(transferOf);
    const confirmedUpTo = confirmAll ? head : 0;
    applyScan(db, looked(db, { checkpoint, undoAbove, transfers, confirmedUpTo }), clock, {
      receipts: true,
      recordSettings,
    });
    chain = chain.map((paid) => ({ ...paid, confirmed: paid.confirmed || confirmAll }));
  };

  return {
    pay(amount: string, confirmed: boolean) {
      head += 1;
      transactions += 1;
      chain.push({
        txHash: hash(0xabc_0000 + transactions),
        amount: usdc(amount),
        block: head,
        confirmed: false,
      });
      scan(null, confirmed);
    },
    confirm() {
      head += 1;
      scan(null, true);
    },
    reorg(depth: number, comesBack: boolean) {
      const undoAbove = Math.max(10, head - depth);
      branch += 1;
      const gone = chain.filter(({ block }) => block > undoAbove);
      chain = chain.filter(({ block }) => block <= undoAbove);
      head = undoAbove + 1;
      if (comesBack) {
        const [first] = gone;
        if (first) chain.push({ ...first, block: head, confirmed: false });
      }
      scan(undoAbove, false);
    },
    paid: (): readonly Paid[] => chain,
    async close(closing: Parameters<ReturnType<typeof createClose>>[1]) {
      clock += 1_000;
      const nothing = () => {};
      const close = createClose({
        config: { creditNoteNumber: { before: "CN-", digits: 4, after: "" }, mailReceipts: true },
        db,
        recordSettings,
        log,
        now: () => clock,
        onEventDue: nothing,
        onMailDue: nothing,
      });
      return await close({ kind, depositIndex: 0 }, closing, null);
    },
    /** As the outbox does. False when there is none to deliver. */
    deliverFirstMail(): boolean {
      const mail = MailQueueStore.listDue(db, { now: clock + 60_000, limit: 10, reminders: false }).find(
        ({ kind }) => kind === "invoice",
      );
      const invoice = InvoiceStore.byDeposit(db, 0);
      if (!mail || !invoice) return false;
      MailQueueStore.markSending(db, mail.id);
      MailQueueStore.markEnded(db, mail.id, { state: "sent", reason: null, refused: false, endedAt: clock });
      InvoiceStore.setSent(db, invoice.sequence, clock, invoice.status === "draft" ? "sent" : invoice.status);
      return true;
    },
    restart() {
      closeDatabase(db);
      db = openDatabase(dir.path);
    },
    seen() {
      const record = kind === "invoice" ? InvoiceStore.byDeposit(db, 0) : LinkStore.byDeposit(db, 0);
      const mails = db
        .query<{ kind: string; occasion: string; state: string }, []>(
          "SELECT kind, occasion, state FROM mail",
        )
        .all();
      return {
        status: record?.status ?? null,
        received: record?.deposit.received ?? null,
        isVoid: record?.voidedAt != null,
        isMarked: record?.markedPaidAt != null,
        events: EventStore.list(db, { limit: 1_000, deposit: 0 })
          .rows.map(({ type }) => type.replace(`${kind}.`, "") as Event.Type)
          .reverse(),
        webhooks: WebhookHistoryStore.list(db, 0).map(({ status }) => status),
        mails: mails
          .filter(({ occasion }) => occasion === "" || occasion === "unexpected")
          .map(({ kind, occasion, state }) =>
            [kind, occasion, kind === "invoice" ? state : ""].join(" ").trim(),
          )
          .sort(),
      };
    },
    /** What `till doctor` and /health/ready say of payments, so much later. */
    warnings: (afterMs: number) => paymentWarnings(db, clock + afterMs).map(({ message }) => message),
    findings() {
      const wrong: string[] = [];
      replayStored(
        db,
        null,
        ({ level, message }) => level === "wrong" && wrong.push(message),
        () => {},
      );
      return wrong;
    },
    remove() {
      closeDatabase(db);
      dir.remove();
    },
  };
}

async function live(kind: Kind, webhookEvents: "contract" | "standard", steps: readonly Step[]) {
  const world = createWorld(kind, webhookEvents);
  const model = createModel(kind, webhookEvents);
  try {
    for (const step of steps) {
      if (step.do === "pay") {
        world.pay(step.amount, step.confirmed);
        model.scan(world.paid());
      } else if (step.do === "confirm") {
        world.confirm();
        model.scan(world.paid());
      } else if (step.do === "reorg") {
        world.reorg(step.depth, step.comesBack);
        model.scan(world.paid());
      } else if (step.do === "void") {
        expect(await world.close({ kind: "void", reason: "Billed twice." })).toBe(model.void());
      } else if (step.do === "mark") {
        expect(await world.close({ kind: "mark", as: step.as, note: null })).toBe(model.mark(step.as));
      } else if (step.do === "mail") {
        if (world.deliverFirstMail()) model.mailed();
      } else world.restart();
      expect({ step, ...world.seen() } as object).toEqual({ step, ...model.expected() });
    }
    expect(world.findings()).toEqual([]);
  } finally {
    world.remove();
  }
}

const more = process.env["TEST_CLOSE_RUNS"];

describe.each([
  ["invoice", "contract", 1],
  ["invoice", "standard", 2],
  ["link", "contract", 3],
  ["link", "standard", 4],
] as const)("of the kind %s, with webhooks of the form %s,", (kind, webhookEvents, seed) => {
  test("the status is what money and the merchant have made of it, and each thing is told just once", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 14 }), (steps) =>
        live(kind, webhookEvents, steps),
      ),
      // The same histories every time, unless more are asked for.
      more === undefined ? { numRuns: 8, seed } : { numRuns: Number(more) },
    );
  });
});

describe("money that nobody owed", () => {
  const dayMs = 86_400_000;

  test("is named for 30 days, or until the mark is taken back", async () => {
    const world = createWorld("invoice", "contract");
    try {
      expect(world.warnings(0)).toEqual([]);
      await world.close({ kind: "mark", as: "paid", note: null });
      world.pay("30.00", true);
      const named = ["money came to what is void or marked as paid: INV-0001"];
      expect(world.warnings(0)).toEqual(named);
      expect(world.warnings(29 * dayMs)).toEqual(named);
      expect(world.warnings(31 * dayMs)).toEqual([]);
      await world.close({ kind: "mark", as: "unpaid", note: null });
      expect(world.warnings(0)).toEqual([]);
    } finally {
      world.remove();
    }
  });

  test("is not named any more when it has left the chain", async () => {
    const world = createWorld("link", "contract");
    try {
      await world.close({ kind: "void", reason: "Sold out." });
      world.pay("100.00", true);
      expect(world.warnings(0)).toEqual(["money came to what is void or marked as paid: link slug0"]);
      world.reorg(1, false);
      expect(world.warnings(0).filter((message) => message.includes("void"))).toEqual([]);
    } finally {
      world.remove();
    }
  });
});
