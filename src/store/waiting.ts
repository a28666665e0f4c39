import { world } from "../lib/world.ts";
import type { Db } from "./database.ts";

/** Which rows wait for their `next_attempt_at`, by table. */
const isWaiting = {
  mail: "state = 'queued'",
  owner_mail: "next_attempt_at IS NOT NULL",
  webhook_event: "state = 'pending'",
} as const;

/** A daily counter mail waits for the end of its day, at most a day of 25 hours and some minutes away. */
const dayMsMax = 26 * 3_600_000;
const unlessOfDay = {
  mail: `AND (kind <> 'counter' OR attempts > 0 OR next_attempt_at > $now + ${dayMsMax})`,
  owner_mail: "",
  webhook_event: "",
};

/** How much a clock may fall behind between two looks without having been set: it is only slowed down then. */
const slackMs = 500;

/**
 * Returns a function that makes rows due that wait for a time only a clock that was ahead can have planned: later than
 * the longest pause after that many attempts, given in order by `pausesMs`. It goes through the table the first time,
 * and whenever the clock was set back since.
 */
export function createBringForward(
  db: Db,
  table: keyof typeof isWaiting,
  pausesMs: readonly number[],
): (now: number) => void {
  const waitsTooLong = `${isWaiting[table]} AND next_attempt_at >
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
    // Read first: a write would wait for other writes, and there is almost never anything to do.
    if (ahead < aheadOfUptime - slackMs && db.query(any).get(planned) !== null) db.query(all).run(planned);
    aheadOfUptime = ahead;
  };
}
