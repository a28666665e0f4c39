import type * as Currency from "../domain/bill/currency.ts";
import * as Calendar from "../domain/calendar.ts";
import { byteOrderMark, cell, line } from "../lib/text/csv.ts";
import type { Db } from "../store/database.ts";
import type * as ExportStore from "../store/reports/export/export.ts";
import type { BooksCodes, DatevCodes, DecimalMark } from "../store/tables/desk/preference.ts";
import type { BookColumns, Cell } from "./columns.ts";

type Row = Record<string, Cell>;

/**
 * `times` of blocks; drafts; USDC for which Xero has no code; amounts below a cent; values in EUR; an account
 * `transit`.
 */
export type Gap = "times" | "drafts" | "usdc" | "small" | "value" | "transit";

export type Selection = {
  db: Db;
  /** The chain that the database belongs to; undefined before the first contact. */
  chainId: number | undefined;
  days: ExportStore.DayRange;
  timeZone: string;
  rpcUrls: readonly string[];
  /** Prefix of links; null if unknown. */
  baseUrl: string | null;
  /** The currency for the value of payments; null if not wanted. */
  valueCurrency: Currency.Code | null;
  /** Which day assigns an invoice's tax to a period. */
  taxPeriod: ExportStore.TaxPeriod;
  /** Names of accounts and taxes in the merchant's books. */
  codes: BooksCodes;
  datev: DatevCodes;
  /** Called with what is missing and how it is replaced; pages word `gap` in their own language. */
  onGap: (sentence: string, gap: Gap, count: number) => void;
};

/** The format of a table. */
export type Sheet = {
  /** The column names, after the byte order mark. */
  head: string;
  /** One row with its line break. */
  row(values: Readonly<Record<string, Cell | undefined>>): string;
  /** Encodes the text if it is not UTF-8; `type` is the media type that says so. */
  encode?: (text: string) => Uint8Array;
  type?: string;
};

export type Table = {
  name: string;
  /** Describes the rows, for the help. */
  text: string;
  /** File name, if another program prescribes it. */
  file?: string;
  /** For another program, so without the spreadsheets' byte order mark. */
  isForProgram?: boolean;
  /** Returns which of the merchant's codes are missing for these rows; `days` if the rows need other days. */
  missing?(selection: Selection): string[];
  /** Returns its own format, once nothing is missing. */
  form?(selection: Selection): Sheet;
  columns(selection: Selection): string[];
  rows(selection: Selection): AsyncGenerator<Row>;
};

/** A kind of export: its source, and a function for each column. */
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

/** Returns whether a time (Unix ms) is in the days of an export, in the merchant's time zone. */
export function isWithin(ms: number, { days: { from, to }, timeZone }: Selection): boolean {
  const day = Calendar.dayAt(ms, timeZone);
  return (from === null || day >= from) && (to === null || day <= to);
}

/** Columns with decimal numbers, by the ends of their names; "1.5" in any other column is text. */
const numeric = /(?:^|_)(?:amount|fee|price|quantity|rate|total|usdc|value)$/;
const decimal = /^-?\d+\.\d+$/;

/** The CSV format of the merchant's spreadsheet. */
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

/** The format for another program, without a byte order mark. */
function programSheet(columns: readonly string[]): Sheet {
  const { head, row } = sheet(columns, "point");
  return { head: head.slice(byteOrderMark.length), row };
}

/** A table's own format, or that of a spreadsheet. */
export function sheetOf(table: Table, selection: Selection, mark: DecimalMark): Sheet {
  const columns = table.columns(selection);
  return table.form?.(selection) ?? (table.isForProgram ? programSheet(columns) : sheet(columns, mark));
}
