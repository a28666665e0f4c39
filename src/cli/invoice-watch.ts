import { type Client, NoAnswer } from "./client.ts";
import { say, sayJson } from "./output.ts";
import type { InvoiceRecord } from "./target.ts";

const pollIntervalMs = 3_000;

/** Says whenever the status or the amount received changes, and returns when it is paid, or more than that. */
export async function watchInvoice(client: Client, id: string, { json }: { json: boolean }): Promise<void> {
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
    await Bun.sleep(pollIntervalMs);
  }
}

/** Null while Till does not answer: it may come back, and the payment does not depend on it. */
async function lookAt(client: Client, id: string): Promise<InvoiceRecord | null> {
  try {
    return await client.get<InvoiceRecord>(`/api/invoices/${id}`);
  } catch (thrown) {
    if (thrown instanceof NoAnswer) return null;
    throw thrown;
  }
}
