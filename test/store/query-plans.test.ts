import { afterAll, describe, expect, test } from "bun:test";
import * as Address from "../../src/domain/wallet/address.ts";
import { closeDatabase, type Db } from "../../src/store/database.ts";
import { dayAtCounter } from "../../src/store/reports/desk/counter.ts";
import * as InvoiceList from "../../src/store/reports/desk/invoice-list.ts";
import * as LinkList from "../../src/store/reports/desk/link-list.ts";
import * as MoneyReport from "../../src/store/reports/desk/money.ts";
import * as WebhookReport from "../../src/store/reports/desk/webhooks.ts";
import * as GasStore from "../../src/store/reports/export/gas.ts";
import { historyOf } from "../../src/store/reports/timeline.ts";
import { find, index } from "../../src/store/search.ts";
import * as AuditStore from "../../src/store/tables/desk/audit.ts";
import * as SessionStore from "../../src/store/tables/desk/session.ts";
import * as CreditNoteStore from "../../src/store/tables/invoicing/credit-note.ts";
import * as CustomerStore from "../../src/store/tables/invoicing/customer.ts";
import * as InvoiceStore from "../../src/store/tables/invoicing/invoice.ts";
import * as LinkStore from "../../src/store/tables/invoicing/link.ts";
import * as RefundStore from "../../src/store/tables/invoicing/refund.ts";
import * as ReusableStore from "../../src/store/tables/invoicing/reusable-link.ts";
import * as EventStore from "../../src/store/tables/outbox/event.ts";
import * as MailQueueStore from "../../src/store/tables/outbox/mail-queue.ts";
import * as WebhookEventStore from "../../src/store/tables/outbox/webhook-event.ts";
import * as WebhookHistoryStore from "../../src/store/tables/outbox/webhook-history.ts";
import * as SettlementStore from "../../src/store/tables/settle/settlement.ts";
import * as BalanceStore from "../../src/store/tables/watch/balance.ts";
import * as OpinionStore from "../../src/store/tables/watch/opinion.ts";
import * as RereadStore from "../../src/store/tables/watch/reread.ts";
import * as TransferStore from "../../src/store/tables/watch/transfer.ts";
import { makeDataDir, openNewDatabase } from "../support/till/data-dir.ts";

const data = makeDataDir();
const db = openNewDatabase(data.path);
afterAll(() => {
  closeDatabase(db);
  data.remove();
});

/** These hold only the few rows that something is to be done with, or are counted up to a limit. */
const small =
  "link_alone|mail_awaiting|link_at_counter|reread_open|settlement_pending|transfer_unconfirmed|transfer_to_ask_in_turn";
const wholeTable = new RegExp(
  `^SCAN (audit|credit_note|delivery_attempt|event|gas_transaction|invoice|link|mail|receivable|webhook_event|reread|session|settlement|transfer)\\b(?!.*(${small}))`,
);

/** What SQLite is asked. */
async function queriesOf(run: (db: Db) => unknown): Promise<string[]> {
  const queries: string[] = [];
  await run(
    new Proxy(db, {
      get(target, name) {
        const value = Reflect.get(target, name, target);
        if (typeof value !== "function") return value;
        return (...args: unknown[]) => {
          if (name === "query") queries.push(String(args[0]));
          return Reflect.apply(value, target, args);
        };
      },
    }),
  );
  expect(queries).not.toEqual([]);
  return queries;
}

/** How SQLite says that it does this. */
async function planOf(run: (db: Db) => unknown): Promise<string[]> {
  return (await queriesOf(run))
    .flatMap((sql) => db.query<{ detail: string }, []>(`EXPLAIN QUERY PLAN ${sql}`).all())
    .map(({ detail }) => detail);
}

/** What it walks through from one end to the other. */
const walksOf = async (run: (db: Db) => unknown) =>
  (await planOf(run)).filter((detail) => wholeTable.test(detail));

/** What the desk's list of invoices is narrowed to; that of all begins at the end of the table and reads no further. */
const lists: Partial<InvoiceList.Filter>[] = [
  ...InvoiceList.kinds.filter((kind) => kind !== "all").map((kind) => ({ kind })),
  ...InvoiceList.kinds.map((kind) => ({ kind, from: "2026-01-01", to: "2026-01-31" })),
  { sequences: [1] },
  { sequences: [1], kind: "void" },
  { customer: "ap@globex.example" },
];

describe("no table is read whole, however many deposits there were,", () => {
  const page = { now: 1, before: null, limit: 50 };
  const loops: [string, (db: Db) => unknown][] = [
    ...LinkList.kinds.map((kind): [string, (db: Db) => unknown] => [
      `for the list of links that shows ${kind}`,
      (db) => [LinkList.list(db, kind, page), LinkList.count(db, kind, { now: 1, max: 1_000 })],
    ]),
    ["for the links with a word", (db) => LinkList.byWords(db, '"word" *', 50)],
    ["for the links of a transaction", (db) => LinkList.byTransaction(db, "0xabcdef", 50)],
    ["for the payments of a reusable link", (db) => LinkList.paymentsOf(db, 1, { before: null, limit: 25 })],
    ["for what is on its way to a reusable link", (db) => LinkList.paymentsOnTheirWay(db, 1)],
    ["for the day at the counter", (db) => dayAtCounter(db, { since: 1, limit: 30 })],
    ["for the list of what is to be read again", RereadStore.listOpen],
    ["for late money", (db) => RereadStore.isLate(db, 1, 1)],
    ["for what comes next to be compared", BalanceStore.nextAt],
    ["for what is to be compared", (db) => BalanceStore.listDue(db, 1, 2, 500)],
    ["for what may be explained now", (db) => BalanceStore.compareUnexplained(db, { first: 1, last: 2 }, 1)],
    ["for what is noted", (db) => BalanceStore.note(db, 1, 1n, 1)],
    ["for the blocks that a look compares", (db) => TransferStore.listWaiting(db, 1, 1)],
    ["for the newest blocks", (db) => TransferStore.listBlocksAbove(db, 1, 1)],
    ["for the blocks of a deposit", (db) => TransferStore.listBlocksOf(db, 1, 1)],
    ["for what counts next", (db) => TransferStore.firstWaiting(db, 1)],
    ["for what addresses are to hold", (db) => BalanceStore.expectedAt(db, { first: 1, last: 2 })],
    ["for what a look confirms", (db) => TransferStore.confirmUpTo(db, 1, 1)],
    ["for what waits for confirmations", TransferStore.countUnconfirmed],
    ["for what other nodes are asked about", (db) => OpinionStore.listDue(db, 1, 2, 100)],
    ["for mails that wait", (db) => MailQueueStore.listAwaiting(db, { limit: 1, reminders: false })],
    ["for a timeline", (db) => historyOf(db, 1)],
    ["for the events of an invoice", (db) => EventStore.list(db, { limit: 1, deposit: 1 })],
    ["for the events of a type", (db) => EventStore.list(db, { limit: 1, type: "link.paid" })],
    ["for the invoices of a reference", (db) => InvoiceStore.list(db, { limit: 1, reference: "PO-4711" })],
    ["for the newest invoice of a merchant", (db) => InvoiceStore.newestOf(db, "billing@acme.example")],
    ...[InvoiceStore.list, LinkStore.list, ReusableStore.list, CreditNoteStore.list, EventStore.list].map(
      (list, i): [string, (db: Db) => unknown] => [
        `for the list ${i} of a key of one merchant`,
        (db) => list(db, { limit: 1, merchant: "billing@acme.example" }),
      ],
    ),
    [
      "for what is owed back to the payers of a merchant",
      (db) => RefundStore.listOwing(db, { limit: 1, merchant: "m" }),
    ],
    ["for the links of a reference", (db) => LinkStore.list(db, { limit: 1, reference: "PO-4711" })],
    ["for a page of the log of the desk", (db) => AuditStore.list(db, { before: 9, limit: 1 })],
    ["for the sessions of a person", (db) => SessionStore.listOf(db, 1)],
    ["for the wallets of the desk", (db) => MoneyReport.listPayouts(db, { after: 0, limit: 1 })],
    ["for the movements of the desk", (db) => MoneyReport.listMovements(db, { before: null, limit: 1 })],
    ...[{}, { deposit: 1 }, { address: Address.zero }].map((filter): [string, (db: Db) => unknown] => [
      `for the list of settlements ${JSON.stringify(filter)}`,
      (db) => GasStore.listSettlements(db, { limit: 1, before: 9, ...filter }),
    ]),
    ...SettlementStore.states.map((state): [string, (db: Db) => unknown] => [
      `for the list of settlements that are ${state}`,
      (db) => GasStore.listSettlements(db, { limit: 1, state, ...(state === "settled" && { before: 9 }) }),
    ]),
    ["for webhooks that fail", (db) => WebhookReport.list(db, { isFailing: true, before: null, limit: 1 })],
    [
      "for the webhooks of an endpoint",
      (db) => WebhookReport.list(db, { isFailing: false, endpoint: "endpoint_1", before: null, limit: 1 }),
    ],
    ["for the webhooks of an invoice", (db) => WebhookHistoryStore.list(db, 1)],
    ["for what is sent again", (db) => WebhookEventStore.redeliver(db, "evt_1", 1, { tells: true })],
    ["for what deleted endpoints leave", WebhookEventStore.endSome],
    ["for webhooks that are due", (db) => WebhookEventStore.listDue(db, 1, { total: 1, perReceiver: 1 })],
    ["for how many fail", (db) => WebhookReport.countFailing(db, { since: 1, max: 1 })],
    ...lists.map((filter): [string, (db: Db) => unknown] => [
      `for the desk's list ${JSON.stringify(filter)}`,
      (db) => {
        const whole = {
          kind: "all",
          from: null,
          to: null,
          sequences: null,
          customer: null,
          today: "2026-01-01",
        } as const;
        InvoiceList.list(db, { ...whole, ...filter }, { before: 5, limit: 1 });
        InvoiceList.count(db, { ...whole, ...filter }, 1);
        InvoiceList.sumUpTo(db, { ...whole, ...filter }, 1);
        if (filter.sequences) InvoiceList.overview(db, { ...whole, ...filter }, { countMax: 1, sumMax: 1 });
      },
    ]),
    ...[{}, { before: 5 }, { found: "[1]" }].map((more): [string, (db: Db) => unknown] => [
      `for the credit notes of some days ${JSON.stringify(more)}`,
      (db) => CreditNoteStore.list(db, { limit: 1, from: "2026-01-01", to: "2026-01-31", ...more }),
    ]),
    ["for the invoice of a transaction", (db) => InvoiceList.byTransaction(db, "0x01", 1)],
    ["for customers", (db) => CustomerStore.list(db, { limit: 1, order: "billed", after: 5 })],
    ["for customers who owe", (db) => CustomerStore.list(db, { limit: 1, order: "billed", owing: true })],
    ["for customers by a word", (db) => CustomerStore.search(db, '"a"', { limit: 1, after: 9 })],
    ["for settlements without a result", (db) => SettlementStore.listUnrecorded(db, 1)],
  ];
  test.each(loops)("%s", async (_, run) => {
    // What is asked for need not be there.
    db.run("PRAGMA foreign_keys = OFF");
    expect(await walksOf(run)).toEqual([]);
  });
});

test.each(LinkList.kinds)("the list of links that shows %s reads no more than it shows", async (kind) => {
  const plan = await planOf((db) => [
    LinkList.list(db, kind, { now: 1, before: null, limit: 50 }),
    LinkList.count(db, kind, { now: 1, max: 1_000 }),
  ]);
  // By status it would find every link that was ever paid, and sort them.
  expect(plan.filter((detail) => detail.includes("link_by_status"))).toEqual([]);
  expect(plan.join("\n")).toMatch(/\blink_(alone|at_counter)/);
});

const narrowed = [{ merchant: "billing@acme.example" }, { reference: "PO-4711" }];
test.each([InvoiceStore.list, LinkStore.list].flatMap((list) => narrowed.map((by) => ({ list, by }))))(
  "a list of one merchant, or with one reference, reads no more than its page: %p",
  async ({ list, by }) => {
    const plan = await planOf((db) => [
      list(db, { limit: 50, ...by }),
      list(db, { limit: 50, before: 9, ...by }),
    ]);
    expect(plan.filter((detail) => /TEMP B-TREE/.test(detail))).toEqual([]);
    expect(plan.join("\n")).toMatch(/receivable USING INDEX receivable_by_(merchant|reference)/);
  },
);

test.each([InvoiceStore.list, LinkStore.list])("a later page begins at one row: %p", async (list) => {
  const queries = await queriesOf((db) =>
    list(db, { limit: 50, before: 9, merchant: "billing@acme.example" }),
  );
  // An aggregate would read all the rows before that one.
  const steps = queries.flatMap((sql) => db.query<{ opcode: string }, []>(`EXPLAIN ${sql}`).all());
  expect(steps.filter(({ opcode }) => opcode === "AggStep")).toEqual([]);
});

test("the payments of a reusable link are read by their own index, also for a key of one merchant", async () => {
  const plan = await planOf((db) =>
    LinkStore.list(db, { limit: 50, before: 9, reusableId: 1, merchant: "billing@acme.example" }),
  );
  expect(plan[0]).toMatch(/^SEARCH link USING INDEX link_by_reusable \(reusable_id=\? AND id<\?\)/);
  expect(plan.filter((detail) => /TEMP B-TREE/.test(detail))).toEqual([]);
});

test.each(["invoice", "customer", "link", "reusable_link", "credit_note"] as const)(
  "what of %s is not indexed yet is found without a walk through all",
  async (searched) => {
    const walks = await walksOf((db) => [index(db, searched), find(db, searched, "nobody", { limit: 1 })]);
    expect(walks).toEqual([]);
  },
);

test("what may be long comes last in a receivable, as SQLite reads a row from its beginning", () => {
  const columns = db.query<{ name: string }, []>("SELECT name FROM pragma_table_info('receivable')").all();
  const long = ["metadata", "currency", "webhook_url", "webhook_secret", "void_reason"];
  const first = columns.findIndex(({ name }) => long.includes(name));
  expect(columns.slice(first).map(({ name }) => name)).toEqual(long);
});
