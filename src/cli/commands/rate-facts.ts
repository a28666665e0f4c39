import type * as Answer from "../../http/fields/answer-schemas.ts";
import { amountText, timeText } from "../terminal/output.ts";

type Billed = Pick<(typeof Answer.InvoiceRecord)["static"], "currency" | "expected_usdc" | "exchange_rate">;

/** What is to be paid of an invoice in another currency, and at which rate; nothing of one in USDC. */
export function rateFacts({ currency, expected_usdc, exchange_rate }: Billed): [string, string][] {
  if (currency === undefined || expected_usdc === undefined || exchange_rate === undefined) return [];
  const { rate, source, fetched_at } = exchange_rate;
  return [
    ["To pay", `${amountText(expected_usdc)} USDC`],
    ["Rate", `1 USDC = ${rate} ${currency}, ${source}, ${timeText(fetched_at)}`],
  ];
}
