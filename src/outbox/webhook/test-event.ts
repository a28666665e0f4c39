import * as WebhookEvent from "../../domain/event/webhook-event.ts";
import * as Usdc from "../../domain/usdc.ts";
import { newId } from "../../lib/crypto.ts";
import { newSecret } from "../../store/secrets.ts";
import { type DeliveryOutcome, postEvent } from "./post.ts";
import { headersFor } from "./signature.ts";

type SentTest = { secret: string; body: string; outcome: DeliveryOutcome };

/** Belongs to nobody. */
const noInvoice = { invoiceId: "00000000-0000-0000-0000-000000000000", invoiceNumber: "TEST" };

/** The merchant is waiting. */
const limitMs = 8_000;

/**
 * Posts one event of an invoice that does not exist, posted and signed like any other, with a secret of its own.
 * Nothing is stored or retried. `url` is as returned by `checkWebhookUrl`.
 */
export async function sendTestEvent({
  url,
  publicOnly,
  now,
}: {
  url: string;
  publicOnly: boolean;
  now: number;
}): Promise<SentTest> {
  const secret = newSecret();
  const total = Usdc.fromMicro(1_000_000n);
  const body = WebhookEvent.invoiceBody({
    ...noInvoice,
    total,
    status: "paid",
    reference: null,
    metadata: null,
  });
  const signed = { secret, eventId: newId("test"), timestampSec: Math.floor(now / 1_000), body };
  const outcome = await postEvent({ url, headers: headersFor(signed), body, publicOnly, limitMs });
  return { secret, body, outcome };
}
