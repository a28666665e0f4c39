import { readlinkSync } from "node:fs";
import { setPriority } from "node:os";
import { basename } from "node:path";

/** Beside a thread of 0, the usual niceness, one of 10 gets a tenth of a processor that both want. */
const niceness = 10;

/**
 * Lets all other threads of the process go before the one that calls this. Only Linux knows the niceness of a thread;
 * elsewhere, and where a system call may not be made, they stay equal.
 */
export function goAfterOtherThreads(): void {
  try {
    setPriority(Number(basename(readlinkSync("/proc/thread-self"))), niceness);
  } catch {
    // It takes longer then for whoever waits for the others, and nothing else.
  }
}
