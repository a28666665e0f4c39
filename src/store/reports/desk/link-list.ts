import type { Address } from "../../../domain/wallet/address.ts";
import { type Db, numberOf } from "../../database.ts";
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
export type LinkCursor = { at: number; isAgain: boolean; id: number };

export const placeOf = ({ kind, link: { createdAt, id } }: ListedLink): LinkCursor => ({
  at: createdAt,
  isAgain: kind === "again",
  id,
});

type Values = Record<string, number>;

// Each condition repeats its index's to the letter, or SQLite does not use the index.
const alone = "reusable_id IS NULL AND at_counter = 0";
const unpaid = `${alone} AND status IN ('pending', 'partial', 'error')`;
const open = `${unpaid} AND expires_at IS NULL`;
const paid = `${alone} AND status IN ('confirmed', 'excess')`;
const isVoid = `${alone} AND status = 'void'`;
const expiring = `${unpaid} AND expires_at IS NOT NULL`;
const reusableOpen = "voided_at IS NULL AND (expires_at IS NULL OR expires_at > $now)";
const reusableEnded = "(voided_at IS NOT NULL OR expires_at <= $now)";

const sources = {
  all: { once: [alone], again: "TRUE" },
  open: { once: [open, `${expiring} AND expires_at > $now`], again: reusableOpen },
  paid: { once: [paid], again: null },
  ended: { once: [isVoid, `${expiring} AND expires_at <= $now`], again: reusableEnded },
  counter: { once: ["at_counter = 1"], again: null },
} as const satisfies Record<LinkFilter, { once: readonly string[]; again: string | null }>;

/** How many there are of a kind, counted up to `max`; `now` in Unix milliseconds. */
export function count(db: Db, kind: LinkFilter, { now, max }: { now: number; max: number }): number {
  const { once, again } = sources[kind];
  let counted = 0;
  for (const from of [
    ...once.map((condition) => `link WHERE ${condition}`),
    ...(again === null ? [] : [`reusable_link WHERE ${again}`]),
  ])
    counted += countUpTo(db, from, { now, max });
  return Math.min(counted, max);
}

function countUpTo(db: Db, from: string, { now, max }: { now: number; max: number }): number {
  const sql = `SELECT count(*) FROM (SELECT 1 FROM ${from} LIMIT $max)`;
  return numberOf(db, sql, { max, ...(from.includes("$now") ? { now } : {}) }) ?? 0;
}

type LinkPage = { links: ListedLink[]; hasMore: boolean };

/** Newest first, those after `before`. */
export function list(
  db: Db,
  kind: LinkFilter,
  { now, before, limit }: { now: number; before: LinkCursor | null; limit: number },
): LinkPage {
  const { once, again } = sources[kind];
  const rows: ListedLink[] = [];
  for (const condition of once)
    for (const row of page<LinkStore.LinkHeadRow>(
      db,
      LinkStore.select,
      "link",
      fewAtOnce(db, condition, now),
      {
        now,
        limit,
        before: before && { ...before, id: before.isAgain ? Number.MAX_SAFE_INTEGER : before.id },
      },
    ))
      rows.push({ kind: "once", link: LinkStore.headFromRow(row) });
  if (again !== null)
    for (const row of page<ReusableStore.TotalsRow>(db, ReusableStore.select, "reusable_link", again, {
      now,
      limit,
      before: before && { ...before, id: before.isAgain ? before.id : 0 },
    }))
      rows.push({ kind: "again", link: ReusableStore.withTotalsFromRow(row) });
  rows.sort((a, b) => compare(placeOf(a), placeOf(b)));
  return { links: rows.slice(0, limit), hasMore: rows.length > limit };
}

/** Read and sort fewer than this; more turn up soon enough on the way through all. */
const fewMax = 1_000;

/**
 * Of links with an expiry, usually most have expired or most have not. Read a few by expiry and sort them; many turn up
 * quickly on the way through all.
 */
function fewAtOnce(db: Db, condition: string, now: number): string {
  const isFew =
    condition.includes("$now") && countUpTo(db, `link WHERE ${condition}`, { now, max: fewMax }) < fewMax;
  return isFew ? `id IN (SELECT id FROM link INDEXED BY link_alone_by_expiry WHERE ${condition})` : condition;
}

function page<R>(
  db: Db,
  select: string,
  table: string,
  condition: string,
  { now, limit, before }: { now: number; limit: number; before: LinkCursor | null },
): R[] {
  // On the first page too: without a bound SQLite picks another index and sorts everything.
  const { at, id } = before ?? { at: Number.MAX_SAFE_INTEGER, id: 0 };
  return db
    .query<R, Values>(
      `${select} WHERE ${condition} AND (${table}.created_at, id) < ($at, $id)
       ORDER BY ${table}.created_at DESC, id DESC LIMIT $limit`,
    )
    .all({ limit: limit + 1, at, id, ...(condition.includes("$now") ? { now } : {}) });
}

const compare = (a: LinkCursor, b: LinkCursor) =>
  b.at - a.at || Number(b.isAgain) - Number(a.isAgain) || b.id - a.id;

/** The payments a reusable link's page lists: all but pending ones, newest first. */
export function paymentsOf(
  db: Db,
  reusableId: number,
  { before, limit }: { before: number | null; limit: number },
): { links: LinkStore.LinkHead[]; hasMore: boolean } {
  const rows = db
    .query<LinkStore.LinkHeadRow, Values>(
      `${LinkStore.select} WHERE reusable_id = $reusableId AND status <> 'pending' AND id < $before
       ORDER BY id DESC LIMIT $limit`,
    )
    .all({ reusableId, before: before ?? Number.MAX_SAFE_INTEGER, limit: limit + 1 })
    .map(LinkStore.headFromRow);
  return { links: rows.slice(0, limit), hasMore: rows.length > limit };
}

/** Unconfirmed payments of a reusable link. */
export function paymentsOnTheirWay(db: Db, reusableId: number): LinkStore.LinkHead[] {
  return db
    .query<LinkStore.LinkHeadRow, Values>(
      `${LinkStore.select} WHERE reusable_id = $reusableId AND status = 'pending'
         AND deposit_index IN (SELECT deposit_index FROM transfer WHERE confirmed = 0)
       ORDER BY id DESC LIMIT 20`,
    )
    .all({ reusableId })
    .map(LinkStore.headFromRow);
}

/** The links that match a query of `matchOf`, newest first. */
export async function byWords(db: Db, match: string, limit: number): Promise<ListedLink[]> {
  const read = <R>(select: string, ids: readonly number[]): R[] =>
    ids.length === 0 ? [] : db.query<R, []>(`${select} WHERE id IN (${ids.join(", ")})`).all();
  const once = await find(db, "link", match, { limit });
  const again = await find(db, "reusable_link", match, { limit });
  const links: ListedLink[] = [
    ...read<ReusableStore.TotalsRow>(ReusableStore.select, again).map((row) => ({
      kind: "again" as const,
      link: ReusableStore.withTotalsFromRow(row),
    })),
    ...read<LinkStore.LinkHeadRow>(LinkStore.select, once).map((row) => ({
      kind: "once" as const,
      link: LinkStore.headFromRow(row),
    })),
  ];
  return links.sort((a, b) => compare(placeOf(a), placeOf(b))).slice(0, limit);
}

/** The links paid by transactions whose hash begins like this, in lower-case hex. */
export function byTransaction(db: Db, beginning: string, limit: number): ListedLink[] {
  return db
    .query<LinkStore.LinkHeadRow, { from: string; to: string; limit: number }>(
      `${LinkStore.select} WHERE deposit_index IN (
         SELECT deposit_index FROM transfer WHERE tx_hash >= $from AND tx_hash < $to LIMIT $limit)
       ORDER BY id DESC`,
    )
    .all({ from: beginning, to: `${beginning}g`, limit })
    .map((row) => ({ kind: "once", link: LinkStore.headFromRow(row) }));
}

export function byAddress(db: Db, address: Address): ListedLink[] {
  return db
    .query<LinkStore.LinkHeadRow, [string]>(`${LinkStore.select} WHERE address = ?`)
    .all(address)
    .map((row) => ({ kind: "once", link: LinkStore.headFromRow(row) }));
}

export function bySlug(db: Db, slug: string): ListedLink[] {
  const link = LinkStore.bySlug(db, slug);
  if (link) return [{ kind: "once", link }];
  const reusable = ReusableStore.bySlugWithTotals(db, slug);
  return reusable ? [{ kind: "again", link: reusable }] : [];
}
