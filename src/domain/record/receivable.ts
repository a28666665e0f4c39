import { instant } from "../../lib/time.ts";
import type * as Invoice from "../bill/invoice.ts";
import * as Common from "../receivable/common.ts";

type Own = Pick<
  Invoice.Invoice,
  "reference" | "metadata" | "language" | "webhookEvents" | keyof Common.Closure
>;

/** Fields that invoices and links share beyond the contract; absent where unused. */
export function ownFields(owner: Own) {
  const { language, webhookEvents, voidedAt, voidReason, markedPaidAt } = owner;
  return {
    ...Common.annotationFields(owner),
    ...(language === null ? {} : { language }),
    ...(webhookEvents === "contract" ? {} : { webhook_events: webhookEvents }),
    ...(voidedAt === null ? {} : { voided_at: instant(voidedAt), void_reason: voidReason }),
    ...(markedPaidAt === null ? {} : { marked_paid_at: instant(markedPaidAt) }),
  };
}
