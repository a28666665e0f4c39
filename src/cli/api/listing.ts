import { listLimitDefault, listLimitMax } from "../../http/fields/list-limit.ts";
import { printable } from "../../lib/text/text.ts";
import { UsageError } from "../command.ts";
import { say } from "../terminal/output.ts";
import { openOutput } from "../terminal/output-file.ts";
import { type Columns, createList } from "../terminal/table.ts";
import type { Client } from "./client.ts";

/** The API's lists, on a terminal and for programs. */

type Page<T> = { data: T[]; has_more: boolean };

export const listFlags = {
  limit: { value: "COUNT", text: `at most this many (default ${listLimitDefault}), the newest first` },
  all: { text: "all of them" },
  json: { text: "the API's answer: data, has_more" },
} as const;

export function limitOf({ limit, all }: { limit?: string | undefined; all: boolean }): number {
  if (all && limit !== undefined)
    throw new UsageError("--all has no limit: leave out one of --all and --limit.");
  if (all) return Number.POSITIVE_INFINITY;
  if (limit === undefined) return listLimitDefault;
  if (!/^[1-9]\d{0,8}$/.test(limit))
    throw new UsageError("--limit must be a whole number, 1 or more; --all shows all of them.");
  return Number(limit);
}

/** Reads pages until there are `limit` records. */
async function* eachPage<T>(
  client: Client,
  path: string,
  query: URLSearchParams,
  limit: number,
  cursor: (last: T) => string,
): AsyncGenerator<Page<T>> {
  for (let left = limit; ; ) {
    query.set("limit", String(Math.min(left, listLimitMax)));
    const page = await client.get<Page<T>>(`${path}?${query}`);
    yield page;
    left -= page.data.length;
    const last = page.data.at(-1);
    if (!page.has_more || !last || left <= 0) return;
    query.set("starting_after", cursor(last));
  }
}

/** Prints one object for all pages, as they arrive. */
async function sayPages(pages: AsyncIterable<Page<object>>): Promise<void> {
  const output = openOutput(null, false);
  let written = 0;
  let hasMore = false;
  for await (const { data, has_more } of pages) {
    const records = data.map((record) => printable(JSON.stringify(record)));
    const before = written === 0 ? '{"data":[' : ",";
    await output.write(before + records.join(","));
    written += records.length;
    hasMore = has_more;
  }
  await output.write(`],"has_more":${hasMore}}\n`);
}

/** Prints records in one table as they arrive. */
async function showPages<T>(pages: AsyncIterable<Page<T>>, none: string, columns: Columns<T>): Promise<void> {
  const table = createList(columns);
  let hasMore = false;
  for await (const { data, has_more } of pages) {
    // Only the first page can be empty.
    if (data.length > 0) table(data);
    else say(none);
    hasMore = has_more;
  }
  if (hasMore) say("There are more: --limit COUNT shows that many, --all shows all of them.");
}

/**
 * Lists the records at this path. `cursor` returns the cursor of a page's last record; `none` is printed if there is
 * nothing, or, unless everything was asked for (`isAll`), nothing that matches.
 */
export const listing =
  <T extends object>(
    path: string,
    none: (isAll: boolean) => string,
    cursor: (last: T) => string,
    columns: Columns<T>,
  ) =>
  async (client: Client, query: URLSearchParams, limit: number, json: boolean) => {
    const isAll = query.size === 0;
    const pages = eachPage<T>(client, path, query, limit, cursor);
    await (json ? sayPages(pages) : showPages(pages, none(isAll), columns));
  };
