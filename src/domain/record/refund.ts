import { instant, instantOrNull } from "../../lib/time.ts";
import type * as Refund from "../payment/refund.ts";
import { namedFields, pageUrl, type Receivable } from "../receivable/receivable.ts";
import * as Usdc from "../usdc.ts";

/** A refund with a reference to its invoice or link. The merchant's note is included, so not for customers. */
export function refundRecord(baseUrl: string, owner: Receivable, refund: Refund.Refund) {
  return {
    id: refund.id,
    status: refund.state,
    amount: Usdc.formatExact(refund.amount),
    currency: "USDC",
    ...namedFields(owner),
    reference: owner.reference,
    url: pageUrl(baseUrl, owner),
    way: refund.way,
    merchant_email: owner.merchantEmail,
    customer_email: refund.email,
    reason: refund.reason,
    note: refund.note,
    address: refund.address,
    address_by: refund.addressBy,
    sends_at: refund.state === "approved" ? instantOrNull(refund.readyAt) : null,
    failure: refund.failure,
    tx_hash: refund.txHash,
    created_at: instant(refund.createdAt),
    changed_at: instant(refund.changedAt),
    ended_at: instantOrNull(refund.endedAt),
  };
}
