import { wrap } from "../lib/text/english.ts";
import type { Command, CommandGroup } from "./command.ts";

/** `--help`, from the commands' tables, for a terminal of 80 columns. */

const width = 80;

/** The last possible column of the texts; after a longer name the text moves to the next line. */
const textColumnMax = 30;

/** Returns the help of a command, or of all commands that share a name. */
export function helpOf(name: string, summary: string, command: Command | CommandGroup): string {
  const isGroup = "actions" in command;
  const calls = isGroup
    ? Object.entries(command.actions).flatMap(([action, each]) =>
        each.command.calls.map((call) => `${action} ${call}`),
      )
    : command.calls;
  const parts = isGroup
    ? [Object.entries(command.actions).map(([action, each]) => [action, each.summary] as const)]
    : [
        command.words ?? [],
        Object.entries(command.flags).map(
          ([flag, { value, text }]) => [`--${flag}${value === undefined ? "" : ` ${value}`}`, text] as const,
        ),
      ];
  const column = columnOf(parts.flat());
  const usage = calls.flatMap((call, at) =>
    wrap(`${at === 0 ? "Usage: " : "       "}till ${name} ${call}`.trimEnd(), width, 11),
  );
  return [
    ...wrap(summary, width),
    "",
    ...usage,
    ...parts.flatMap((rows) => (rows.length > 0 ? ["", ...columns(rows, column)] : [])),
    ...(isGroup ? ["", `till ${name} ACTION --help tells more.`] : []),
    ...(command.about
      ? ["", ...command.about.split("\n").flatMap((line) => wrap(line, width, indentOf(line)))]
      : []),
    ...(command.examples ? ["", "Example:", ...command.examples.map((line) => `  ${line}`)] : []),
  ].join("\n");
}

/** Returns the column at which texts begin beside these names. */
export function columnOf(rows: readonly (readonly [name: string, text: string])[]): number {
  return Math.max(0, ...rows.map(([name]) => name.length + 4).filter((end) => end <= textColumnMax));
}

/** Formats names and their meanings in two columns. */
export function columns(rows: readonly (readonly [name: string, text: string])[], column: number): string[] {
  return rows.flatMap(([name, text]) => {
    const head = `  ${name}`.padEnd(column);
    const lines = text.split("\n").flatMap((line) => wrap(line, width - column));
    const [first = "", ...rest] = head.length > column ? ["", ...lines] : lines;
    return [`${head}${first}`.trimEnd(), ...rest.map((line) => " ".repeat(column) + line)];
  });
}

const indentOf = (line: string) => line.length - line.trimStart().length;
