import { type Client, NoAnswer, Refused } from "./client.ts";
import { amountText, say, sayJson } from "./output.ts";

const pollIntervalMs = 3_000;

const unpaid = ["draft", "sent", "pending", "error"];

/** What is watched: where its status is read, and what names it to people and to programs. */
export type Watched = { path: string; name: string; ids: Record<string, string> };

type Status = {
  status: string;
  received_amount: string;
  total_amount?: string;
  expected_amount?: string;
};

/** Says whenever the status or the amount received changes, and returns when it is paid, or more than that. */
export async function watch(
  client: Client,
  { path, name, ids }: Watched,
  { json, pollMs = pollIntervalMs }: { json: boolean; pollMs?: number },
): Promise<void> {
  if (!json) say("Waiting for the payment. Ctrl-C stops the waiting; nothing else stops with it.");
  let said = "";
  for (;;) {
    const found = await lookAt(client, path);
    const isUnpaid = !found || unpaid.includes(found.status);
    if (!isUnpaid && said !== `${found.status} ${found.received_amount}`) {
      said = `${found.status} ${found.received_amount}`;
      const { status, received_amount, total_amount, expected_amount } = found;
      if (json) sayJson({ ...ids, status, received_amount, total_amount, expected_amount });
      else
        say(
          `${name} is ${status}: ${amountText(received_amount)} of ${amountText(total_amount ?? expected_amount ?? "")} USDC received`,
        );
    }
    if (!isUnpaid && found.status !== "partial") return;
    await Bun.sleep(pollMs);
  }
}

/** Null while Till does not answer, or has too much to do: that may pass, and the payment does not depend on it. */
async function lookAt(client: Client, path: string): Promise<Status | null> {
  try {
    return await client.get<Status>(path);
  } catch (thrown) {
    if (thrown instanceof NoAnswer) return null;
    if (thrown instanceof Refused && (thrown.status === 429 || thrown.status >= 500)) return null;
    throw thrown;
  }
}
