import type { Cell } from "../../books/columns.ts";
import { type Selection, type Sheet, sheetOf, type Table } from "../../books/table.ts";
import * as Calendar from "../../domain/calendar.ts";
import { turn } from "../../lib/loop.ts";
import { openReadOnly } from "../../store/database.ts";
import * as PreferenceStore from "../../store/tables/desk/preference.ts";
import type { HttpDeps } from "../route/deps.ts";

/** Rows to read at a time; other requests run in between. */
export const csvRowsAtOnce = 200;

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

/** Sends `rows` as the file `name`-`today`.csv, read while it is sent. */
export function csvFile(
  name: string,
  today: string,
  { head, row, encode = utf8, type = "text/csv; charset=utf-8" }: Sheet,
  rows: AsyncGenerator<Record<string, Cell>>,
): Response {
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(encode(head)),
    async pull(controller) {
      // Otherwise a fast reader would keep other requests waiting.
      await turn();
      let text = "";
      for (let count = 0; count < csvRowsAtOnce; count++) {
        const { done, value } = await rows.next();
        if (done) {
          if (text !== "") controller.enqueue(encode(text));
          return controller.close();
        }
        text += row(value);
      }
      controller.enqueue(encode(text));
    },
    async cancel() {
      await rows.return(undefined);
    },
  });
  return new Response(body, {
    headers: {
      "content-type": type,
      "content-disposition": `attachment; filename="${name}-${today}.csv"`,
      "cache-control": "no-store",
    },
  });
}

type FileDeps = Pick<HttpDeps, "db" | "config" | "baseUrl" | "now">;

/** The input of a table for bookkeepers at the desk, with block times from these nodes. */
export const selectionOf = (
  { db, config, baseUrl }: FileDeps,
  days: Selection["days"],
  rpcUrls: readonly string[],
  onGap: Selection["onGap"] = () => {},
): Selection => ({
  db,
  days,
  rpcUrls,
  baseUrl,
  onGap,
  chainId: config.network.chainId,
  timeZone: config.timeZone,
  valueCurrency: config.bookkeepingCurrency,
  taxPeriod: config.taxPeriod,
  codes: PreferenceStore.xeroCodes(db),
  datev: PreferenceStore.datevCodes(db),
});

/** Returns a table for bookkeepers as a file, or the names of the merchant's codes that it lacks. */
export function tableFile(
  deps: FileDeps,
  table: Table,
  days: Selection["days"],
  decimals: PreferenceStore.DecimalMark,
  /** Part of the file's name; today's date if empty. */
  label = "",
): Response | string[] {
  const { config, now } = deps;
  const selection = selectionOf(deps, days, config.rpcUrls);
  const missing = table.missing?.(selection) ?? [];
  if (missing.length > 0) return missing;
  const form = sheetOf(table, selection, decimals);
  const today = Calendar.dayAt(now(), config.timeZone);
  return csvFile(table.file ?? table.name, label || today, form, rowsOf(table, selection, config.dataDir));
}

/** Reads on a separate connection: one with an unfinished read cannot write once another connection has written. */
export async function* rowsOf(table: Table, selection: Selection, dataDir: string) {
  using db = openReadOnly(dataDir);
  yield* table.rows({ ...selection, db });
}
