export type RateLimit = {
  /** Takes one for `key`. Returns 0, or how many ms to wait until there is one; then nothing was taken. */
  take(key: string): number;
  /** As `take`, but takes nothing. */
  waitMs(key: string): number;
};

type RateLimitOptions = {
  /** How many in `perMs`; as many may come at once after a pause. At least 1. */
  count: number;
  perMs: number;
  /** The most keys that are remembered; beyond, those not seen for longest begin anew. */
  keysMax: number;
  /** A clock that never goes back, in ms. */
  now?: () => number;
};

/**
 * Token buckets, one for each key, kept as the time at which the bucket is full again (the generic cell rate
 * algorithm of ITU-T I.371). Two maps take turns, so that neither time nor memory grows with the number of keys.
 */
export function createRateLimit({
  count,
  perMs,
  keysMax,
  now = () => performance.now(),
}: RateLimitOptions): RateLimit {
  const intervalMs = perMs / count;
  let recent = new Map<string, number>();
  let older = new Map<string, number>();

  function fullAt(key: string, at: number): number {
    return Math.max(recent.get(key) ?? older.get(key) ?? 0, at) + intervalMs;
  }
  const overdraftMs = (next: number, at: number) => Math.max(0, next - at - perMs);

  return {
    take(key) {
      const at = now();
      const next = fullAt(key, at);
      const wait = overdraftMs(next, at);
      if (wait > 0) return wait;
      recent.set(key, next);
      if (recent.size >= keysMax / 2) {
        older = recent;
        recent = new Map();
      }
      return 0;
    },
    waitMs(key) {
      const at = now();
      return overdraftMs(fullAt(key, at), at);
    },
  };
}
