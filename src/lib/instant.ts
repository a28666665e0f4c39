/** A time in Unix milliseconds as ISO 8601 in UTC. */
export function instant(ms: number): string {
  return new Date(ms).toISOString();
}

/** The same for what may not have happened. */
export function instantOrNull(ms: number | null): string | null {
  return ms === null ? null : instant(ms);
}
