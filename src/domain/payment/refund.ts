import type { Hex } from "../../lib/crypto.ts";
import type { TakenBack } from "../link/bill.ts";
import * as Usdc from "../usdc.ts";
import type { Address } from "../wallet/address.ts";
import type { Standing } from "./standing.ts";

/**
 * requested: nobody has approved it, and perhaps nobody knows where to send it. approved: it may be sent. sent: it is on
 * its way. confirmed: the chain has it, or the merchant gave it back in another way. cancelled: it is not given back.
 */
export const states = ["requested", "approved", "sent", "confirmed", "cancelled"] as const;
export type State = (typeof states)[number];

/** From Till's wallet; by a transfer that the merchant makes from their own; or outside of Till. */
export const ways = ["till", "wallet", "elsewhere"] as const;
export type Way = (typeof ways)[number];

/** Who named the address: the customer, by a link that was mailed or one that somebody gave them; or a person or a key. */
export type AddressBy = "mail" | "link" | "person";

/** What a merchant gives back to the one who paid an invoice or a link. */
export type Refund = {
  id: string;
  depositIndex: number;
  amount: Usdc.Usdc;
  /** What of it nobody was owed before: of a link, which has no credit notes. */
  credited: Usdc.Usdc;
  /** What it took back of a numbered receipt, once it was given back; null where there is none. */
  takenBack: TakenBack | null;
  way: Way;
  state: State;
  /** For the customer. */
  reason: string | null;
  /** For the merchant alone. */
  note: string | null;
  /** Who is asked for the address and told of the refund; null when nobody is. */
  email: string | null;
  address: Address | null;
  addressBy: AddressBy | null;
  /** Unix time in milliseconds, here and below; until when the newest link takes an address. */
  claimEndsAt: number | null;
  approvedAt: number | null;
  /** From when on Till sends it. */
  readyAt: number | null;
  /** No transfer up to this block can be this refund. */
  begunBlock: number | null;
  /** How its withdrawal ended without moving the money: somebody has to approve it again. */
  failure: "expired" | "cancelled" | "replaced" | null;
  txHash: Hex | null;
  createdAt: number;
  changedAt: number;
  endedAt: number | null;
};

/** Nothing is left to give back; more than that is asked for; it is the customer's no longer; or an invoice needs a credit. */
export type AmountRefusal = { kind: "nothing" } | { kind: "too_much" | "credit_first"; most: Usdc.Usdc };

/**
 * How much of a refund of `amount` (null for all that is owed) is owed, and how much is a gift; or why it cannot be. Never
 * more than came and has not gone back; outside of Till, what was paid outside of it as well. What an invoice does not
 * owe is credited first, as its books have to say why.
 */
export function amountOf(
  { toRefund, refundable }: Pick<Standing, "toRefund" | "refundable">,
  { amount, way, kind }: { amount: Usdc.Usdc | null; way: Way; kind: "invoice" | "link" },
): { ok: true; amount: Usdc.Usdc; credited: Usdc.Usdc } | { ok: false; why: AmountRefusal } {
  const owed = way === "elsewhere" ? toRefund : Usdc.least(toRefund, refundable);
  const most = kind === "invoice" || owed > refundable ? owed : refundable;
  const wanted = amount ?? (owed > 0n ? owed : most);
  if (wanted > 0n && wanted <= most)
    return { ok: true, amount: wanted, credited: Usdc.remaining(wanted, owed) };
  if (wanted <= refundable && refundable > 0n) return { ok: false, why: { kind: "credit_first", most } };
  return { ok: false, why: most === 0n ? { kind: "nothing" } : { kind: "too_much", most } };
}

/** Whether somebody may still say where it goes, approve or cancel it. */
export const isOpen = ({ state }: Pick<Refund, "state">): boolean => state === "requested";

/** Nothing has left: who approved it may take that back. */
export const mayCancel = ({ state }: Pick<Refund, "state">): boolean =>
  state === "requested" || state === "approved";

/** The name of the PDF of its receipt. */
export const fileName = ({ id }: Pick<Refund, "id">): string => `${id}.pdf`;

/** A link for the customer takes an address so long. */
export const claimMs = 14 * 86_400_000;

/** The page where the customer names an address; its token is its secret. */
export const claimUrl = (baseUrl: string, token: string): string => `${baseUrl}/refund/${token}`;
