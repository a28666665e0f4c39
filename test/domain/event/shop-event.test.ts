import { describe, expect, test } from "bun:test";
import type { AnnouncedType } from "../../../src/domain/event/event.ts";
import { shopEventBody, shopEvents } from "../../../src/domain/event/shop-event.ts";
import type { Status } from "../../../src/domain/link/link.ts";
import { shopStatus } from "../../../src/domain/link/shop-status.ts";

const plain = { isLate: false, isExpiryTold: false, wasSettled: false, isSettled: false, hasMoney: true };
const payment = ["InvoiceReceivedPayment", "InvoicePaymentSettled"];

describe("what a plugin is told", () => {
  test.each([
    ["partially_paid", {}, payment],
    ["paid", { isSettled: true }, [...payment, "InvoiceSettled"]],
    ["overpaid", { isSettled: true }, [...payment, "InvoiceSettled"]],
    // The shop may have sent the goods.
    ["overpaid", { wasSettled: true, isSettled: true }, payment],
    ["payment_reversed", { wasSettled: true }, ["InvoiceInvalid"]],
    ["payment_reversed", { wasSettled: true, isSettled: true }, []],
    ["payment_reversed", {}, []],
    ["paid", { isLate: true, isSettled: true }, ["InvoiceExpired", ...payment]],
    ["paid", { isLate: true, isExpiryTold: true, isSettled: true }, payment],
    ["unexpected_payment", {}, payment],
    ["voided", {}, ["InvoiceInvalid"]],
    ["marked_paid", { isSettled: true }, ["InvoiceSettled"]],
    ["marked_unpaid", { wasSettled: true }, []],
    ["expired", {}, ["InvoiceExpired"]],
  ] as [AnnouncedType, Partial<typeof plain>, string[]][])("of %s with %o", (type, facts, told) => {
    expect(shopEvents(type, { ...plain, ...facts }).map((event) => event.type)).toEqual(
      told as ReturnType<typeof shopEvents>[number]["type"][],
    );
  });
});

test("dates a webhook by the second that it was made in", () => {
  const [event] = shopEvents("expired", plain);
  const delivery = { id: "d", endpointId: "e", storeId: "s", slug: "l", metadata: null };
  const body = JSON.parse(event ? shopEventBody(event, delivery, 7_999) : "{}");
  expect(body).toMatchObject({ type: "InvoiceExpired", timestamp: 7, metadata: {} });
});

describe("the status that a plugin reads", () => {
  const open = { markedPaidAt: null, completedAt: null, hasMoney: false, expiresAt: 100, now: 50 };
  test.each([
    ["pending", {}, "New", "None"],
    ["pending", { hasMoney: true }, "New", "PaidPartial"],
    ["pending", { hasMoney: true, completedAt: 40 }, "Processing", "None"],
    ["pending", { hasMoney: true, completedAt: 40, now: 120 }, "Processing", "None"],
    // Not before it is confirmed: plugins take PaidLate for paid.
    ["pending", { hasMoney: true, completedAt: 110, now: 120 }, "Expired", "PaidPartial"],
    ["pending", { now: 100 }, "Expired", "None"],
    ["partial", { hasMoney: true, now: 120 }, "Expired", "PaidPartial"],
    ["confirmed", { hasMoney: true, completedAt: 99, now: 120 }, "Settled", "None"],
    ["excess", { hasMoney: true, completedAt: 40 }, "Settled", "PaidOver"],
    ["confirmed", { hasMoney: true, completedAt: 100, now: 120 }, "Expired", "PaidLate"],
    ["confirmed", { markedPaidAt: 40 }, "Settled", "Marked"],
    ["confirmed", { markedPaidAt: 40, hasMoney: true, completedAt: 110, now: 120 }, "Settled", "Marked"],
    ["error", { hasMoney: true }, "Invalid", "None"],
    ["void", { hasMoney: true, completedAt: 40 }, "Invalid", "Marked"],
  ] as [Status, Partial<typeof open>, string, string][])("of %s with %o", (status, facts, said, more) => {
    expect(shopStatus({ ...open, status, ...facts })).toEqual({
      status: said,
      additionalStatus: more,
    } as ReturnType<typeof shopStatus>);
  });
});
