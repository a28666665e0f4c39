import type * as Currency from "../../../domain/bill/currency.ts";
import * as Tax from "../../../domain/bill/tax.ts";
import type { Address } from "../../../domain/wallet/address.ts";
import { selectAll } from "../../columns.ts";
import { type Db, numberOf, textOf } from "../../database.ts";
import { beginning, type ListedTable, newestOf, type Page, type Place, page, pageOf } from "../../page.ts";
import { find } from "../../search.ts";
import * as LinkStore from "../../tables/invoicing/link.ts";
import * as ReusableStore from "../../tables/invoicing/reusable-link.ts";

/** The views of the list of links. A reusable link's payments are in none of them: its own page lists them. */
export const kinds = ["all", "open", "paid", "ended", "counter"] as const;
export type LinkFilter = (typeof kinds)[number];

export type ListedLink =
  | { kind: "once"; link: LinkStore.LinkHead }
  | { kind: "again"; link: ReusableStore.LinkWithTotals };

/** A link's place in the list, newest first: by time; at the same time reusable links come first. */
export type LinkPlace = Place<"once" | "reusable">;

export const placeOf = ({ kind, link: { createdAt: at, id } }: ListedLink): LinkPlace => ({
  at,
  kind: kind === "again" ? "reusable" : "once",
  id,
});

const alone = "reusable_id IS NULL AND at_counter = 0";
const unpaid = `${alone} AND status IN ('pending', 'partial', 'error')`;

/**
 * `condition` repeats its index's condition to the letter, or SQLite cannot use the index. It must be forced to: it
 * would rather read all links of a status by the index of statuses, and sort them.
 */
const once = (index: string, condition: string): ListedTable => ({
  kind: "once",
  rows: `link INDEXED BY ${index} WHERE ${condition}`,
});
const expiring = (expiry: string) =>
  once("link_alone_expiring", `${unpaid} AND expires_at IS NOT NULL AND expires_at ${expiry} $now`);
const reusable = (condition: string): ListedTable => ({
  kind: "reusable",
  rows: `reusable_link WHERE ${condition}`,
});

const tables: Readonly<Record<LinkFilter, readonly ListedTable[]>> = {
  all: [once("link_alone", alone), reusable("TRUE")],
  open: [
    once("link_alone_open", `${unpaid} AND expires_at IS NULL`),
    expiring(">"),
    reusable("voided_at IS NULL AND (expires_at IS NULL OR expires_at > $now)"),
  ],
  paid: [once("link_alone_paid", `${alone} AND status IN ('confirmed', 'excess')`)],
  ended: [
    once("link_alone_void", `${alone} AND status = 'void'`),
    expiring("<="),
    reusable("(voided_at IS NOT NULL OR expires_at <= $now)"),
  ],
  counter: [once("link_at_counter", "at_counter = 1")],
};

/** Counts the links of a kind, up to `max`; `now` is Unix milliseconds. */
export function count(db: Db, kind: LinkFilter, { now, max }: { now: number; max: number }): number {
  const counts = tables[kind].map(({ rows }) => countUpTo(db, byExpiry(rows), { now, max }));
  return Math.min(
    counts.reduce((all, each) => all + each),
    max,
  );
}

const countUpTo = (db: Db, rows: string, values: { now: number; max: number }) =>
  numberOf(db, `SELECT count(*) FROM (SELECT 1 FROM ${rows} LIMIT $max)`, values) ?? 0;

const byExpiry = (rows: string) => rows.replace("link_alone_expiring", "link_alone_by_expiry");

/** Read and sort fewer than this; more turn up soon enough on the way through all. */
const fewMax = 1_000;

/**
 * Usually most links with an expiry have expired, or most have not. Read a few by expiry and sort them; many turn up
 * quickly on the way through all.
 */
function fewAtOnce(db: Db, table: ListedTable, now: number): ListedTable {
  const rows = byExpiry(table.rows);
  const isFew = rows !== table.rows && countUpTo(db, rows, { now, max: fewMax }) < fewMax;
  return isFew ? { ...table, rows } : table;
}

/** Newest first, those after `before`. */
export function list(
  db: Db,
  kind: LinkFilter,
  { now, before, limit }: { now: number; before: LinkPlace | null; limit: number },
): Page<ListedLink> {
  const places = db
    .query<{ kind: LinkPlace["kind"]; id: bigint }, Place & { now: number; limit: number }>(
      newestOf(tables[kind].map((table) => fewAtOnce(db, table, now))),
    )
    .all({ now, ...(before ?? beginning), limit: limit + 1 });
  const idsOf = (kind: LinkPlace["kind"]) =>
    places.filter((place) => place.kind === kind).map(({ id }) => Number(id));
  return pageOf(byIds(db, { once: idsOf("once"), reusable: idsOf("reusable") }), limit);
}

/** Newest first. */
function byIds(db: Db, ids: Record<LinkPlace["kind"], readonly number[]>): ListedLink[] {
  const of = (wanted: readonly number[]) => JSON.stringify(wanted);
  const some = "WHERE id IN (SELECT value FROM json_each(?))";
  return [
    ...selectAll(db, ReusableStore.withTotals, some, of(ids.reusable)).map((link) => ({
      kind: "again" as const,
      link,
    })),
    ...selectAll(db, LinkStore.head, some, of(ids.once)).map(asListed),
  ].sort(
    (a, b) =>
      b.link.createdAt - a.link.createdAt ||
      Number(b.kind === "again") - Number(a.kind === "again") ||
      b.link.id - a.link.id,
  );
}

const asListed = (link: LinkStore.LinkHead): ListedLink => ({ kind: "once", link });

/** The payments a reusable link's page lists: all but pending ones, newest first. */
export const paymentsOf = (
  db: Db,
  reusableId: number,
  { before, limit }: { before: number | null; limit: number },
): Page<LinkStore.LinkHead> =>
  page(db, {
    from: LinkStore.head,
    equal: { reusable_id: reusableId },
    where: ["status <> 'pending'"],
    order: ["id"],
    after: before,
    limit,
  });

/** Unconfirmed payments of a reusable link. */
export const paymentsOnTheirWay = (db: Db, reusableId: number): LinkStore.LinkHead[] =>
  selectAll(
    db,
    LinkStore.head,
    `WHERE reusable_id = ? AND status = 'pending'
       AND deposit_index IN (SELECT deposit_index FROM transfer WHERE confirmed = 0)
     ORDER BY id DESC LIMIT 20`,
    reusableId,
  );

/** The links that match a query of `matchOf`, newest first. */
export async function byWords(db: Db, match: string, limit: number): Promise<ListedLink[]> {
  const once = await find(db, "link", match, { limit });
  const reusable = await find(db, "reusable_link", match, { limit });
  return byIds(db, { once, reusable }).slice(0, limit);
}

/** The links paid by transactions whose hash begins like this, in lower-case hex. */
export const byTransaction = (db: Db, beginning: string, limit: number): ListedLink[] =>
  selectAll(
    db,
    LinkStore.head,
    `WHERE deposit_index IN (
       SELECT deposit_index FROM transfer WHERE tx_hash >= ? AND tx_hash < ? LIMIT ?)
     ORDER BY id DESC`,
    beginning,
    `${beginning}g`,
    limit,
  ).map(asListed);

export const byReceipt = (db: Db, number: string): ListedLink[] =>
  selectAll(
    db,
    LinkStore.head,
    "WHERE deposit_index IN (SELECT deposit_index FROM receipt WHERE number = ?)",
    number,
  ).map(asListed);

export const byAddress = (db: Db, address: Address): ListedLink[] =>
  selectAll(db, LinkStore.head, "WHERE address = ?", address).map(asListed);

/** The currency of the newest link made at the counter, or made in any other way; null for USDC, and without a link. */
export function newestCurrency(db: Db, where: "counter" | "desk"): Currency.Code | null {
  const newest = (rows: string, currency: string) => `SELECT * FROM (
    SELECT created_at, ${currency} ->> '$.code' AS code FROM ${rows} ORDER BY created_at DESC, id DESC LIMIT 1)`;
  const ofLink = "(SELECT currency FROM receivable WHERE receivable.deposit_index = link.deposit_index)";
  const rows =
    where === "counter"
      ? newest("link WHERE at_counter = 1", ofLink)
      : `${newest(`link WHERE ${alone}`, ofLink)} UNION ALL ${newest("reusable_link", "currency")}`;
  return textOf(db, `SELECT code FROM (${rows}) ORDER BY created_at DESC LIMIT 1`);
}

/** The tax rate of the newest sale at the counter, in percent; empty if it had none. */
export function newestTaxRate(db: Db, decimalMark: string): string {
  const sql = `SELECT bill ->> '$.lines[0].tax.rate' FROM link WHERE at_counter = 1
    ORDER BY created_at DESC, id DESC LIMIT 1`;
  const rate = numberOf(db, sql);
  return rate === null ? "" : Tax.plainShare(rate).replace(".", decimalMark);
}

export function bySlug(db: Db, slug: string): ListedLink[] {
  const link = LinkStore.bySlug(db, slug);
  if (link) return [{ kind: "once", link }];
  const reusable = ReusableStore.bySlugWithTotals(db, slug);
  return reusable ? [{ kind: "again", link: reusable }] : [];
}
