import { cpus } from "node:os";
import { join } from "node:path";
import { commitOfBuild } from "../../scripts/build.ts";
import { columnsOf, heading, type Line } from "./line.ts";

/** What was measured last, and what the handbook shows. */
export type Figures = {
  date: string;
  machine: string;
  commit: string;
  lines: Line[];
  /** What could not be measured, and why. */
  missing: string[];
};

const file = join(import.meta.dir, "figures.json");
const page = join(import.meta.dir, "../../docs/speed.md");
const begin = "<!-- bench: `bun run bench --write` writes what follows -->";
const end = "<!-- bench: end -->";

const text = await Bun.file(file)
  .text()
  .catch(() => null);

export function readFigures(): Figures {
  const none = { date: "", machine: "", commit: "", lines: [], missing: [] };
  return text === null ? none : (JSON.parse(text) as Figures);
}

/**
 * Puts the lines in the place of those of the same name, in figures.json and in the table of docs/speed.md, by part. What
 * could not be measured leaves the table.
 */
export async function writeFigures(
  known: Figures,
  measured: Pick<Figures, "lines" | "missing">,
  parts: readonly string[],
): Promise<void> {
  const ids = new Set(measured.lines.map(({ id }) => id));
  const placeOf = ({ id }: Line) => parts.indexOf(id.split("/")[0] ?? "");
  const missingParts = measured.missing.map((one) => `${one.split(":")[0]}/`);
  const lines = known.lines
    .filter(({ id }) => !ids.has(id) && !missingParts.some((part) => id.startsWith(part)))
    .concat(measured.lines)
    .toSorted((a, b) => placeOf(a) - placeOf(b));
  const figures: Figures = {
    date: new Date().toISOString().slice(0, 10),
    machine: `${cpus().length} cores, ${cpus()[0]?.model.trim() ?? "unknown"}`,
    commit: commitOfBuild(),
    lines,
    missing: measured.missing,
  };
  await Bun.write(file, `${JSON.stringify(figures, null, 2)}\n`);
  const whole = await Bun.file(page).text();
  const [from, to] = [whole.indexOf(begin), whole.indexOf(end)];
  if (from === -1 || to < from) throw new Error(`docs/speed.md has no lines ${begin} and ${end}`);
  await Bun.write(
    page,
    `${whole.slice(0, from + begin.length)}\n\n${markdown(figures)}\n\n${whole.slice(to)}`,
  );
}

function markdown({ date, machine, commit, lines, missing }: Figures): string {
  const row = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  const rows = [heading, heading.map(() => "---"), ...lines.map(columnsOf)].map(row);
  const notes = missing.map((one) => ` Not measured: ${one}.`).join("");
  return `${rows.join("\n")}\n\nMeasured on ${date}, at ${commit}: ${machine}.${notes}`;
}
