import type { Block } from "../chain/block.ts";

/** A scan that is due and does not reach the head for longer than this makes payments show late. */
const lagMsMax = 60_000;

export type ScanLag = {
  /** A scan begins, or begins again. */
  started(now: number): void;
  /** A scan reached the head. */
  caughtUp(now: number): void;
  nothingToRead(now: number): void;
  /** A node's head is below what was seen before. */
  behind(host: string, head: Block, seen: number): void;
  /** For how long a scan has been due that has not reached the head; 0 when none is. */
  ms(now: number): number;
  /** That the chain has not been read for too long; null when it has. */
  problem(now: number): string | null;
};

/** How long it takes to reach the head of the chain. Between two scans that did, nothing is late. */
export function createScanLag(startedAt: number): ScanLag {
  let completedAt = startedAt;
  let dueSince: number | null = null;
  let cause = "";
  const completed = (now: number) => {
    completedAt = now;
    dueSince = null;
    cause = "";
  };
  const ms = (now: number) => (dueSince === null ? 0 : Math.max(0, now - dueSince));
  return {
    started(now) {
      dueSince ??= now;
    },
    caughtUp: completed,
    nothingToRead: completed,
    behind(host, { number, timestampSec }, seen) {
      const time = new Date(timestampSec * 1000).toISOString();
      cause = `: the node at ${host} is at block ${number} of ${time}, and block ${seen} was seen before`;
    },
    ms,
    problem(now) {
      if (ms(now) <= lagMsMax) return null;
      return `the chain was last read ${Math.round((now - completedAt) / 1000)} s ago${cause}`;
    },
  };
}
