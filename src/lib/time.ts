/**
 * Milliseconds until a stored time; 0 once it has passed. A time further away than is ever planned (`longestMs`) counts
 * as passed: the clock was ahead when it was stored, and has been set back.
 */
export function msUntil(at: number, now: number, longestMs: number): number {
  return at > now + longestMs ? 0 : Math.max(0, at - now);
}

/** A time in Unix milliseconds as ISO 8601 in UTC. */
export function instant(ms: number): string {
  return new Date(ms).toISOString();
}

/** The same for a time that may be null. */
export function instantOrNull(ms: number | null): string | null {
  return ms === null ? null : instant(ms);
}
