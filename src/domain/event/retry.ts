/** When to retry. Only the schedule is defined here; the next time is stored elsewhere. */

const secondMs = 1_000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;

/** Pauses after a failed webhook delivery: eleven attempts over about three days. */
export const webhookScheduleMs: readonly number[] = [
  5 * secondMs,
  30 * secondMs,
  2 * minuteMs,
  10 * minuteMs,
  1 * hourMs,
  3 * hourMs,
  6 * hourMs,
  12 * hourMs,
  24 * hourMs,
  24 * hourMs,
];

/** Pauses after a failed mail dispatch: nine attempts over about two days. */
export const mailScheduleMs: readonly number[] = [
  1 * minuteMs,
  5 * minuteMs,
  15 * minuteMs,
  1 * hourMs,
  3 * hourMs,
  6 * hourMs,
  12 * hourMs,
  24 * hourMs,
];

/**
 * Pauses after a failed mail that warns an owner: for 75 hours, as what it warns of may wait for 72. They are short, as
 * the owner has to hear of it in time to stop it.
 */
export const ownerMailScheduleMs: readonly number[] = [
  1 * minuteMs,
  5 * minuteMs,
  ...Array<number>(300).fill(15 * minuteMs),
];

/** Pauses after a settlement that did not move a deposit's money; the last one repeats for ever. */
export const settlementScheduleMs: readonly number[] = [
  10 * minuteMs,
  1 * hourMs,
  6 * hourMs,
  24 * hourMs,
  72 * hourMs,
];

/** Each pause varies by up to this share, so that what failed together is not retried together. */
const jitterShare = 0.2;

/** Upper bounds of a schedule's pauses. Anything due later was planned by a clock that was wrong then, or is now. */
export function longestPausesMs(scheduleMs: readonly number[]): number[] {
  return scheduleMs.map((pauseMs) => pauseMs * (1 + jitterShare));
}

type AttemptFailure = {
  /** Attempts made so far, including the failed one: 1 after the first. */
  attempt: number;
  /** Milliseconds since 1970. */
  now: number;
  /** Uniform between 0 and 1. */
  random: number;
};

/**
 * Returns the time of the next attempt in milliseconds since 1970, or null when the schedule is exhausted.
 *
 * `nextAttemptAt(webhookScheduleMs, { attempt: 1, now, random: 0.5 })` → `now + 5000`
 *
 * Throws a RangeError for an attempt below 1 or a random number outside 0 to 1: that is a bug here.
 */
export function nextAttemptAt(
  scheduleMs: readonly number[],
  { attempt, now, random }: AttemptFailure,
): number | null {
  if (!Number.isSafeInteger(attempt) || attempt < 1) {
    throw new RangeError(`The number of attempts made must be a whole number from 1: ${attempt}`);
  }
  if (!(random >= 0 && random <= 1)) throw new RangeError(`A random share must be within 0 and 1: ${random}`);
  const pauseMs = scheduleMs[attempt - 1];
  if (pauseMs === undefined) return null;
  return now + Math.round(pauseMs * (1 + jitterShare * (2 * random - 1)));
}
