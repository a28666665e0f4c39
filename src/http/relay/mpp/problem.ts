import type { MppProblem } from "../x402/reason.ts";
import type { SettlementResponse } from "../x402/result.ts";
import { type Challenge, charge } from "./challenge.ts";

/** Why payment is asked for, in MPP's terms. */
const titles = {
  "payment-required": "Payment Required",
  "payment-expired": "Payment Expired",
  "verification-failed": "Verification Failed",
  "invalid-challenge": "Invalid Challenge",
  "malformed-credential": "Malformed Credential",
  "method-unsupported": "Method Unsupported",
} as const satisfies Record<MppProblem, string>;

const isMppProblem = (reason: string): reason is MppProblem => Object.hasOwn(titles, reason);

function kindOf({ reason }: Pick<SettlementResponse, "reason">): MppProblem {
  if (reason === null) return "payment-required";
  if (isMppProblem(reason)) return reason;
  return reason.endsWith("_valid_before") ? "payment-expired" : "verification-failed";
}

/** Returns the body of a 402 (or 400) for a program that uses MPP. `result` is the outcome of its payment. */
export function mppProblem(result: SettlementResponse, status: 400 | 402, challengeId?: string) {
  const kind = kindOf(result);
  const detail = result.message ?? result.reason ?? titles[kind];
  return {
    type: `https://paymentauth.org/problems/${kind}`,
    title: titles[kind],
    status,
    detail,
    challengeId,
  };
}

/** Returns the header of a payment that has moved money; empty for others, which have none. */
export function receiptHeader(
  challenge: Challenge | null,
  result: SettlementResponse | null,
  chainId: number,
): Record<string, string> {
  if (challenge === null || result?.reason !== null || result.transaction === null) return {};
  const receipt = {
    status: "success",
    method: charge.method,
    chainId,
    challengeId: challenge.id,
    reference: result.transaction,
    timestamp: new Date(result.minedAt ?? 0).toISOString(),
  };
  return {
    "payment-receipt": Buffer.from(JSON.stringify(receipt)).toString("base64url"),
    "cache-control": "private, no-store",
  };
}
