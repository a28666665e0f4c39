/** Loaded into Till before its own code: writes the longest holds of its event loop to a file each second. */
import { openSync, readSync, writeFileSync } from "node:fs";

/** In ms, of one second: by the clock, and without what the thread was ready and waited for a processor. */
export type Holds = { clock: number; own: number };

/** Ticking costs a part of one processor, and Till gives memory back only while it takes less than a twentieth of one. */
const tickMs = 3;
const writeEveryMs = 1_000;

const file = process.env["BENCH_HOLDS"];
if (Bun.isMainThread && file !== undefined) {
  const counters = process.platform === "linux" ? openSync("/proc/self/schedstat", "r") : null;
  const bytes = Buffer.alloc(100);
  /** How long the main thread has waited for a processor so far: the second of the kernel's counters, in ns. */
  const waitedMs = () => {
    if (counters === null) return 0;
    const length = readSync(counters, bytes, 0, bytes.length, 0);
    return Number(bytes.toString("latin1", 0, length).split(" ")[1]) / 1e6;
  };
  let lastAt = performance.now();
  let lastWaited = waitedMs();
  const holds: Holds[] = [];
  let worst: Holds = { clock: 0, own: 0 };
  setInterval(() => {
    const at = performance.now();
    const waited = waitedMs();
    const clock = at - lastAt - tickMs;
    worst = { clock: Math.max(worst.clock, clock), own: Math.max(worst.own, clock - (waited - lastWaited)) };
    lastAt = at;
    lastWaited = waited;
  }, tickMs).unref();
  setInterval(() => {
    holds.push(worst);
    worst = { clock: 0, own: 0 };
    writeFileSync(file, JSON.stringify(holds));
  }, writeEveryMs).unref();
}
