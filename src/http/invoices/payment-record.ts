import type { Static } from "@sinclair/typebox";
import { depth } from "../../domain/payment/transfer.ts";
import * as Usdc from "../../domain/usdc.ts";
import { instant, instantOrNull } from "../../lib/time.ts";
import type { QueuedEvent } from "../../store/tables/outbox/webhook-event.ts";
import type { RecordedTransfer } from "../../store/tables/watch/transfer.ts";
import type { EventRecord, TransferRecord } from "../fields/answer-schemas.ts";

/** One transfer; `head` is the highest block Till knows. */
export function transferRecord(
  transfer: RecordedTransfer,
  head: number | null,
): Static<typeof TransferRecord> {
  return {
    tx_hash: transfer.txHash,
    from: transfer.payer,
    block_number: transfer.blockNumber,
    amount: Usdc.formatExact(transfer.amount),
    confirmations: depth(transfer.blockNumber, head ?? transfer.blockNumber),
    confirmed: transfer.confirmed,
    seen_at: instant(transfer.seenAt),
  };
}

export function eventRecord(event: QueuedEvent): Static<typeof EventRecord> {
  return {
    id: event.id,
    status: event.status,
    url: event.url,
    state: event.state,
    created_at: instant(event.createdAt),
    next_attempt_at: instantOrNull(event.nextAttemptAt),
    body: event.body,
    attempts: event.attempts.map((attempt) => ({
      attempt: attempt.attempt,
      started_at: instant(attempt.startedAt),
      duration_ms: attempt.durationMs,
      http_status: attempt.httpStatus,
      reason: attempt.reason,
    })),
  };
}
