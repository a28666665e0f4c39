import { type Client, NoAnswer, Refused } from "./client.ts";
import { say, sayJson } from "./output.ts";
import type { InvoiceRecord } from "./target.ts";

const pollIntervalMs = 3_000;

/** Says whenever the status or the amount received changes, and returns when it is paid, or more than that. */
export async function watchInvoice(
  client: Client,
  id: string,
  { json, pollMs = pollIntervalMs }: { json: boolean; pollMs?: number },
): Promise<void> {
  if (!json) say("Waiting for the payment. Ctrl-C stops the waiting; the invoice stays.");
  let said = "";
  for (;;) {
    const found = await lookAt(client, id);
    const isOpen = !found || found.status === "draft" || found.status === "sent";
    if (!isOpen && said !== `${found.status} ${found.received_amount}`) {
      said = `${found.status} ${found.received_amount}`;
      const { invoice_number, status, received_amount, total_amount } = found;
      if (json) sayJson({ invoice_id: id, invoice_number, status, received_amount, total_amount });
      else say(`${invoice_number} is ${status}: ${received_amount} of ${total_amount} USDC received`);
    }
    if (!isOpen && found.status !== "partial") return;
    await Bun.sleep(pollMs);
  }
}

/** Null while Till does not answer, or has too much to do: that may pass, and the payment does not depend on it. */
async function lookAt(client: Client, id: string): Promise<InvoiceRecord | null> {
  try {
    return await client.get<InvoiceRecord>(`/api/invoices/${id}`);
  } catch (thrown) {
    if (thrown instanceof NoAnswer) return null;
    if (thrown instanceof Refused && (thrown.status === 429 || thrown.status >= 500)) return null;
    throw thrown;
  }
}
