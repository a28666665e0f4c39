import { writeSync } from "node:fs";
import { styleText } from "node:util";
import { isTimeZone } from "../../config/parse.ts";
import { notationOf } from "../../language/notation.ts";
import { messageOf } from "../../lib/error.ts";
import { printable, printableLines } from "../../lib/text/text.ts";
import { wrap } from "../../lib/text/wrap.ts";

/**
 * What the commands print. Every value may come from somebody else, so all of it is made printable here; colors are
 * added after that, only on a terminal and without NO_COLOR.
 */

type Color = "red" | "green" | "yellow" | "dim" | "bold";

/** One value: plain, or with its color. */
export type TextCell = string | { text: string; color: Color };

const columnGap = "  ";

/** The width of a terminal that does not tell its own. */
const columnsDefault = 80;

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
  for (const line of fitted(printableLines(text), widthOf(process.stdout))) print(line);
}

/** Prints the same to standard error, for a person: what stands on standard output may be piped. */
export function sayAside(text: string): void {
  const lines = fitted(printableLines(text), widthOf(process.stderr));
  process.stderr.write(`${lines.join("\n")}\n`);
}

/** How many columns a person sees; no end where a program reads. */
export function widthOf(stream: { isTTY?: boolean; columns?: number }): number {
  return stream.isTTY ? stream.columns || columnsDefault : Number.POSITIVE_INFINITY;
}

/**
 * The lines of a text, broken between words to fit the width, so that no hash and no address is broken by the terminal.
 * What goes on stays in its column: behind the indentation, and behind a label with two spaces after it.
 */
export function fitted(text: string, width: number): string[] {
  return text.split("\n").flatMap((line) => {
    const [column = ""] = /^ *(?:- |[^ ]+(?: [^ ]+){0,2} {2,})?/.exec(line) ?? [];
    return wrap(line, width, column.length);
  });
}

/** Prints one line of JSON. In JSON too, no character is left that a terminal acts on. */
export function sayJson(value: unknown): void {
  print(printable(JSON.stringify(value)));
}

/** Prints `label  value` lines; a value of several lines, or a long one, stays in its column. */
export function sayFacts(facts: readonly (readonly [label: string, value: TextCell | null])[]): void {
  const column = Math.max(...facts.map(([label]) => label.length)) + columnGap.length;
  const width = widthOf(process.stdout);
  for (const [label, value] of facts) {
    if (value === null) continue;
    for (const [i, line] of textOf(value).split("\n").entries()) {
      const head = (i === 0 ? label : "").padEnd(column);
      for (const part of wrap(head + painted(value, printable(line)), width, column)) print(part);
    }
  }
}

/**
 * A column of a table: aligned left, or right as amounts are. Where a row is too wide for a person's screen, what is
 * `below` gets a line of its own, and the last column is cut if it is to be, else it goes on in the next line.
 */
export type TextColumn = string | { right: string } | { below: string } | { cut: string };

/** Prints rows below a header, each column as wide as its widest value. */
export function sayTable(columns: readonly TextColumn[], rows: readonly (readonly TextCell[])[]): void {
  createTable(columns)(rows);
}

/** Prints a table in parts: the header with the first rows. A column gets wider, never narrower, from part to part. */
export function createTable(
  columns: readonly TextColumn[],
): (rows: readonly (readonly TextCell[])[]) => void {
  const widths = columns.map(() => 0);
  const screen = widthOf(process.stdout);
  let unsaid: TextCell[][] = [columns.map((column) => ({ text: titleOf(column), color: "dim" }))];
  return (rows) => {
    const header = unsaid;
    unsaid = [];
    for (const row of [...header, ...rows]) {
      for (const [at, cell] of row.entries())
        widths[at] = Math.max(widths[at] ?? 0, Bun.stringWidth(printable(textOf(cell))));
    }
    const span = (upTo: readonly number[]) => upTo.reduce((sum, width) => sum + width + columnGap.length, 0);
    const isTooWide = span(widths) - columnGap.length > screen;
    const below = columns.filter((column) => isOf("below", column));
    const label = Math.max(0, ...below.map((column) => titleOf(column).length));
    const isBelow = (column: TextColumn) => isTooWide && isOf("below", column);
    const beside = columns.flatMap((column, at) => (isBelow(column) ? [] : [at]));
    const hang = span(beside.slice(0, -1).map((at) => widths[at] ?? 0));
    for (const [index, row] of [...header, ...rows].entries()) {
      const cells = beside.map((at) => aligned(row[at] ?? "", widths[at] ?? 0, columns[at]));
      const line = cells.join(columnGap).trimEnd();
      const isCut = isOf("cut", columns.at(-1)) && Bun.stringWidth(line) > screen;
      if (isCut) print(`${Bun.sliceAnsi(line, 0, screen - 1)}…`);
      else for (const part of wrap(line, screen, hang)) print(part);
      for (const [at, column] of index < header.length ? [] : columns.entries()) {
        const text = printable(textOf(row[at] ?? ""));
        if (isBelow(column) && text !== "")
          print(`  ${titleOf(column).toLowerCase().padEnd(label)}${columnGap}${text}`);
      }
    }
  };
}

function aligned(cell: TextCell, width: number, column: TextColumn | undefined): string {
  const text = printable(textOf(cell));
  const missing = " ".repeat(Math.max(0, width - Bun.stringWidth(text)));
  return isOf("right", column) ? missing + painted(cell, text) : painted(cell, text) + missing;
}

function isOf(kind: "right" | "below" | "cut", column: TextColumn | undefined): boolean {
  return typeof column === "object" && kind in column;
}

function titleOf(column: TextColumn): string {
  if (typeof column === "string") return column;
  return Object.values(column)[0] ?? "";
}

const { figure } = notationOf("en");

/** An amount as every text for people has it: `1738.80` → `1,738.80`. What is no amount stays as it is. */
export function amountText(decimal: string): string {
  return figure(decimal);
}

/** A time as the API gives it, for a person, where `TILL_TIMEZONE` is: `2026-11-22 04:21:34 UTC`. */
export function timeText(instant: string): string {
  const timeZone = process.env["TILL_TIMEZONE"]?.trim();
  const zone = { timeZone: timeZone && isTimeZone(timeZone) ? timeZone : "UTC" };
  const parts = new Intl.DateTimeFormat("en-GB", { ...zone, timeZoneName: "short" }).formatToParts(
    new Date(instant),
  );
  const name = parts.find(({ type }) => type === "timeZoneName")?.value ?? "";
  // The Swedish form of a date is the ISO form.
  const local = new Intl.DateTimeFormat("sv-SE", { ...zone, dateStyle: "short", timeStyle: "medium" });
  return `${local.format(new Date(instant))} ${name}`;
}

/** Whether colors reach a person: standard output is a terminal that has them, and NO_COLOR is not set. */
export function hasColors(): boolean {
  return styleText("bold", "") !== "";
}

/** The status of an invoice or link, in the color of what it means. */
export function statusCell(status: string): TextCell {
  if (status === "paid" || status === "confirmed") return { text: status, color: "green" };
  if (status === "partial" || status === "excess") return { text: status, color: "yellow" };
  if (status === "void") return { text: status, color: "dim" };
  return status === "error" ? { text: status, color: "red" } : status;
}

function textOf(cell: TextCell): string {
  return typeof cell === "string" ? cell : cell.text;
}

function painted(cell: TextCell, text: string): string {
  return typeof cell === "string" ? text : styleText(cell.color, text);
}

/** What was to be printed is nowhere. What was asked for has been done all the same. */
export class OutputLost extends Error {
  override readonly name = "OutputLost";
  constructor(cause: unknown) {
    super(`the answer cannot be written to standard output: ${messageOf(cause)}`);
  }
}

/** So long nobody wonders. */
const silentMs = 4_000;

/** Waits for work, and says on a terminal what it waits for when that takes long. */
export async function patiently<T>(sentence: string, work: Promise<T>): Promise<T> {
  if (!process.stderr.isTTY) return await work;
  const timer = setTimeout(() => process.stderr.write(`${sentence}\n`), silentMs);
  try {
    return await work;
  } finally {
    clearTimeout(timer);
  }
}
