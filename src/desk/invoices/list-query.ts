import * as InvoiceNumber from "../../domain/bill/invoice-number.ts";
import * as Calendar from "../../domain/calendar.ts";
import * as Usdc from "../../domain/usdc.ts";
import * as Address from "../../domain/wallet/address.ts";
import type { HttpDeps } from "../../http/route/deps.ts";
import type { Locale } from "../../language/locale.ts";
import { isSlug } from "../../lib/crypto.ts";
import type { Db } from "../../store/database.ts";
import type { Page } from "../../store/page.ts";
import * as InvoiceList from "../../store/reports/desk/invoice-list.ts";
import { find, matchOf } from "../../store/search.ts";
import * as InvoiceStore from "../../store/tables/invoicing/invoice.ts";
import type { Visit } from "../parts/page/visit.ts";
import { queryIn, withQuery } from "../parts/place.ts";

/** The list's filters, in the order of its links. */
export const tabs = ["all", "open", "overdue", "paid", "drafts", "void"] as const;
export type ListTab = (typeof tabs)[number];

/** An invoice list's filters, from the page's address. Invalid ones are ignored. */
export type ListQuery = {
  kind: ListTab;
  query: string;
  from: string | null;
  to: string | null;
  /** The number of the previous page's last invoice. */
  before: string | null;
};

export function readListQuery(params: URLSearchParams): ListQuery {
  const day = (name: string) => {
    const value = params.get(name) ?? "";
    return Calendar.isDay(value) ? value : null;
  };
  return {
    kind: tabs.find((tab) => tab === params.get("kind")) ?? "all",
    query: queryIn(params),
    from: day("from"),
    to: day("to"),
    before: params.get("before"),
  };
}

/** Returns a list's path, without filters at their defaults. */
export function listHref({ kind, query, from, to, before }: ListQuery, path = "/desk/invoices"): string {
  return withQuery(path, { kind: kind === "all" ? null : kind, q: query, from, to, before });
}

/** The list's filters for the store, and a function that reads one page. */
type Listing = {
  filter: InvoiceList.Filter;
  page<T>(
    read: (db: Db, filter: InvoiceList.Filter, range: InvoiceList.Range) => Page<T>,
    range: InvoiceList.Range,
  ): Promise<Page<T>>;
};

export async function listingOf(
  deps: Pick<HttpDeps, "db" | "config">,
  { kind, query, from, to }: ListQuery,
  { frame }: Pick<Visit, "frame">,
): Promise<Listing> {
  const search = searchFor(deps, query, frame.locale);
  const filter: InvoiceList.Filter = {
    kind: kind === "drafts" ? "all" : kind,
    from,
    to,
    sequences: search && (await search({ limit: InvoiceList.foundMax + 1 })),
    customer: null,
    today: frame.when.today,
  };
  return {
    filter,
    async page(read, { before, limit }) {
      const isFurther = search !== null && before !== null && !InvoiceList.isNarrow(filter);
      const sequences = isFurther ? await search({ before, limit: limit + 1 }) : filter.sequences;
      return read(deps.db, { ...filter, sequences }, { before, limit });
    },
  };
}

/** Returns where a page begins; null for the first. */
export function beginningOf({ invoices }: Pick<HttpDeps, "invoices">, { before }: ListQuery): number | null {
  return before === null ? null : (invoices.find(before)?.sequence ?? null);
}

export const wholeAddress = /^0x[0-9a-f]{40}$/i;
/** Six digits of a hash are enough to search for a transaction. */
export const hashBeginning = /^0x[0-9a-f]{6,64}$/i;
const transactionsMax = 50;

/** Returns the sequences found, newest first: at most `limit`, all below `before`. */
type Search = (page: { before?: number | undefined; limit: number }) => Promise<readonly number[]>;

type SearchDeps = Pick<HttpDeps, "db" | "config">;
type Reader = Pick<Locale, "decimalMark">;

/** Returns the slug in a typed link; it may not exist. */
export function slugIn(typed: string): string | null {
  const slug = typed.split("/").at(-1)?.split(/[?#]/)[0] ?? "";
  return isSlug(slug) ? slug : null;
}

/** Returns the search for the typed text: a link, an address, a transaction, or words; null if it is empty. */
function searchFor({ db, config }: SearchDeps, typed: string, locale: Reader): Search | null {
  const text = typed.trim();
  if (text === "") return null;
  if (wholeAddress.test(text)) {
    const sequence = InvoiceList.byAddress(db, Address.checksum(text.toLowerCase()));
    return resultOf(sequence === null ? [] : [sequence]);
  }
  if (hashBeginning.test(text))
    return resultOf(InvoiceList.byTransaction(db, text.toLowerCase(), transactionsMax));
  const slug = slugIn(text);
  const invoice = slug === null ? null : InvoiceStore.bySlug(db, slug);
  return invoice === null
    ? searchWords(db, { searched: "invoice", pattern: config.invoiceNumber }, text, locale)
    : resultOf([invoice.sequence]);
}

const resultOf = (sequences: readonly number[]) => async () => sequences;

/** The same for words, a number or an amount only. */
export function searchWords(
  db: Db,
  { searched, pattern }: { searched: "invoice" | "credit_note"; pattern: InvoiceNumber.Pattern },
  text: string,
  locale: Reader,
): Search {
  const number = InvoiceNumber.complete(pattern, text);
  const match = matchOf(text, [...amountsOf(text, locale), ...(number === null ? [] : [number])]);
  return match === null ? resultOf([]) : (page) => find(db, searched, match, page);
}

/**
 * Converts an amount to the index's form, however pages show it: with its currency, grouped thousands, or a language's
 * digits.
 */
function amountsOf(text: string, { decimalMark }: Reader): string[] {
  const bare = text.replace(/[a-z]{3,4}$/i, "").trimEnd();
  const grouped = decimalMark === "," ? /[.\s'’]/g : /[,\s'’]/g;
  const amount =
    Usdc.parseTyped(bare, decimalMark) ?? Usdc.parseTyped(bare.replace(grouped, ""), decimalMark);
  return amount === null
    ? []
    : [/[.,\u066b]\d*$/.test(bare) ? Usdc.format(amount) : Usdc.format(amount).slice(0, -3)];
}
