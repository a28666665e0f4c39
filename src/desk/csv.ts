import type { BookColumns, Cell } from "../books/columns.ts";
import { type Sheet, sheet } from "../books/sheet.ts";
import type { Locale } from "../language/locale.ts";
import { turn } from "../lib/loop.ts";
import type { Db } from "../store/database.ts";
import * as PreferenceStore from "../store/tables/desk/preference.ts";
import type { Visit } from "./gate.ts";

/** Rows to read at a time; other requests run in between. */
export const csvRowsAtOnce = 200;

/** How the shop's spreadsheet writes decimals. Until somebody says so, as people write them in the desk's language. */
export const decimalMarkOf = (db: Db, { decimalMark }: Locale): PreferenceStore.DecimalMark =>
  PreferenceStore.spreadsheet(db)?.decimals ?? (decimalMark === "," ? "comma" : "point");

/** `rows` as the file `name`-`today`.csv, read while it is sent. */
export function csvFile(
  name: string,
  { frame }: Visit,
  { head, row }: Sheet,
  rows: AsyncGenerator<Record<string, Cell>>,
): Response {
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(encoder.encode(head)),
    async pull(controller) {
      // Without this, a fast reader would keep other requests waiting.
      await turn();
      let text = "";
      for (let count = 0; count < csvRowsAtOnce; count++) {
        const { done, value } = await rows.next();
        if (done) {
          if (text !== "") controller.enqueue(encoder.encode(text));
          return controller.close();
        }
        text += row(value);
      }
      controller.enqueue(encoder.encode(text));
    },
    async cancel() {
      await rows.return(undefined);
    },
  });
  return new Response(body, {
    headers: {
      "content-type": "text/csv; charset=utf-8",
      "content-disposition": `attachment; filename="${name}-${frame.when.today}.csv"`,
      "cache-control": "no-store",
    },
  });
}

/** A whole list as a file, with these columns. `after` reads the page after a row, or the first one for null. */
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
  return csvFile(name, visit, sheet(Object.keys(columns), mark), listed());
}
