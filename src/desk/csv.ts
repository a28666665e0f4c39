import type { BookColumns } from "../books/columns.ts";
import { sheet } from "../books/table.ts";
import { csvFile } from "../http/answer/csv.ts";
import type { Locale } from "../language/locale.ts";
import type { Db } from "../store/database.ts";
import * as PreferenceStore from "../store/tables/desk/preference.ts";
import type { Visit } from "./parts/page/visit.ts";

/** Returns the decimal mark of the shop's spreadsheet: that of the desk's language until somebody sets it. */
export const decimalMarkOf = (db: Db, { decimalMark }: Locale): PreferenceStore.DecimalMark =>
  PreferenceStore.spreadsheet(db)?.decimals ?? (decimalMark === "," ? "comma" : "point");

/** Returns a whole list as a file, with these columns. `after` reads the page after a row, or for null the first. */
export function csvAnswer<T, Listed = T>(
  name: string,
  db: Db,
  visit: Visit,
  columns: BookColumns<T>,
  after: (last: Listed | null) => Promise<{ rows: readonly T[]; next: Listed | null }>,
): Response {
  async function* listed() {
    let last: Listed | null = null;
    do {
      const { rows, next } = await after(last);
      for (const row of rows)
        yield Object.fromEntries(Object.entries(columns).map(([column, of]) => [column, of(row)]));
      last = next;
    } while (last !== null);
  }
  const mark = decimalMarkOf(db, visit.frame.locale);
  return csvFile(name, visit.frame.when.today, sheet(Object.keys(columns), mark), listed());
}
