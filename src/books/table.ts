import type * as Currency from "../domain/bill/currency.ts";
import * as Calendar from "../domain/calendar.ts";
import { byteOrderMark, cell, line } from "../lib/text/csv.ts";
import type { Db } from "../store/database.ts";
import type * as ExportStore from "../store/reports/export/export.ts";
import type { BooksCodes, DatevCodes, DecimalMark } from "../store/tables/desk/preference.ts";
import type { BookColumns, Cell } from "./columns.ts";

type Row = Record<string, Cell>;

/** `times` of blocks; drafts; USDC for which Xero has no code; less than a cent; values in EUR; an account `transit`. */
export type Gap = "times" | "drafts" | "usdc" | "small" | "value" | "transit";

export type Selection = {
  db: Db;
  /** Of the chain that the database is about; undefined while it has seen none. */
  chainId: number | undefined;
  days: ExportStore.DayRange;
  timeZone: string;
  rpcUrls: readonly string[];
  /** What links begin with; null when it is not known. */
  baseUrl: string | null;
  /** What the value of payments is wanted in; null when nobody wants it. */
  valueCurrency: Currency.Code | null;
  /** Which day puts the tax of an invoice into a period. */
  taxPeriod: ExportStore.TaxPeriod;
  /** What the books of the merchant call accounts and taxes. */
  codes: BooksCodes;
  datev: DatevCodes;
  /** Told what is missing, and what stands in its place; pages say `gap` in their own language. */
  onGap: (sentence: string, gap: Gap, count: number) => void;
};

/** How a table is written. */
export type Sheet = {
  /** The names of the columns, after the mark of UTF-8 text. */
  head: string;
  /** One row with its line break. */
  row(values: Readonly<Record<string, Cell | undefined>>): string;
  /** Its bytes, where they are not those of UTF-8, and the type that says so. */
  encode?: (text: string) => Uint8Array;
  type?: string;
};

export type Table = {
  name: string;
  /** What its rows are, for the help. */
  text: string;
  /** What its file is called, where another program says so. */
  file?: string;
  /** For another program: its text is not marked as that of spreadsheets. */
  isForProgram?: boolean;
  /** Which of the merchant's codes are missing for these rows; `days` when the rows need other days. */
  missing?(selection: Selection): string[];
  /** How it is written, once nothing is missing. */
  form?(selection: Selection): Sheet;
  columns(selection: Selection): string[];
  rows(selection: Selection): AsyncGenerator<Row>;
};

/** A kind of export: what it reads, and a column for each name. */
export function table<T>(
  name: string,
  text: string,
  read: (selection: Selection) => Iterable<T> | AsyncIterable<T>,
  columnsOf: (selection: Selection) => BookColumns<T>,
): Table {
  return {
    name,
    text,
    columns: (selection) => Object.keys(columnsOf(selection)),
    async *rows(selection) {
      const columns = Object.entries(columnsOf(selection));
      for await (const item of read(selection))
        yield Object.fromEntries(columns.map(([column, cell]) => [column, cell(item)]));
    },
  };
}

/** Whether a time (Unix ms) is in the days of an export, as the merchant counts them. */
export function isWithin(ms: number, { days: { from, to }, timeZone }: Selection): boolean {
  const day = Calendar.dayAt(ms, timeZone);
  return (from === null || day >= from) && (to === null || day <= to);
}

/** The columns that hold numbers with decimals, by the ends of their names; "1.5" in any other is a text. */
const numeric = /(?:^|_)(?:amount|fee|price|quantity|rate|total|usdc|value)$/;
const decimal = /^-?\d+\.\d+$/;

/** As CSV for the merchant's spreadsheet. */
export function sheet(columns: readonly string[], mark: DecimalMark): Sheet {
  const separator = mark === "point" ? "," : ";";
  const written = (column: string, value: Cell | undefined) => {
    const text = cell(value, separator);
    return mark === "comma" && numeric.test(column) && decimal.test(text) ? text.replace(".", ",") : text;
  };
  return {
    head: byteOrderMark + line(columns, separator),
    row: (values) =>
      line(
        columns.map((column) => written(column, values[column])),
        separator,
      ),
  };
}

/** For another program, which has its own form: no mark of spreadsheets. */
function programSheet(columns: readonly string[]): Sheet {
  const { head, row } = sheet(columns, "point");
  return { head: head.slice(byteOrderMark.length), row };
}

/** As the table is written: in a form of its own, or for a spreadsheet. */
export function sheetOf(table: Table, selection: Selection, mark: DecimalMark): Sheet {
  const columns = table.columns(selection);
  return table.form?.(selection) ?? (table.isForProgram ? programSheet(columns) : sheet(columns, mark));
}
