import type { Address } from "../../../domain/wallet/address.ts";
import type { Db } from "../../database.ts";

/** What goes on to bill into a wallet that it was made with. `id` is the slug of a link. */
export type Paying = { kind: "series" | "link" | "store" | "draft"; id: string; name: string };

const otherThan = (wallet: string) => `lower(coalesce(${wallet}, '')) <> lower($wallet)`;
const typed = (name: string) => `form ->> '$.typed.${name}'`;

const paying = `
  SELECT 'series' AS kind, id, coalesce(invoice ->> 'vendor_name', invoice ->> 'customer_name', id) AS name
  FROM recurring WHERE merchant = $merchant AND status <> 'ended' AND ${otherThan("invoice ->> 'wallet_address'")}
  UNION ALL SELECT 'link', slug, coalesce(product_description, slug)
  FROM reusable_link WHERE merchant = $merchant AND voided_at IS NULL
    AND (expires_at IS NULL OR expires_at > $now) AND ${otherThan("wallet_address")}
  UNION ALL SELECT 'store', id, name FROM store WHERE merchant = $merchant AND ${otherThan("wallet_address")}
    AND EXISTS (SELECT 1 FROM api_key WHERE store_id = store.id AND revoked_at IS NULL)
  UNION ALL SELECT 'draft', CAST(id AS TEXT), ${typed("vendor_name")}
  FROM draft WHERE lower(${typed("merchant_email")}) = $merchant
    AND ${otherThan(`iif(${typed("wallet_type")} = 'byo', ${typed("wallet_address")}, '')`)}
  LIMIT $limit`;

/** What of a merchant (the normal form of the email) still pays another wallet than this; null is that of Till. */
export const listPaying = (
  db: Db,
  { wallet, ...of }: { merchant: string; wallet: Address | null; now: number; limit: number },
): Paying[] => db.query<Paying, Record<string, string | number>>(paying).all({ ...of, wallet: wallet ?? "" });
