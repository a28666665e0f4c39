/**
 * Measures Till beside other programs and beside the limits of the machine, and prints one table.
 *
 *   bun run bench              all of it in 15 minutes, but for `idle`, which counts for an hour
 *   bun run bench pdf status   some parts, or single rows: status/elysia
 *   bun run bench --quick      a few rows in about a minute; fails when a ratio is worse than the committed one
 *   bun run bench --write      all of it, or the parts named; the figures go into figures.json and docs/speed.md
 *
 * Without `--quick` it fails when a target is missed. What cannot be measured on this machine says why, and fails nothing.
 */
import { parseArgs } from "node:util";
import { commitOfBuild } from "../../scripts/build.ts";
import { columnsOf, heading, isMissed, type Line, ratioOf } from "./line.ts";
import { preparePeers } from "./peers.ts";
import { type Figures, readFigures, writeFigures } from "./record.ts";
import { runPart } from "./run-part.ts";

/** In the order of the table, with the seconds after which each is given up. */
const parts = {
  status: 120,
  page: 60,
  phone: 120,
  create: 120,
  size: 300,
  desk: 600,
  latency: 120,
  told: 240,
  "catch-up": 240,
  idle: 4_000,
  webhook: 60,
  x402: 120,
  pdf: 120,
  start: 90,
  memory: 120,
  mixed: 150,
  gas: 60,
};
type PartName = keyof typeof parts;

/** An hour is counted only when somebody asks for it. */
const longParts = (Object.keys(parts) as PartName[]).filter((name) => name !== "idle");
const quickParts: readonly PartName[] = ["status", "create", "pdf", "gas"];
/** The share of a committed ratio that may be lost before `--quick` fails. */
const lossMax = 0.15;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { quick: { type: "boolean", default: false }, write: { type: "boolean", default: false } },
});
const { quick, write } = values;
if (quick && write)
  fail("--quick measures too little to be written down. Leave one of --quick and --write out.");
const isWanted = (id: string) =>
  positionals.length === 0 || positionals.some((name) => id === name || id.startsWith(`${name}/`));
const names = (Object.keys(parts) as PartName[]).filter((name) =>
  positionals.length === 0
    ? (quick ? quickParts : longParts).includes(name)
    : positionals.some((id) => id.split("/")[0] === name),
);
const unknown = positionals.filter((id) => !names.includes(id.split("/")[0] as PartName));
if (unknown.length > 0)
  fail(`There is no row ${unknown.join(", ")}. Parts: ${Object.keys(parts).join(", ")}.`);

const startedAt = performance.now();
preparePeers();
const committed = readFigures();
const lines: Line[] = [];
const missing: string[] = [];

async function measure(name: PartName, isQuick: boolean): Promise<Line[]> {
  process.stderr.write(`${name} …\n`);
  const begunAt = performance.now();
  const ran = await runPart(name, { quick: isQuick, secondsMax: parts[name] });
  if (ran.failure !== null) missing.push(`${name}: ${ran.failure}`);
  const wanted = ran.lines.filter(({ id }) => isWanted(id));
  for (const line of wanted) process.stderr.write(`  ${plainly(line).filter(Boolean).join(", ")}\n`);
  process.stderr.write(`  ${secondsSince(begunAt)}\n`);
  return wanted;
}

const failures: string[] = [];
for (const name of names) {
  const measured = await measure(name, quick);
  // Measured briefly, a row can be worse by chance: what fails is what a longer look says.
  const isWorse = quick && measured.some((line) => worseThan(committed, line) !== null);
  const known = isWorse ? await measure(name, false) : measured;
  if (quick) failures.push(...known.flatMap((line) => worseThan(committed, line) ?? []));
  else failures.push(...known.filter(isMissed).map(({ id }) => `${id}: a target is missed`));
  lines.push(...known);
  // Whoever stops it keeps what was measured by then.
  if (write) await writeFigures(committed, { lines, missing }, Object.keys(parts));
}
printTable(lines);
console.log(`\n${secondsSince(startedAt)} in all.`);
for (const one of missing) console.log(`Not measured: ${one}`);
// Nothing was looked at: that is no good news.
if (quick && lines.length === 0) failures.push("no row could be measured");
for (const failure of failures) console.error(failure);
process.exit(failures.length > 0 ? 1 : 0);

function secondsSince(begunAt: number): string {
  return `${((performance.now() - begunAt) / 1000).toFixed(0)} s`;
}

/** The columns of a line without the marks of the handbook. */
function plainly(line: Line): string[] {
  return columnsOf(line).map((cell) => cell.replaceAll("**", ""));
}

function printTable(all: readonly Line[]): void {
  const rows = [heading, ...all.map(plainly)];
  const widths = heading.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  console.log();
  for (const row of rows)
    console.log(
      row
        .map((cell, i) => cell.padEnd(widths[i] ?? 0))
        .join("  ")
        .trimEnd(),
    );
}

/** Says so when the ratio of a line is worse than the committed one by more than `lossMax`; null otherwise. */
function worseThan({ lines: known, commit }: Figures, line: Line): string | null {
  const before = known.find(({ id }) => id === line.id);
  const [was, is] = [before ? ratioOf(before) : null, ratioOf(line)];
  const target = line.targets.find(({ of }) => of === "ratio");
  if (was === null || is === null || !target) return null;
  const kept = target.is === "at least" ? is / was : was / is;
  if (kept >= 1 - lossMax) return null;
  const ratios = `the ratio is ${is.toFixed(2)}, and the committed one ${was.toFixed(2)}`;
  return `${line.id}: ${ratios}. Look for the cause in git log ${commit}..${commitOfBuild()}`;
}

function fail(message: string): never {
  console.error(message);
  process.exit(2);
}
