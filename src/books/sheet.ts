import { byteOrderMark, cell, line } from "../lib/text/csv.ts";
import type { DecimalMark } from "../store/tables/desk/preference.ts";
import type { Cell } from "./columns.ts";
import type { Selection, Sheet, Table } from "./table.ts";

/** Tables as CSV, as the merchant's spreadsheet opens them. */

/** The columns that hold numbers with decimals, by the ends of their names; "1.5" in any other is a text. */
const numeric = /(?:^|_)(?:amount|fee|price|quantity|rate|total|usdc|value)$/;
const decimal = /^-?\d+\.\d+$/;

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
