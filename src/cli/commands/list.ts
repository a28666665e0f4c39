import * as Invoice from "../../domain/bill/invoice.ts";
import * as Link from "../../domain/link/link.ts";
import * as Usdc from "../../domain/usdc.ts";
import { listLimitDefault, listLimitMax } from "../../http/fields/list-limit.ts";
import { alternatives } from "../../lib/text/english.ts";
import { printable } from "../../lib/text/text.ts";
import { type Client, createClient } from "../api/client.ts";
import {
  type InvoiceRecord,
  issuedOf,
  type LinkRecord,
  type ReusableLinkRecord,
  standingOf,
} from "../api/target.ts";
import { command, UsageError } from "../command.ts";
import {
  amountText,
  createTable,
  say,
  statusCell,
  type TextCell,
  type TextColumn,
} from "../terminal/output.ts";
import { openOutput } from "../terminal/output-file.ts";
import { priceText } from "./show.ts";

type Page<T> = { data: T[]; has_more: boolean };

export const list = command({
  calls: ["[invoices|links|reusable] [FLAGS]"],
  words: [
    ["invoices", "the invoices (the default)"],
    ["links", "the payment links"],
    ["reusable", "the reusable links"],
  ],
  flags: {
    status: {
      value: "STATUS",
      text: `invoices: ${alternatives(Invoice.statuses)};\nlinks: ${alternatives(Link.statuses)}`,
    },
    reference: { value: "TEXT", text: "only those with this reference" },
    reusable: { value: "SLUG", text: "only payments of this reusable link" },
    overdue: { text: "only invoices past their due date" },
    limit: { value: "COUNT", text: `at most this many (default ${listLimitDefault}), the newest first` },
    all: { text: "all of them" },
    json: { text: "the API's answer: data, has_more" },
  },
  about: "BALANCE is what is left to pay; below zero, what you owe the customer.",
  examples: ["till list --overdue"],

  async run(values, [what = "invoices", ...more]) {
    if (more.length > 0 || (what !== "invoices" && what !== "links" && what !== "reusable"))
      throw new UsageError("say what to list: till list invoices, till list links or till list reusable.");
    if (what !== "invoices" && values.overdue)
      throw new UsageError("--overdue is for invoices; links have no due date.");
    if (what !== "links" && values.reusable !== undefined)
      throw new UsageError("--reusable is for links: till list links --reusable SLUG.");
    if (what === "reusable" && values.status !== undefined)
      throw new UsageError("--status is for invoices and links.");
    const query = new URLSearchParams();
    if (values.status !== undefined) query.set("status", values.status);
    if (values.reference !== undefined) query.set("reference", values.reference);
    if (values.reusable !== undefined) query.set("reusable_slug", values.reusable);
    if (values.overdue) query.set("overdue", "true");
    await listings[what](createClient(process.env), query, limitOf(values), values.json);
    return 0;
  },
});

function limitOf({ limit, all }: { limit?: string | undefined; all: boolean }): number {
  if (all && limit !== undefined)
    throw new UsageError("--all has no limit: leave out one of --all and --limit.");
  if (all) return Number.POSITIVE_INFINITY;
  if (limit === undefined) return listLimitDefault;
  if (!/^[1-9]\d{0,8}$/.test(limit))
    throw new UsageError("--limit must be a whole number, 1 or more; --all shows all of them.");
  return Number(limit);
}

/** Reads page after page until there are `limit` records. */
async function* eachPage<T>(
  client: Client,
  path: string,
  query: URLSearchParams,
  limit: number,
  cursor: keyof T,
): AsyncGenerator<Page<T>> {
  for (let left = limit; ; ) {
    query.set("limit", String(Math.min(left, listLimitMax)));
    const page = await client.get<Page<T>>(`${path}?${query}`);
    yield page;
    left -= page.data.length;
    const last = page.data.at(-1);
    if (!page.has_more || !last || left <= 0) return;
    query.set("starting_after", String(last[cursor]));
  }
}

/** Prints one object for all pages, as they come. */
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

/** The columns of a table, each with its heading. */
type Columns<T> = readonly [TextColumn, (record: T) => TextCell][];

/** Prints records in one table as they come. */
async function showPages<T>(
  pages: AsyncIterable<Page<T>>,
  what: string,
  isAny: boolean,
  columns: Columns<T>,
): Promise<void> {
  const table = createTable(columns.map(([heading]) => heading));
  let hasMore = false;
  for await (const { data, has_more } of pages) {
    // Only the first page can be empty.
    if (data.length > 0) table(data.map((record) => columns.map(([, cellOf]) => cellOf(record))));
    else say(isAny ? `There are no ${what} yet.` : `No ${what} match.`);
    hasMore = has_more;
  }
  if (hasMore) say("There are more: --limit COUNT shows that many, --all shows all of them.");
}

/** What is left to pay; below zero what is to be returned. */
function balanceText(record: InvoiceRecord): string {
  const { due = Usdc.zero, toReturn = Usdc.zero } = standingOf({ kind: "invoice", record }) ?? {};
  return toReturn > 0n ? `-${amountText(Usdc.formatExact(toReturn))}` : amountText(Usdc.formatExact(due));
}

/** Lists what is at this path; `cursor` names the last record of a page. */
const listing =
  <T extends object>(path: string, what: string, cursor: keyof T, columns: Columns<T>) =>
  async (client: Client, query: URLSearchParams, limit: number, json: boolean) => {
    const isAny = query.size === 0;
    const pages = eachPage<T>(client, path, query, limit, cursor);
    await (json ? sayPages(pages) : showPages(pages, what, isAny, columns));
  };

const listings = {
  invoices: listing<InvoiceRecord>("/api/invoices", "invoices", "id", [
    ["NUMBER", (invoice) => invoice.invoice_number],
    ["STATUS", (invoice) => statusCell(invoice.status)],
    [{ right: "AMOUNT" }, (record) => amountText(issuedOf({ kind: "invoice", record }))],
    [{ right: "RECEIVED" }, (invoice) => amountText(invoice.received_amount)],
    [{ right: "BALANCE" }, balanceText],
    ["DUE", ({ due_date, overdue }) => (overdue ? { text: `${due_date} overdue`, color: "red" } : due_date)],
    [{ cut: "CUSTOMER" }, (invoice) => invoice.vendor_name],
  ]),
  links: listing<LinkRecord>("/api/links", "links", "slug", [
    ["SLUG", (link) => link.slug],
    ["STATUS", (link) => statusCell(link.status)],
    [{ right: "EXPECTED" }, (link) => amountText(link.expected_amount)],
    [{ right: "RECEIVED" }, (link) => amountText(link.received_amount)],
    ["MADE", (link) => link.created_at.slice(0, 10)],
    [{ cut: "BUSINESS" }, (link) => link.business_name],
  ]),
  reusable: listing<ReusableLinkRecord>("/api/reusable-links", "reusable links", "slug", [
    ["SLUG", (link) => link.slug],
    ["STATUS", (link) => statusCell(link.status)],
    [{ right: "PRICE" }, (link) => priceText(link).replace(/ USDC$/, "")],
    [{ right: "PAID" }, (link) => String(link.payments_paid)],
    [{ right: "RECEIVED" }, (link) => amountText(link.received_amount)],
    ["MADE", (link) => link.created_at.slice(0, 10)],
    [{ cut: "BUSINESS" }, (link) => link.business_name],
  ]),
};
