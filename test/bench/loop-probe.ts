/** Loaded into Till before its own code: writes the longest hold of its event loop, in ms, to a file each second. */
import { writeFileSync } from "node:fs";

const tickMs = 1;
const writeEveryMs = 1_000;

const file = process.env["BENCH_HOLDS"];
if (Bun.isMainThread && file !== undefined) {
  let lastAt = performance.now();
  const holds: number[] = [];
  let worstMs = 0;
  setInterval(() => {
    const at = performance.now();
    worstMs = Math.max(worstMs, at - lastAt - tickMs);
    lastAt = at;
  }, tickMs).unref();
  setInterval(() => {
    holds.push(worstMs);
    worstMs = 0;
    writeFileSync(file, JSON.stringify(holds));
  }, writeEveryMs).unref();
}
