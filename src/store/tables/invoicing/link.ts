import type { Bill, Collect, PayerDetails } from "../../../domain/link/bill.ts";
import type { Link, Status } from "../../../domain/link/link.ts";
import type { Address } from "../../../domain/wallet/address.ts";
import {
  columns,
  computed,
  integer,
  join,
  json,
  orNull,
  type Selectable,
  selectAll,
  selectOne,
  text,
  withAmounts,
} from "../../columns.ts";
import type { Db } from "../../database.ts";
import { type Page, page } from "../../page.ts";
import { indexInTurn } from "../../search.ts";
import * as DepositStore from "./deposit.ts";
import * as ReceivableStore from "./receivable.ts";

/** Columns not shared with invoices. */
const stored = columns("link", {
  id: integer(),
  slug: text(),
  businessName: text(),
  productDescription: orNull(text()),
  status: text<Status>(),
  successUrl: orNull(text()),
  payerEmail: orNull(text()),
  bill: orNull(withAmounts<Bill>()),
  collect: orNull(json<Collect>()),
  payerDetails: orNull(json<PayerDetails>()),
  createdAt: integer(),
  expiresAt: orNull(integer()),
  reusableId: orNull(integer()),
  quantity: integer(),
});

const elsewhere = columns("link", {
  receiptNumber: computed(
    "(SELECT number FROM receipt WHERE receipt.deposit_index = link.deposit_index)",
    orNull(text()),
  ),
  reusableSlug: computed(
    "(SELECT slug FROM reusable_link WHERE reusable_link.id = link.reusable_id)",
    orNull(text()),
  ),
});

/** A link without the sites that may frame it, which have their own table. */
export type LinkHead = Omit<Link, "embedOrigins">;

export const head = {
  ...join(join(stored, elsewhere), ReceivableStore.common),
  from: "link JOIN receivable USING (deposit_index)",
};

const whole = (db: Db): Selectable<Link> => ({
  ...head,
  fromRow: (row) => ({ ...head.fromRow(row), embedOrigins: embedOrigins(db, Number(row["id"])) }),
});

function embedOrigins(db: Db, linkId: number): string[] {
  return db
    .query<{ origin: string }, [number]>(
      "SELECT origin FROM link_embed_origin WHERE link_id = +? ORDER BY origin",
    )
    .all(linkId)
    .map((row) => row.origin);
}

/** The store whose plugin made a link, and the plugin's JSON about its order. */
export type OfStore = { storeId: string; metadata: string | null };

/** The origin of a link: the counter, or a store's plugin. */
export type Origin = { atCounter?: boolean; store?: OfStore | null };

/** Stores a link and returns its id. */
export function insert(
  db: Db,
  link: Omit<Link, "id">,
  sealedSecret: string | null,
  { atCounter = false, store = null }: Origin = {},
): number {
  const isNew = stored.omit("id");
  ReceivableStore.insert(db, "link", link, sealedSecret);
  const others = {
    deposit_index: "$depositIndex",
    at_counter: "$atCounter",
    store_id: "$storeId",
    store_metadata: "$storeMetadata",
  };
  const { lastInsertRowid } = db.query(isNew.insert(others)).run({
    ...isNew.values(link),
    depositIndex: link.deposit.index,
    atCounter: atCounter ? 1 : 0,
    storeId: store?.storeId ?? null,
    storeMetadata: store?.metadata ?? null,
  });
  for (const origin of link.embedOrigins) {
    db.query("INSERT INTO link_embed_origin (link_id, origin) VALUES (?, ?)").run(lastInsertRowid, origin);
  }
  const id = Number(lastInsertRowid);
  indexInTurn(db, id, ["link"]);
  return id;
}

export const bySlug = (db: Db, slug: string): Link | null =>
  selectOne(db, whole(db), "WHERE slug = +?", slug);

export const byDeposit = (db: Db, depositIndex: number): Link | null =>
  selectOne(db, whole(db), "WHERE deposit_index = +?", depositIndex);

/** Null for a link that no store's plugin made. */
export function ofStore(db: Db, depositIndex: number): OfStore | null {
  return db
    .query<OfStore, [number]>(
      "SELECT store_id AS storeId, store_metadata AS metadata FROM link WHERE deposit_index = ? AND store_id IS NOT NULL",
    )
    .get(depositIndex);
}

/** A store's links, newest first: those with one of these references, or all if none are given. */
export const listOfStore = (
  db: Db,
  storeId: string,
  references: readonly string[],
  { limit, skip }: { limit: number; skip: number },
): Link[] =>
  selectAll(
    db,
    whole(db),
    `WHERE store_id = ?${references.length === 0 ? "" : ` AND id IN (${withReference(references.length)})`}
     ORDER BY id DESC LIMIT ? OFFSET ?`,
    ...[storeId, ...references, limit, skip],
  );

/** Reads by the index of references: otherwise SQLite reads all links of a store to find a few in order. */
const withReference = (count: number) =>
  `SELECT link.id FROM receivable INDEXED BY receivable_by_reference JOIN link USING (deposit_index)
   WHERE kind = 'link' AND reference IN (${Array(count).fill("?").join(", ")})`;

/**
 * Links that had expired by `now` without anybody being told, longest expired first: those after a link, at most
 * `limit`.
 */
export const listExpiredUntold = (
  db: Db,
  { now, after, limit }: { now: number; after: { expiresAt: number; id: number }; limit: number },
): Link[] =>
  selectAll(
    db,
    whole(db),
    `WHERE expires_at IS NOT NULL AND expiry_told = 0 AND expires_at <= ? AND (expires_at, link.id) > (?, ?)
     ORDER BY expires_at, link.id LIMIT ?`,
    now,
    after.expiresAt,
    after.id,
    limit,
  );

export function setExpiryTold(db: Db, id: number): void {
  db.query("UPDATE link SET expiry_told = 1 WHERE id = ?").run(id);
}

const poll = { ...join(stored.pick("status"), DepositStore.compared), from: head.from };

export type LinkPoll = ReturnType<typeof poll.fromRow>;

/** Only what a poll needs. */
export const statusBySlug = (db: Db, slug: string): LinkPoll | null =>
  selectOne(db, poll, "WHERE slug = +?", slug);

/** Newest first. */
export function list(
  db: Db,
  filter: {
    limit: number;
    before?: number | undefined;
    status?: Status | undefined;
    slug?: string | undefined;
    reference?: string | undefined;
    reusableId?: number | undefined;
    merchant?: string | null;
    address?: Address | undefined;
  },
): Page<Link> {
  const { limit, before, reusableId, ...equal } = filter;
  // A reusable link's payments have their own index, and are fewer than their merchant's links.
  const narrowed = reusableId === undefined ? equal : {};
  const { kind, order, after } = ReceivableStore.listOrder(db, "link", "id", narrowed, before);
  return page(db, {
    from: whole(db),
    equal: { ...equal, reusable_id: reusableId, kind },
    order,
    after,
    limit,
  });
}

/** Sets the address for the payer's receipt. */
export function setPayerEmail(db: Db, id: number, email: string): void {
  db.query("UPDATE link SET payer_email = ? WHERE id = ?").run(email, id);
}

export function setPayerDetails(db: Db, id: number, payerDetails: PayerDetails): void {
  db.query("UPDATE link SET payer_details = $payerDetails WHERE id = $id").run({
    ...stored.pick("payerDetails").values({ payerDetails }),
    id,
  });
}
