import { readFileSync } from "node:fs";
import type { Log } from "../../config/log-events.ts";
import { isLasting, messageOf } from "../../lib/error.ts";
import { createLineWriter } from "../../lib/line-writer.ts";
import { createLog } from "../../lib/log.ts";
import { Stopped } from "../command.ts";

/** Limit for stopping; the disk's state is consistent at any moment. */
const stopTimeoutMs = 10_000;

/** One Ctrl-C may arrive twice: from the terminal, and through a `bun run` in between. */
const sameSignalMs = 1_000;

/**
 * Makes the first Ctrl-C or SIGTERM resolve the returned promise instead of ending the process; a later second one ends
 * it at once. Call it before starting anything, so that no signal finds things half started.
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
    onNpxGone(take);
  });
}

const npxEveryMs = 500;

/** Detects the end of npx, which ends its shell but leaves `bun run` behind and us below it: nobody would end us. */
function onNpxGone(end: () => void): void {
  if (process.env["npm_command"] !== "exec") return;
  const shell = parentOf(process.ppid);
  const timer = setInterval(() => {
    if (parentOf(process.ppid) === shell) return;
    clearInterval(timer);
    end();
  }, npxEveryMs);
  timer.unref();
}

/** Returns the parent of a process; null if the system does not say. */
function parentOf(pid: number): number | null {
  try {
    return Number(readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ")[1]);
  } catch {
    return null;
  }
}

/** Opens a log on standard output or standard error, whose reader may stop; `options` as for `createLog`. */
export function openLog(stream: NodeJS.WriteStream, options: Omit<Parameters<typeof createLog>[0], "write">) {
  const lines = createLineWriter(stream, (count) =>
    log.warn("log.dropped", "entries were dropped, as nobody read them", { count }),
  );
  const log: Log = createLog({ ...options, write: lines.write });
  return { log, end: lines.end };
}

/** Rejects with a Stopped, and logs it, once the signal arrives: for a start, which then ends. */
export function stoppedBy(signal: Promise<void>, log: Log): Promise<never> {
  const stopped = signal.then(() => {
    log.info("stopping", "finishing what was begun");
    throw new Stopped();
  });
  // A start that has failed or finished ignores it.
  stopped.catch(() => {});
  return stopped;
}

/** Waits for the signal (or `ended`), then stops. Log entries still waiting for a reader are lost. */
export async function runUntilStopped(
  { log, end }: ReturnType<typeof openLog>,
  options: { signal: Promise<void>; stop: () => Promise<void>; ended?: Promise<string | Error> },
): Promise<0 | 1 | 2> {
  const code = await untilStopped(log, options);
  // Unread entries would keep the process alive.
  if (!(await end())) process.exit(code);
  return code;
}

async function untilStopped(
  log: Log,
  options: { signal: Promise<void>; stop: () => Promise<void>; ended?: Promise<string | Error> },
): Promise<0 | 1 | 2> {
  const { signal, stop, ended } = options;
  const failure = await Promise.race([signal.then(() => null), ...(ended ? [ended] : [])]);
  if (failure !== null) log.error("stop.failed", "Till cannot go on", { reason: messageOf(failure) });
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
  if (failure === null) return 0;
  return isLasting(failure) ? 2 : 1;
}
