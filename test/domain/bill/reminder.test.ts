import { describe, expect, test } from "bun:test";
import * as Reminder from "../../../src/domain/bill/reminder.ts";
import * as Common from "../../../src/domain/receivable/common.ts";
import * as Usdc from "../../../src/domain/usdc.ts";

describe("parseDays", () => {
  test.each([
    ["-3,0,7", [-3, 0, 7]],
    [" 7 , 0 ,-3, 7 ", [-3, 0, 7]],
    ["+1", [1]],
    ["", []],
    ["-60,365", [-60, 365]],
  ])("reads %j", (text, days) => {
    expect(Reminder.parseDays(text)).toEqual(days);
  });

  test.each(["-61", "366", "1.5", "soon", "1,,2", ",", "1,2,3,4,5,6,7,8,9,10,11"])("refuses %j", (text) => {
    expect(Reminder.parseDays(text)).toBeUndefined();
  });
});

describe("refusal", () => {
  const open: Reminder.ReminderFacts = {
    status: "sent",
    sentAt: 1,
    deposit: { pending: Usdc.zero },
    voidedAt: null,
    markedPaidAt: null,
  };
  test.each<[Partial<Reminder.ReminderFacts>, ReturnType<typeof Reminder.refusal>]>([
    [{}, null],
    [{ status: "partial" }, null],
    [{ status: "paid" }, "settled"],
    [{ status: "excess" }, "settled"],
    [{ status: "void", voidedAt: 1 }, "settled"],
    [{ status: "paid", markedPaidAt: 1 }, "settled"],
    [{ status: "draft", sentAt: null }, "unsent"],
    [{ status: "partial", sentAt: null }, "unsent"],
  ])("of %j is %j", (changes, refusal) => {
    expect(Reminder.refusal({ ...open, ...changes })).toBe(refusal);
  });
});

test("refusal of what has money on its way", () => {
  const deposit = { pending: Usdc.fromMicro(1n) };
  expect(Reminder.refusal({ ...Common.open, status: "sent", sentAt: 1, deposit })).toBe("in_flight");
});

describe("dueNow", () => {
  const facts = { dueDay: 100, sentDay: () => 80, through: 96, today: 97 };
  test.each([
    ["on its day", {}, -3],
    ["before it", { today: 96, through: 95 }, null],
    ["when its day was seen to", { through: 97 }, null],
    ["a day late", { today: 98 }, -3],
    ["only the latest of two that were missed", { today: 100, through: 90 }, 0],
    ["not those that are overtaken by one that was seen to", { today: 101, through: 100 }, null],
    ["seven days late", { today: 114, through: 90 }, 7],
    ["not eight days late", { today: 115, through: 90 }, null],
    ["not for a day on which it was mailed itself", { sentDay: () => 97 }, null],
    ["for the day after that", { sentDay: () => 96 }, -3],
  ])("%s", (_, changes, days) => {
    expect(Reminder.dueNow([-3, 0, 7], { ...facts, ...changes })).toBe(days);
  });

  test("never without days", () => {
    expect(Reminder.dueNow([], facts)).toBeNull();
  });
});
