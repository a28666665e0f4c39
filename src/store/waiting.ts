import { world } from "../lib/world.ts";
import type { Db } from "./database.ts";

/** The state of a row that waits for its `next_attempt_at`, by table. */
const waitingState = { mail: "queued", webhook_event: "pending" } as const;

/** The mail of a day at the counter waits for its end, which is a day of 25 hours and some minutes away at most. */
const dayMsMax = 26 * 3_600_000;
const unlessOfDay = {
  mail: `AND (kind <> 'counter' OR attempts > 0 OR next_attempt_at > $now + ${dayMsMax})`,
  webhook_event: "",
};

/** What a clock may lose between two looks without having been set: it is only slowed down then. */
const slackMs = 500;

/**
 * Returns what makes due whatever waits for a time that only a clock which was ahead can have planned: later than
 * the longest pause after so many attempts, of which `pausesMs` has the first, the second, … It goes through the table
 * the first time, and when the clock was set back since.
 */
export function createBringForward(
  db: Db,
  table: keyof typeof waitingState,
  pausesMs: readonly number[],
): (now: number) => void {
  const waitsTooLong = `state = '${waitingState[table]}' AND next_attempt_at >
    $now + coalesce((SELECT value FROM json_each($pauses) WHERE key = max(attempts - 1, 0)), $longest)
    ${unlessOfDay[table]}`;
  const any = `SELECT 1 FROM ${table} WHERE ${waitsTooLong} LIMIT 1`;
  const all = `UPDATE ${table} SET next_attempt_at = $now WHERE ${waitsTooLong}`;
  const pauses = JSON.stringify(pausesMs);
  const longest = Math.max(...pausesMs);
  let aheadOfUptime = Number.POSITIVE_INFINITY;
  return (now) => {
    const ahead = now - world.uptime();
    const planned = { now, pauses, longest };
    // Read first: a write would wait for others' writes, and there is almost never anything to do.
    if (ahead < aheadOfUptime - slackMs && db.query(any).get(planned) !== null) db.query(all).run(planned);
    aheadOfUptime = ahead;
  };
}
