import type * as Currency from "../../../domain/bill/currency.ts";
import type { Closure, Metadata, WalletType, WebhookForm } from "../../../domain/bill/invoice.ts";
import type { LanguageCode } from "../../../domain/language.ts";
import type { Bill, Collect, PayerDetails } from "../../../domain/link/bill.ts";
import type { Link, Status } from "../../../domain/link/link.ts";
import * as Email from "../../../domain/party/email.ts";
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
  under,
  withAmounts,
} from "../../columns.ts";
import { type Db, textOf } from "../../database.ts";
import { type Page, page } from "../../page.ts";
import { indexInTurn } from "../../search.ts";
import * as DepositStore from "./deposit.ts";
import { closedColumns } from "./invoice.ts";

/** Including what only the database knows about a link: its deposit and the sealed secret of its webhook. */
const stored = columns("link", {
  id: integer(),
  slug: text(),
  merchantEmail: text(),
  businessName: text(),
  productDescription: orNull(text()),
  status: text<Status>(),
  walletType: text<WalletType>(),
  successUrl: orNull(text()),
  reference: orNull(text()),
  metadata: orNull(json<Metadata>()),
  language: orNull(text<LanguageCode>()),
  webhookUrl: orNull(text()),
  webhookEvents: text<WebhookForm>(),
  payerEmail: orNull(text()),
  currency: orNull(withAmounts<Currency.InvoiceCurrency>()),
  bill: orNull(withAmounts<Bill>()),
  collect: orNull(json<Collect>()),
  payerDetails: orNull(json<PayerDetails>()),
  createdAt: integer(),
  expiresAt: orNull(integer()),
  reusableId: orNull(integer()),
  quantity: integer(),
  ...closedColumns,
  depositIndex: integer(),
  sealedSecret: orNull(text("webhook_secret")),
  /** The normal form of `merchantEmail`. */
  merchant: text(),
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

const own = join(stored.omit("depositIndex", "sealedSecret", "merchant"), elsewhere);

/** A link without the sites that may frame it, which have their own table. */
export type LinkHead = Omit<Link, "embedOrigins">;

export const head = {
  ...join(own, under("deposit", DepositStore.columns)),
  from: "link JOIN deposit USING (deposit_index)",
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

/** Where a link is from: made for somebody at the counter, or by the plugin of a store. */
export type Origin = { atCounter?: boolean; store?: OfStore | null };

/** Stores a link and returns its id. */
export function insert(
  db: Db,
  link: Omit<Link, "id">,
  sealedSecret: string | null,
  { atCounter = false, store = null }: Origin = {},
): number {
  const isNew = stored.omit("id");
  const merchant = Email.normalize(link.merchantEmail);
  const ofStore = { store_id: "$storeId", store_metadata: "$storeMetadata" };
  const { lastInsertRowid } = db.query(isNew.insert({ at_counter: atCounter ? "1" : "0", ...ofStore })).run({
    ...isNew.values({ ...link, merchant, depositIndex: link.deposit.index, sealedSecret }),
    ...{ storeId: store?.storeId ?? null, storeMetadata: store?.metadata ?? null },
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

/** Whether a deposit is a sale at the counter. */
export const isAtCounter = (db: Db, depositIndex: number): boolean =>
  db.query("SELECT 1 FROM link WHERE deposit_index = ? AND at_counter = 1").get(depositIndex) !== null;

/** Null for a link that no store's plugin made. */
export function ofStore(db: Db, id: number): OfStore | null {
  return db
    .query<OfStore, [number]>(
      "SELECT store_id AS storeId, store_metadata AS metadata FROM link WHERE id = ? AND store_id IS NOT NULL",
    )
    .get(id);
}

/** Those of a store, the newest first: with one of these references, or all when there is none. */
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

/** By their index: else SQLite reads all links of a store to find a few in order. */
const withReference = (count: number) =>
  `SELECT id FROM link INDEXED BY link_by_reference WHERE reference IN (${Array(count).fill("?").join(", ")})`;

/**
 * Links whose time was over at `now` and of whose expiry nobody was told, the longest expired first: those after a link,
 * at most `limit`.
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

/** Just what a poll needs. */
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
  return page(db, {
    from: whole(db),
    equal: { ...equal, reusable_id: reusableId },
    order: ["id"],
    after: before,
    limit,
  });
}

/** Sealed; null without a webhook. */
export function sealedSecret(db: Db, id: number): string | null {
  return textOf(db, "SELECT webhook_secret FROM link WHERE id = ?", id);
}

export function setStatus(db: Db, id: number, status: Status): void {
  db.query("UPDATE link SET status = ? WHERE id = ?").run(status, id);
}

/** Where to send the payer's receipt. */
export function setPayerEmail(db: Db, id: number, email: string): void {
  db.query("UPDATE link SET payer_email = ? WHERE id = ?").run(email, id);
}

export function setPayerDetails(db: Db, id: number, payerDetails: PayerDetails): void {
  db.query("UPDATE link SET payer_details = $payerDetails WHERE id = $id").run({
    ...stored.pick("payerDetails").values({ payerDetails }),
    id,
  });
}

/** Sets what it was quoted at. */
export function setPrice(db: Db, id: number, price: Pick<Link, "currency">): void {
  db.query("UPDATE link SET currency = $currency WHERE id = $id").run({
    ...stored.pick("currency").values(price),
    id,
  });
}

export function setClosed(db: Db, id: number, closed: Closure, status: Status): void {
  db.query(
    `UPDATE link SET voided_at = $voidedAt, void_reason = $voidReason, marked_paid_at = $markedPaidAt,
       status = $status WHERE id = $id`,
  ).run({ id, status, ...closed });
}
