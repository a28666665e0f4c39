import { readFileSync } from "node:fs";
import { cpus, loadavg } from "node:os";

/** Whether `--quick` was asked for: a smaller size of the same measurement. */
export const quick = process.argv.includes("--quick");

/** The value below which that share of the values lies. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** What Linux counts processor time in: hundredths of a second. */
const tickMs = 10;

/** The processor time that a process has used so far; unlike the clock it says little of what else is running. */
export function processorMs(pid: number): number {
  const afterName = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  return (Number(afterName[11]) + Number(afterName[12])) * tickMs;
}

/** Prints names and values below each other, and how busy the machine was: on a busy one everything is slower. */
export function print(title: string, rows: Record<string, string | number>): void {
  const load = loadavg()[0]?.toFixed(1);
  const all = Object.entries({ ...rows, "load of the machine": `${load} on ${cpus().length} cores` });
  const width = Math.max(...all.map(([name]) => name.length));
  console.log(`\n${title}`);
  for (const [name, value] of all) console.log(`  ${name.padEnd(width)}  ${value}`);
}
