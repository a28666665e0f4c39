import { isPaidWith, type Relay } from "../../../domain/payment/relay.ts";
import type { MadePayment, Shown } from "../../../settle/relay/made.ts";
import type { RelayRefusal } from "../../../settle/relay/refusal.ts";
import type { Relayer } from "../../../settle/relay/relayer.ts";
import * as RelayStore from "../../../store/tables/settle/relay.ts";
import * as DepositTransferStore from "../../../store/tables/watch/deposit-transfer.ts";
import type { HttpDeps } from "../../route/deps.ts";
import type { Resource } from "./subject.ts";

/** The state of an invoice or a link for a program that would pay it. */
type PaymentState =
  | { kind: "open" }
  /** Signed but not known to be in a block: the money may or may not move. Null if it comes from another network. */
  | { kind: "pending"; relay: Relay | null }
  /** `transaction` is the latest payment's; null if it was paid in another way. */
  | { kind: "paid"; status: "confirming" | "confirmed"; transaction: string | null }
  | { kind: "void" }
  | { kind: "closed" }
  | { kind: "unpriced" };

export function stateOf({ db }: Pick<HttpDeps, "db">, { payable, depositIndex }: Resource): PaymentState {
  const kind = payable()?.demand.kind ?? "closed";
  if (kind === "paid")
    return { kind, status: "confirmed", transaction: DepositTransferStore.lastHash(db, depositIndex) };
  const relay = RelayStore.onItsWay(db, depositIndex);
  if (relay?.state === "accepted" || relay?.state === "sent") return { kind: "pending", relay };
  if (relay) return { kind: "paid", status: "confirming", transaction: relay.txHash };
  if (kind === "confirming")
    return { kind: "paid", status: kind, transaction: DepositTransferStore.lastHash(db, depositIndex) };
  return kind === "crossing" ? { kind: "pending", relay: null } : { kind };
}

/** A payment that paid all that was due. */
export type Paid = Omit<MadePayment, "isKnown">;

/**
 * Returns the payment of an authorisation that Till did not execute: somebody else may have. Null, too, if more is due:
 * whoever signs a part, however small, can show it to the token.
 */
export async function paidBy(
  relayer: Relayer | null,
  { payable }: Resource,
  auth: Shown["auth"],
  refusal: RelayRefusal | null,
): Promise<Paid | null> {
  const before = payable();
  const made = before && (await relayer?.madeBy({ deposit: before.deposit, auth }, refusal));
  if (!made) return null;
  const owed = made.isKnown ? payable() : before;
  return owed && isPaidWith(owed, made.isKnown ? 0n : auth.amount) ? made : null;
}
