import type * as Answer from "../../http/fields/answer-schemas.ts";
import { amountText, timeText } from "../terminal/output.ts";

type ToPay = Pick<
  (typeof Answer.InvoiceRecord)["static"],
  "currency" | "expected_usdc" | "exchange_rate" | "credited_amount" | "due_amount"
>;

/** What was credited, the amount due in USDC, and the rate; empty where the due amount is the total. */
export function rateFacts(invoice: ToPay): [string, string][] {
  const { currency = "USDC", expected_usdc, exchange_rate, credited_amount, due_amount } = invoice;
  const toPay = due_amount ?? expected_usdc;
  const facts: [string, string][] = [];
  if (credited_amount !== undefined) facts.push(["Credited", `-${amountText(credited_amount)} ${currency}`]);
  if (toPay !== undefined) facts.push(["To pay", `${amountText(toPay)} USDC`]);
  if (exchange_rate === undefined) return facts;
  const { rate, source, fetched_at } = exchange_rate;
  return [...facts, ["Rate", `1 USDC = ${rate} ${currency}, ${source}, ${timeText(fetched_at)}`]];
}
