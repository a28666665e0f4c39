import { writeSync } from "node:fs";
import { styleText } from "node:util";
import { isTimeZone } from "../../config/parse.ts";
import { notationOf } from "../../language/notation.ts";
import { messageOf } from "../../lib/error.ts";
import { wrap } from "../../lib/text/english.ts";
import { printable, printableLines } from "../../lib/text/text.ts";

/**
 * All output of commands. Any value may come from somebody else, so all are made printable here; colours are added
 * afterwards, only on a terminal and without NO_COLOR.
 */

type Color = "red" | "green" | "yellow" | "dim" | "bold";

/** One value: plain, or coloured. */
export type TextCell = string | { text: string; color: Color };

const columnGap = "  ";

/** For a terminal that does not report its width. */
const columnsDefault = 80;

/** Retry interval for output that is blocked, as by a paused terminal. */
const blockedMs = 10;

/**
 * Prints a line, and returns once it is written: `console.log` silently drops what it cannot write, for instance to a
 * full disk, and the line may be a secret that is shown once. Ignores readers that have left, like `head`. Throws an
 * OutputLost.
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

/** Prints to standard error, for people: standard output may be piped. */
export function sayAside(text: string): void {
  const lines = fitted(printableLines(text), widthOf(process.stderr));
  process.stderr.write(`${lines.join("\n")}\n`);
}

/** The width for people; unlimited for programs. */
export function widthOf(stream: { isTTY?: boolean; columns?: number }): number {
  return stream.isTTY ? stream.columns || columnsDefault : Number.POSITIVE_INFINITY;
}

/**
 * A text's lines, wrapped between words to fit the width, so that the terminal breaks no hash or address. Wrapped text
 * keeps its column: behind the indentation, and behind a label followed by two spaces.
 */
export function fitted(text: string, width: number): string[] {
  return text.split("\n").flatMap((line) => {
    const [column = ""] = /^ *(?:- |[^ ]+(?: [^ ]+){0,2} {2,})?/.exec(line) ?? [];
    return wrap(line, width, column.length);
  });
}

/** Prints one line of JSON, in which no character affects a terminal. */
export function sayJson(value: unknown): void {
  print(printable(JSON.stringify(value)));
}

/** Prints an answer, as JSON for programs, else as text, or as `text` prints it. Returns the exit code. */
export function answer(json: boolean, record: unknown, text: string | (() => void), ok = true): 0 | 1 {
  if (json) sayJson(record);
  else if (typeof text === "string") say(text);
  else text();
  return ok ? 0 : 1;
}

/** Prints `label  value` lines; a long or multi-line value keeps its column. */
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
 * A table column: aligned left, or right like amounts. When a row is too wide for a person's screen, columns `below`
 * get lines of their own, and the last column is cut if so marked, else wrapped.
 */
export type TextColumn = string | { right: string } | { below: string } | { cut: string };

/** Prints rows under a header, or the sentence for none; columns are as wide as their widest values. */
export function sayTable(
  columns: readonly TextColumn[],
  rows: readonly (readonly TextCell[])[],
  none?: string,
): void {
  if (rows.length === 0 && none !== undefined) say(none);
  else createTable(columns)(rows);
}

/** Prints a table in parts, the header with the first. Columns only get wider from part to part. */
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

/** An amount as all texts for people show it: `1738.80` → `1,738.80`. Anything else stays unchanged. */
export function amountText(decimal: string): string {
  return figure(decimal);
}

/** An API time for people, in `TILL_TIMEZONE`: `2026-11-22 04:21:34 UTC`. */
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

/** Whether people see colours: standard output is a terminal with colours, and NO_COLOR is not set. */
export function hasColors(): boolean {
  return styleText("bold", "") !== "";
}

/** The status of an invoice or link, coloured by meaning. */
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

/** The output was lost, although the command did its work. */
export class OutputLost extends Error {
  override readonly name = "OutputLost";
  constructor(cause: unknown) {
    super(`the answer cannot be written to standard output: ${messageOf(cause)}`);
  }
}

/** Nobody wonders before this. */
const silentMs = 4_000;

/** Waits for work, and after a while says on a terminal what it is waiting for. */
export async function patiently<T>(sentence: string, work: Promise<T>): Promise<T> {
  if (!process.stderr.isTTY) return await work;
  const timer = setTimeout(() => process.stderr.write(`${sentence}\n`), silentMs);
  try {
    return await work;
  } finally {
    clearTimeout(timer);
  }
}
