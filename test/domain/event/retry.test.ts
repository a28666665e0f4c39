import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import * as Retry from "../../../src/domain/event/retry.ts";

const now = 1_700_000_000_000;
const pauses = (scheduleMs: readonly number[], random: number) =>
  scheduleMs.map((_, i) => Number(Retry.nextAttemptAt(scheduleMs, { attempt: i + 1, now, random })) - now);

describe("nextAttemptAt", () => {
  test("follows the webhook schedule: 5 s, 30 s, 2 min, 10 min, 1 h, 3 h, 6 h, 12 h, 24 h, 24 h", () => {
    expect(pauses(Retry.webhookScheduleMs, 0.5).map((ms) => ms / 1000)).toEqual([
      5, 30, 120, 600, 3_600, 10_800, 21_600, 43_200, 86_400, 86_400,
    ]);
  });

  test("follows the mail schedule: 1 min, 5 min, 15 min, 1 h, 3 h, 6 h, 12 h, 24 h", () => {
    expect(pauses(Retry.mailScheduleMs, 0.5).map((ms) => ms / 60_000)).toEqual([
      1, 5, 15, 60, 180, 360, 720, 1_440,
    ]);
  });

  test("tries a mail that warns an owner every 15 minutes, for as long as what it warns of can wait", () => {
    const minutes = pauses(Retry.ownerMailScheduleMs, 0.5).map((ms) => ms / 60_000);
    expect([minutes.slice(0, 2), new Set(minutes.slice(2))]).toEqual([[1, 5], new Set([15])]);
    expect(minutes.reduce((sum, pause) => sum + pause) / 60).toBeWithin(75, 76);
  });

  test("never plans a pause that is longer than the longest", () => {
    const { webhookScheduleMs, mailScheduleMs, ownerMailScheduleMs, settlementScheduleMs } = Retry;
    for (const schedule of [webhookScheduleMs, mailScheduleMs, ownerMailScheduleMs, settlementScheduleMs])
      expect(pauses(schedule, 1)).toEqual(Retry.longestPausesMs(schedule));
  });

  test("is null once the schedule is used up", () => {
    const { webhookScheduleMs: schedule } = Retry;
    expect(Retry.nextAttemptAt(schedule, { attempt: 10, now, random: 0 })).not.toBeNull();
    expect(Retry.nextAttemptAt(schedule, { attempt: 11, now, random: 0 })).toBeNull();
    expect(Retry.nextAttemptAt([], { attempt: 1, now, random: 0 })).toBeNull();
  });

  test("varies each pause by a fifth at most, and reaches both ends", () => {
    expect(pauses([10_000], 0)).toEqual([8_000]);
    expect(pauses([10_000], 1)).toEqual([12_000]);
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1, noNaN: true }), (random) => {
        for (const [i, pauseMs] of pauses(Retry.webhookScheduleMs, random).entries()) {
          const planned = Retry.webhookScheduleMs[i] ?? 0;
          expect(Math.abs(pauseMs - planned)).toBeLessThanOrEqual(planned / 5);
          expect(Number.isInteger(pauseMs)).toBe(true);
        }
      }),
      { seed: 1 },
    );
  });

  test("refuses what can only be a bug", () => {
    for (const attempt of [0, -1, 1.5, Number.NaN]) {
      expect(() => Retry.nextAttemptAt([1], { attempt, now, random: 0.5 })).toThrow(RangeError);
    }
    for (const random of [-0.1, 1.1, Number.NaN]) {
      expect(() => Retry.nextAttemptAt([1], { attempt: 1, now, random })).toThrow(RangeError);
    }
  });
});
