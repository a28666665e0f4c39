import type { Log } from "../../config/log-events.ts";
import { messageOf } from "../../lib/error.ts";
import { Stopped } from "../command.ts";

/** A stop that takes longer than this is cut off; what is on the disk is whole at every moment. */
const stopTimeoutMs = 10_000;

/** One Ctrl-C can arrive twice: from the terminal, and passed on by the `bun run` in between. */
const sameSignalMs = 1_000;

/**
 * From now on Ctrl-C and SIGTERM end the process no longer: the first one fulfils what is returned, a later second
 * one ends the process at once. To be called before anything is started, so that no signal finds it half begun.
 */
export function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    let firstAt: number | null = null;
    const take = () => {
      if (firstAt !== null && performance.now() - firstAt > sameSignalMs) process.exit(1);
      firstAt ??= performance.now();
      resolve();
    };
    process.on("SIGINT", take);
    process.on("SIGTERM", take);
  });
}

/** Says that the signal has come, and rejects with a Stopped: for a start, which ends then. */
export function stoppedBy(signal: Promise<void>, log: Log): Promise<never> {
  const stopped = signal.then(() => {
    log.info("stopping", "finishing what was begun");
    throw new Stopped();
  });
  // A start that fails, or is done, hears of it no more.
  stopped.catch(() => {});
  return stopped;
}

/** Waits for the signal (or `ended`), then stops. */
export async function runUntilStopped(
  log: Log,
  options: { signal: Promise<void>; stop: () => Promise<void>; ended?: Promise<string> },
): Promise<0 | 1> {
  const { signal, stop, ended } = options;
  const failure = await Promise.race([signal.then(() => null), ...(ended ? [ended] : [])]);
  if (failure !== null) log.error("stop.failed", "Till cannot go on", { reason: failure });
  const timer = setTimeout(() => {
    log.error("stop.forced", "stopping took too long, ending now", { ms: stopTimeoutMs });
    process.exit(1);
  }, stopTimeoutMs);
  try {
    await stop();
  } catch (thrown) {
    log.error("stop.failed", "stopping failed", { reason: messageOf(thrown) });
    return 1;
  } finally {
    clearTimeout(timer);
  }
  return failure === null ? 0 : 1;
}
