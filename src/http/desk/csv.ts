import { byteOrderMark, cell, line } from "../../lib/text/csv.ts";

/** Rows read at a time; other requests are answered in between. */
export const csvRowsAtOnce = 200;

export type CsvColumns<T> = Readonly<Record<string, (row: T) => string | number | boolean | null>>;

type Rows<T> = { rows: readonly T[]; hasMore: boolean };

/**
 * A whole list as a file called `name`-`day`.csv, read as it is sent. `after` gives the next rows: from the beginning
 * with null, else those after the last that it gave.
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
      // As long as somebody reads, one piece would follow the other at once.
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
