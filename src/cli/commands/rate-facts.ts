import type * as Answer from "../../http/fields/answer-schemas.ts";
import { amountText, timeText } from "../terminal/output.ts";

type Quoted = Pick<(typeof Answer.InvoiceRecord)["static"], "currency" | "expected_usdc" | "exchange_rate">;

/** What an invoice in another currency was issued for in USDC, and the rate; nothing of one in USDC. */
export function rateFacts(invoice: Quoted, label: "To pay" | "In USDC"): [string, string][] {
  const { currency, expected_usdc, exchange_rate } = invoice;
  if (expected_usdc === undefined || exchange_rate === undefined) return [];
  const { rate, source, fetched_at } = exchange_rate;
  return [
    [label, `${amountText(expected_usdc)} USDC`],
    ["Rate", `1 USDC = ${rate} ${currency}, ${source}, ${timeText(fetched_at)}`],
  ];
}
