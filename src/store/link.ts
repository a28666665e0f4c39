import type { Address } from "../domain/address.ts";
import type { WalletType } from "../domain/invoice.ts";
import type { Link, Status } from "../domain/link.ts";
import * as Usdc from "../domain/usdc.ts";
import type { Db } from "./database.ts";
import * as DepositStore from "./deposit.ts";
import { where } from "./where.ts";

type LinkRow = DepositStore.DepositRow & {
  id: bigint;
  slug: string;
  merchant_email: string;
  business_name: string;
  product_description: string | null;
  status: Status;
  wallet_type: WalletType;
  success_url: string | null;
  webhook_url: string | null;
  created_at: bigint;
};

const select = `SELECT id, slug, merchant_email, business_name, product_description, status, wallet_type, success_url,
    webhook_url, link.created_at, ${DepositStore.columns}
  FROM link JOIN deposit USING (deposit_index)`;

function fromRow(db: Db, row: LinkRow): Link {
  return {
    id: Number(row.id),
    slug: row.slug,
    merchantEmail: row.merchant_email,
    businessName: row.business_name,
    productDescription: row.product_description,
    status: row.status,
    walletType: row.wallet_type,
    successUrl: row.success_url,
    embedOrigins: embedOrigins(db, row.id),
    webhookUrl: row.webhook_url,
    deposit: DepositStore.fromRow(row),
    createdAt: Number(row.created_at),
  };
}

function embedOrigins(db: Db, linkId: bigint): string[] {
  return db
    .query<{ origin: string }, [bigint]>(
      "SELECT origin FROM link_embed_origin WHERE link_id = +? ORDER BY origin",
    )
    .all(linkId)
    .map((row) => row.origin);
}

/** Stores a link; its id is given by the database and returned. */
export function insert(db: Db, link: Omit<Link, "id">, sealedSecret: string | null): number {
  const { lastInsertRowid } = db
    .query(
      `INSERT INTO link (slug, deposit_index, merchant_email, business_name, product_description, status,
         wallet_type, success_url, webhook_url, webhook_secret, created_at)
       VALUES ($slug, $depositIndex, $merchantEmail, $businessName, $productDescription, $status, $walletType,
         $successUrl, $webhookUrl, $webhookSecret, $createdAt)`,
    )
    .run({
      slug: link.slug,
      depositIndex: link.deposit.index,
      merchantEmail: link.merchantEmail,
      businessName: link.businessName,
      productDescription: link.productDescription,
      status: link.status,
      walletType: link.walletType,
      successUrl: link.successUrl,
      webhookUrl: link.webhookUrl,
      webhookSecret: sealedSecret,
      createdAt: link.createdAt,
    });
  for (const origin of link.embedOrigins) {
    db.query("INSERT INTO link_embed_origin (link_id, origin) VALUES (?, ?)").run(lastInsertRowid, origin);
  }
  return Number(lastInsertRowid);
}

export function bySlug(db: Db, slug: string): Link | null {
  const row = db.query<LinkRow, [string]>(`${select} WHERE slug = +?`).get(slug);
  return row && fromRow(db, row);
}

export function byDeposit(db: Db, depositIndex: number): Link | null {
  const row = db.query<LinkRow, [number]>(`${select} WHERE deposit_index = +?`).get(depositIndex);
  return row && fromRow(db, row);
}

export type PaymentStatus = { status: Status; received: Usdc.Usdc; expected: Usdc.Usdc };

/** What a poll needs, without the rest of the record. */
export function statusBySlug(db: Db, slug: string): PaymentStatus | null {
  const row = db
    .query<{ status: Status; received_amount: bigint; expected_amount: bigint }, [string]>(
      `SELECT status, received_amount, expected_amount FROM link JOIN deposit USING (deposit_index)
       WHERE slug = +?`,
    )
    .get(slug);
  if (!row) return null;
  const { status, received_amount, expected_amount } = row;
  return { status, received: Usdc.fromMicro(received_amount), expected: Usdc.fromMicro(expected_amount) };
}

/** Newest first. Asks for one more than `limit` rows, to tell whether there are more. */
export function list(
  db: Db,
  filter: { limit: number; before?: number; status?: Status; slug?: string; address?: Address },
): { links: Link[]; hasMore: boolean } {
  const { limit, ...given } = filter;
  const conditions = {
    before: "id < $before",
    status: "status = $status",
    slug: "slug = $slug",
    address: "address = $address",
  };
  const { sql, values } = where(conditions, given);
  const rows = db
    .query<LinkRow, Record<string, string | number>>(`${select} WHERE ${sql} ORDER BY id DESC LIMIT $limit`)
    .all({ ...values, limit: limit + 1 });
  return {
    links: rows.slice(0, limit).map((row) => fromRow(db, row)),
    hasMore: rows.length > limit,
  };
}

/** Sealed; null without a webhook. */
export function sealedSecret(db: Db, id: number): string | null {
  const row = db
    .query<{ webhook_secret: string | null }, [number]>("SELECT webhook_secret FROM link WHERE id = ?")
    .get(id);
  return row?.webhook_secret ?? null;
}

export function setStatus(db: Db, id: number, status: Status): void {
  db.query("UPDATE link SET status = ? WHERE id = ?").run(status, id);
}
