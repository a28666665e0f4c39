import type { Tax } from "../../../domain/bill/tax.ts";
import type { LanguageCode } from "../../../domain/language.ts";
import type { Collect } from "../../../domain/link/bill.ts";
import type { Price, ReusableLink } from "../../../domain/link/reusable-link.ts";
import * as Email from "../../../domain/party/email.ts";
import type { Metadata, WalletType, WebhookForm } from "../../../domain/receivable/common.ts";
import type { Billed } from "../../../domain/usdc.ts";
import type { Address } from "../../../domain/wallet/address.ts";
import {
  billed,
  columns,
  integer,
  join,
  json,
  orNull,
  type Row,
  type Selectable,
  selectOne,
  text,
  under,
  usdc,
} from "../../columns.ts";
import { type Db, numberOf, textOf } from "../../database.ts";
import { type Page, page } from "../../page.ts";
import { indexInTurn } from "../../search.ts";
import * as RelayStore from "../settle/relay.ts";

/** With the columns that only the database uses, such as its webhook's sealed secret. */
const stored = columns("reusable_link", {
  id: integer(),
  slug: text(),
  merchantEmail: text(),
  businessName: text(),
  productDescription: orNull(text()),
  amount: orNull(billed()),
  amountMin: orNull(billed()),
  amountMax: orNull(billed()),
  currency: orNull(json<NonNullable<ReusableLink["currency"]>>()),
  tax: orNull(json<Tax>()),
  collect: orNull(json<Collect>()),
  quantityMax: integer(),
  walletType: text<WalletType>(),
  wallet: orNull(text<Address>("wallet_address")),
  successUrl: orNull(text()),
  embedOrigins: json<string[]>(),
  reference: orNull(text()),
  metadata: orNull(json<Metadata>()),
  language: orNull(text<LanguageCode>()),
  webhookUrl: orNull(text()),
  webhookEvents: text<WebhookForm>(),
  createdAt: integer(),
  expiresAt: orNull(integer()),
  voidedAt: orNull(integer()),
  voidReason: orNull(text()),
  sealedSecret: orNull(text("webhook_secret")),
  /** The normal form of `merchantEmail`. */
  merchant: text(),
});

const own = stored.omit("sealedSecret", "merchant");

/** Number of payments begun and paid, and the amount received. */
const totals = columns("reusable_link", {
  begun: integer("payments_begun"),
  paid: integer("payments_paid"),
  received: usdc("received_amount"),
});

const priced: Selectable<ReusableLink> = {
  ...own,
  fromRow(row) {
    const { amount, amountMin, amountMax, quantityMax, ...rest } = own.fromRow(row as Row<never>);
    return { ...rest, price: priceOf(amount, amountMin, amountMax, quantityMax) };
  },
};

export const withTotals = { ...join(priced, under("totals", totals)), from: priced.from };
export type LinkWithTotals = ReturnType<typeof withTotals.fromRow>;

function priceOf(each: Billed | null, min: Billed | null, max: Billed | null, quantityMax: number): Price {
  if (each !== null) return { kind: "fixed", each, quantityMax };
  if (min === null || max === null) throw new Error("A reusable link has neither a price nor bounds of it");
  return { kind: "chosen", min, max };
}

/** Stores a reusable link and returns its id. */
export function insert(db: Db, link: Omit<ReusableLink, "id">, sealedSecret: string | null): number {
  const isNew = stored.omit("id");
  const { price, ...rest } = link;
  const isFixed = price.kind === "fixed";
  const prices = {
    amount: isFixed ? price.each : null,
    amountMin: isFixed ? null : price.min,
    amountMax: isFixed ? null : price.max,
    quantityMax: isFixed ? price.quantityMax : 1,
  };
  const merchant = Email.normalize(link.merchantEmail);
  const { lastInsertRowid } = db
    .query(isNew.insert())
    .run(isNew.values({ ...rest, ...prices, merchant, sealedSecret }));
  const id = Number(lastInsertRowid);
  indexInTurn(db, id, ["reusable_link"]);
  return id;
}

export const bySlug = (db: Db, slug: string): ReusableLink | null =>
  selectOne(db, priced, "WHERE slug = ?", slug);

type ReusableFilter = {
  limit: number;
  before?: number | undefined;
  slug?: string | undefined;
  merchant?: string | null;
};

/** Newest first. */
export const list = (db: Db, { limit, before, ...equal }: ReusableFilter): Page<LinkWithTotals> =>
  page(db, { from: withTotals, equal, order: ["id"], after: before, limit });

/** With the totals of its payments; null if there is none. */
export function bySlugWithTotals(db: Db, slug: string): LinkWithTotals | null {
  return list(db, { limit: 1, slug }).rows[0] ?? null;
}

/** Voids it, unless it is already void. */
export function setVoided(db: Db, slug: string, closed: { voidedAt: number; voidReason: string }): void {
  db.query(
    `UPDATE reusable_link SET voided_at = $voidedAt, void_reason = $voidReason
     WHERE slug = $slug AND voided_at IS NULL`,
  ).run({ slug, ...closed });
}

/** Sealed; null without a webhook. */
export function sealedSecret(db: Db, id: number): string | null {
  return textOf(db, "SELECT webhook_secret FROM reusable_link WHERE id = ?", id);
}

const unpaid =
  "FROM link WHERE reusable_id = ? AND status = 'pending' AND expires_at IS NULL AND created_at >= ?";

/** Number of its payments begun since a time (Unix ms) that are unpaid and open, counted up to `countMax`. */
export function unpaidSince(db: Db, id: number, sinceMs: number, countMax: number): number {
  return numberOf(db, `SELECT count(*) FROM (SELECT 1 ${unpaid} LIMIT ?)`, id, sinceMs, countMax) ?? 0;
}

/**
 * Makes the oldest of them expire, unless money is on its way to it. Its address is still watched, and payments to it
 * count. Nobody is told, as no order depends on it.
 */
export function expireOldest(db: Db, id: number, sinceMs: number, at: number): void {
  db.query(
    `UPDATE link SET expires_at = ?, expiry_told = 1 WHERE id = (SELECT id ${unpaid}
       AND (SELECT pending_amount FROM receivable WHERE receivable.deposit_index = link.deposit_index) = 0
       AND NOT EXISTS (SELECT 1 FROM relay WHERE relay.deposit_index = link.deposit_index AND ${RelayStore.unresolved})
       AND NOT EXISTS (SELECT 1 FROM crossing
         WHERE crossing.deposit_index = link.deposit_index AND state = 'attested')
     ORDER BY created_at LIMIT 1)`,
  ).run(at, id, sinceMs);
}
