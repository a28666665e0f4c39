import { byteOrderMark, cell, line } from "../../lib/text/csv.ts";

/** Rows to read at a time; other requests run in between. */
export const csvRowsAtOnce = 200;

export type CsvColumns<T> = Readonly<Record<string, (row: T) => string | number | boolean | null>>;

type Rows<T> = { rows: readonly T[]; hasMore: boolean };

/**
 * A whole list as the file `name`-`day`.csv, read while it is sent. `after` returns the rows after the last one it
 * gave, or the first ones for null.
 */
export function csvAnswer<T>({
  name,
  day,
  columns,
  after,
}: {
  name: string;
  /** `YYYY-MM-DD` */
  day: string;
  columns: CsvColumns<T>;
  after: (last: T | null) => Rows<T> | Promise<Rows<T>>;
}): Response {
  const encoder = new TextEncoder();
  let last: T | null = null;
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(encoder.encode(byteOrderMark + line(Object.keys(columns)))),
    async pull(controller) {
      // Without this, a fast reader would keep other requests waiting.
      await new Promise(setImmediate);
      const { rows, hasMore } = await after(last);
      last = rows.at(-1) ?? null;
      const lines = rows.map((row) => line(Object.values(columns).map((of) => cell(of(row)))));
      if (lines.length > 0) controller.enqueue(encoder.encode(lines.join("")));
      if (!hasMore) controller.close();
    },
  });
  return new Response(body, {
    headers: {
      "content-type": "text/csv; charset=utf-8",
      "content-disposition": `attachment; filename="${name}-${day}.csv"`,
      "cache-control": "no-store",
    },
  });
}
