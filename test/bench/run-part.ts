import { join } from "node:path";
import type { Line } from "./line.ts";

export type Ran = { lines: Line[]; failure: string | null };

const graceMs = 3_000;

const failureOf = (exitCode: number) => (exitCode === 0 ? null : `ended with ${exitCode}`);

/**
 * Runs a part as a process of its own, at the head of its own process group: whatever happens in it, all that it
 * started is gone afterwards.
 */
export async function runPart(name: string, options: { quick: boolean; secondsMax: number }): Promise<Ran> {
  const file = join(import.meta.dir, "parts", `${name}.ts`);
  const child = Bun.spawn([process.execPath, file, ...(options.quick ? ["--quick"] : [])], {
    stdio: ["ignore", "pipe", "inherit"],
    detached: true,
  });
  const signalAll = (signal: NodeJS.Signals) => {
    try {
      process.kill(-child.pid, signal);
    } catch {
      // Nothing of it is left.
    }
  };
  const stopAll = () => {
    signalAll("SIGKILL");
    process.exit(130);
  };
  process.once("SIGINT", stopAll);
  process.once("SIGTERM", stopAll);
  let timedOut = false;
  const timer = setTimeout(() => {
    timedOut = true;
    // A browser has a group of its own, which the part ends when it is asked to.
    signalAll("SIGTERM");
    setTimeout(() => signalAll("SIGKILL"), graceMs).unref();
  }, options.secondsMax * 1000);
  const output = new Response(child.stdout).text();
  const exitCode = await child.exited;
  clearTimeout(timer);
  signalAll("SIGKILL");
  process.off("SIGINT", stopAll);
  process.off("SIGTERM", stopAll);
  const lines = (await output).split("\n").filter((text) => text.startsWith("{"));
  return {
    lines: lines.map((text) => JSON.parse(text) as Line),
    failure: timedOut ? `given up after ${options.secondsMax} s` : failureOf(exitCode),
  };
}
