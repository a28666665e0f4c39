import { styleText } from "node:util";
import { wrap } from "../../lib/text/english.ts";
import { printable } from "../../lib/text/text.ts";
import { print, say, widthOf } from "./output.ts";

/** Records as people read them: one table per kind of record defines the order and the form of its fields. */

/** One value: plain, or coloured. */
export type TextCell = string | { text: string; color: "red" | "green" | "yellow" | "dim" | "bold" };

/** Null or undefined prints nothing; a list has one line per item, all under the same label. */
type FieldText = TextCell | readonly string[] | null | undefined;

type Field<T> = {
  [Name in keyof T]-?: NonNullable<T[Name]> extends string | number ? Name : never;
}[keyof T];

/** A field, which prints nothing if missing or null, and its form; or a text from the whole record. */
type Row<Label, T> =
  | readonly [Label, Field<T>, form?: (text: string, record: T) => FieldText]
  | readonly [Label, (record: T) => FieldText];

export type Facts<T> = readonly Row<string, T>[];
export type Columns<T> = readonly Row<TextColumn, T>[];

/**
 * A table column: aligned left, or right like amounts. If a row is too wide for a person's screen, columns `below` get
 * their own lines, and the last column is cut if so marked, else wrapped.
 */
type TextColumn = string | { right: string } | { below: string } | { cut: string };

const columnGap = "  ";

function saidBy<T>([, of, form = String]: Row<unknown, T>, record: T): FieldText {
  if (typeof of === "function") return of(record);
  const value = record[of];
  return value === undefined || value === null ? null : form(String(value), record);
}

const cellsOf = <T>(row: Row<unknown, T>, record: T) => [saidBy(row, record) ?? []].flat() as TextCell[];

/** Prints `label  value` lines; a long or multi-line value keeps its column. */
export function sayRecord<T>(facts: Facts<T>, record: T): void {
  const column = Math.max(...facts.map(([label]) => label.length)) + columnGap.length;
  const width = widthOf(process.stdout);
  for (const row of facts) {
    const lines = cellsOf(row, record).flatMap((cell) =>
      textOf(cell)
        .split("\n")
        .map((text, at) => (at === 0 ? row[0] : "").padEnd(column) + painted(cell, printable(text))),
    );
    for (const line of lines) for (const part of wrap(line, width, column)) print(part);
  }
}

/** Prints a list, or the sentence `none`. */
export function sayList<T>(records: readonly T[], columns: Columns<NoInfer<T>>, none?: string): void {
  if (records.length === 0 && none !== undefined) say(none);
  else createList(columns)(records);
}

/** Prints records in parts, all in one table, the header with the first. Columns only get wider from part to part. */
export function createList<T>(columns: Columns<T>): (records: readonly T[]) => void {
  const titles = columns.map(([column]) => column);
  const widths = titles.map(() => 0);
  const screen = widthOf(process.stdout);
  let unsaid: TextCell[][] = [titles.map((column) => ({ text: titleOf(column), color: "dim" }))];
  return (records) => {
    const header = unsaid;
    unsaid = [];
    const rows = records.map((record) => columns.map((column) => cellsOf(column, record)[0] ?? ""));
    for (const row of [...header, ...rows]) {
      for (const [at, cell] of row.entries())
        widths[at] = Math.max(widths[at] ?? 0, Bun.stringWidth(printable(textOf(cell))));
    }
    const span = (upTo: readonly number[]) => upTo.reduce((sum, width) => sum + width + columnGap.length, 0);
    const isTooWide = span(widths) - columnGap.length > screen;
    const below = titles.filter((column) => isOf("below", column));
    const label = Math.max(0, ...below.map((column) => titleOf(column).length));
    const isBelow = (column: TextColumn) => isTooWide && isOf("below", column);
    const beside = titles.flatMap((column, at) => (isBelow(column) ? [] : [at]));
    const hang = span(beside.slice(0, -1).map((at) => widths[at] ?? 0));
    for (const [index, row] of [...header, ...rows].entries()) {
      const cells = beside.map((at) => aligned(row[at] ?? "", widths[at] ?? 0, titles[at]));
      const line = cells.join(columnGap).trimEnd();
      const isCut = isOf("cut", titles.at(-1)) && Bun.stringWidth(line) > screen;
      if (isCut) print(`${Bun.sliceAnsi(line, 0, screen - 1)}…`);
      else for (const part of wrap(line, screen, hang)) print(part);
      for (const [at, column] of index < header.length ? [] : titles.entries()) {
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

function textOf(cell: TextCell): string {
  return typeof cell === "string" ? cell : cell.text;
}

function painted(cell: TextCell, text: string): string {
  return typeof cell === "string" ? text : styleText(cell.color, text);
}
