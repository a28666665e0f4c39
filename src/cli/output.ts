import { writeSync } from "node:fs";
import { styleText } from "node:util";
import { messageOf } from "../lib/error.ts";
import { printable, printableLines } from "../lib/text.ts";

/**
 * What the commands print. Every value may come from somebody else, so all of it is made printable here; colors are
 * added after that, only on a terminal and without NO_COLOR.
 */

type Color = "red" | "green" | "yellow" | "dim" | "bold";

/** One value: plain, or with its color. */
export type Cell = string | { text: string; color: Color };

const columnGap = "  ";

/** What cannot be written just now, as to a terminal that is held, is tried again this often. */
const blockedMs = 10;

/**
 * Writes a line to standard output, and returns when it is there: what `console.log` cannot write, as to a full disk, it
 * drops unseen, and it may be a secret that is shown once. Who has stopped reading, as `head` does, wants no more. Throws
 * an OutputLost.
 */
export function print(line: string): void {
  const bytes = Buffer.from(`${line}\n`);
  for (let written = 0; written < bytes.length; ) {
    try {
      written += writeSync(process.stdout.fd, bytes, written);
    } catch (thrown) {
      const code = thrown instanceof Error && "code" in thrown ? thrown.code : null;
      if (code === "EPIPE") return;
      if (code !== "EAGAIN") throw new OutputLost(thrown);
      Bun.sleepSync(blockedMs);
    }
  }
}

/** Prints a sentence, or several lines of text. */
export function say(text: string): void {
  print(printableLines(text));
}

/** Prints the same to standard error, for a person: what stands on standard output may be piped. */
export function sayAside(text: string): void {
  process.stderr.write(`${printableLines(text)}\n`);
}

/** Prints one line of JSON. In JSON too, no character is left that a terminal acts on. */
export function sayJson(value: unknown): void {
  print(printable(JSON.stringify(value)));
}

/** Prints `label  value` lines; a value of several lines stays in its column. */
export function sayFacts(facts: readonly (readonly [label: string, value: Cell | null])[]): void {
  const width = Math.max(...facts.map(([label]) => label.length));
  for (const [label, value] of facts) {
    if (value === null) continue;
    for (const [i, line] of textOf(value).split("\n").entries()) {
      print(`${(i === 0 ? label : "").padEnd(width)}${columnGap}${painted(value, printable(line))}`);
    }
  }
}

/** Prints rows below a header, each column as wide as its widest value. */
export function sayTable(header: readonly string[], rows: readonly (readonly Cell[])[]): void {
  createTable(header)(rows);
}

/** Prints a table in parts: the header with the first rows. A column gets wider, never narrower, from part to part. */
export function createTable(header: readonly string[]): (rows: readonly (readonly Cell[])[]) => void {
  const widths = header.map(() => 0);
  let unsaid: Cell[][] = [header.map((text) => ({ text, color: "dim" }))];
  return (rows) => {
    const cells = [...unsaid, ...rows];
    unsaid = [];
    for (const row of cells) {
      for (const [column, cell] of row.entries())
        widths[column] = Math.max(widths[column] ?? 0, Bun.stringWidth(printable(textOf(cell))));
    }
    for (const row of cells) {
      const line = row.map((cell, column) => {
        const text = printable(textOf(cell));
        const missing = column === row.length - 1 ? 0 : (widths[column] ?? 0) - Bun.stringWidth(text);
        return painted(cell, text) + " ".repeat(missing);
      });
      print(line.join(columnGap));
    }
  };
}

/** Whether colors reach a person: standard output is a terminal that has them, and NO_COLOR is not set. */
export function hasColors(): boolean {
  return styleText("bold", "") !== "";
}

/** The status of an invoice or link, in the color of what it means. */
export function statusCell(status: string): Cell {
  if (status === "paid" || status === "confirmed") return { text: status, color: "green" };
  if (status === "partial" || status === "excess") return { text: status, color: "yellow" };
  return status === "error" ? { text: status, color: "red" } : status;
}

function textOf(cell: Cell): string {
  return typeof cell === "string" ? cell : cell.text;
}

function painted(cell: Cell, text: string): string {
  return typeof cell === "string" ? text : styleText(cell.color, text);
}

/** What was to be printed is nowhere. What was asked for has been done all the same. */
export class OutputLost extends Error {
  override readonly name = "OutputLost";
  constructor(cause: unknown) {
    super(`the answer cannot be written to standard output: ${messageOf(cause)}`);
  }
}
