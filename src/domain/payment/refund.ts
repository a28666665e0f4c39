import type { Hex } from "../../lib/crypto.ts";
import type { RefundedPart } from "../link/bill.ts";
import type { Kind } from "../receivable/common.ts";
import { faces } from "../receivable/faces.ts";
import * as Usdc from "../usdc.ts";
import type { Address } from "../wallet/address.ts";
import type { Standing } from "./standing.ts";

/**
 * requested: not approved yet, and the address may be unknown. approved: may be sent. sent: on its way. confirmed: on
 * the chain, or given back by the merchant in another way. cancelled: will not be given back.
 */
export const states = ["requested", "approved", "sent", "confirmed", "cancelled"] as const;
export type State = (typeof states)[number];

/** From Till's wallet, by a transfer from the merchant's own wallet, or outside of Till. */
export const ways = ["till", "wallet", "elsewhere"] as const;
export type Way = (typeof ways)[number];

/** Who named the address: the customer, by a link that was mailed or handed over, or a person or an API key. */
export type AddressBy = "mail" | "link" | "person";

/** Money that a merchant gives back to the payer of an invoice or a link. */
export type Refund = {
  id: string;
  depositIndex: number;
  amount: Usdc.Usdc;
  /** The part that was not owed to the payer before: only for links, which have no credit notes. */
  credited: Usdc.Usdc;
  /** The part of a numbered receipt that it took back; null before it was given back, or without such a receipt. */
  takenBack: RefundedPart | null;
  way: Way;
  state: State;
  /** For the customer. */
  reason: string | null;
  /** For the merchant only. */
  note: string | null;
  /** The mail address to ask and to notify; null if there is none. */
  email: string | null;
  address: Address | null;
  addressBy: AddressBy | null;
  /** Unix time in milliseconds, here and below. When the newest claim link expires. */
  claimEndsAt: number | null;
  approvedAt: number | null;
  /** When Till may send it. */
  readyAt: number | null;
  /** The refund's transfer cannot be in this block or an earlier one. */
  begunBlock: number | null;
  /** Why its withdrawal ended without moving the money, so that it needs approval again. */
  failure: "expired" | "cancelled" | "replaced" | null;
  txHash: Hex | null;
  createdAt: number;
  changedAt: number;
  endedAt: number | null;
};

/** Nothing is left to give back; the amount is too high; or the invoice must be credited first. */
export type AmountRefusal = { kind: "nothing" } | { kind: "too_much" | "credit_first"; most: Usdc.Usdc };

/**
 * Splits a refund of `amount` (null for all that is owed) into what is owed and what is a gift, or returns why it is
 * refused. Never more than what arrived and has not gone back; for refunds outside of Till, that includes what was paid
 * outside. On an invoice, anything not owed must be credited first, as the books need a reason.
 */
export function amountOf(
  { toRefund, refundable }: Pick<Standing, "toRefund" | "refundable">,
  { amount, way, kind }: { amount: Usdc.Usdc | null; way: Way; kind: Kind },
): { ok: true; amount: Usdc.Usdc; credited: Usdc.Usdc } | { ok: false; why: AmountRefusal } {
  const owed = way === "elsewhere" ? toRefund : Usdc.least(toRefund, refundable);
  const most = faces[kind].hasCreditNotes || owed > refundable ? owed : refundable;
  const wanted = amount ?? (owed > 0n ? owed : most);
  if (wanted > 0n && wanted <= most)
    return { ok: true, amount: wanted, credited: Usdc.remaining(wanted, owed) };
  if (wanted <= refundable && refundable > 0n) return { ok: false, why: { kind: "credit_first", most } };
  return { ok: false, why: most === 0n ? { kind: "nothing" } : { kind: "too_much", most } };
}

/** Returns whether its address can still be set and it can still be approved or cancelled. */
export const isOpen = ({ state }: Pick<Refund, "state">): boolean => state === "requested";

/** Nothing has left yet, so approval can be withdrawn. */
export const mayCancel = ({ state }: Pick<Refund, "state">): boolean =>
  state === "requested" || state === "approved";

/** File name of its receipt's PDF. */
export const fileName = ({ id }: Pick<Refund, "id">): string => `${id}.pdf`;

/** How long a customer's link accepts an address. */
export const claimMs = 14 * 86_400_000;

/** The page where the customer names an address; its token is the secret. */
export const claimUrl = (baseUrl: string, token: string): string => `${baseUrl}/refund/${token}`;
