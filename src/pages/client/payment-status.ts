/** SPEC section 2.4, as the status endpoint answers it. */
export type PaymentStatus = { status: string; received_amount: string; expected_amount: string };

/** SPEC section 3.3. */
const statuses = ["pending", "confirmed", "partial", "excess", "error"];
const amountForm = /^\d{1,16}\.\d{2}$/;

/** The three fields and nothing else; null when `value` is anything else than a payment status. */
export function paymentStatusOf(value: unknown): PaymentStatus | null {
  if (typeof value !== "object" || value === null) return null;
  const { status, received_amount, expected_amount } = value as Partial<Record<keyof PaymentStatus, unknown>>;
  if (typeof status !== "string" || !statuses.includes(status)) return null;
  if (!isAmount(received_amount) || !isAmount(expected_amount)) return null;
  return { status, received_amount, expected_amount };
}

function isAmount(value: unknown): value is string {
  return typeof value === "string" && amountForm.test(value);
}
