import { cpus } from "node:os";
import { join } from "node:path";
import { columnsOf, heading, type Line } from "./line.ts";

/** What was measured last, and what the handbook shows. */
export type Figures = { date: string; machine: string; lines: Line[] };

const file = join(import.meta.dir, "figures.json");
const page = join(import.meta.dir, "../../docs/speed.md");
const begin = "<!-- bench: `bun run bench --write` writes what follows -->";
const end = "<!-- bench: end -->";

const text = await Bun.file(file)
  .text()
  .catch(() => null);

export function readFigures(): Figures {
  return text === null ? { date: "", machine: "", lines: [] } : (JSON.parse(text) as Figures);
}

/** Puts the lines in the place of those of the same name, in figures.json and in the table of docs/speed.md, by part. */
export async function writeFigures(
  known: Figures,
  measured: readonly Line[],
  parts: readonly string[],
): Promise<void> {
  const ids = new Set(measured.map(({ id }) => id));
  const placeOf = ({ id }: Line) => parts.indexOf(id.split("/")[0] ?? "");
  const lines = known.lines
    .filter(({ id }) => !ids.has(id))
    .concat(measured)
    .toSorted((a, b) => placeOf(a) - placeOf(b));
  const figures: Figures = {
    date: new Date().toISOString().slice(0, 10),
    machine: `${cpus().length} cores, ${cpus()[0]?.model.trim() ?? "unknown"}`,
    lines,
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

function markdown({ date, machine, lines }: Figures): string {
  const row = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  const rows = [heading, heading.map(() => "---"), ...lines.map(columnsOf)].map(row);
  return `${rows.join("\n")}\n\nMeasured on ${date}: ${machine}.`;
}
