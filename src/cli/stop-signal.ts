import { messageOf } from "../lib/error.ts";
import type { Log } from "../log-events.ts";

/** A stop that takes longer than this is cut off; what is on the disk is whole at every moment. */
const stopTimeoutMs = 10_000;

/** One Ctrl-C can arrive twice: from the terminal, and passed on by the `bun run` in between. */
const sameSignalMs = 1_000;

/** Waits for Ctrl-C or SIGTERM (or `ended`), then stops. A later second signal ends the process at once. */
export async function runUntilStopped(
  log: Log,
  stop: () => Promise<void>,
  ended?: Promise<string>,
): Promise<0 | 1> {
  const failure = await Promise.race([signalled().then(() => null), ...(ended ? [ended] : [])]);
  if (failure !== null) log.error("stop.failed", "Till cannot go on", { reason: failure });
  else log.info("stopping", "finishing what was begun");
  const stoppingSince = performance.now();
  const force = () => {
    if (performance.now() - stoppingSince > sameSignalMs) process.exit(1);
  };
  process.on("SIGINT", force);
  process.on("SIGTERM", force);
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
    process.off("SIGINT", force);
    process.off("SIGTERM", force);
  }
  return failure === null ? 0 : 1;
}

function signalled(): Promise<void> {
  return new Promise((resolve) => {
    process.once("SIGINT", () => resolve());
    process.once("SIGTERM", () => resolve());
  });
}
