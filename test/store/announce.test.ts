import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import * as Endpoint from "../../src/domain/event/endpoint.ts";
import { announce, type EventSubject, type Happening, note } from "../../src/store/announce.ts";
import { closeDatabase } from "../../src/store/database.ts";
import * as InvoiceStore from "../../src/store/tables/invoicing/invoice.ts";
import * as ReceivableStore from "../../src/store/tables/invoicing/receivable.ts";
import * as EndpointStore from "../../src/store/tables/outbox/endpoint.ts";
import * as EventStore from "../../src/store/tables/outbox/event.ts";
import * as WebhookHistoryStore from "../../src/store/tables/outbox/webhook-history.ts";
import { makeDataDir, openNewDatabase } from "../support/till/data-dir.ts";
import { db, makeDatabase, removeDatabase } from "../support/till/database.ts";
import { recordSettings, storeInvoice } from "../support/till/records.ts";

beforeEach(makeDatabase);
afterEach(removeDatabase);

const paid: Happening = { type: "paid", occasion: "100 0", data: { status: "paid" }, at: 1_800_000_000_000 };

/** A new invoice with a webhook in the standard form, as an event is told of it. */
function subject(changes: Partial<EventSubject> = {}, to = db): EventSubject {
  const { deposit } = storeInvoice(to, { webhookUrl: "https://shop.example/hook" });
  return { ...ReceivableStore.briefAt(to, deposit.index), webhookEvents: "standard", ...changes };
}

const events = ({ depositIndex }: EventSubject, of = db) =>
  EventStore.list(of, { limit: 100, deposit: depositIndex }).rows;
const webhooks = ({ depositIndex }: EventSubject, of = db) => WebhookHistoryStore.list(of, depositIndex);

describe("an event", () => {
  test("is written once, with one webhook of the same id that has the whole record", () => {
    const of = subject();
    expect(announce(db, recordSettings, of, paid)).toBe(true);
    expect(announce(db, recordSettings, of, { ...paid, at: paid.at + 1 })).toBe(false);
    const [event, ...more] = events(of);
    const [webhook, ...others] = webhooks(of);
    expect([more, others]).toEqual([[], []]);
    expect(event).toMatchObject({ type: "invoice.paid", data: { status: "paid" }, createdAt: paid.at });
    expect(webhook).toMatchObject({ id: event?.id, state: "pending", createdAt: paid.at });
    const body = JSON.parse(webhook?.body ?? "");
    expect(Object.keys(body)).toEqual(["type", "timestamp", "data"]);
    expect(body).toMatchObject({ type: "invoice.paid", timestamp: "2027-01-15T08:00:00.000Z" });
    expect(body.data.invoice.id).toBe(InvoiceStore.byDeposit(db, of.depositIndex)?.id);
  });

  test("has the same id in a database that was restored", () => {
    const of = subject();
    announce(db, recordSettings, of, paid);
    const other = makeDataDir();
    const restored = openNewDatabase(other.path);
    const again = subject({}, restored);
    announce(restored, recordSettings, again, { ...paid, at: 5 });
    expect(events(again, restored).map(({ id }) => id)).toEqual(events(of).map(({ id }) => id));
    closeDatabase(restored);
    other.remove();
  });

  test("is told to an endpoint under the same ids in a database that was restored", () => {
    const url = "https://books.example/hook";
    const plain = {
      url,
      types: null,
      description: null,
      merchantEmail: null,
      format: "till" as const,
      createdAt: 1,
    };
    const endpoint = { ...plain, id: "endpoint_1", ...Endpoint.fresh, ...Endpoint.ofNoStore };
    EndpointStore.insert(db, endpoint, "sealed");
    const of = subject({ webhookEvents: "contract" });
    expect(announce(db, recordSettings, of, paid)).toBe(true);
    expect(announce(db, recordSettings, of, paid)).toBe(false);
    const [event] = events(of);
    const [webhook, ...more] = webhooks(of);
    expect(more).toEqual([]);
    expect(webhook).toMatchObject({ endpointId: "endpoint_1", eventId: event?.id, url, state: "pending" });
    const other = makeDataDir();
    const restored = openNewDatabase(other.path);
    EndpointStore.insert(restored, endpoint, "sealed");
    const again = subject({ webhookEvents: "contract" }, restored);
    announce(restored, recordSettings, again, { ...paid, at: 5 });
    const idsOf = (all: (typeof webhook)[]) => all.map((each) => [each?.id, each?.eventId]);
    expect(idsOf(webhooks(again, restored))).toEqual(idsOf(webhooks(of)));
    closeDatabase(restored);
    other.remove();
  });

  test("costs one query more while nobody hears of it", () => {
    const of = subject({ webhookUrl: null });
    const queries = new Set<string>();
    const watched = new Proxy(db, {
      get(target, name) {
        const value = Reflect.get(target, name, target);
        if (typeof value !== "function") return value;
        return (...args: unknown[]) => {
          if (name === "query" && !String(args[0]).startsWith("PRAGMA")) queries.add(String(args[0]));
          return Reflect.apply(value, target, args);
        };
      },
    });
    announce(watched, recordSettings, of, paid);
    expect([...queries].filter((sql) => sql.includes("webhook_endpoint"))).toHaveLength(1);
    // The deposit's salt, the event, the endpoints.
    expect(queries.size).toBe(3);
  });

  test("has no webhook in the form of the contract, without a receiver, or for the merchant's own eyes", () => {
    const subjects = [
      subject({ webhookEvents: "contract" }),
      subject({ webhookUrl: null }),
      subject({ sealedSecret: null }),
    ];
    for (const of of subjects) expect(announce(db, recordSettings, of, paid)).toBe(false);
    const quiet = subject();
    for (const type of ["sent", "opened", "reminded", "commented"] as const)
      expect(announce(db, recordSettings, quiet, { ...paid, type })).toBe(false);
    for (const of of [...subjects, quiet]) expect(webhooks(of)).toEqual([]);
    expect(events(quiet)).toHaveLength(4);
  });

  test("that is noted twice is told apart by its occasion", () => {
    const of = subject();
    const first = note(db, of, { ...paid, type: "commented", occasion: "1" });
    const second = note(db, of, { ...paid, type: "commented", occasion: "2" });
    expect(new Set([first, second]).size).toBe(2);
    expect(note(db, of, { ...paid, type: "commented", occasion: "2" })).toBe(null);
    expect(events(of).map(({ id }) => id)).toEqual([second ?? "", first ?? ""]);
  });
});
