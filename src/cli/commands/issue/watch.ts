import * as Usdc from "../../../domain/usdc.ts";
import { type Client, NoAnswer, Refused } from "../../api/client.ts";
import { amountText, say, sayJson } from "../../terminal/output.ts";

const pollIntervalMs = 3_000;

/** Nothing has arrived, as `till invoice` has already said. */
const unpaid = ["draft", "sent", "pending"];

/** What to watch: where to read its status, and its names for people and programs. */
export type WatchedPayment = { path: string; name: string; ids: Record<string, string> };

type Status = {
  status: string;
  received_amount: string;
  total_amount?: string;
  /** For an invoice with credit notes. */
  due_amount?: string;
  /** For an invoice in another currency. */
  expected_usdc?: string;
  expected_amount?: string;
};

/** Reports changes of status or amount, also when a reorg takes a payment back, until all is paid. */
export async function watch(
  client: Client,
  { path, name, ids }: WatchedPayment,
  { json, pollMs = pollIntervalMs }: { json: boolean; pollMs?: number },
): Promise<void> {
  if (!json) say("Waiting for the payment. Ctrl-C stops the waiting; nothing else stops with it.");
  let said = "";
  let receivedBefore: Usdc.Usdc = Usdc.zero;
  for (; ; await Bun.sleep(pollMs)) {
    const answer = await lookAt(client, path);
    if (!answer) continue;
    const { status, received_amount, total_amount, expected_usdc, expected_amount, due_amount } = answer;
    const received = Usdc.parse(received_amount) ?? receivedBefore;
    const isTakenBack = status === "error" || received < receivedBefore;
    receivedBefore = received;
    const isUnpaid = unpaid.includes(status);
    const state = `${status} ${received_amount}`;
    if (state !== said && (isTakenBack || !isUnpaid)) {
      if (json) sayJson({ ...ids, status, received_amount, total_amount, expected_usdc, expected_amount });
      else
        say(
          `${name} is ${status}: ${isTakenBack ? "a reorganisation of the chain took a payment back, " : ""}` +
            `${amountText(received_amount)} of ${amountText(expected_usdc ?? total_amount ?? expected_amount ?? "")} USDC received` +
            (due_amount === undefined ? "" : `, ${amountText(due_amount)} left to pay`),
        );
    }
    said = state;
    if (!isUnpaid && status !== "partial" && status !== "error") return;
  }
}

/** Null while Till does not answer or is overloaded: that may pass, and the payment does not depend on it. */
async function lookAt(client: Client, path: string): Promise<Status | null> {
  try {
    return await client.get<Status>(path);
  } catch (thrown) {
    if (thrown instanceof NoAnswer) return null;
    if (thrown instanceof Refused && (thrown.status === 429 || thrown.status >= 500)) return null;
    throw thrown;
  }
}
